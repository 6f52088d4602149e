// Disk cells in memory: records of their updates; and by the scalar rules of sim/core/mpmc_rules.h,
// the same on both backends, updates with records or without, and the exhaustive check.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/recorder/recorder.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope {

// --- Records of updates, for the display of a picked disk and of the moves of one sweep. ---

// Phases of the records. group: GridInfo::id of the updated cell; coordinates are local to it,
// those of neighbours to their own cell.
//   found  a disk of the 3x3 cells before the update. order: 5 k + slot. subject: its id.
//          number: x, y, k, slot.
//   trial  order: kFirstTrial + its number in the update. subject, object: id of the disk and of
//          the nearest one that it would overlap. outcome: TrialOutcome.
//          number: from x, y, proposed x, y, slot.
//   disk   one for every selected disk. order: its slot. subject: its id. outcome: 1 when one
//          of its trial moves was accepted. number: x, y before the update, x, y after it.
enum class MpmcRecord : std::uint16_t { found, trial, disk };
inline constexpr std::uint32_t kFirstTrial = 9 * kMaxSlots;

// Stage of the records of a sub-sweep; position: 0 to 3 in its sweep. Wraps after 2^30 sweeps.
HOST_DEVICE std::uint32_t traceStage(std::uint64_t sweep, int position) {
  return static_cast<std::uint32_t>(4 * sweep) + static_cast<std::uint32_t>(position);
}

// The trial move of a record of that phase.
inline TrialRecord trialOf(const Record& r) {
  TrialRecord t{};
  t.slot = static_cast<std::int32_t>(r.number[4]);
  t.id = static_cast<std::uint32_t>(r.subject);
  t.from = {r.number[0], r.number[1]};
  t.to = {r.number[2], r.number[3]};
  t.outcome = static_cast<TrialOutcome>(r.outcome);
  t.blocking = static_cast<std::uint32_t>(r.object);  // kNoId of kNoObject
  return t;
}

// Requested records. Off by default.
struct MpmcTrace {
  std::uint32_t followed = kNoId;  // a disk
  RecordWriter update;             // found and trial, of the cell that holds the followed disk
  RecordWriter disks;              // disk, of every cell
  HOST_DEVICE bool on() const { return update.on() || disks.on(); }
};

// The 3x3 cells around (x, y) in memory. In a sub-sweep only the middle one changes.
struct StoredCells {
  DiskCellsView cells;
  int x, y;
  HOST_DEVICE std::size_t cell(int k) const {
    const GridInfo& g = cells.grid;
    return g.cell(g.wrap(x + k % 3 - 1), g.wrapRow(y + k / 3 - 1));
  }
  HOST_DEVICE int count(int k) const { return cells.count[cell(k)]; }
  HOST_DEVICE Vec2 disk(int k, int slot) const {
    return cells.disk[static_cast<std::size_t>(slot) * cells.grid.cellCount() + cell(k)];
  }
  HOST_DEVICE std::uint32_t id(int k, int slot) const {
    return cells.id[static_cast<std::size_t>(slot) * cells.grid.cellCount() + cell(k)];
  }
  HOST_DEVICE float width() const { return cells.grid.w; }
};

// Writes one update of one cell, by one thread. Cells: as StoredCells; they must keep the state
// before the update during its lifetime.
template <class Cells>
class CellTrace {
 public:
  // n: disks of the cell; if 0, or if nothing is requested, all calls do nothing.
  HOST_DEVICE CellTrace(const MpmcTrace& trace, const Cells& cells, int n, std::uint32_t stage,
                        std::uint32_t group)
      : trace_(trace), cells_(cells), stage_(stage), group_(group), n_(trace.on() ? n : 0) {
    for (int i = 0; i < n_; ++i) {
      id_[i] = cells_.id(kOwnCell, i);
      followed_ = followed_ || (trace_.update.on() && id_[i] == trace_.followed);
    }
    if (!followed_ && !trace_.disks.on()) n_ = 0;
    for (int i = 0; i < n_; ++i) before_[i] = now_[i] = cells_.disk(kOwnCell, i);
    if (followed_) writeFound();
  }

