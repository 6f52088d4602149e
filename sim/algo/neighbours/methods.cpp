#include "sim/algo/neighbours/methods.h"

#include "sim/algo/neighbours/cells.h"

namespace cellscope {
namespace {

using Make = std::unique_ptr<ListBuilder> (*)(const exec::Shared&);

// The factory of the backend of the exec.
template <Make cpu, Make cuda>
std::unique_ptr<ListBuilder> makeOn(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return cuda(exec);
  return cpu(exec);
}

}  // namespace

const std::vector<ListMethod>& listMethods() {
  static const std::vector<ListMethod> all = {
      {"cells", "Verlet list from cells",
       "cells no narrower than the longest cutoff and buffer; each particle searches the 27 cells "
       "around it",
       makeOn<makeCellListCpu, makeCellListCuda>},
  };
  return all;
}

}  // namespace cellscope
