// HDF5 files of particles or of a list, as the bytes of an input decide.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace cellscope::fuzz {

void writeHdf5(const std::string& path, bool list, const std::uint8_t* data, std::size_t size);

}  // namespace cellscope::fuzz
