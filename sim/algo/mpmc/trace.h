// Records of updates of disk cells, for the display of a picked disk and of the moves of one
// sweep.
#pragma once
#include <cstdint>

#include "sim/algo/recorder/recorder.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope {

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

}  // namespace cellscope
