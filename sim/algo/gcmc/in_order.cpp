#include "sim/algo/gcmc/in_order.h"

#include <algorithm>

#include "sim/algo/gcmc/slot_chain.h"

namespace cellscope {

std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend) {
  const bool gpu = backend == Backend::cuda;
  const std::uint64_t turn = gcmcSlotTurn(cube);
  const std::uint64_t chosen = gpu ? std::max<std::uint64_t>(turn / 2, 16384) : turn / 4;
  const std::uint64_t most = wanted > 0 ? static_cast<std::uint64_t>(wanted) : chosen;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, turn));
}

}  // namespace cellscope
