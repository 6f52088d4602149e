#include "sim/algo/clusters/builder_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

struct ClustersOneByOne {
  void run(auto& exec, const ClusterSearch& search, std::size_t rows) const {
    exec.forEach("list of clusters", rows, search, 64);
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeClusterBuilderCpu(const exec::Shared& exec,
                                                   const ListOptions& options) {
  return std::make_unique<Clusters<exec::CpuExec, ClustersOneByOne>>(exec, options);
}

std::size_t clusterBytes(const ListInput& in, const ListOptions&) {
  const ColumnGrid grid = columnGridFor(in.box, in.n);
  return ClusterArrays::layout(static_cast<std::size_t>(grid.count())).bytes();
}

}  // namespace cellscope
