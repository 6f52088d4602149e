// Vectorised cell shift in place (S3, Algorithm 4): the lanes are cells of one column parity in a
// row, some kLanes of them a group.
#include "sim/algo/mpmc/lanes_staging.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

// Old cells of one column parity in a row: slot i of cell k is at i * stride + k.
struct Old {
  const float* disk;
  const std::uint32_t* id;
  const std::uint8_t* count;
  std::size_t stride;
};

// Cell k of `neighbour` contributes to cell k of a half-row.
struct HalfRow {
  Old own, neighbour;
  float* disk;
  std::uint32_t* id;
  std::uint8_t* count;
  int cells;
  float dx, dy, sx, sy, w;
};

LANES_INLINE Old oldCells(const CellRow& row, std::size_t column) {
  return {reinterpret_cast<const float*>(row.disk + column), row.id + column, row.count + column,
          row.stride};
}

// Cell k of the result is cell k + step of `from`.
LANES_INLINE Old stepped(const Old& from, int step) {
  return {from.disk + 2 * step, from.id + step, from.count + step, from.stride};
}

LANES_INLINE HalfRow planHalfRow(const ShiftTask& t, int y, int parity, const Old& neighbour) {
  const GridInfo& g = t.cells.grid;
  const int fx = shiftStepX(t.shift.direction), fy = shiftStepY(t.shift.direction);
  const CellRow own = rowOf(t.cells, y);
  const auto column = static_cast<std::size_t>(parity * (g.m / 2));
  HalfRow row;
  row.own = oldCells(own, column);
  row.neighbour = neighbour;
  row.disk = reinterpret_cast<float*>(own.disk + column);
  row.id = own.id + column;
  row.count = own.count + column;
  row.cells = g.m / 2;
  row.dx = static_cast<float>(fx) * t.shift.d;
  row.dy = static_cast<float>(fy) * t.shift.d;
  row.sx = static_cast<float>(fx) * g.w;
  row.sy = static_cast<float>(fy) * g.w;
  row.w = g.w;
  return row;
}

struct Disks {
  Float x, y;
  Int id;
};

// Slot i of the old cells of lanes k0, k0 + 1, ...
LANES_INLINE Disks loadOld(const Old& from, int i, int k0, int lanes) {
  const std::size_t slot = static_cast<std::size_t>(i) * from.stride + static_cast<std::size_t>(k0);
  Disks d;
  loadGroup(from.disk + 2 * slot, lanes, d.x, d.y);
  d.id = lanes == kLanes
             ? load(from.id + slot)
             : loadFirst(from.id + slot, static_cast<std::uint32_t>(lanes), broadcast(0u));
  return d;
}

// New cells of the lanes while they are gathered. count: beyond kSlots, disks are lost.
struct Gathered {
  Disks slot[kSlots];
  Int count;
  int stale;  // slots in use before
};

// kMost: the disk lands at slot kMost at the latest.
template <int kMost>
LANES_INLINE void appendLanes(Gathered& out, const Disks& d, Mask taken) {
#pragma GCC unroll 4
  for (int j = 0; j <= kMost; ++j) {
    const Mask here = both(taken, equal(out.count, broadcast(static_cast<std::uint32_t>(j))));
    out.slot[j].x = select(here, d.x, out.slot[j].x);
    out.slot[j].y = select(here, d.y, out.slot[j].y);
    out.slot[j].id = select(here, d.id, out.slot[j].id);
  }
  out.count = increment(out.count, taken);
}

// Appends the disks in one slot that stay (own cells) or enter (neighbours).
template <bool kEntering, int kSlot>
LANES_INLINE void takeSlot(const HalfRow& row, const Old& from, int k0, int lanes, Mask valid,
                           Gathered& out) {
  Disks d = loadOld(from, kSlot, k0, lanes);
  const Mask occupied = both(valid, less(broadcast(-1.0f), d.x));
  d.x = d.x - broadcast(row.dx);
  d.y = d.y - broadcast(row.dy);
  const Mask inside = insideSquare(d.x, d.y, broadcast(row.w));
  if (kEntering) {
    d.x = d.x + broadcast(row.sx);
    d.y = d.y + broadcast(row.sy);
    appendLanes<kSlots - 1>(out, d, without(occupied, inside));
  } else {
    appendLanes<kSlot>(out, d, both(occupied, inside));
  }
}

// Largest count of the lanes, or more.
LANES_INLINE int slotsOf(const Old& from, int k0, int lanes) {
  if (lanes == kLanes) return slotsInUse(from.count + k0);
  int most = 0;
  for (int k = k0; k < k0 + lanes; ++k) most = from.count[k] > most ? from.count[k] : most;
  return most;
}

