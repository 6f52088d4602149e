// Errors a person can act on. Programmer errors are asserts (sim/core/assert.h).
#pragma once
#include <exception>
#include <stdexcept>
#include <string>

namespace cellscope {

// Bad input: names what was wrong (file, line, key, value), the allowed range, and the way out.
// The program keeps its state; a batch run exits with code 2.
class InputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Bad luck while running: full disk, lost device, out of memory, a failed self-check. Names cause
// and way out. State is kept; a batch run exits with code 1.
class RunError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Somebody asked to give up what is being set up. State is kept.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace cellscope
