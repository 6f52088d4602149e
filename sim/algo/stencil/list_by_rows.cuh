// The search of the stencilled cell list with a warp for each cell, or for some next to each other
// along x that fill it: the lanes have the particles of these cells, and candidates are offered by
// type to those that reach equally far to it (sim/algo/neighbours/lane_search.cuh). The stencil is
// that of the box around them and of this reach: rows of cells along x, cut off where the reach
// ends. Lists hold what Algorithm 1 of S1 finds, in another order.
#pragma once
#include "sim/algo/neighbours/lane_search.cuh"
#include "sim/algo/stencil/list_kernels.h"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {

// Cells of a range along each axis; may lie outside [0, cells) by less than their number.
struct CellRange {
  std::int32_t first[3], last[3];
  bool whole[3];  // the axis has no others
  bool crosses;   // an edge of the box
};

// Of the cells within `reach` of the lanes' box. slack: for what rounding may put into the next
// one.
__device__ __forceinline__ CellRange cellsAround(const CellGrid& grid, const SearchLane& s,
                                                 float reach, const float (&slack)[3]) {
  CellRange r;
  r.crosses = false;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const float far = s.half[a] + reach + slack[a];
    const std::int32_t n = grid.cells[a];
    r.first[a] = static_cast<std::int32_t>(floorf((s.centre[a] - far) * grid.perLength[a]));
    r.last[a] = static_cast<std::int32_t>(floorf((s.centre[a] + far) * grid.perLength[a]));
    r.whole[a] = r.last[a] - r.first[a] + 1 >= n;
    if (r.whole[a]) r.first[a] = 0, r.last[a] = n - 1;
    // The axis that a plane has not: perLength is 0, and so is every coordinate.
    const bool axis = grid.perLength[a] > 0;
    r.crosses = r.crosses || (axis && (r.whole[a] || r.first[a] < 0 || r.last[a] >= n));
  }
  return r;
}

// Between the lanes' box and the cells of number c along an axis, at least.
__device__ __forceinline__ float gapTo(const CellGrid& grid, const SearchLane& s, std::int32_t c,
                                       int axis, bool whole, float slack) {
  if (whole || !(grid.perLength[axis] > 0)) return 0;
  const float width = 1.0f / grid.perLength[axis];
  const float below = static_cast<float>(c) * width - s.centre[axis];
  const float above = s.centre[axis] - static_cast<float>(c + 1) * width;
  return fmaxf(fmaxf(below, above) - s.half[axis] - slack, 0.0f);
}

// Sorted particles of one row: two runs where it crosses an edge of the box.
struct RowRuns {
  std::uint32_t begin[2] = {0, 0}, end[2] = {0, 0};
};
__device__ __forceinline__ RowRuns runsOfRow(const ListFromStencils& l, std::uint32_t type,
                                             const SearchLane& s, const CellRange& r,
                                             std::int32_t y, std::int32_t z,
                                             const float (&slack)[3]) {
  RowRuns runs;
  const CellGrid& grid = l.cells.grid;
  const float gy = gapTo(grid, s, y, 1, r.whole[1], slack[1]);
  const float gz = gapTo(grid, s, z, 2, r.whole[2], slack[2]);
  const float rest2 = s.keptSquared - gy * gy - gz * gz;
  if (!(rest2 >= 0)) return runs;
  const std::int32_t nx = grid.cells[0];
  std::int32_t lo = r.first[0], hi = r.last[0];
  if (!r.whole[0]) {
    const float far = s.half[0] + sqrtf(rest2) * 1.00001f + slack[0];
    lo = max(lo, static_cast<std::int32_t>(floorf((s.centre[0] - far) * grid.perLength[0])));
    hi = min(hi, static_cast<std::int32_t>(floorf((s.centre[0] + far) * grid.perLength[0])));
  }
  const auto row = static_cast<std::int32_t>(type) * grid.count() +
                   grid.index(0, wrappedCell(y, grid.cells[1]), wrappedCell(z, grid.cells[2]));
  const std::uint32_t* const first = l.cells.first + row;
  const std::int32_t from = max(lo, 0), to = min(hi, nx - 1);
  if (from <= to) runs.begin[0] = first[from], runs.end[0] = first[to + 1];
  // Beyond one edge only: less than all cells are in the range.
  if (lo < 0) {
    const std::int32_t edge = hi < 0 ? hi + nx + 1 : nx;
    runs.begin[1] = first[lo + nx], runs.end[1] = first[edge];
  } else if (hi >= nx) {
    const std::int32_t edge = lo >= nx ? lo - nx : 0;
    runs.begin[1] = first[edge], runs.end[1] = first[hi - nx + 1];
  }
  return runs;
}

