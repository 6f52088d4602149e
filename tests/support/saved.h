// A mode as a checkpoint holds it.
#pragma once
#include <sstream>
#include <string>

#include "sim/api/mode.h"

namespace cellscope::test {

inline std::string saved(const Mode& mode) {
  std::ostringstream out;
  mode.save(out);
  return out.str();
}

// As from a checkpoint.
inline void load(Mode& mode, const std::string& state) {
  std::istringstream in(state);
  mode.load(in);
}

}  // namespace cellscope::test
