#include "sim/base/error.h"

#include <fmt/format.h>

#include <string_view>

namespace cellscope {

void failInternalCheck(const char* expression, const char* file, int line) {
  const std::string_view path = file;
  throw InternalError(fmt::format(
      "internal check failed: {} ({}:{}); this is an error of cellscope, not of what it was given",
      expression, path.substr(path.rfind('/') + 1), line));
}

}  // namespace cellscope
