#include "sim/algo/gcmc/slot_chain.h"

#include <algorithm>
#include <cstdlib>

#include "sim/algo/gcmc/makers.h"

namespace cellscope {

// Cells between two, along the axis where they are furthest apart.
static int apart(const GcmcCube& c, std::uint32_t a, std::uint32_t b) {
  int most = 0;
  for (int k = 0; k < 3; ++k) {
    const auto count = static_cast<std::uint32_t>(c.count[k]);
    const int d = std::abs(static_cast<int>(a % count) - static_cast<int>(b % count));
    most = std::max(most, std::min(d, c.count[k] - d));
    a /= count, b /= count;
  }
  return most;
}

std::uint64_t gcmcUndisturbed(const GcmcSlotCells& p, std::uint64_t first, std::uint64_t turn,
                              const std::vector<std::uint32_t>& filled,
                              std::optional<std::uint32_t> wanted) {
  constexpr int kFar = 4;  // three cells between
  std::optional<std::uint64_t> earliest;
  bool near = false;
  for (std::uint64_t k = 0; k < turn; ++k) {
    const GcmcSlotDraw d = gcmcSlotDraw(p, first + k);
    if (d.kind != GcmcKind::insertion && d.slot >= filled[d.cell]) continue;
    if (!earliest) earliest = first + k;
    if (!wanted || near) break;
    if (d.cell == *wanted) return first + k;
    near = apart(p.cube, d.cell, *wanted) < kFar;
  }
  return earliest.value_or(first);
}

std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend) {
  const bool gpu = backend == Backend::cuda;
  const std::uint64_t turn = gcmcSlotTurn(cube);
  const std::uint64_t chosen = gpu ? turn : std::clamp<std::uint64_t>(turn / 32, 64, 4096);
  const std::uint64_t most = wanted > 0 ? static_cast<std::uint64_t>(wanted) : chosen;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, 1, turn));
}

}  // namespace cellscope
