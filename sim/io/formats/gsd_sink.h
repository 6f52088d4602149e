// Writing of GSD files.
#pragma once
#include <memory>
#include <string>

#include "sim/io/formats/format.h"

namespace cellscope::io::gsd {

// Beyond the schema, which keeps particles in the order of their ids and has neither ids nor times.
inline constexpr const char* kIdName = "log/particles/cellscope/id";
inline constexpr const char* kTimeName = "log/cellscope/time";

// In float32, as HOOMD writes them, particles in the order of their ids.
std::unique_ptr<FrameSink> create(const std::string& path, const std::string& program, bool append);

}  // namespace cellscope::io::gsd
