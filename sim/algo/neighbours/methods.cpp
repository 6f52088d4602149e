#include "sim/algo/neighbours/methods.h"

#include "sim/algo/clusters/builder.h"
#include "sim/algo/clusters/search.h"
#include "sim/algo/lbvh/builder.h"
#include "sim/algo/neighbours/cells.h"
#include "sim/algo/stencil/builder.h"

namespace cellscope {
namespace {

using Make = std::unique_ptr<ListBuilder> (*)(const exec::Shared&, const ListOptions&);

// The factory of the backend of the exec.
template <Make cpu, Make cuda>
std::unique_ptr<ListBuilder> makeOn(const exec::Shared& exec, const ListOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return cuda(exec, options);
  return cpu(exec, options);
}

}  // namespace

const std::vector<ListMethod>& listMethods() {
  static const std::vector<ListMethod> all = {
      {"cells", "lists from cells",
       "cells no narrower than the longest cutoff and buffer; each particle searches the 27 cells "
       "around it",
       1, false, cellListBytes, makeOn<makeCellListCpu, makeCellListCuda>},
      {"stencils", "lists from stencils",
       "cells no narrower than the shortest cutoff and buffer; each type of particle searches the "
       "cells that its longest cutoff needs (Howard et al. 2016, Algorithm 1). On a GPU the "
       "particles of a cell search together, in rows of cells within their cutoffs",
       1, false, stencilBytes, makeOn<makeStencilBuilderCpu, makeStencilBuilderCuda>},
      {"tree", "lists from trees",
       "one bounding volume hierarchy per type along the Z-order curve; each particle walks "
       "through all of them (Howard et al. 2016, Algorithms 2 and 3). With the fast search of a "
       "GPU another tree over the same order takes their place: 32 particles that follow each "
       "other along the curve search together, through boxes around 32, 1024 and 32768 particles",
       1, true, treeBytes, makeOn<makeTreeBuilderCpu, makeTreeBuilderCuda>},
      {"clusters", "lists of clusters",
       "four particles that follow each other along narrow columns share one list of all particles "
       "within the reach of one of them, so that a position that is read serves four pairs. Their "
       "distances are checked in every step, also of those of which only another one is in reach",
       kClusterSize, true, clusterBytes, makeOn<makeClusterBuilderCpu, makeClusterBuilderCuda>},
  };
  return all;
}

}  // namespace cellscope
