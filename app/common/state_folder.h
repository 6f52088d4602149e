// Where the window keeps what it remembers between two starts.
#pragma once
#include <string>

namespace cellscope::common {

// $XDG_STATE_HOME/cellscope, by default ~/.local/state/cellscope (XDG Base Directory
// Specification); "" where neither variable names an absolute path.
std::string stateFolder();

}  // namespace cellscope::common
