#include "sim/algo/stencil/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

struct OneAfterTheOther {
  static constexpr std::size_t kGrain = 128;  // searches are long

  template <class Exec>
  static void run(Exec& exec, const ListFromStencils& list, std::size_t n) {
    exec.forEach("list from stencils", n, list, kGrain);
  }
  template <class Exec>
  static void walk(Exec& exec, const WalkStencilRuns& walk, std::size_t n) {
    exec.forEach("stencils walked", n, walk, kGrain);
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeStencilBuilderCpu(const exec::Shared& exec, ListSearch search) {
  return std::make_unique<StencilBuilderOn<exec::CpuExec, OneAfterTheOther>>(exec, search);
}

std::size_t stencilBytes(const ListInput& input, ListSearch search) {
  const CellGrid grid = gridFor(input.box, input.table.shortest(), input.n);
  return StencilArrays::layout(input, search, grid, stencilsOf(input.box, grid, input.table))
      .bytes();
}

}  // namespace cellscope
