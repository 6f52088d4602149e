// Float arithmetic with every operation rounded on its own: no fused multiply-add on any backend,
// so that CPU and GPU agree bit for bit. Host files are compiled with -ffp-contract=off.
#pragma once
#include <cmath>

#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope {

HOST_DEVICE float mulRn(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

HOST_DEVICE float addRn(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

HOST_DEVICE float subRn(float a, float b) { return addRn(a, -b); }

HOST_DEVICE float divRn(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

HOST_DEVICE float sqrtRn(float a) {
#ifdef __CUDA_ARCH__
  return __fsqrt_rn(a);
#else
  return sqrtf(a);
#endif
}

HOST_DEVICE float dotRn(Vec2 a, Vec2 b) { return addRn(mulRn(a.x, b.x), mulRn(a.y, b.y)); }
HOST_DEVICE float crossRn(Vec2 a, Vec2 b) { return subRn(mulRn(a.x, b.y), mulRn(a.y, b.x)); }

// Product of complex numbers.
HOST_DEVICE Vec2 complexRn(Vec2 a, Vec2 b) {
  return {subRn(mulRn(a.x, b.x), mulRn(a.y, b.y)), addRn(mulRn(a.x, b.y), mulRn(a.y, b.x))};
}

}  // namespace cellscope
