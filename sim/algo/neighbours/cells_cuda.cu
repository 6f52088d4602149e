#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/list_by_cells.cuh"
#include "sim/algo/neighbours/list_by_warps.cuh"
#include "sim/algo/neighbours/walk_by_warps.cuh"
#include "sim/algo/verlet/tuning.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

struct ByWarps {
  template <class Exec>
  void run(Exec& exec, const ListFromCells& search, std::size_t n) const {
    if (search.table.types == 1 && search.grid.count() >= verletTuning.warpPerCell) {
      const unsigned cells = static_cast<unsigned>(search.grid.count());
      exec.launch("list from cells", [&] {
        listByCells<0>
            <<<(cells + kLaneWarps - 1) / kLaneWarps, 32 * kLaneWarps, 0, exec.stream()>>>(search);
      });
      return;
    }
    const std::size_t warps = (n + kSearchedTogether - 1) / kSearchedTogether;
    const auto blocks = static_cast<unsigned>((warps + kSearchWarps - 1) / kSearchWarps);
    exec.launch("list from cells", [&] {
      if (search.table.types == 1)
        listByWarps<true><<<blocks, 32 * kSearchWarps, 0, exec.stream()>>>(
            search, static_cast<std::uint32_t>(n));
      else
        listByWarps<false><<<blocks, 32 * kSearchWarps, 0, exec.stream()>>>(
            search, static_cast<std::uint32_t>(n));
    });
  }
  template <class Exec>
  void walk(Exec& exec, const WalkCells& walk, std::size_t n) const {
    const ListFromCells& search = walk.of;
    const bool byCells = search.table.types == 1 && search.grid.count() >= verletTuning.warpPerCell;
    const std::size_t warps = byCells ? static_cast<std::size_t>(search.grid.count())
                                      : (n + kSearchedTogether - 1) / kSearchedTogether;
    const auto blocks = static_cast<unsigned>((warps + kWalkWarps - 1) / kWalkWarps);
    exec.launch("cells walked", [&] {
      if (byCells)
        walkByCells<0><<<blocks, 32 * kWalkWarps, 0, exec.stream()>>>(walk);
      else
        walkByWarps<kSearchedTogether>
            <<<blocks, 32 * kWalkWarps, 0, exec.stream()>>>(walk, static_cast<std::uint32_t>(n));
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeCellListCuda(const exec::Shared& exec, ListSearch search) {
  return std::make_unique<CellList<exec::CudaExec, ByWarps>>(exec, search);
}

}  // namespace cellscope
