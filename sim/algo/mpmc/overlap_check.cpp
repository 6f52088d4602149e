#include "sim/algo/mpmc/engine.h"

#include <algorithm>

namespace cellscope {
namespace {

int slotsInUse(const DiskCellsView& c, int x, int y) {
  return std::min<int>(c.count[c.grid.cell(x, y)], c.grid.slots);
}

void addPair(OverlapReport& report, Vec2 a, Vec2 b) {
  const float d2 = distanceSquared(a.x - b.x, a.y - b.y);
  report.overlaps += d2 < 1.0f;
  report.smallestSquared = std::min(report.smallestSquared, d2);
}

// Pairs of cell (x, y) with the cell at (x + dx, y + dy).
void addPairs(OverlapReport& report, const DiskCellsView& c, int x, int y, int dx, int dy) {
  const GridInfo& g = c.grid;
  const int nx = g.wrap(x + dx), ny = g.wrapRow(y + dy);
  const Vec2 s = {static_cast<float>(dx) * g.w, static_cast<float>(dy) * g.w};
  const bool own = dx == 0 && dy == 0;
  for (int i = 0; i < slotsInUse(c, x, y); ++i)
    for (int j = own ? i + 1 : 0; j < slotsInUse(c, nx, ny); ++j)
      addPair(report, c.disk[g.slot(x, y, i)], c.disk[g.slot(nx, ny, j)] + s);
}

void addSlots(OverlapReport& report, const DiskCellsView& c, int x, int y) {
  const GridInfo& g = c.grid;
  const int count = c.count[g.cell(x, y)];
  report.disks += static_cast<std::uint64_t>(count);
  if (count > g.slots) report.misplaced += static_cast<std::uint64_t>(count - g.slots);
  for (int i = 0; i < g.slots; ++i) {
    const Vec2 p = c.disk[g.slot(x, y, i)];
    const bool empty = p.x == kEmptySlot && p.y == kEmptySlot && c.id[g.slot(x, y, i)] == kNoId;
    report.misplaced += i < count ? !insideCell(p.x, p.y, g.w) : !empty;
  }
}

}  // namespace

OverlapReport checkRow(const DiskCellsView& cells, int y) {
  OverlapReport report;
  report.smallestSquared = kFarSquared;
  for (int x = 0; x < cells.grid.m; ++x) {
    addSlots(report, cells, x, y);
    addPairs(report, cells, x, y, 0, 0);
    addPairs(report, cells, x, y, 1, 0);
    for (int dx = -1; dx <= 1; ++dx) addPairs(report, cells, x, y, dx, 1);
  }
  return report;
}

OverlapReport combine(const OverlapReport& a, const OverlapReport& b) {
  OverlapReport sum;
  sum.overlaps = a.overlaps + b.overlaps;
  sum.disks = a.disks + b.disks;
  sum.misplaced = a.misplaced + b.misplaced;
  sum.smallestSquared = std::min(a.smallestSquared, b.smallestSquared);
  return sum;
}

}  // namespace cellscope
