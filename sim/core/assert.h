// Checks of the program itself. One that fails throws InternalError with expression and line, so
// that the state can be saved before the run ends.
#pragma once
#include <stdexcept>

namespace cellscope {

// An error of the program. The state may be wrong: it is saved under a name of its own.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void failInternalCheck(const char* expression, const char* file, int line);

}  // namespace cellscope

#define CELLSCOPE_ASSERT(condition)                                                   \
  do {                                                                                \
    if (!(condition)) ::cellscope::failInternalCheck(#condition, __FILE__, __LINE__); \
  } while (false)
