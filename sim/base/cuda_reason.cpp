#include "sim/base/cuda_reason.h"

namespace cellscope {

const char* whyNoCuda() { return CELLSCOPE_WHY_NO_CUDA; }

}  // namespace cellscope
