#pragma once
#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/algo/neighbours/cell_kernels.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/list_by_cells.cuh"
#include "sim/algo/neighbours/list_by_warps.cuh"
#include "sim/algo/neighbours/near_counter_impl.h"
#include "sim/algo/neighbours/team_search.cuh"
#include "sim/algo/verlet/tuning.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

// What the searches of the standard cell list by warps read, without distances, to be timed: the
// particles around a cell are read once for all those that search together.
inline constexpr unsigned kWalkWarps = 4;  // of a block

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
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32)
    walkByCells(__grid_constant__ const WalkCells w, std::uint32_t warps) {
  const std::uint32_t cell = blockIdx.x / warps;
  const std::uint32_t begin = w.of.first[cell], end = w.of.first[cell + 1];
  const std::uint32_t share = min((end - begin + warps - 1) / warps, 32u);
  ReadOnly read;
  for (std::uint32_t k = begin + blockIdx.x % warps * share; k < end; k += warps * share)
    readAround(w.of, k, read);
  read.end(w.unread);
}

// A warp for `together` sorted particles, of which those in one cell search together.
template <int together>
__global__ void __launch_bounds__(32 * kWalkWarps)
    walkByWarps(__grid_constant__ const WalkCells w, std::uint32_t n) {
  const std::uint32_t first = (blockIdx.x * kWalkWarps + threadIdx.x / 32) * together;
  ReadOnly read;
  std::int32_t before = -1;
  for (std::uint32_t k = first; k < min(first + together, n); ++k) {
    const std::int32_t cell = w.of.grid.indexOf(w.of.at(k));
    if (cell != before) readAround(w.of, k, read);
    before = cell;
  }
  read.end(w.unread);
}

namespace {

// Enough for all multiprocessors. Two at least where cells have many particles:
// halves of a cell whose particles follow each other along x lie in smaller boxes, which fewer
// candidates are near, and a cell of more than 32 is searched around more than once in any case.
unsigned warpsPerCell(unsigned cells, std::size_t n) {
  if (verletTuning.warpsPerCell > 0) return static_cast<unsigned>(verletTuning.warpsPerCell);
  constexpr unsigned kEnough = 4000, kManyInACell = 25;
  unsigned warps = n > std::size_t{kManyInACell} * cells ? 2 : 1;
  while (warps < 8 && cells * warps < kEnough) warps *= 2;
  return warps;
}

struct ByWarps {
  static bool readsByCells(const ListInput& in) { return in.table.types == 1; }
  template <class Exec>
  void run(Exec& exec, const ListFromCells& search, std::size_t n) const {
    if (search.table.types == 1) {
      const auto cells = static_cast<unsigned>(search.grid.count());
      const unsigned perCell = warpsPerCell(cells, n);
      exec.launch("list from cells", [&] {
        listByCells<0><<<cells * perCell, 32, 0, exec.stream()>>>(search, perCell);
      });
      return;
    }
    const std::size_t warps = (n + kSearchedTogether - 1) / kSearchedTogether;
    const auto blocks = static_cast<unsigned>((warps + kSearchWarps - 1) / kSearchWarps);
    exec.launch("list from cells", [&] {
      listByWarps<0>
          <<<blocks, 32 * kSearchWarps, 0, exec.stream()>>>(search, static_cast<std::uint32_t>(n));
    });
  }
  template <class Exec>
  void walk(Exec& exec, const WalkCells& walk, std::size_t n) const {
    if (walk.of.table.types == 1) {
      const auto cells = static_cast<unsigned>(walk.of.grid.count());
      const unsigned perCell = warpsPerCell(cells, n);
      exec.launch("cells walked", [&] {
        walkByCells<0><<<cells * perCell, 32, 0, exec.stream()>>>(walk, perCell);
      });
      return;
    }
    const std::size_t warps = (n + kSearchedTogether - 1) / kSearchedTogether;
    const auto blocks = static_cast<unsigned>((warps + kWalkWarps - 1) / kWalkWarps);
    exec.launch("cells walked", [&] {
      walkByWarps<kSearchedTogether>
          <<<blocks, 32 * kWalkWarps, 0, exec.stream()>>>(walk, static_cast<std::uint32_t>(n));
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
