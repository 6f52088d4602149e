// Where data files that ship with the program (reference data, scenarios) are found at run time.
#pragma once
#include <string>

namespace cellscope {

// The folder `assets`. Default: the environment variable CELLSCOPE_ASSETS if set, otherwise the
// folder of the source tree the program was built from.
std::string assetFolder();

}  // namespace cellscope
