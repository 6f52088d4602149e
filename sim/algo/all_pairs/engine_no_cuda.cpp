// A build without CUDA has no CUDA engine.
#include "sim/algo/all_pairs/engine.h"
#include "sim/base/error.h"
#include "sim/exec/memory.h"

namespace cellscope {

std::unique_ptr<AllPairsEngine> makeAllPairsCuda(int) {
  throw RunError("the CUDA backend was asked for, but " + exec::cudaStatus().reason +
                 "; use --backend cpu");
}

}  // namespace cellscope
