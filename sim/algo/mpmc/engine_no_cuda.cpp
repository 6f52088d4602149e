#include "sim/algo/mpmc/engine.h"
#include "sim/base/error.h"

namespace cellscope {

std::unique_ptr<MpmcEngine> makeMpmcEngineCuda(int) {
  throw RunError(
      "this build has no CUDA backend (nvcc was not found when it was configured); "
      "use the CPU backend");
}

}  // namespace cellscope
