// Keeps two computations from the same number apart.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

// x, of which the compiler knows nothing: what is computed from it shares nothing with what is
// computed from x itself. So neither changes how products and sums of the other are contracted to
// fused multiply-adds, and the other has the same bits as without it.
template <class Real>
HOST_DEVICE Real opaque(Real x) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4)
    asm volatile("" : "+f"(x));
  else
    asm volatile("" : "+d"(x));
#elif defined(__FMA__) || !defined(__x86_64__)
  asm volatile("" : "+m"(x));
#endif  // elsewhere nothing is contracted
  return x;
}

}  // namespace cellscope
