// The disks around kLanes active cells, laid out for the overlap test. For *_simd.cpp, which
// include it before all else: it forces inlining of shared inline functions, so that no copy
// compiled for a newer processor is linked into common code.
#pragma once
#include "sim/base/host_device.h"
#undef HOST_DEVICE
#define HOST_DEVICE inline __attribute__((always_inline))

#include <cstring>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {

inline constexpr int kSlots = 4;

// Disks of the eight neighbour cells, seen from the middle cells; one vector per disk.
struct Staged {
  alignas(64) float x[8 * kSlots][kLanes];
  alignas(64) float y[8 * kSlots][kLanes];
  alignas(64) float square[8 * kSlots][kLanes];
  int n;
};

// A half-row of neighbour cells: cell k + offset (periodic) neighbours the k-th active cell.
struct Source {
  const float* disk;  // slot 0 of its first cell, as pairs
  const std::uint8_t* count;
  int offset;
  float sx, sy;
};

struct RowPlan {
  Source source[8];
  float* own;           // slot 0 of the first active cell
  std::uint8_t* count;  // of the first active cell
  std::uint32_t firstId;
  int half;            // active cells in the row
  std::size_t stride;  // floats from one slot to the next
};

LANES_INLINE RowPlan planRow(const SubSweepTask& t, int y) {
  const GridInfo& g = t.cells.grid;
  const int px = t.set & 1, half = g.m / 2;
  float* disks = reinterpret_cast<float*>(t.cells.disk);
  RowPlan row;
  row.half = half;
  row.stride = 2 * g.cellCount();
  row.own = disks + 2 * g.cell(px, y);
  row.count = t.cells.count + g.cell(px, y);
  row.firstId = g.id(px, y);
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int parity = dx == 0 ? px : 1 - px;
      const int offset = dx == 0 ? 0 : (dx < 0 ? px - 1 : px);
      const std::size_t first = g.cell(parity, g.wrapRow(y + dy));
      row.source[n++] = {disks + 2 * first, t.cells.count + first, offset,
                         static_cast<float>(dx) * g.w, static_cast<float>(dy) * g.w};
    }
  return row;
}

// Replace one lane by the disk at `pair`, for cells beyond the end of the half-row.
LANES_INLINE void patchLane(Staged& s, int lane, const float* pair, float sx, float sy) {
  const float x = pair[0] + sx, y = pair[1] + sy;
  s.x[s.n][lane] = x;
  s.y[s.n][lane] = y;
  s.square[s.n][lane] = x * x + y * y;
}

// At least the largest of kLanes counts (each at most 4, so three bits), in scalar registers.
LANES_INLINE int slotsInUse(const std::uint8_t* counts) {
  std::uint64_t two = 0, three = 0, four = 0;
  for (int k = 0; k < kLanes; k += 8) {
    std::uint64_t c = 0;
    std::memcpy(&c, counts + k, kLanes < 8 ? kLanes : 8);
    two |= c >> 1;
    three |= c & (c >> 1);
    four |= c >> 2;
  }
  const std::uint64_t ones = 0x0101010101010101ull;
  return four & ones ? 4 : (three & ones ? 3 : (two & ones ? 2 : 1));
}

// Disks of one source; vectors without a disk are left out (occupied slots come first).
LANES_INLINE void stageSource(Staged& s, const RowPlan& row, const Source& from, int k0,
                              int lanes) {
  const int first = k0 + from.offset;
  const int wrapped = first < 0 ? 0 : (first + lanes > row.half ? row.half - first : -1);
  const Float sx = broadcast(from.sx), sy = broadcast(from.sy);
  const int slots = wrapped < 0 ? slotsInUse(from.count + first) : kSlots;
  for (int i = 0; i < slots; ++i) {
    const float* slot = from.disk + static_cast<std::size_t>(i) * row.stride;
    Float x, y;
    loadGroup(slot + 2 * first, lanes, x, y);
    x = x + sx, y = y + sy;
    store(s.x[s.n], x);
    store(s.y[s.n], y);
    store(s.square[s.n], multiplyAdd(x, x, y * y));
    if (wrapped >= 0)
      patchLane(s, wrapped, slot + (first < 0 ? 2 * (row.half - 1) : 0), from.sx, from.sy);
    ++s.n;
  }
}

// Active cells at the ends of several rows, combined to fill the lanes.
struct Tail {
  int n = 0;
  int x[kLanes], y[kLanes];
};

// Stage the disks around every cell of the tail, packed per lane.
LANES_INLINE void stageTail(Staged& s, const DiskCellsView& cells, const Tail& tail) {
  const GridInfo& g = cells.grid;
  int used[kLanes] = {};
  const auto put = [&](int lane, float x, float y) {
    const int j = used[lane]++;
    s.x[j][lane] = x;
    s.y[j][lane] = y;
    s.square[j][lane] = x * x + y * y;
  };
  s.n = 0;
  for (int lane = 0; lane < tail.n; ++lane) {
    for (int k = 0; k < 9; ++k) {
      if (k == kOwnCell) continue;
      const int dx = k % 3 - 1, dy = k / 3 - 1;
      const std::size_t cell = g.cell(g.wrap(tail.x[lane] + dx), g.wrapRow(tail.y[lane] + dy));
      const float sx = static_cast<float>(dx) * g.w, sy = static_cast<float>(dy) * g.w;
      for (std::size_t i = 0; i < cells.count[cell]; ++i) {
        const Vec2 p = cells.disk[i * g.cellCount() + cell];
        put(lane, p.x + sx, p.y + sy);
      }
    }
    s.n = used[lane] > s.n ? used[lane] : s.n;
  }
  for (int lane = 0; lane < kLanes; ++lane)
    while (used[lane] < s.n) put(lane, kEmptySlot, kEmptySlot);
}

}  // namespace cellscope::CELLSCOPE_SIMD
