#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/list_by_cells.cuh"
#include "sim/algo/neighbours/team_search.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

// The search of the standard cell list by warps, for particles of several types: one warp for four
// sorted particles, which share a cell most of the time. The lanes look at 32 particles of the
// cells around it at once; those in reach are counted by a vote and written next to each other, in
// the order of storage, as one thread alone (ListFromCells) would write them.
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

// What the searches of the standard cell list by warps read, without distances, to be timed: the
// particles around a cell are read once for all those that search together.
// All particles in the cells around that of sorted particle k, 32 at once.
__device__ __forceinline__ void readAround(const ListFromCells& l, std::uint32_t k,
                                           ReadOnly& read) {
  forRunsAround(l.grid, l.first, l.at(k), [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t m = begin + threadIdx.x % 32; m < end; m += 32) {
      const ParticleRecord q = l.at(m);
      read.take(q.x, q.y, q.z);
    }
  });
}

// This number of warps per cell, each of which reads for its share of the particles, 32 at most at
// a time.
__global__ void __launch_bounds__(32)
    walkByCells(__grid_constant__ const ListFromCells l, std::uint32_t warps) {
  const std::uint32_t cell = blockIdx.x / warps;
  const std::uint32_t begin = l.first[cell], end = l.first[cell + 1];
  const std::uint32_t share = min((end - begin + warps - 1) / warps, 32u);
  ReadOnly read;
  for (std::uint32_t k = begin + blockIdx.x % warps * share; k < end; k += warps * share)
    readAround(l, k, read);
  read.end();
}

// A warp for `together` sorted particles, of which those in one cell search together.
template <int together>
__global__ void __launch_bounds__(32 * kSearchWarps)
    walkByWarps(__grid_constant__ const ListFromCells l, std::uint32_t n) {
  const std::uint32_t first = (blockIdx.x * kSearchWarps + threadIdx.x / 32) * together;
  ReadOnly read;
  std::int32_t before = -1;
  for (std::uint32_t k = first; k < min(first + together, n); ++k) {
    const std::int32_t cell = l.grid.indexOf(l.at(k));
    if (cell != before) readAround(l, k, read);
    before = cell;
  }
  read.end();
}

namespace {

// Enough for all multiprocessors. Two at least where cells have many particles:
// halves of a cell whose particles follow each other along x lie in smaller boxes, which fewer
// candidates are near, and a cell of more than 32 is searched around more than once in any case.
unsigned warpsPerCell(unsigned cells, std::size_t n) {
  if (listWarpsPerCell > 0) return listWarpsPerCell;
  constexpr unsigned kEnough = 4000, kManyInACell = 25;
  unsigned warps = n > std::size_t{kManyInACell} * cells ? 2 : 1;
  while (warps < 8 && cells * warps < kEnough) warps *= 2;
  return warps;
}

struct ByWarps {
  static bool readsByCells(const ListInput& in) { return in.table.types == 1; }
  void run(exec::CudaExec& exec, const ListFromCells& search, std::size_t n) const {
    order(exec, "list from cells", search, n, listByCells, listByWarps);
  }
  void walk(exec::CudaExec& exec, const ListFromCells& search, std::size_t n) const {
    order(exec, "cells walked", search, n, walkByCells, walkByWarps<kSearchedTogether>);
  }

 private:
  // byCells: the kernel for particles of one type; byWarps: for those of several.
  static void order(exec::CudaExec& exec, const char* name, const ListFromCells& search,
                    std::size_t n, auto byCells, auto byWarps) {
    if (search.table.types == 1) {
      const auto cells = static_cast<unsigned>(search.grid.count());
      const unsigned perCell = warpsPerCell(cells, n);
      exec.launch(name,
                  [&] { byCells<<<cells * perCell, 32, 0, exec.stream()>>>(search, perCell); });
      return;
    }
    const std::size_t warps = (n + kSearchedTogether - 1) / kSearchedTogether;
    const auto blocks = static_cast<unsigned>((warps + kSearchWarps - 1) / kSearchWarps);
    exec.launch(name, [&] {
      byWarps<<<blocks, 32 * kSearchWarps, 0, exec.stream()>>>(search,
                                                               static_cast<std::uint32_t>(n));
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeCellListCuda(const exec::Shared& exec,
                                              const ListOptions& options) {
  return std::make_unique<CellList<exec::CudaExec, ByWarps>>(exec, options);
}

std::unique_ptr<NearCounter> makeNearCounterCuda(const exec::Shared& exec) {
  return std::make_unique<NearCounterOn<exec::CudaExec>>(exec);
}

BuiltList buildListCuda(const exec::Shared& exec, ListBuilder& builder,
                        const std::vector<ParticleRecord>& particles, ListInput input, int builds,
                        bool counted) {
  return buildListOn<exec::CudaExec>(exec, builder, particles, input, builds, counted);
}

}  // namespace cellscope
