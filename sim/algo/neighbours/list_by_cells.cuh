// The search of the standard cell list by warps, for particles of one type: those of a cell, or a
// share of them, are the targets of a warp, and the particles in the cells around it are offered to
// them (sim/algo/neighbours/lane_search.cuh). Lists come out as those of one thread alone
// (ListFromCells), in the same order.
//
// Per particle of a liquid at density 0.84 and reach 2.8, a warp for each cell: 530 candidates
// around, 370 kept, 12 tests of 32 of them each.
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
    const int lane = static_cast<int>(threadIdx.x);
    if (lane >= count) return;
    const std::int32_t y = ys.first + lane / runs % rows, z = zs.first + lane / runs / rows;
    const std::int32_t row = l.grid.index(0, wrappedCell(y, ny), wrappedCell(z, nz));
    const bool across = lane % runs == 1;
    const std::int32_t a = across ? (xs.first < 0 ? nx - 1 : 0) : lo, b = across ? a : hi;
    begin = l.first[row + a], end = l.first[row + b + 1];
  }
  __device__ std::uint32_t particles() const { return exec::addOverWarp(end - begin); }
};

// Two candidates of each lane, from number `base` of a run on.
struct TwoCandidates {
  std::uint32_t base, end, slot[2];
  float x[2][3];

  __device__ std::uint32_t number(std::uint32_t k) const {
    return min(base + 32 * k + threadIdx.x, end - 1);
  }
  __device__ void findSlots(const ListFromCells& l) {
    slot[0] = l.slotOf(number(0)), slot[1] = l.slotOf(number(1));
  }
  __device__ void read(const ListFromCells& l) {
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      const ParticleRecord p = l.sorted[l.gathered ? slot[k] : number(k)];
      x[k][0] = p.x, x[k][1] = p.y, x[k][2] = p.z;
    }
  }
};

// The particles of all runs as candidates, 64 at a time; those that come next, and the slots of
// those after them, are on their way while these are tested. [from, to): numbers of the targets.
template <class Difference>
__device__ __forceinline__ void offerRuns(const ListFromCells& l, const Difference& d,
                                          const RunsAround& runs, std::uint32_t from,
                                          std::uint32_t to, SearchLane& s) {
  int run = -1;
  TwoCandidates next;
  next.base = next.end = 0;
  const auto advance = [&] {
    next.base += 64;
    while (next.base >= next.end) {
      if (++run >= runs.count) return false;
      const bool here = static_cast<int>(threadIdx.x) == run;
      next.base = exec::maxOverWarp(here ? runs.begin : 0u);
      next.end = exec::maxOverWarp(here ? runs.end : 0u);
    }
    next.findSlots(l);
    return true;
  };
  if (!advance()) return;
  TwoCandidates coming = next;
  coming.read(l);
  for (bool more = advance(), last = false; !last;) {
    const TwoCandidates now = coming;
    last = !more;
    if (more) {
      coming = next;
      coming.read(l);
      more = advance();
    }
    const bool targets = now.base < to && from < min(now.base + 64, now.end);
    s.targetsKept = s.targetsKept || targets;
    keepNear(d, now.base + threadIdx.x < now.end, now.x[0], now.slot[0], s);
    if (now.base + 32 < now.end)
      keepNear(d, now.base + 32 + threadIdx.x < now.end, now.x[1], now.slot[1], s);
    if (s.kept >= kTested) takeKept(d, targets, s);
  }
}

// Differences from a cell whose neighbours lie across an edge of the box along one axis only.
template <int across>
struct NearestAlong {
  NearestDifference nearest;
  __device__ float of(float a, float b, int axis) const {
    return axis == across ? nearest.of(a, b, axis) : a - b;
  }
  __device__ float toCentre(float x, float centre, int axis) const { return of(x, centre, axis); }
};

// f(difference) with the cheapest that is right for this cell. A particle of the cells next to it
// that is further away than half the box without an edge between them is beyond the reach both
// ways.
template <class F>
__device__ __forceinline__ void withDifference(const ListFromCells& l, const std::int32_t (&c)[3],
                                               const F& f) {
  int across = 0;
  for (int a = 0; a < l.box.dimension; ++a)
    across |= (c[a] > 0 && c[a] < l.grid.cells[a] - 1 ? 0 : 1) << a;
  const NearestDifference nearest{l.box};
  if (across == 0) return f(PlainDifference{});
  if (across == 1) return f(NearestAlong<0>{nearest});
  if (across == 2) return f(NearestAlong<1>{nearest});
  if (across == 4) return f(NearestAlong<2>{nearest});
  f(nearest);
}

// The particles from number `from` to `end`, 32 at most. runs: candidates around their cell.
template <class Difference>
__device__ __forceinline__ void searchCell(const ListFromCells& l, const Difference& d,
                                           const RunsAround& runs, std::uint32_t from,
                                           std::uint32_t end, LaneSearchShared& shared) {
  const std::uint32_t lane = threadIdx.x, targets = end - from;
  SearchLane s;
  s.shared = &shared;
  s.k = from + min(lane, targets - 1);
  s.slot = l.slotOf(s.k);
  s.p = l.at(s.k);
  if (!__any_sync(0xffffffffu, l.out.own(s.slot))) return;
  s.items = l.out.items + l.out.head[s.slot];
  s.room = l.out.room(s.slot);
  boundLanes(l.box, s.p, s);
  const float reach2 = l.table.reachSquaredOf[0];
  s.keptSquared = keptSquared(reach2);
  beginLists(s);
  setTargets(s, 0, targets, l.table.reachOf[0] > 0 ? reach2 : -1.0f);
  const std::uint32_t checked = runs.particles();
  offerRuns(l, d, runs, from, end, s);
  endOffers(d, s);
  if (lane >= targets) return;
  l.out.finish(s.slot, s.p.type, s.written);
  if (l.checks) l.checks[s.slot] = checked - 1;
}

// warps: of a cell, each with its share of the particles.
__global__ void __launch_bounds__(32, 28)
    listByCells(__grid_constant__ const ListFromCells l, std::uint32_t warps) {
  __shared__ LaneSearchShared shared;
  const auto cell = static_cast<std::int32_t>(blockIdx.x / warps);
  const std::uint32_t begin = l.first[cell], end = l.first[cell + 1];
  const std::uint32_t share = min((end - begin + warps - 1) / warps, 32u);
  std::uint32_t from = begin + blockIdx.x % warps * share;
  if (from >= end) return;
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1];
  const std::int32_t c[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
  const RunsAround runs(l, c);
  withDifference(l, c, [&](const auto& d) {
    for (; from < end; from += warps * share)
      searchCell(l, d, runs, from, min(from + share, end), shared);
  });
}

}  // namespace cellscope
