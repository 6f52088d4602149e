// How a builder of neighbour lists searches.
#pragma once

namespace cellscope {

// Lists hold the same with both, perhaps in another order.
enum class ListSearch {
  fast,  // what was measured to be fastest on the backend
  paper  // as in S1: n threads for each particle with cells and stencils, one with trees
};

// What S1 varies. Each builder honours what concerns it.
struct ListOptions {
  ListSearch how = ListSearch::fast;
  // As in the paper, with cells and stencils: threads that search for one particle (section 3.1), a
  // power of two up to kMostSearchThreads. 0: timed on a GPU, one on a CPU. The lists are the same.
  int threads = 0;
  int perLeaf = 4;      // w of section 3.2: particles of a leaf, 1 to 8
  double binWidth = 1;  // of section 4.1, with stencils: cells in shortest reaches
  // Section 4.1, with stencils as in the paper: no distance to particles in cells of which all
  // points are within reach.
  bool longestDistance = false;

  ListOptions(ListSearch search = ListSearch::fast) : how(search) {}
  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

// A fault that is put into finished lists on purpose (sim/algo/verlet/list_fault.h).
enum class ListFault {
  none,
  dropPair,     // the list of one particle lacks its nearest neighbour, which still has it
  wrongCell,    // one particle is in the cell after its own along x
  shortStencil  // the cells at the end of the stencil along x are not searched
};

inline constexpr int kMostSearchThreads = 16;  // less than a warp has

}  // namespace cellscope
