// The search of the standard cell list with a warp for each cell, for particles of one type: the
// lanes have the particles of the cell, and those in the cells around it are offered to them
// (sim/algo/neighbours/lane_search.cuh). Lists come out as those of one thread alone
// (ListFromCells), in the same order.
//
// Per particle of a liquid at density 0.84 and reach 2.8: 530 candidates around, 370 kept, and
// about 260 instructions of a warp, where listByWarps() takes 475.
#pragma once
#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/neighbours/lane_search.cuh"

namespace cellscope {

// Sorted particles [begin, end) as candidates.
template <class Difference>
__device__ __forceinline__ void offerRun(const ListFromCells& l, const Difference& d,
                                         std::uint32_t begin, std::uint32_t end, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t base = begin; base < end; base += 32) {
    const std::uint32_t m = base + lane;
    const ParticleRecord q = l.at(m < end ? m : begin);
    const float x[3] = {q.x, q.y, q.z};
    offerBatch(
        d, base, end, x, [&] { return l.slotOf(m); }, s);
  }
}

// The particles of the cell from number `from` on, 32 at most. checked: candidates around it.
template <class Difference>
__device__ __forceinline__ void searchCell(const ListFromCells& l, const Difference& d,
                                           const std::int32_t (&c)[3], std::uint32_t from,
                                           std::uint32_t end, float4* ring, std::uint32_t* stage) {
  const std::uint32_t lane = threadIdx.x % 32;
  SearchLane s;
  s.items = l.out.items, s.ring = ring, s.stage = stage;
  s.targets = min(end - from, 32u);
  s.k = from + min(lane, s.targets - 1);
  const bool active = lane < s.targets;
  const std::uint32_t i = l.slotOf(s.k);
  s.p = l.at(s.k);
  s.reachSquared = active && l.table.reachOf[0] > 0 ? l.table.reachSquaredOf[0] : -1.0f;
  s.next = l.out.head[i];
  s.room = l.out.room(i);
  boundLanes(l.box, s);
  s.keptSquared = keptSquared(l.table.reachSquaredOf[0]);
  std::uint32_t checked = 0;
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1], nz = l.grid.cells[2];
  const CellSpan xs = cellSpan(c[0], nx), ys = cellSpan(c[1], ny), zs = cellSpan(c[2], nz);
  const std::int32_t lo = xs.first < 0 ? 0 : xs.first, hi = xs.last >= nx ? nx - 1 : xs.last;
  const int runs = xs.first < 0 || xs.last >= nx ? 2 : 1;
  for (std::int32_t z = zs.first; z <= zs.last; ++z)
    for (std::int32_t y = ys.first; y <= ys.last; ++y) {
      const std::int32_t row = l.grid.index(0, wrappedCell(y, ny), wrappedCell(z, nz));
      for (int r = 0; r < runs; ++r) {  // the second: the cell across the edge, as forRunsAround()
        const std::int32_t a = r == 0 ? lo : (xs.first < 0 ? nx - 1 : 0), b = r == 0 ? hi : a;
        const std::uint32_t begin = l.first[row + a], stop = l.first[row + b + 1];
        checked += stop - begin;
        offerRun(l, d, begin, stop, s);
      }
    }
  endOffers(d, s);
  flushStaged(s);
  if (!active) return;
  l.out.finish(i, s.p.type, s.written);
  if (l.checks) l.checks[i] = checked - 1;
}

template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32 * kLaneWarps)
    listByCells(__grid_constant__ const ListFromCells l) {
  __shared__ LaneSearchShared shared;
  const unsigned warp = threadIdx.x / 32;
  const auto cell = static_cast<std::int32_t>(blockIdx.x * kLaneWarps + warp);
  if (cell >= l.grid.count()) return;
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1];
  const std::int32_t c[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
  bool inside = true;  // no neighbour cell across an edge of the box
  for (int a = 0; a < l.box.dimension; ++a)
    inside = inside && c[a] > 0 && c[a] < l.grid.cells[a] - 1;
  const std::uint32_t end = l.first[cell + 1];
  for (std::uint32_t from = l.first[cell]; from < end; from += 32) {
    __syncwarp();
    if (inside)
      searchCell(l, PlainDifference{}, c, from, end, shared.ring[warp], shared.staged[warp]);
    else
      searchCell(l, NearestDifference{l.box}, c, from, end, shared.ring[warp], shared.staged[warp]);
  }
}

}  // namespace cellscope