// Returns the number of slots processed.
template <bool kEntering>
LANES_INLINE int takeCell(const HalfRow& row, const Old& from, int k0, int lanes, Mask valid,
                          Gathered& out) {
  const int slots = slotsOf(from, k0, lanes);
  takeSlot<kEntering, 0>(row, from, k0, lanes, valid, out);
  if (slots > 1) takeSlot<kEntering, 1>(row, from, k0, lanes, valid, out);
  if (slots > 2) takeSlot<kEntering, 2>(row, from, k0, lanes, valid, out);
  if (slots > 3) takeSlot<kEntering, 3>(row, from, k0, lanes, valid, out);
  return slots;
}

// `beside`: the neighbours of the lanes.
LANES_INLINE Gathered gatherLanes(const HalfRow& row, const Old& beside, int k0, int lanes,
                                  Mask valid) {
  Gathered out;
#pragma GCC unroll 4
  for (int j = 0; j < kSlots; ++j)
    out.slot[j] = {broadcast(kEmptySlot), broadcast(kEmptySlot), broadcast(kNoId)};
  out.count = broadcast(0u);
  out.stale = takeCell<false>(row, row.own, k0, lanes, valid, out);
  takeCell<true>(row, beside, 0, lanes, valid, out);
  return out;
}

LANES_INLINE void storeGathered(const HalfRow& row, int k0, int lanes, const Gathered& g) {
  const bool whole = lanes == kLanes;
  alignas(64) float pairs[2 * kLanes];
  alignas(64) std::uint32_t ids[kLanes];
  alignas(64) std::uint8_t counts[64];
#pragma GCC unroll 4
  for (int j = 0; j < kSlots; ++j) {
    // Slots that were and remain empty are not written.
    if (j == 3 && g.stale <= j && !any(greater(g.count, broadcast(static_cast<std::uint32_t>(j)))))
      break;
    const std::size_t slot =
        static_cast<std::size_t>(j) * row.own.stride + static_cast<std::size_t>(k0);
    storePairs(whole ? row.disk + 2 * slot : pairs, g.slot[j].x, g.slot[j].y);
    store(whole ? row.id + slot : ids, g.slot[j].id);
    for (int k = 0; !whole && k < lanes; ++k) {
      row.disk[2 * (slot + k)] = pairs[2 * k];
      row.disk[2 * (slot + k) + 1] = pairs[2 * k + 1];
      row.id[slot + k] = ids[k];
    }
  }
  storeBytes(whole ? row.count + k0 : counts, g.count);
  for (int k = 0; !whole && k < lanes; ++k) row.count[k0 + k] = counts[k];
}

// Lanes with more disks than slots.
LANES_INLINE Mask crowded(const Gathered& g) {
  return greater(g.count, broadcast(static_cast<std::uint32_t>(kSlots)));
}

LANES_INLINE Mask shiftGroup(const HalfRow& row, int k0, int lanes, bool storing) {
  const Gathered g = gatherLanes(row, stepped(row.neighbour, k0), k0, lanes, firstLanes(lanes));
  if (storing) storeGathered(row, k0, lanes, g);
  return crowded(g);
}

// Along y. Whether a cell has no room. Whole groups, with a lane count known at compile time, are
// separate from the rest: four times faster.
__attribute__((noinline)) bool shiftHalfRow(const HalfRow& row, bool storing) {
  Mask overflow = noLane();
  int k0 = 0;
  for (; k0 + kLanes <= row.cells; k0 += kLanes)
    overflow = either(overflow, shiftGroup(row, k0, kLanes, storing));
  if (k0 < row.cells) overflow = either(overflow, shiftGroup(row, k0, row.cells - k0, storing));
  return any(overflow);
}

// A copy of the neighbours of a group, one of which lies beyond the periodic end of the half-row:
// of cells first, first + 1, ... of `from`.
struct WrappedGroup {
  alignas(64) float disk[kSlots][2 * kLanes];
  alignas(64) std::uint32_t id[kSlots][kLanes];
  std::uint8_t count[kLanes];
};

