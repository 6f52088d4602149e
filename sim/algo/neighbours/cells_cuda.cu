#include "sim/algo/neighbours/built_list_impl.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/list_by_cells.cuh"
#include "sim/algo/neighbours/list_by_warps.cuh"
#include "sim/algo/neighbours/near_counter_impl.h"
#include "sim/algo/neighbours/team_search.cuh"
#include "sim/algo/neighbours/walk_by_warps.cuh"
#include "sim/algo/verlet/tuning.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
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
