#include "sim/algo/neighbours/methods.h"

namespace cellscope {

MakeListBuilder makeCellListCpu, makeStencilBuilderCpu, makeTreeBuilderCpu, makeClusterBuilderCpu;
MakeListBuilder makeCellListCuda, makeStencilBuilderCuda, makeTreeBuilderCuda,
    makeClusterBuilderCuda;  // in builds with CUDA only
ListBuilderBytes cellListBytes, stencilBytes, treeBytes, clusterBytes;

const std::vector<ListMethod>& listMethods() {
  static const std::vector<ListMethod> all = {
      {"cells",
       "lists from cells",
       "cells no narrower than the longest cutoff and buffer; each particle searches the 27 cells "
       "around it",
       1,
       false,
       cellListBytes,
       exec::makeOn<makeCellListCpu, makeCellListCuda>,
       {{"neighbour list", "no new list"}},
       {},
       true},
      {"stencils",
       "lists from stencils",
       "cells no narrower than the shortest cutoff and buffer; each type of particle searches the "
       "cells that its longest cutoff needs (Howard et al. 2016, Algorithm 1). On a GPU the "
       "particles of a cell search together, in rows of cells within their cutoffs",
       1,
       false,
       stencilBytes,
       exec::makeOn<makeStencilBuilderCpu, makeStencilBuilderCuda>,
       {{"neighbour list", "no new list"}},
       {{"bin_width", "bin width", {"0.5", "1"}}}},
      {"tree",
       "lists from trees",
       "one bounding volume hierarchy per type along the Z-order curve; each particle walks "
       "through all of them (Howard et al. 2016, Algorithms 2 and 3). With the fast search of a "
       "GPU another tree over the same order takes their place: 32 particles that follow each "
       "other along the curve search together, through boxes around 32, 1024 and 32768 particles",
       1,
       true,
       treeBytes,
       exec::makeOn<makeTreeBuilderCpu, makeTreeBuilderCuda>,
       {{"codes", "no codes"},
        {"sort", "no sort"},
        {"hierarchy", "no hierarchy"},
        {"boxes, level by level, and ropes", "no boxes"},
        {"search", "no search"}},
       {{"particles_per_leaf", "particles per leaf", {"2", "4", "8"}, true}}},
      {"clusters",
       "lists of clusters",
       "four particles that follow each other along narrow columns share one list of all particles "
       "within the reach of one of them, so that a position that is read serves four pairs. Their "
       "distances are checked in every step, also of those of which only another one is in reach",
       kClusterSize,
       true,
       clusterBytes,
       exec::makeOn<makeClusterBuilderCpu, makeClusterBuilderCuda>,
       {{"lists of the clusters", "no new list"}}},
  };
  return all;
}

}  // namespace cellscope
