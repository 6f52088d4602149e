// One colour for all.
#pragma once
#include "sim/layers/colouring.h"

namespace cellscope::layers {

struct PlainParticles {
  static ColouringInfo info() { return {"plain", "Plain", "One colour for all particles."}; }
  template <class State>
  static ColourScale scale(const State&) {
    return plainScale("Particles");
  }
  template <class Particle>
  HOST_DEVICE static float value(const Particle&) {
    return 0.0f;
  }
};

struct PlainDisks : PlainParticles {
  static ColouringInfo info() { return {"plain", "Plain", "One colour for all disks."}; }
  template <class State>
  static ColourScale scale(const State&) {
    return plainScale("disks");
  }
};

}  // namespace cellscope::layers