  // Trial move `number` of the update, of the disk in `slot`; to: the proposal.
  HOST_DEVICE void trial(int number, int slot, Vec2 from, Vec2 to, TrialOutcome outcome) {
    if (n_ == 0) return;
    tried_ |= 1u << slot;
    if (followed_) writeTrial(number, slot, from, to, outcome);
    if (outcome != TrialOutcome::accepted) return;
    moved_ |= 1u << slot;
    now_[slot] = to;
  }

  // After the last trial move.
  HOST_DEVICE void end() const {
    if (!trace_.disks.on()) return;
    for (int i = 0; i < n_; ++i) {
      if (!(tried_ >> i & 1u)) continue;
      Record r = begun(MpmcRecord::disk, static_cast<std::uint32_t>(i), id_[i]);
      r.outcome = static_cast<std::uint16_t>(moved_ >> i & 1u);
      set(r, before_[i], now_[i]);
      trace_.disks.write(r);
    }
  }

 private:
  HOST_DEVICE Record begun(MpmcRecord phase, std::uint32_t order, std::uint32_t subject) const {
    return {.subject = subject,
            .stage = stage_,
            .group = group_,
            .order = order,
            .phase = static_cast<std::uint16_t>(phase)};
  }
  HOST_DEVICE static void set(Record& r, Vec2 a, Vec2 b) {
    r.number[0] = a.x;
    r.number[1] = a.y;
    r.number[2] = b.x;
    r.number[3] = b.y;
  }
  HOST_DEVICE void writeFound() const {
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < cells_.count(k); ++i) {
        Record r = begun(MpmcRecord::found, static_cast<std::uint32_t>(kMaxSlots * k + i),
                         cells_.id(k, i));
        set(r, cells_.disk(k, i), {static_cast<float>(k), static_cast<float>(i)});
        trace_.update.write(r);
      }
  }
  HOST_DEVICE void writeTrial(int number, int slot, Vec2 from, Vec2 to,
                              TrialOutcome outcome) const {
    Record r =
        begun(MpmcRecord::trial, kFirstTrial + static_cast<std::uint32_t>(number), id_[slot]);
    r.outcome = static_cast<std::uint16_t>(outcome);
    set(r, from, to);
    r.number[4] = static_cast<float>(slot);
    if (outcome == TrialOutcome::overlap) r.object = nearest(slot, to);
    trace_.update.write(r);
  }
  // Finds the nearest disk to `slot` at p; the kernel only knows that one overlaps.
  HOST_DEVICE std::uint32_t nearest(int slot, Vec2 p) const {
    float smallest = kFarSquared;
    std::uint32_t id = kNoId;
    for (int k = 0; k < 9; ++k) {
      const float sx = static_cast<float>(k % 3 - 1) * cells_.width();
      const float sy = static_cast<float>(k / 3 - 1) * cells_.width();
      for (int i = 0; i < cells_.count(k); ++i) {
        if (k == kOwnCell && i == slot) continue;
        const Vec2 q = k == kOwnCell ? now_[i] : cells_.disk(k, i);
        const float d2 = distanceSquared(p.x - (q.x + sx), p.y - (q.y + sy));
        if (d2 >= smallest) continue;
        smallest = d2;
        id = cells_.id(k, i);
      }
    }
    return id;
  }

  MpmcTrace trace_;
  Cells cells_;
  std::uint32_t stage_, group_;
  int n_;
  bool followed_ = false;
  unsigned tried_ = 0, moved_ = 0;  // by slot
  std::uint32_t id_[kMaxSlots] = {};
  Vec2 before_[kMaxSlots] = {}, now_[kMaxSlots] = {};
};

// Empty replacement of CellTrace in the fast instances of kernels.
struct NoTrace {
  HOST_DEVICE void trial(int, int, Vec2, Vec2, TrialOutcome) const {}
  HOST_DEVICE void end() const {}
};

HOST_DEVICE TrialOutcome outcomeOf(bool accepted, bool stays) {
  return accepted ? TrialOutcome::accepted : stays ? TrialOutcome::overlap : TrialOutcome::leftCell;
}

// --- The scalar rules. ---

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
