// Speed.
#pragma once
#include <cmath>

#include "sim/layers/colourings/md/particle.h"

namespace cellscope::layers {

// Up to 3 sqrt(T): in space 3 % of the particles of mass 1 are faster (Maxwell distribution).
inline ColourScale speedScale(double temperature) {
  return sequential("speed", "sigma/tau", 0, static_cast<float>(3.0 * std::sqrt(temperature)));
}

struct MdSpeed {
  static ColouringInfo info() { return {"speed", "Speed", "Speed of each particle."}; }
  static ColourScale scale(const MdColourState& s) { return speedScale(s.temperature); }
  HOST_DEVICE static float value(const MdSeen& p) {
    const Vec3d v = p.from.velocity[p.at.number];
    return static_cast<float>(sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  }
};

}  // namespace cellscope::layers
