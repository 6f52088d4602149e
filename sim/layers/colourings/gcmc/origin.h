// Whether a particle was inserted during the run.
#pragma once
#include "sim/layers/colourings/gcmc/particle.h"

namespace cellscope::layers {

struct GcmcOrigin {
  static ColouringInfo info() {
    return {"origin", "Origin", "Particles from the start, and those inserted since."};
  }
  static ColourScale scale(const GcmcColourState&) {
    return categories("particles", {"from the start", "inserted"});
  }
  HOST_DEVICE static float value(const GcmcSeen& p) {
    return p.id[p.slot] >= p.idBase ? 1.0f : 0.0f;
  }
};

}  // namespace cellscope::layers
