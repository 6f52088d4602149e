#include "app/common/state_folder.h"

#include <cstdlib>

namespace cellscope::common {

std::string stateFolder() {
  const auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value == '/' ? std::string(value) : std::string();
  };
  if (const std::string state = absolute("XDG_STATE_HOME"); !state.empty())
    return state + "/cellscope";
  const std::string home = absolute("HOME");
  return home.empty() ? "" : home + "/.local/state/cellscope";
}

}  // namespace cellscope::common
