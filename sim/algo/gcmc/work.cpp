#include "sim/algo/gcmc/work.h"

#include <algorithm>
#include <cstdint>

#include "sim/algo/gcmc/grid_choice.h"

namespace cellscope {

namespace {

std::vector<GcmcCellWork> byMapping(const GcmcMapping& m, const GcmcCube& cube, GcmcPoint at) {
  std::vector<GcmcCellWork> all;
  for (int block = 0; block < m.blocks; ++block)
    for (int turn = 0; turn < m.inTurn; ++turn)
      for (int thread = 0; thread < m.threads(); thread += kGcmcLanes) {
        const GcmcVisit v = gcmcVisit(m, block, thread, turn);
        all.push_back(
            {gcmcCubeCell(cube, at, v.neighbour), block, thread, kGcmcLanes, turn, false});
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

}  // namespace

std::vector<GcmcCellWork> gcmcWork(const GcmcShare& s, const GcmcPair& pair, GcmcPoint at) {
  if (s.how == GcmcSharing::particles) return {};
  at = {at.x - s.shift[0], at.y - s.shift[1], at.z - s.shift[2]};
  std::vector<GcmcCellWork> all = s.how == GcmcSharing::mapping
                                      ? byMapping(s.mapping, s.cube, at)
                                      : byOneBlock(s.cube, s.lanes, s.threads, at);
  if (!s.skipBeyond) return all;
  const std::vector<std::uint32_t> edges = gcmcEdges(s.cube);
  GcmcGrid grid;
  grid.cube = s.cube, grid.edge = edges.data();
  for (GcmcCellWork& w : all) w.skipped = gcmcBeyond(grid, pair, at, w.cell);
  return all;
}

}  // namespace cellscope
