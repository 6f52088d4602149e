// The builder of neighbour lists over linear bounding volume hierarchies (S1, Algorithms 2 and 3).
#pragma once
#include <memory>

#include "sim/algo/lbvh/trees.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/base/backend.h"

namespace cellscope {

class TreeBuilder : public ListBuilder {
 public:
  // The trees of the last build.
  virtual TreesView trees() const = 0;
};

std::unique_ptr<ListBuilder> makeTreeBuilderCpu(const exec::Shared& exec);
std::unique_ptr<ListBuilder> makeTreeBuilderCuda(
    const exec::Shared& exec);  // builds with CUDA only

}  // namespace cellscope
