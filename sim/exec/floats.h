// Lanes with operators (sim/exec/lanes.h), for formulas that are written once for a number or a
// vector of them. Operations are rounded one by one unless they are called multiplyAdd.
#pragma once
#include <cstdint>

#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {

using FloatLanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = std::int32_t __attribute__((vector_size(4 * kLanes)));

struct Floats {
  FloatLanes v;
  Floats() = default;
  Floats(FloatLanes lanes) : v(lanes) {}
  explicit Floats(float s) : v(FloatLanes{} + s) {}
};

LANES_INLINE Floats operator+(Floats a, Floats b) { return a.v + b.v; }
LANES_INLINE Floats operator-(Floats a, Floats b) { return a.v - b.v; }
LANES_INLINE Floats operator*(Floats a, Floats b) { return a.v * b.v; }
LANES_INLINE Floats operator/(Floats a, Floats b) { return a.v / b.v; }

// a b + c, rounded once where the instruction set can.
LANES_INLINE Floats multiplyAdd(Floats a, Floats b, Floats c) {
  return FloatLanes(multiplyAdd(Float(a.v), Float(b.v), Float(c.v)));
}

// Lanes where a < b, as bits.
LANES_INLINE unsigned below(Floats a, Floats b) { return bitsOf(less(Float(a.v), Float(b.v))); }

// Whether some lane is not 0; all bits of a lane are alike.
LANES_INLINE bool anyOf(IntLanes lanes) { return any(greater(broadcast(0u), Int(lanes))); }

LANES_INLINE Floats larger(Floats a, Floats b) { return a.v > b.v ? a.v : b.v; }

LANES_INLINE Floats smaller(Floats a, Floats b) { return a.v < b.v ? a.v : b.v; }

LANES_INLINE Floats squareRoot(Floats a) { return FloatLanes(squareRoot(Float(a.v))); }

// One lane after the other.
LANES_INLINE Floats log1p(Floats a) {
  for (int k = 0; k < kLanes; ++k) a.v[k] = __builtin_log1pf(a.v[k]);
  return a;
}

// 1 / sqrt(a): the processor's estimate and one Newton step, relative error below 3e-7.
LANES_INLINE Floats inverseRoot(Floats a) {
  const Floats e = FloatLanes(inverseRootEstimate(Float(a.v)));
  return e * (Floats(1.5f) - Floats(0.5f) * a * e * e);
}

LANES_INLINE IntLanes loadInts(const std::int32_t* p) {
  return IntLanes(load(reinterpret_cast<const std::uint32_t*>(p)));
}
// Difference modulo 2^32, in units of `unit`.
LANES_INLINE Floats wrappedDifference(std::int32_t a, IntLanes b, Floats unit) {
  using Bits = std::uint32_t __attribute__((vector_size(4 * kLanes)));
  const IntLanes d = IntLanes((Bits{} + static_cast<std::uint32_t>(a)) - Bits(b));
  return Floats(__builtin_convertvector(d, FloatLanes)) * unit;
}

// Sum of floats in double, lane by lane.
class DoubleSum {
 public:
  void add(Floats f) {
    low_ += lowDoubles(Float(f.v));
    high_ += highDoubles(Float(f.v));
  }
  double total() const { return sumOf(low_ + high_); }

 private:
  Double low_ = noDouble(), high_ = noDouble();
};

}  // namespace cellscope::CELLSCOPE_SIMD
