#include "sim/modes/hard_disks/overlap_marks.h"

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/core/mpmc_rules.h"
#include "sim/modes/hard_disks/move_trace.h"

namespace cellscope {
namespace {

constexpr int kOwn = 4;  // of the nine cells of a neighbourhood

// Whether disk i of the middle cell overlaps any other of the nine cells.
bool overlaps(const Neighbourhood& n, int i, float w) {
  const Vec2 p = n.disk[kOwn][i];
  for (int k = 0; k < 9; ++k) {
    const Vec2 s = {static_cast<float>(k % 3 - 1) * w, static_cast<float>(k / 3 - 1) * w};
    for (int j = 0; j < n.count[k]; ++j) {
      if (k == kOwn && j == i) continue;
      const Vec2 q = n.disk[k][j] + s;
      if (distanceSquared(p.x - q.x, p.y - q.y) < 1.0f) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PointInstance> overlapMarks(const DiskSystem& system) {
  std::vector<PointInstance> marks;
  if (system.disks() > MoveTrace::kMostDisks) return marks;
  DiskCells cells = system.engine().download();
  const DiskCellsView view = cells.view();
  const GridPlacement grid = system.placement();
  for (int y = 0; y < view.grid.m; ++y)
    for (int x = 0; x < view.grid.m; ++x) {
      const Neighbourhood n = readNeighbourhood(view, x, y);
      for (int i = 0; i < n.count[kOwn]; ++i) {
        if (!overlaps(n, i, view.grid.w)) continue;
        marks.push_back({static_cast<float>(grid.globalX(x, n.disk[kOwn][i].x)),
                         static_cast<float>(grid.globalY(y, n.disk[kOwn][i].y)), 0, 1, 0, 0});
      }
    }
  return marks;
}

}  // namespace cellscope
