// Records of particles in vectors, for *_simd.cpp files: lies in the namespace of the instruction
// set and calls no function outside it.
#pragma once
#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/floats.h"

namespace cellscope::CELLSCOPE_SIMD {

using Four = float __attribute__((vector_size(16), may_alias));
using FourInts = std::int32_t __attribute__((vector_size(16)));

struct Axes {
  Floats x, y, z;
};

// Positions of kLanes records, transposed four by four. at(k): the k-th of them.
template <class At>
inline Axes axesOf(const At& at) {
  union Lanes {
    Four part[kLanes / 4];
    FloatLanes all;
  } x, y, z;
  for (int g = 0; g < kLanes / 4; ++g) {
    const auto read = [&](int k) { return *reinterpret_cast<const Four*>(at(4 * g + k)); };
    const Four a = read(0), b = read(1), c = read(2), d = read(3);
    const Four abxy = __builtin_shuffle(a, b, FourInts{0, 4, 1, 5});
    const Four cdxy = __builtin_shuffle(c, d, FourInts{0, 4, 1, 5});
    x.part[g] = __builtin_shuffle(abxy, cdxy, FourInts{0, 1, 4, 5});
    y.part[g] = __builtin_shuffle(abxy, cdxy, FourInts{2, 3, 6, 7});
    const Four abz = __builtin_shuffle(a, b, FourInts{2, 6, 2, 6});
    const Four cdz = __builtin_shuffle(c, d, FourInts{2, 6, 2, 6});
    z.part[g] = __builtin_shuffle(abz, cdz, FourInts{0, 1, 4, 5});
  }
  return {Floats(x.all), Floats(y.all), Floats(z.all)};
}

// To the nearest image; odd in d. The bits of RecordBox::difference().
inline Floats nearestImage(Floats d, Floats length, Floats half) {
  const FloatLanes more = d.v > half.v ? length.v : FloatLanes{};
  const FloatLanes less = -d.v > half.v ? length.v : FloatLanes{};
  return d.v - more + less;
}

}  // namespace cellscope::CELLSCOPE_SIMD
