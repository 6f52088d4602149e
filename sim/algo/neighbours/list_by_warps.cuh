// The search of the standard cell list by warps, for particles of several types: one warp for four
// sorted particles, which share a cell most of the time. The lanes look at 32 particles of the
// cells around it at once; those in reach are counted by a vote and written next to each other, in
// the order of storage, as one thread alone (ListFromCells) would write them.
#pragma once
#include "sim/algo/neighbours/cell_kernels.h"

namespace cellscope {

inline constexpr int kSearchedTogether = 4, kSearchWarps = 4;

// What a warp knows of its particles. All members but `items` are the same in every lane.
struct SearchedTogether {
  ParticleRecord p[kSearchedTogether];
  std::uint32_t* items[kSearchedTogether];
  std::uint32_t room[kSearchedTogether];
  std::uint32_t found[kSearchedTogether] = {}, checked[kSearchedTogether] = {};
};

// Sorted particles [begin, end) against those of `mine` (bits). wrap: nearest images have to be
// looked for; without it all differences are those of the nearest images already.
template <bool wrap>
__device__ __forceinline__ void searchRun(const ListFromCells& l, std::uint32_t begin,
                                          std::uint32_t end, std::uint32_t first, unsigned mine,
                                          SearchedTogether& s) {
  const unsigned lane = threadIdx.x % 32, below = (1u << lane) - 1;
  for (std::uint32_t base = begin; base < end; base += 32) {
    const std::uint32_t m = base + lane;
    const bool valid = m < end;
    const ParticleRecord q = l.at(valid ? m : begin);
    const std::uint32_t slot = valid ? l.slotOf(m) : 0;
#pragma unroll
    for (int j = 0; j < kSearchedTogether; ++j) {
      if (!(mine >> j & 1)) continue;
      float r2;
      if constexpr (wrap) {
        r2 = l.box.distanceSquared(s.p[j], q);
      } else {
        const float dx = s.p[j].x - q.x, dy = s.p[j].y - q.y, dz = s.p[j].z - q.z;
        r2 = dx * dx + dy * dy + dz * dz;
      }
      bool in = valid && m != first + static_cast<std::uint32_t>(j);
      in = in && r2 <= l.table.reachSquared(s.p[j].type, q.type) &&
           l.table.reach(s.p[j].type, q.type) > 0;
      const unsigned hits = __ballot_sync(0xffffffffu, in);
      const std::uint32_t at = s.found[j] + static_cast<std::uint32_t>(__popc(hits & below));
      if (in && at < s.room[j]) s.items[j][at] = slot;
      s.found[j] += static_cast<std::uint32_t>(__popc(hits));
    }
  }
#pragma unroll
  for (int j = 0; j < kSearchedTogether; ++j)
    if (mine >> j & 1) s.checked[j] += end - begin;
}

// Those of `mine`, which all lie in the cell of `p`.
__device__ __forceinline__ void searchAround(const ListFromCells& l, const ParticleRecord& p,
                                             std::uint32_t first, unsigned mine,
                                             SearchedTogether& s) {
  bool inside = true;  // no neighbour cell across an edge of the box
  const float x[3] = {p.x, p.y, p.z};
  for (int a = 0; a < l.box.dimension; ++a) {
    const std::int32_t c = l.grid.along(x[a], a);
    inside = inside && c > 0 && c < l.grid.cells[a] - 1;
  }
  const auto search = [&](std::uint32_t begin, std::uint32_t end) {
    if (inside)
      searchRun<false>(l, begin, end, first, mine, s);
    else
      searchRun<true>(l, begin, end, first, mine, s);
  };
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1], nz = l.grid.cells[2];
  const CellSpan xs = cellSpan(l.grid.along(p.x, 0), nx);
  const CellSpan ys = cellSpan(l.grid.along(p.y, 1), ny);
  const CellSpan zs = cellSpan(l.grid.along(p.z, 2), nz);
  const std::int32_t lo = xs.first < 0 ? 0 : xs.first, hi = xs.last >= nx ? nx - 1 : xs.last;
  for (std::int32_t z = zs.first; z <= zs.last; ++z)
    for (std::int32_t y = ys.first; y <= ys.last; ++y) {
      const std::int32_t row = l.grid.index(0, wrappedCell(y, ny), wrappedCell(z, nz));
      const int runs = xs.first < 0 || xs.last >= nx ? 2 : 1;
      for (int r = 0; r < runs; ++r) {  // the second: the cell across the edge, as forRunsAround()
        const std::int32_t from = r == 0 ? lo : (xs.first < 0 ? nx - 1 : 0);
        const std::int32_t to = r == 0 ? hi : from;
        search(l.first[row + from], l.first[row + to + 1]);
      }
    }
}

template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32 * kSearchWarps) listByWarps(ListFromCells l, std::uint32_t n) {
  const std::uint32_t warp = blockIdx.x * kSearchWarps + threadIdx.x / 32;
  const std::uint32_t first = warp * kSearchedTogether;
  if (first >= n) return;
  SearchedTogether s;
  std::int32_t cell[kSearchedTogether];
#pragma unroll
  for (int j = 0; j < kSearchedTogether; ++j) {
    const std::uint32_t k = min(first + static_cast<std::uint32_t>(j), n - 1);
    const std::uint32_t i = l.slotOf(k);
    s.p[j] = l.at(k);
    s.items[j] = l.out.items + l.out.head[i];
    s.room[j] = l.out.room(i);
    cell[j] = l.grid.indexOf(s.p[j]);
  }
  unsigned left =
      n - first >= kSearchedTogether ? (1u << kSearchedTogether) - 1 : (1u << (n - first)) - 1;
  const unsigned all = left;
#pragma unroll
  for (int j = 0; j < kSearchedTogether; ++j) {
    if (!(left >> j & 1)) continue;
    unsigned mine = 0;
#pragma unroll
    for (int o = j; o < kSearchedTogether; ++o)
      if ((left >> o & 1) && cell[o] == cell[j]) mine |= 1u << o;
    left &= ~mine;
    searchAround(l, s.p[j], first, mine, s);
  }
  if (threadIdx.x % 32 != 0) return;
#pragma unroll
  for (int j = 0; j < kSearchedTogether; ++j) {
    if (!(all >> j & 1)) continue;
    const std::uint32_t i = l.slotOf(first + static_cast<std::uint32_t>(j));
    l.out.finish(i, s.p[j].type, s.found[j]);
    if (l.checks) l.checks[i] = s.checked[j] - 1;
  }
}

}  // namespace cellscope
