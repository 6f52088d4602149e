// Displacement since the neighbour lists were built.
#pragma once
#include <cmath>

#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

struct MdDisplacement {
  static ColouringInfo info() {
    return {"displacement", "Moved since the list",
            "How far each particle has moved since the lists were built: at half the buffer they "
            "are built again. With lists only."};
  }
  static std::string missing(const MdColourState& s) {
    return s.lists == MdColourState::Lists::unused ? "no lists, or not complete" : "";
  }
  static ColourScale scale(const MdColourState& s) {
    const auto most = static_cast<float>(0.5 * s.buffer);
    return sequential("moved since the list was built", "sigma", 0, most > 0 ? most : 0.05f);
  }
  HOST_DEVICE static float value(const MdSeen& p) {
    const std::size_t i = p.at.number;
    return sqrtf(p.from.box.distanceSquared(p.from.record[i], p.from.built[i]));
  }
};

}  // namespace cellscope::layers
