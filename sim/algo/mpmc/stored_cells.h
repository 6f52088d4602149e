// Cells in memory by the scalar rules of sim/core/mpmc_rules.h, the same on both backends: updates,
// with records or without, and the exhaustive check.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/mpmc/trace.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope {

// Updates of the active cells of a set.
struct SubSweepTask {
  DiskCellsView cells;
  CellRule rule;
  int set;
};

// The scalar rules for cell (x, y); record(t) is called with every TrialRecord.
HOST_DEVICE void updateStoredCell(const SubSweepTask& t, int x, int y, auto&& record) {
  const GridInfo& g = t.cells.grid;
  const int disks = t.cells.count[g.cell(x, y)];
  if (disks == 0) return;
  Neighbourhood n = readNeighbourhood(t.cells, x, y);
  std::uint8_t* moved = t.cells.moved ? t.cells.moved + g.cell(x, y) : nullptr;
  updateCell(n, t.rule, g.id(x, y), record, moved);
  for (int i = 0; i < disks; ++i) t.cells.disk[g.slot(x, y, i)] = n.disk[kOwnCell][i];
}

// The same by a recording instance.
HOST_DEVICE void updateRecordedCell(const SubSweepTask& t, const MpmcTrace& trace,
                                    std::uint32_t stage, int x, int y, auto&& record) {
  const GridInfo& g = t.cells.grid;
  CellTrace<StoredCells> cell(trace, {t.cells, x, y}, t.cells.count[g.cell(x, y)], stage,
                              g.id(x, y));
  int number = 0;
  updateStoredCell(t, x, y, [&](const TrialRecord& r) {
    record(r);
    cell.trial(number++, r.slot, r.from, r.to, r.outcome);
  });
  cell.end();
}

// Number of pairs with distance < 1, and the smallest squared distance found (9 cells searched).
struct OverlapReport {
  std::uint64_t overlaps = 0;
  std::uint64_t disks = 0;              // sum of cell counts
  std::uint64_t misplaced = 0;          // outside their cell, or an occupied unused slot
  float smallestSquared = kFarSquared;  // where no pair is near
};
struct AddReports {
  HOST_DEVICE OverlapReport operator()(const OverlapReport& a, const OverlapReport& b) const {
    return {a.overlaps + b.overlaps, a.disks + b.disks, a.misplaced + b.misplaced,
            a.smallestSquared < b.smallestSquared ? a.smallestSquared : b.smallestSquared};
  }
};

// Exhaustive check of disk cells, by the rule of the trial moves: squared distances of exact
// coordinates, rounded to single precision. Disks closer than their diameter by less than a
// fraction 6e-8 may therefore count as touching, here as in the moves: the diameter is defined to
// that precision, the pressure to better than 1e-6.
//
// Index: cell. Its pairs are those inside it and with the cells to the east, north-west, north and
// north-east, so that each pair counts once.
struct CheckCell {
  DiskCellsView cells;

  HOST_DEVICE OverlapReport operator()(std::size_t index) const {
    const auto m = static_cast<std::size_t>(cells.grid.m);
    const int x = static_cast<int>(index % m), y = static_cast<int>(index / m);
    OverlapReport report;
    addSlots(report, x, y);
    addPairs(report, x, y, 0, 0);
    addPairs(report, x, y, 1, 0);
    for (int dx = -1; dx <= 1; ++dx) addPairs(report, x, y, dx, 1);
    return report;
  }

 private:
  HOST_DEVICE int slotsInUse(int x, int y) const {
    const int n = cells.count[cells.grid.cell(x, y)];
    return n < cells.grid.slots ? n : cells.grid.slots;
  }
  HOST_DEVICE void addSlots(OverlapReport& report, int x, int y) const {
    const GridInfo& g = cells.grid;
    const int n = cells.count[g.cell(x, y)];
    report.disks = static_cast<std::uint64_t>(n);
    report.misplaced = static_cast<std::uint64_t>(n > g.slots ? n - g.slots : 0);
    for (int i = 0; i < g.slots; ++i) {
      const std::size_t slot = g.slot(x, y, i);
      const Vec2 p = cells.disk[slot];
      const bool empty = p.x == kEmptySlot && p.y == kEmptySlot && cells.id[slot] == kNoId;
      report.misplaced += i < n ? !insideCell(p.x, p.y, g.w) : !empty;
    }
  }
  // Pairs of cell (x, y) with the cell at (x + dx, y + dy).
  HOST_DEVICE void addPairs(OverlapReport& report, int x, int y, int dx, int dy) const {
    const GridInfo& g = cells.grid;
    const int nx = g.wrap(x + dx), ny = g.wrapRow(y + dy);
    const Vec2 s = {static_cast<float>(dx) * g.w, static_cast<float>(dy) * g.w};
    const bool own = dx == 0 && dy == 0;
    for (int i = 0; i < slotsInUse(x, y); ++i)
      for (int j = own ? i + 1 : 0; j < slotsInUse(nx, ny); ++j) {
        const Vec2 a = cells.disk[g.slot(x, y, i)], b = cells.disk[g.slot(nx, ny, j)] + s;
        const float d2 = distanceSquared(a.x - b.x, a.y - b.y);
        report.overlaps += d2 < 1.0f;
        if (d2 < report.smallestSquared) report.smallestSquared = d2;
      }
  }
};

}  // namespace cellscope
