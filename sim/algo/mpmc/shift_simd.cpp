// Vectorised cell shift (S3, Algorithm 4): the lanes are cells of one column parity in a row.
#include "sim/algo/mpmc/simd_first.h"
//
#include "sim/algo/mpmc/cpu_kernels_simd.h"
#include "sim/algo/mpmc/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

constexpr int kPlaces = 4;

// A half-row of the old cells; cell k + offset (periodic) contributes to new cell k.
struct Old {
  const float* disk;
  const std::uint32_t* id;
  int offset;
};

struct HalfRow {
  Old own, neighbour;
  float* disk;
  std::uint32_t* id;
  std::uint8_t* count;
  int half;
  std::size_t cells;  // slots from one place to the next
  float dx, dy, sx, sy, w;
};

LANES_INLINE HalfRow planHalfRow(const ShiftTask& t, int y, int parity) {
  const GridInfo& g = t.from.grid;
  const int fx = shiftStepX(t.shift.direction), fy = shiftStepY(t.shift.direction);
  const std::size_t own = g.cell(parity, y);
  const std::size_t other = g.cell(fx == 0 ? parity : 1 - parity, g.wrap(y + fy));
  HalfRow row;
  row.own = {reinterpret_cast<const float*>(t.from.disk + own), t.from.id + own, 0};
  row.neighbour = {reinterpret_cast<const float*>(t.from.disk + other), t.from.id + other,
                   fx == 0 ? 0 : (fx < 0 ? parity - 1 : parity)};
  row.disk = reinterpret_cast<float*>(t.to.disk + own);
  row.id = t.to.id + own;
  row.count = t.to.count + own;
  row.half = g.m / 2;
  row.cells = g.cellCount();
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

// Place i of the old cells of lanes k0...; lanes beyond the end of the half-row are read from its
// other end.
LANES_INLINE Disks loadOld(const HalfRow& row, const Old& from, int i, int k0, int lanes) {
  const std::size_t place = static_cast<std::size_t>(i) * row.cells;
  const int first = k0 + from.offset;
  const float* disk = from.disk + 2 * place;
  const std::uint32_t* id = from.id + place;
  Disks d;
  if (first >= 0 && first + lanes <= row.half) {
    loadPairs(disk + 2 * first, d.x, d.y);
    d.id = load(id + first);
    return d;
  }
  alignas(64) float pairs[2 * kLanes] = {};
  alignas(64) std::uint32_t ids[kLanes] = {};
  for (int k = 0; k < lanes; ++k) {
    int at = first + k;
    at = at < 0 ? at + row.half : (at >= row.half ? at - row.half : at);
    pairs[2 * k] = disk[2 * at];
    pairs[2 * k + 1] = disk[2 * at + 1];
    ids[k] = id[at];
  }
  loadPairs(pairs, d.x, d.y);
  d.id = load(ids);
  return d;
}

// New cells of the lanes while they are gathered.
struct Gathered {
  Disks place[kPlaces];
  Int count;
  Mask overflow;
};

// kMost: the disk lands at place kMost at the latest.
template <int kMost>
LANES_INLINE void appendLanes(Gathered& out, const Disks& d, Mask taken) {
#pragma GCC unroll 4
  for (int j = 0; j <= kMost; ++j) {
    const Mask here = both(taken, equal(out.count, broadcast(static_cast<std::uint32_t>(j))));
    out.place[j].x = select(here, d.x, out.place[j].x);
    out.place[j].y = select(here, d.y, out.place[j].y);
    out.place[j].id = select(here, d.id, out.place[j].id);
  }
  const Mask full = equal(out.count, broadcast(static_cast<std::uint32_t>(kPlaces)));
  out.overflow = either(out.overflow, both(taken, full));
  out.count = increment(out.count, without(taken, full));
}

// Append the disks at place i of `from` that stay (own cell) or enter (neighbour). False when no
// lane has a disk there; later places are then empty as well.
template <bool kEntering, int kPlace>
LANES_INLINE bool takePlace(const HalfRow& row, const Old& from, int k0, int lanes, Mask valid,
                            Gathered& out) {
  Disks d = loadOld(row, from, kPlace, k0, lanes);
  const Mask occupied = both(valid, less(broadcast(-1.0f), d.x));
  if (!any(occupied)) return false;
  d.x = d.x - broadcast(row.dx);
  d.y = d.y - broadcast(row.dy);
  const Mask inside = insideSquare(d.x, d.y, broadcast(row.w));
  if (kEntering) {
    d.x = d.x + broadcast(row.sx);
    d.y = d.y + broadcast(row.sy);
    appendLanes<kPlaces - 1>(out, d, without(occupied, inside));
  } else {
    appendLanes<kPlace>(out, d, both(occupied, inside));
  }
  return true;
}

template <bool kEntering>
LANES_INLINE void takeCell(const HalfRow& row, const Old& from, int k0, int lanes, Mask valid,
                           Gathered& out) {
  static_cast<void>(takePlace<kEntering, 0>(row, from, k0, lanes, valid, out) &&
                    takePlace<kEntering, 1>(row, from, k0, lanes, valid, out) &&
                    takePlace<kEntering, 2>(row, from, k0, lanes, valid, out) &&
                    takePlace<kEntering, 3>(row, from, k0, lanes, valid, out));
}

LANES_INLINE Gathered gatherLanes(const HalfRow& row, int k0, int lanes, Mask valid) {
  Gathered out;
#pragma GCC unroll 4
  for (int j = 0; j < kPlaces; ++j)
    out.place[j] = {broadcast(kEmptySlot), broadcast(kEmptySlot), broadcast(kNoId)};
  out.count = broadcast(0u);
  out.overflow = noLane();
  takeCell<false>(row, row.own, k0, lanes, valid, out);
  takeCell<true>(row, row.neighbour, k0, lanes, valid, out);
  return out;
}

LANES_INLINE void storeGathered(const HalfRow& row, int k0, int lanes, const Gathered& g) {
  const bool whole = lanes == kLanes;
  alignas(64) float pairs[2 * kLanes];
  alignas(64) std::uint32_t ids[kLanes];
  alignas(64) std::uint8_t counts[64];
#pragma GCC unroll 4
  for (int j = 0; j < kPlaces; ++j) {
    const std::size_t slot = static_cast<std::size_t>(j) * row.cells + static_cast<std::size_t>(k0);
    storePairs(whole ? row.disk + 2 * slot : pairs, g.place[j].x, g.place[j].y);
    store(whole ? row.id + slot : ids, g.place[j].id);
    for (int k = 0; !whole && k < lanes; ++k) {
      row.disk[2 * (slot + k)] = pairs[2 * k];
      row.disk[2 * (slot + k) + 1] = pairs[2 * k + 1];
      row.id[slot + k] = ids[k];
    }
  }
  storeBytes(whole ? row.count + k0 : counts, g.count);
  for (int k = 0; !whole && k < lanes; ++k) row.count[k0 + k] = counts[k];
}

LANES_INLINE bool shiftHalfRow(const HalfRow& row) {
  Mask overflow = noLane();
  for (int k0 = 0; k0 < row.half; k0 += kLanes) {
    const int lanes = row.half - k0 < kLanes ? row.half - k0 : kLanes;
    const Gathered g = gatherLanes(row, k0, lanes, firstLanes(lanes));
    overflow = either(overflow, g.overflow);
    storeGathered(row, k0, lanes, g);
  }
  return any(overflow);
}

}  // namespace

std::size_t shiftRows(const ShiftTask& t, std::size_t begin, std::size_t end) {
  if (t.from.grid.places != kPlaces) return kScalarKernels.shiftRows(t, begin, end);
  bool overflow = false;
  for (std::size_t y = begin; y < end; ++y)
    for (int parity = 0; parity < 2; ++parity)
      overflow |= shiftHalfRow(planHalfRow(t, static_cast<int>(y), parity));
  // Rare: the scalar kernel finds the cell.
  return overflow ? kScalarKernels.shiftRows(t, begin, end) : kNoCell;
}

}  // namespace cellscope::CELLSCOPE_SIMD
