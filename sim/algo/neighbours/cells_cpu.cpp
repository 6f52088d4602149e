#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/run_search_simd.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/instruction_sets.h"

namespace cellscope {

RunSearchFunction runSearchFor(const std::string& instructions) {
  const std::string set = exec::instructionSet(instructions);
  return set == "avx512" ? simd_avx512::searchRun
         : set == "avx2" ? simd_avx2::searchRun
                         : simd_sse2::searchRun;
}

namespace {

// ListFromCells for particles of one type whose records lie in the order of the cells.
struct VectorisedSearch {
  ListFromCells list;
  RunSearchFunction search;

  void operator()(std::size_t k) const {
    const ParticleRecord p = list.sorted[k];
    const std::size_t i = list.slotOf(k);
    const RunSearch s{list.sorted, list.slot, list.box, list.table.reachSquaredOf[0]};
    RunTally tally{static_cast<std::uint32_t>(k), list.out.items + list.out.head[i],
                   list.out.room(i), 0};
    std::uint32_t checked = 0;
    forRunsAround(list.grid, list.first, p, [&](std::uint32_t begin, std::uint32_t end) {
      checked += end - begin;
      search(s, begin, end, tally);
    });
    list.out.finish(i, p.type, tally.found);
    if (list.checks) list.checks[i] = checked - 1;  // not with itself
  }
};

struct OneAfterTheOther {
  template <class Exec>
  void run(Exec& exec, const ListFromCells& list, std::size_t n) const {
    const bool inOrder = !list.gathered || list.slot == nullptr;
    if (list.table.types == 1 && list.table.reachOf[0] > 0 && inOrder)
      exec.forEach("list from cells", n, VectorisedSearch{list, runSearchFor()}, 128);
    else
      exec.forEach("list from cells", n, list);
  }
  template <class Exec>
  void walk(Exec& exec, const WalkCells& walk, std::size_t n) const {
    exec.forEach("cells walked", n, walk, 128);
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeCellListCpu(const exec::Shared& exec, ListSearch search) {
  return std::make_unique<CellList<exec::CpuExec, OneAfterTheOther>>(exec, search);
}

std::size_t cellListBytes(const ListInput& input, ListSearch) {
  const auto cells = static_cast<std::size_t>(cellListGrid(input).count());
  return CellListArrays::layout(cells, input.n, input.ordered).bytes();
}

}  // namespace cellscope
