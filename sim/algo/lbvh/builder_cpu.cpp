#include "sim/algo/lbvh/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<ListBuilder> makeTreeBuilderCpu(const exec::Shared& exec,
                                                const ListOptions& options) {
  return std::make_unique<TreeBuilderOn<exec::CpuExec>>(exec, options);
}

std::size_t treeBytes(const ListInput& input, const ListOptions& options) {
  std::vector<std::uint32_t> counts;
  for (int t = 0; t < input.table.types; ++t)
    counts.push_back(static_cast<std::uint32_t>(input.countOfType[static_cast<std::size_t>(t)]));
  return LinearTrees::bytesFor(counts, static_cast<std::uint32_t>(options.perLeaf));
}

}  // namespace cellscope
