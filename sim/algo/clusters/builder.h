// Lists of clusters: a few particles that follow each other along columns (sim/algo/clusters/
// columns.h) share one list of all particles within reach of one of them. A record that is read
// serves all pairs with the cluster, and partners follow each other in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/algo/neighbours/builder.h"
#include "sim/base/backend.h"

namespace cellscope {

class ClusterBuilder : public ListBuilder {
 public:
  // Slot of the first particle in each bin of the columns, with one entry more, in the memory of
  // the backend. Clusters are rows of cluster() slots; the last one may have fewer.
  virtual const std::uint32_t* first() const = 0;
};

std::unique_ptr<ListBuilder> makeClusterBuilderCpu(const exec::Shared& exec,
                                                   const ListOptions& options);
// In builds with CUDA only.
std::unique_ptr<ListBuilder> makeClusterBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options);

// Of the arrays for this input.
std::size_t clusterBytes(const ListInput& input, const ListOptions& options);

}  // namespace cellscope
