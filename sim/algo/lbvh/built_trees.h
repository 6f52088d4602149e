// What can be seen of the builder of neighbour lists over linear bounding volume hierarchies (S1,
// Algorithms 2 and 3).
#pragma once
#include <vector>

#include "sim/algo/lbvh/statistics.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/recorder/recorder.h"

namespace cellscope {

// Parts of a build: codes along the Z-order curve; the particles in their order; who is whose
// child; boxes of the leaves, then level by level of the inner nodes up to the root, whose box
// comes with the ropes; the walks of all queries.
enum class TreeBuildPart { codes, sort, hierarchy, boxes, search };
inline constexpr int kTreeParts = 5;

class BuiltTrees {
 public:
  virtual ~BuiltTrees() = default;
  // The trees of the last build, in the memory of the backend.
  virtual TreesView view() const = 0;
  // Whether the last lists came from boxes of 32 children (TreesView::tile) instead: then these
  // trees are made, over the same order, for whoever asks for them.
  virtual bool searchedByTiles() const = 0;
  virtual const TreeLayout& layout() const = 0;
  // While a build is under way in parts: inner nodes of less depth have no boxes yet. 0: all have.
  virtual std::int32_t grownTo() const = 0;
  virtual std::int32_t deepest() const = 0;  // leaf, of the last build in parts
  virtual std::int32_t depth() = 0;          // of the deepest leaf of the trees as they are; waits
  // Records the query that the last build made for a slot (sim/algo/lbvh/walk.h). Does not wait.
  virtual void walk(std::uint32_t slot, const RecordWriter& writer) = 0;
  virtual std::vector<TreeStatistics> statistics() = 0;  // of each type; waits
};

}  // namespace cellscope
