// Whole files in memory, of a size that fits.
#pragma once
#include <cstdint>
#include <string>

namespace cellscope::io {

// All throw InputError that names file, cause and way out.

// A regular file of any size: devices and pipes, which may never end, are refused.
std::string readFile(const std::string& path);

// A small text from a file, or from a pipe or terminal such as /dev/stdin: at most kMostText bytes.
// Reading from a pipe is abandoned when nothing arrives for kPatience seconds. Throws RunError when
// a signal arrives while it waits.
inline constexpr std::uint64_t kMostText = 1 << 20;
inline constexpr int kPatience = 10;
std::string readText(const std::string& path);

}  // namespace cellscope::io
