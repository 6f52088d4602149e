// Records of particles in vectors, for *_simd.cpp files: lies in the namespace of the instruction
// set and calls no function outside it.
#pragma once
#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {

struct Axes {
  Floats x, y, z;
};

struct BoxLanes {
  Floats length[3], half[3];
  explicit BoxLanes(const RecordBox& box) {
    for (int a = 0; a < 3; ++a) {
      length[a] = Floats(box.length[a]);
      half[a] = Floats(0.5f * box.length[a]);
    }
  }
};

// Positions of kLanes records. at(k): the k-th of them.
inline Axes axesOf(const auto& at) {
  Float x, y, z;
  loadTriples([&](int k) { return reinterpret_cast<const float*>(at(k)); }, x, y, z);
  return {FloatLanes(x), FloatLanes(y), FloatLanes(z)};
}

// To the nearest image; odd in d. The bits of RecordBox::difference().
inline Floats nearestImage(Floats d, Floats length, Floats half) {
  const FloatLanes more = d.v > half.v ? length.v : FloatLanes{};
  const FloatLanes less = -d.v > half.v ? length.v : FloatLanes{};
  return d.v - more + less;
}

}  // namespace cellscope::CELLSCOPE_SIMD
