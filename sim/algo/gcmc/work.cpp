#include "sim/algo/gcmc/work.h"

#include <algorithm>

namespace cellscope {

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