LANES_INLINE Old wrapGroup(const Old& from, int first, int lanes, int cells, WrappedGroup& to) {
  for (int k = 0; k < lanes; ++k) {
    const int at = first + k < 0 ? first + k + cells : (first + k) % cells;
    for (std::size_t i = 0; i < kSlots; ++i) {
      const std::size_t slot = i * from.stride + static_cast<std::size_t>(at);
      to.disk[i][2 * k] = from.disk[2 * slot];
      to.disk[i][2 * k + 1] = from.disk[2 * slot + 1];
      to.id[i][k] = from.id[slot];
    }
    to.count[k] = from.count[at];
  }
  return {to.disk[0], to.id[0], to.count, kLanes};
}

// Cells of both parities, gathered before either is stored. `beside`: the neighbours of `second`.
LANES_INLINE Mask shiftPair(const HalfRow& first, const HalfRow& second, const Old& beside, int k0,
                            int lanes, bool storing) {
  const Mask valid = firstLanes(lanes);
  const Gathered a = gatherLanes(first, stepped(first.neighbour, k0), k0, lanes, valid);
  const Gathered b = gatherLanes(second, beside, k0, lanes, valid);
  if (storing) {
    storeGathered(first, k0, lanes, a);
    storeGathered(second, k0, lanes, b);
  }
  return either(crowded(a), crowded(b));
}

// Along x, in the direction of the shift: beyond a group, the cells are still old. The neighbours
// of `first` are at the same place of `second`, those of `second` one further in `first`.
__attribute__((noinline)) bool shiftAlongX(const HalfRow& first, const HalfRow& second, int step,
                                           bool storing) {
  const int cells = first.cells, rest = cells % kLanes, whole = cells - rest;
  const int end = step < 0 ? 0 : rest ? whole : whole - kLanes;  // group that is done last
  const int endLanes = cells - end < kLanes ? cells - end : kLanes;
  WrappedGroup wrapped;
  const Old edge = wrapGroup(second.neighbour, end + step, endLanes, cells, wrapped);
  const auto beside = [&](int k0) {
    return k0 == end ? edge : stepped(second.neighbour, k0 + step);
  };
  Mask overflow = noLane();
  if (rest && step < 0) overflow = shiftPair(first, second, beside(whole), whole, rest, storing);
  for (int n = 0; n < whole; n += kLanes) {
    const int k0 = step > 0 ? n : whole - kLanes - n;
    overflow = either(overflow, shiftPair(first, second, beside(k0), k0, kLanes, storing));
  }
  if (rest && step > 0)
    overflow = either(overflow, shiftPair(first, second, beside(whole), whole, rest, storing));
  return any(overflow);
}

// The first cell with more disks than slots; their counts are clamped.
LANES_INLINE std::size_t cutCrowded(const DiskCellsView& cells, std::size_t begin,
                                    std::size_t end) {
  const auto m = static_cast<std::size_t>(cells.grid.m);
  std::size_t first = kNoCell;
  for (std::size_t c = end * m; c-- > begin * m;)
    if (cells.count[c] > kSlots) cells.count[c] = kSlots, first = c;
  return first;
}

LANES_INLINE bool shiftRow(const ShiftTask& t, int y, const CellRow& beside) {
  const auto half = static_cast<std::size_t>(t.cells.grid.m / 2);
  const int fx = shiftStepX(t.shift.direction), first = fx < 0 ? 1 : 0;
  const CellRow own = rowOf(t.cells, y);
  if (fx != 0) {
    const HalfRow a = planHalfRow(t, y, first, oldCells(own, (1 - first) * half));
    const HalfRow b = planHalfRow(t, y, 1 - first, oldCells(own, first * half));
    return shiftAlongX(a, b, fx, t.store);
  }
  bool overflow = shiftHalfRow(planHalfRow(t, y, 0, oldCells(beside, 0)), t.store);
  overflow |= shiftHalfRow(planHalfRow(t, y, 1, oldCells(beside, half)), t.store);
  return overflow;
}

}  // namespace

std::size_t shiftRows(const ShiftTask& t, std::size_t begin, std::size_t end) {
  if (t.cells.grid.slots != kSlots) return kScalarKernels.shiftRows(t, begin, end);
  const int fy = shiftStepY(t.shift.direction);
  bool overflow = false;
  for (std::size_t k = begin; k < end; ++k) {
    const int y = static_cast<int>(fy < 0 ? begin + (end - 1 - k) : k);
    const CellRow beside = k + 1 == end ? t.beyond : rowOf(t.cells, y + fy);
    overflow |= shiftRow(t, y, beside);
  }
  if (!overflow) return kNoCell;
  // Rare: cells are searched one by one.
  return t.store ? cutCrowded(t.cells, begin, end) : kScalarKernels.shiftRows(t, begin, end);
}

}  // namespace cellscope::CELLSCOPE_SIMD
