// Where data files that ship with the program (reference data, scenarios) are found at run time.
#pragma once
#include <string>

namespace cellscope {

// The folder of scenarios, reference data and help texts: the environment variable CELLSCOPE_ASSETS
// if it is set, otherwise share/cellscope beside the folder of an installed program, otherwise
// `assets` of the source tree that the program was built from.
std::string assetFolder();

}  // namespace cellscope
