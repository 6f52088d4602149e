// How much host memory is still available.
#pragma once
#include <cstddef>

namespace cellscope::exec {

// Bytes: what the system has free, less where a container, a batch system or `ulimit -v` allows
// less. A very large number where nothing is known.
std::size_t hostMemory();

}  // namespace cellscope::exec