// f(runs) for the sorted particles of a type in the rows of cells. Rows are looked up by the lanes,
// 32 at once.
template <class F>
__device__ __forceinline__ void forRuns(const ListFromStencils& l, std::uint32_t type,
                                        const CellRange& r, const float (&slack)[3],
                                        const SearchLane& s, const F& f) {
  const std::int32_t ny = r.last[1] - r.first[1] + 1, nz = r.last[2] - r.first[2] + 1;
  for (std::int32_t base = 0; base < ny * nz; base += 32) {
    const std::int32_t row = base + static_cast<std::int32_t>(threadIdx.x);
    RowRuns mine;
    if (row < ny * nz)
      mine = runsOfRow(l, type, s, r, r.first[1] + row % ny, r.first[2] + row / ny, slack);
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
      const std::uint32_t b = part == 0 ? mine.begin[0] : mine.begin[1];
      const std::uint32_t e = part == 0 ? mine.end[0] : mine.end[1];
      if (__any_sync(0xffffffffu, b < e)) f(PackedRuns(b, e));
    }
  }
}

// A candidate of each lane.
struct RowCandidate {
  float x[3];
  std::uint32_t slot;
  bool valid, targets;  // targets: some lane may have a target

  // own, others: places of the first target of this type, and how many more there are.
  __device__ RowCandidate(const ListFromStencils& l, PackedRuns& runs, std::uint32_t base,
                          std::uint32_t own, std::uint32_t others) {
    const std::uint32_t place = runs.placeOf(base);
    const ParticleRecord q = l.cells.sorted[place];
    x[0] = q.x, x[1] = q.y, x[2] = q.z;
    slot = l.cells.slot[place];
    valid = base + threadIdx.x < runs.all;
    targets = __any_sync(0xffffffffu, place - own <= others);
  }
};

template <class Difference>
__device__ __forceinline__ void offer(const Difference& d, const RowCandidate& q, SearchLane& s) {
  keepNear(d, q.valid, q.x, q.slot, s);
  s.targetsKept = s.targetsKept || q.targets;
}

template <class Difference>
__device__ __forceinline__ void offerRows(const ListFromStencils& l, const Difference& d,
                                          std::uint32_t type, const CellRange& r,
                                          const float (&slack)[3], SearchLane& s) {
  const std::uint32_t k = s.p.type == type ? s.k : ~0u;
  const std::uint32_t own = exec::minOverWarp(k);
  const std::uint32_t others = own == ~0u ? 0 : exec::maxOverWarp(s.p.type == type ? s.k : 0) - own;
  forRuns(l, type, r, slack, s, [&](PackedRuns runs) {
    for (std::uint32_t base = 0; base < runs.all; base += 64) {
      const RowCandidate a(l, runs, base, own, others), b(l, runs, base + 32, own, others);
      offer(d, a, s);
      offer(d, b, s);
      if (s.kept >= kTested) takeKept(d, a.targets || b.targets, s);
    }
  });
  endOffers(d, s);
}

// The next lanes whose particles reach equally far to a type: the first of `left` and all others
// like it, which are taken out. reach2: squared, of the lane's own particle. Returns that of these
// lanes, and which they are; the box of the search is that around them.
struct EqualReach {
  float squared;
  std::uint32_t lanes;
};
__device__ __forceinline__ EqualReach nextReach(const RecordBox& box, float reach2,
                                                std::uint32_t& left, SearchLane& s) {
  const std::uint32_t first = static_cast<std::uint32_t>(__ffs(left) - 1), lane = threadIdx.x;
  const float squared = __shfl_sync(0xffffffffu, reach2, first);
  const bool mine = reach2 == squared && (left >> lane & 1) != 0;
  const std::uint32_t all = __ballot_sync(0xffffffffu, mine);
  left &= ~all;
  ParticleRecord near = s.p;  // of one of them
  near.x = __shfl_sync(0xffffffffu, s.p.x, mine ? lane : first);
  near.y = __shfl_sync(0xffffffffu, s.p.y, mine ? lane : first);
  near.z = __shfl_sync(0xffffffffu, s.p.z, mine ? lane : first);
  boundLanes(box, near, s);
  s.keptSquared = keptSquared(squared);
  return {squared, all};
}
__device__ __forceinline__ CellRange cellsWithin(const CellGrid& grid, const EqualReach& reach,
                                                 const float (&slack)[3], const SearchLane& s) {
  return cellsAround(grid, s, sqrtf(reach.squared) * 1.00001f, slack);
}

