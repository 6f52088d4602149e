// Where data files that ship with the program (reference data, scenarios) are found at run time.
#pragma once
#include <string>

namespace cellscope {

// The folder `assets`. Default: the environment variable CELLSCOPE_ASSETS if set, otherwise the
// folder of the source tree the program was built from. Set before the first use, from one thread.
std::string assetFolder();
void setAssetFolder(const std::string& folder);

}  // namespace cellscope
