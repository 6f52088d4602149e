// Species.
#pragma once
#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

struct MdType {
  static ColouringInfo info() { return {"type", "Type", "The species of each particle."}; }
  static ColourScale scale(const MdColourState& s) { return categories("type", s.types); }
  HOST_DEVICE static float value(const MdSeen& p) { return static_cast<float>(p.at.type); }
};

}  // namespace cellscope::layers
