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

// The runs of sorted particles around a cell, one in each lane, in the order of forRunsAround():
// all are read at once. At most 18: two in a row where it goes across an edge of the box.
struct RunsAround {
  std::uint32_t begin = 0, end = 0;
  int count;

  __device__ RunsAround(const ListFromCells& l, const std::int32_t (&c)[3]) {
    const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1], nz = l.grid.cells[2];
    const CellSpan xs = cellSpan(c[0], nx), ys = cellSpan(c[1], ny), zs = cellSpan(c[2], nz);
    const std::int32_t lo = xs.first < 0 ? 0 : xs.first, hi = xs.last >= nx ? nx - 1 : xs.last;
    const int runs = xs.first < 0 || xs.last >= nx ? 2 : 1, rows = ys.last - ys.first + 1;
    count = runs * rows * (zs.last - zs.first + 1);
    const int lane = static_cast<int>(threadIdx.x % 32);
    if (lane >= count) return;
    const std::int32_t y = ys.first + lane / runs % rows, z = zs.first + lane / runs / rows;
    const std::int32_t row = l.grid.index(0, wrappedCell(y, ny), wrappedCell(z, nz));
    const bool across = lane % runs == 1;
    const std::int32_t a = across ? (xs.first < 0 ? nx - 1 : 0) : lo, b = across ? a : hi;
    begin = l.first[row + a], end = l.first[row + b + 1];
  }
  __device__ std::uint32_t particles() const { return __reduce_add_sync(0xffffffffu, end - begin); }
};

// The particles of all runs as candidates, 32 at a time; those that come next are on their way
// while these are tested.
template <class Difference>
__device__ __forceinline__ void offerRuns(const ListFromCells& l, const Difference& d,
                                          const RunsAround& runs, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x % 32;
  int run = -1;
  std::uint32_t base = 0, end = 0;
  const auto next = [&] {
    base += 32;
    while (base >= end && ++run < runs.count) {
      base = __shfl_sync(0xffffffffu, runs.begin, run);
      end = __shfl_sync(0xffffffffu, runs.end, run);
    }
    return run < runs.count;
  };
  const auto candidate = [&] { return l.at(base + lane < end ? base + lane : base); };
  bool more = next();
  if (!more) return;
  ParticleRecord coming = candidate();
  while (more) {
    const ParticleRecord q = coming;
    const std::uint32_t first = base, stop = end;
    more = next();
    if (more) coming = candidate();
    const float x[3] = {q.x, q.y, q.z};
    offerBatch(
        d, first, stop, x, [&] { return l.slotOf(first + lane); }, s);
  }
}

// The particles of the cell from number `from` on, 32 at most. runs: candidates around it.
template <class Difference>
__device__ __forceinline__ void searchCell(const ListFromCells& l, const Difference& d,
                                           const RunsAround& runs, std::uint32_t from,
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
  const std::uint32_t checked = runs.particles();
  offerRuns(l, d, runs, s);
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
  const RunsAround runs(l, c);
  const std::uint32_t end = l.first[cell + 1];
  for (std::uint32_t from = l.first[cell]; from < end; from += 32) {
    __syncwarp();
    if (inside)
      searchCell(l, PlainDifference{}, runs, from, end, shared.ring[warp], shared.staged[warp]);
    else
      searchCell(l, NearestDifference{l.box}, runs, from, end, shared.ring[warp],
                 shared.staged[warp]);
  }
}

}  // namespace cellscope
