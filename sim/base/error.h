// Errors a person can act on, and checks of the program itself.
#pragma once
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#ifndef __CUDACC__  // nvcc does not compile fmt
#include <fmt/core.h>
#endif

namespace cellscope {

// Base of both kinds of error: made of a text, taken as it is, or of a format and its values.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
#ifndef __CUDACC__
  template <class... Args>
  Failure(fmt::format_string<Args...> text, Args&&... args)
      : runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
#endif
};

// Bad input: names what was wrong (file, line, key, value), the allowed range, and the way out.
// The program keeps its state; a batch run exits with code 2.
class InputError : public Failure {
  using Failure::Failure;
};

// Bad luck while running: full disk, lost device, out of memory, a failed self-check. Names cause
// and way out. State is kept; a batch run exits with code 1.
class RunError : public Failure {
  using Failure::Failure;
};

// An allocation that failed. A mode adds what it would take to fit (sim/modes/mode_core.h).
class OutOfMemory : public RunError {
 public:
  // what: "out of GPU memory: 1.50 GiB more needed, 0.20 GiB free"; asked: bytes, 0 where not
  // known.
  OutOfMemory(const std::string& what, std::size_t asked, std::size_t available)
      : RunError(what + "; use fewer particles"), shortage(what), bytes(asked), free(available) {}
  std::string shortage;
  std::size_t bytes, free;  // asked for, and what there was
};

// What is being set up or computed was cancelled. The state is kept.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

// An error of the program: a check that failed, with its expression and line. The state may be
// wrong: it is saved under a name of its own.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void failInternalCheck(const char* expression, const char* file, int line);

}  // namespace cellscope

#define CELLSCOPE_ASSERT(condition)                                                   \
  do {                                                                                \
    if (!(condition)) ::cellscope::failInternalCheck(#condition, __FILE__, __LINE__); \
  } while (false)
