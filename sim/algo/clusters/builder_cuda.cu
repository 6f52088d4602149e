#include "sim/algo/clusters/builder_impl.h"
#include "sim/algo/clusters/search_by_warps.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

struct ClustersByWarps {
  // Together where there are enough for all multiprocessors.
  template <class Exec>
  void run(Exec& exec, const ClusterSearch& search, std::size_t rows) const {
    if (rows < 8000)
      order<1>(exec, search, rows);
    else
      order<2>(exec, search, rows);
  }
  template <std::uint32_t clusters, class Exec>
  static void order(Exec& exec, const ClusterSearch& search, std::size_t rows) {
    constexpr std::size_t kOfBlock = clusters * kClusterWarps;
    const auto blocks = static_cast<unsigned>((rows + kOfBlock - 1) / kOfBlock);
    const auto kernel =
        search.table.types == 1 ? listClusters<true, clusters> : listClusters<false, clusters>;
    exec.launch("list of clusters", [&] {
      kernel<<<blocks, 32 * kClusterWarps, 0, exec.stream()>>>(search,
                                                               static_cast<std::uint32_t>(rows));
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeClusterBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options) {
  return std::make_unique<Clusters<exec::CudaExec, ClustersByWarps>>(exec, options);
}

}  // namespace cellscope
