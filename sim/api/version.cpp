#include "sim/api/version.h"

namespace cellscope {

const char* programVersion() { return CELLSCOPE_SIM_VERSION; }

}  // namespace cellscope