// Candidates of one type for those that reach equally far to it.
__device__ __forceinline__ void searchType(const ListFromStencils& l, std::uint32_t type,
                                           const EqualReach& reach, const float (&slack)[3],
                                           SearchLane& s) {
  const bool mine = (reach.lanes >> threadIdx.x & 1) != 0;
  setTargets(s, static_cast<std::uint32_t>(__ffs(reach.lanes) - 1),
             32 - static_cast<std::uint32_t>(__clz(reach.lanes)), mine ? reach.squared : -1.0f);
  const CellRange r = cellsWithin(l.cells.grid, reach, slack, s);
  if (r.crosses)
    offerRows(l, NearestDifference{l.box}, type, r, slack, s);
  else
    offerRows(l, PlainDifference{}, type, r, slack, s);
}

// Cells next to each other along x, in which the particles of a type lie next to each other.
struct CellGroup {
  const std::uint32_t* first;  // of type 0 in the first of them
  std::int32_t cells, all;     // of the group, of the grid

  __device__ std::uint32_t begin(std::uint32_t type) const { return first[at(type)]; }
  __device__ std::uint32_t count(std::uint32_t type) const {
    return first[at(type) + cells] - first[at(type)];
  }
  __device__ std::uint32_t particles(std::uint32_t types) const {
    std::uint32_t sum = 0;
    for (std::uint32_t type = 0; type < types; ++type) sum += count(type);
    return sum;
  }
  // Number `k` of the particles of all types, one type after the other.
  __device__ std::uint32_t particle(std::uint32_t k) const {
    for (std::uint32_t type = 0;; ++type) {
      const std::uint32_t own = count(type);
      if (k < own) return begin(type) + k;
      k -= own;
    }
  }

 private:
  __device__ std::int32_t at(std::uint32_t type) const {
    return static_cast<std::int32_t>(type) * all;
  }
};
__device__ __forceinline__ CellGroup groupOf(const StencilCellsView& cells, std::int32_t number,
                                             std::int32_t together) {
  const std::int32_t nx = cells.grid.cells[0], perRow = (nx + together - 1) / together;
  const std::int32_t x = number % perRow * together;
  return {cells.first + number / perRow * nx + x, min(together, nx - x), cells.grid.count()};
}
inline std::int32_t groupsOf(const CellGrid& grid, std::int32_t together) {
  return (grid.cells[0] + together - 1) / together * grid.cells[1] * grid.cells[2];
}

// What rounding may put into the next cell, along each axis.
struct RoundingSlack {
  float along[3];
  __device__ explicit RoundingSlack(const RecordBox& box) {
#pragma unroll
    for (int a = 0; a < 3; ++a) along[a] = 4e-6f * box.length[a];
  }
};

// f(type, reach) for each type and for those of the first `targets` lanes that reach equally far to
// it.
template <class F>
__device__ __forceinline__ void forEqualReaches(const ListFromStencils& l, std::uint32_t targets,
                                                SearchLane& s, const F& f) {
  for (std::uint32_t t = 0; t < l.cells.types; ++t) {
    const float reach2 = l.table.reachSquared(s.p.type, t);
    for (std::uint32_t left = ~0u >> (32 - targets); left != 0;) {
      const EqualReach reach = nextReach(l.box, reach2, left, s);
      if (reach.squared > 0) f(t, reach);
    }
  }
}

__global__ void __launch_bounds__(32, 24)
    listByRows(__grid_constant__ const ListFromStencils l, std::int32_t together) {
  __shared__ LaneSearchShared shared;
  const unsigned lane = threadIdx.x;
  const CellGroup group = groupOf(l.cells, static_cast<std::int32_t>(blockIdx.x), together);
  const std::uint32_t particles = group.particles(l.cells.types);
  const RoundingSlack slack(l.box);
  for (std::uint32_t from = 0; from < particles; from += 32) {
    const std::uint32_t targets = min(particles - from, 32u);
    SearchLane s;
    s.shared = &shared;
    s.k = group.particle(from + min(lane, targets - 1));
    s.p = l.cells.sorted[s.k];
    s.slot = l.cells.slot[s.k];
    s.items = l.out.items + l.out.head[s.slot];
    s.room = l.out.room(s.slot);
    beginLists(s);
    forEqualReaches(l, targets, s, [&](std::uint32_t type, const EqualReach& reach) {
      searchType(l, type, reach, slack.along, s);
    });
    if (lane < targets) l.out.finish(s.slot, s.p.type, s.written);
  }
}

}  // namespace cellscope
