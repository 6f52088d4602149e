// The profile of one kernel on a backend.
#pragma once
#include <cstdint>
#include <string>

namespace cellscope {

// Launches of one kernel and the time that they took, for the performance panel.
struct KernelTime {
  std::string name;
  std::uint64_t launches = 0;  // all; a kernel that does many sweeps in one launch counts each
  std::uint64_t timed = 0;     // of these
  double milliseconds = 0;     // of all, estimated from the timed ones
};

}  // namespace cellscope
