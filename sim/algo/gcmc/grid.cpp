#include "sim/algo/gcmc/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace cellscope {

constexpr std::uint64_t kWords = 1ull << 32;
constexpr int kMostCells = 1 << 10;  // along an axis

// Whether points with `between` whole cells between them never interact: the closest two words
// there can be, by the rounded arithmetic of the pair law.
static bool outOfReach(const GcmcPair& pair, int axis, std::uint64_t count, std::uint64_t between) {
  // Cells of a mixture may end a word earlier (GcmcBoard::typeBit).
  const std::uint64_t closest = between * kWords / count + (pair.mixed ? 0 : 1);
  if (closest > kWords / 2) return true;
  const float d = gcmcImage(static_cast<std::uint32_t>(closest), 0, pair.unit[axis]);
  return mulRn(d, d) >= pair.reachSquared;
}

static int cellsAlong(double length, const GcmcPair& pair, int axis) {
  const double cutoff = std::sqrt(static_cast<double>(pair.reachSquared));
  int count =
      cutoff > 0 ? static_cast<int>(std::min<double>(kMostCells, length / cutoff + 1)) : kMostCells;
  count = std::min(count, std::max(3, static_cast<int>(length)));
  while (count > 3 && !outOfReach(pair, axis, static_cast<std::uint64_t>(count), 1)) --count;
  return std::max(count, 3);
}

GcmcCube gcmcCells(const Box& box, const GcmcPair& pair) {
  GcmcCube c;
  for (int k = 0; k < box.dimension; ++k) {
    c.count[k] = cellsAlong(box.length[k], pair, k);
    c.span[k] = 3;
  }
  return c;
}

GcmcCube gcmcBoardCells(const Box& box, const GcmcPair& pair, double part) {
  GcmcPair narrow = pair;
  narrow.reachSquared *= static_cast<float>(part * part);
  GcmcCube c;
  for (int k = 0; k < box.dimension; ++k) {
    c.count[k] = cellsAlong(box.length[k], narrow, k) / 2 * 2;
    const double cutoff = std::sqrt(static_cast<double>(pair.reachSquared));
    if (c.count[k] < 4 || !outOfReach(narrow, k, static_cast<std::uint64_t>(c.count[k]), 1))
      throw InputError(
          "method = \"checkerboard\" needs four cells of the width of the cutoff along each axis: "
          "a box of {:g} along {} with a cutoff of {:g} has room for fewer; enlarge it to {:g}, "
          "choose a smaller cutoff or a method of one chain",
          box.length[k], "xyz"[k], cutoff, 4 * cutoff * (pair.mixed ? 1.00001 : 1));
    c.span[k] = 3;
    while (c.span[k] < c.count[k] - 1 &&
           !outOfReach(pair, k, static_cast<std::uint64_t>(c.count[k]),
                       static_cast<std::uint64_t>(c.span[k] / 2)))
      c.span[k] += 2;
  }
  return c;
}

GcmcCube gcmcMicrocells(const Box& box, const GcmcPair& pair) {
  GcmcCube c;
  for (int k = 0; k < box.dimension; ++k) {
    c.count[k] = std::clamp(static_cast<int>(box.length[k]), 1, kMostCells);
    int reach = 0;
    while (2 * reach + 1 < c.count[k] &&
           !outOfReach(pair, k, static_cast<std::uint64_t>(c.count[k]),
                       static_cast<std::uint64_t>(reach)))
      ++reach;
    c.span[k] = std::min(2 * reach + 1, c.count[k]);
  }
  return c;
}

void gcmcBoardCutInto(int domains, int layers) {
  constexpr int kLeast = 3;
  const int most = std::max(1, layers / kLeast);
  if (domains > most)
    throw InputError(
        "{} domains: each needs {} layers of cells as wide as the cutoff, and the box has {}; "
        "allowed: 1{}",
        domains, kLeast, layers, most > 1 ? fmt::format(" to {}", most) : "");
}

std::vector<std::uint32_t> gcmcEdges(const GcmcCube& cube, std::uint32_t typeBit) {
  std::vector<std::uint32_t> edges;
  for (int k = 0; k < 3; ++k) {
    const auto count = static_cast<std::uint64_t>(cube.count[k]);
    for (std::uint64_t i = 0; i <= count; ++i)
      edges.push_back(static_cast<std::uint32_t>((i * kWords + count - 1) / count));
  }
  for (int i = 0; i <= cube.count[0]; ++i)
    edges[static_cast<std::size_t>(i)] += edges[static_cast<std::size_t>(i)] & typeBit;
  return edges;
}

}  // namespace cellscope
