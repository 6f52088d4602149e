// Pair forces over a neighbour list with several threads (lanes) per particle: lane l takes the
// partners l, l + lanes, ... and the sums meet by shuffles, in an order that depends on the number
// of lanes alone.
#pragma once
#include "sim/algo/verlet/list_forces.h"

namespace cellscope {

// lanes: 1, 2, 4 ... 32.
template <class Law, PassKind kind>
__global__ void __launch_bounds__(128)
    listPassKernel(ListPass<Law, kind> pass, std::uint32_t n, std::uint32_t lanes) {
  if (pass.stopped()) return;
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t i = thread / lanes;
  const auto lane = static_cast<std::uint32_t>(thread % lanes);
  RunningSums<float> s;
  if (i < n) s = pass.sumsOf(i, lane, lanes);
  for (std::uint32_t d = lanes / 2; d > 0; d /= 2) {
    if constexpr (kind == PassKind::forces) {
      s.fx += __shfl_down_sync(0xffffffffu, s.fx, d, lanes);
      s.fy += __shfl_down_sync(0xffffffffu, s.fy, d, lanes);
      s.fz += __shfl_down_sync(0xffffffffu, s.fz, d, lanes);
    } else {
      s.energy += __shfl_down_sync(0xffffffffu, s.energy, d, lanes);
      s.virial += __shfl_down_sync(0xffffffffu, s.virial, d, lanes);
    }
  }
  if (i < n && lane == 0) pass.store(i, s);
}

}  // namespace cellscope
