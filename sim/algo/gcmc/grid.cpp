#include "sim/algo/gcmc/grid.h"

#include <fmt/format.h>

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

namespace {

std::vector<GcmcCellWork> byMapping(const GcmcMapping& m, const GcmcCube& cube, GcmcPoint at) {
  std::vector<GcmcCellWork> all;
  for (int block = 0; block < m.blocks; ++block)
    for (int turn = 0; turn < m.inTurn; ++turn)
      for (int thread = 0; thread < m.threads(); thread += m.lanes) {
        const GcmcVisit v = gcmcVisit(m, block, thread, turn);
        all.push_back({gcmcCubeCell(cube, at, v.neighbour), block, thread, m.lanes, turn, false});
      }
  return all;
}

std::vector<GcmcCellWork> byOneBlock(const GcmcCube& cube, int lanes, int threads, GcmcPoint at) {
  std::vector<GcmcCellWork> all;
  const int together = std::max(1, threads / lanes);
  for (int k = 0; k < cube.cells(); ++k)
    all.push_back({gcmcCubeCell(cube, at, k), 0, k % together * lanes, lanes, k / together, false});
  return all;
}

constexpr int kWarp = 32;

void skipBeyond(const GcmcCube& cube, const GcmcPair& pair, GcmcPoint at,
                std::vector<GcmcCellWork>& all) {
  const std::vector<std::uint32_t> edges = gcmcEdges(cube);
  GcmcGrid grid;
  grid.cube = cube, grid.edge = edges.data();
  for (GcmcCellWork& w : all) w.skipped = gcmcBeyond(grid, pair, at, w.cell);
}

// in_order_cuda.cu: a lane asks for each cell, then the halves take those that hold particles.
std::vector<GcmcCellWork> byWarpOfMove(const GcmcCube& cube, const GcmcPair& pair, GcmcPoint at,
                                       const std::vector<std::uint32_t>& filled) {
  std::vector<GcmcCellWork> all = byOneBlock(cube, 1, kWarp, at);
  skipBeyond(cube, pair, at, all);
  int read = 0;
  for (GcmcCellWork& w : all) {
    if (w.cell.cell == cube.cellOf(at)) w.skipped = false;
    if (w.skipped || (!filled.empty() && filled[w.cell.cell] == 0)) continue;
    w.firstThread = read % 2 * (kWarp / 2), w.threads = kWarp / 2, w.turn = read / 2;
    ++read;
  }
  return all;
}

// checkerboard_cuda.cu: the own cell in the first turn, two cells in each of the others.
std::vector<GcmcCellWork> byBlockOfCell(const GcmcCube& cube, int threads, GcmcPoint at) {
  std::vector<GcmcCellWork> all = byOneBlock(cube, kWarp / 2, threads, at);
  for (GcmcCellWork& w : all) {
    ++w.turn;
    if (w.cell.cell == cube.cellOf(at)) w.firstThread = 0, w.threads = kWarp, w.turn = 0;
  }
  return all;
}

}  // namespace

std::vector<GcmcCellWork> gcmcWork(const GcmcShare& s, const GcmcPair& pair, GcmcPoint at,
                                   const std::vector<std::uint32_t>& filled) {
  at = {at.x - s.shift[0], at.y - s.shift[1], at.z - s.shift[2]};
  std::vector<GcmcCellWork> all;
  switch (s.how) {
    case GcmcSharing::particles:
      return {};
    case GcmcSharing::warpOfMove:
      return byWarpOfMove(s.cube, pair, at, filled);
    case GcmcSharing::blockOfCell:
      return byBlockOfCell(s.cube, s.threads, at);
    case GcmcSharing::mapping:
      all = byMapping(s.mapping, s.cube, at);
      break;
    case GcmcSharing::oneBlock:
    case GcmcSharing::oneThread:
      all = byOneBlock(s.cube, s.lanes, s.threads, at);
  }
  if (s.skipBeyond) skipBeyond(s.cube, pair, at, all);
  return all;
}

}  // namespace cellscope
