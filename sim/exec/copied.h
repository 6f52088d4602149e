// How many bytes were copied from a GPU to the host by exec::copy() since the program began: for
// tests that state stays where it is. Single results (device_value.h) are not counted.
#pragma once
#include <cstddef>

namespace cellscope::exec {

std::size_t copiedToHost();
void countCopyToHost(std::size_t bytes) noexcept;

}  // namespace cellscope::exec
