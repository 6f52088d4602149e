#include "sim/algo/gcmc/in_order.h"

#include <algorithm>

#include "sim/algo/gcmc/place.h"

namespace cellscope {

std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend) {
  const std::uint64_t turn = gcmcPlaceTurn(cube), least = backend == Backend::cuda ? 16384 : 1;
  const std::uint64_t most =
      wanted > 0 ? static_cast<std::uint64_t>(wanted) : std::max(turn / 4, least);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, turn));
}

}  // namespace cellscope
