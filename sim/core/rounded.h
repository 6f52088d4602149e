// Arithmetic with every operation rounded on its own: no fused multiply-add on any backend,
// so that CPU and GPU agree bit for bit. Host files are compiled with -ffp-contract=off.
#pragma once
#include <cmath>

#include "sim/base/box.h"

namespace cellscope {

#ifdef __CUDA_ARCH__
HOST_DEVICE float mulRn(float a, float b) { return __fmul_rn(a, b); }
HOST_DEVICE float addRn(float a, float b) { return __fadd_rn(a, b); }
HOST_DEVICE double mulRn(double a, double b) { return __dmul_rn(a, b); }
HOST_DEVICE double addRn(double a, double b) { return __dadd_rn(a, b); }
HOST_DEVICE float divRn(float a, float b) { return __fdiv_rn(a, b); }
// Of a number from 2^-125 up to 2^126: what __frcp_rn() does there, without asking where a is. That
// branch keeps the compiler from working out several at once.
HOST_DEVICE float inverseRn(float a) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
  return __fmaf_rn(r, -__fmaf_rn(a, r, -1.0f), r);
}
HOST_DEVICE float sqrtRn(float a) { return __fsqrt_rn(a); }
#else
HOST_DEVICE float mulRn(float a, float b) { return a * b; }
HOST_DEVICE float addRn(float a, float b) { return a + b; }
HOST_DEVICE double mulRn(double a, double b) { return a * b; }
HOST_DEVICE double addRn(double a, double b) { return a + b; }
HOST_DEVICE float divRn(float a, float b) { return a / b; }
HOST_DEVICE float inverseRn(float a) { return 1.0f / a; }
HOST_DEVICE float sqrtRn(float a) { return sqrtf(a); }
#endif
HOST_DEVICE float subRn(float a, float b) { return addRn(a, -b); }

// What pair laws take of numbers beside + - * /; lanes have the same (sim/exec/lanes.h).
HOST_DEVICE float squareRoot(float a) { return sqrtf(a); }
HOST_DEVICE double squareRoot(double a) { return sqrt(a); }
HOST_DEVICE float smaller(float a, float b) { return a < b ? a : b; }
HOST_DEVICE double smaller(double a, double b) { return a < b ? a : b; }
HOST_DEVICE float larger(float a, float b) { return a > b ? a : b; }
HOST_DEVICE double larger(double a, double b) { return a > b ? a : b; }

// A float with such arithmetic.
struct Rounded {
  float v;
  Rounded() = default;
  HOST_DEVICE explicit Rounded(float x) : v(x) {}
};
HOST_DEVICE Rounded operator+(Rounded a, Rounded b) { return Rounded(addRn(a.v, b.v)); }
HOST_DEVICE Rounded operator-(Rounded a, Rounded b) { return Rounded(subRn(a.v, b.v)); }
HOST_DEVICE Rounded operator*(Rounded a, Rounded b) { return Rounded(mulRn(a.v, b.v)); }
HOST_DEVICE Rounded operator/(Rounded a, Rounded b) { return Rounded(divRn(a.v, b.v)); }
HOST_DEVICE Rounded inverseOf(Rounded a) { return Rounded(inverseRn(a.v)); }
template <class N>
HOST_DEVICE N inverseOf(N a) {
  return N(1.0f) / a;
}
HOST_DEVICE Rounded squareRoot(Rounded a) { return Rounded(sqrtRn(a.v)); }
HOST_DEVICE Rounded smaller(Rounded a, Rounded b) { return Rounded(smaller(a.v, b.v)); }
HOST_DEVICE Rounded larger(Rounded a, Rounded b) { return Rounded(larger(a.v, b.v)); }

HOST_DEVICE float dotRn(Vec2 a, Vec2 b) { return addRn(mulRn(a.x, b.x), mulRn(a.y, b.y)); }
HOST_DEVICE float crossRn(Vec2 a, Vec2 b) { return subRn(mulRn(a.x, b.y), mulRn(a.y, b.x)); }

// Product of complex numbers.
HOST_DEVICE Vec2 complexRn(Vec2 a, Vec2 b) {
  return {subRn(mulRn(a.x, b.x), mulRn(a.y, b.y)), addRn(mulRn(a.x, b.y), mulRn(a.y, b.x))};
}

}  // namespace cellscope
