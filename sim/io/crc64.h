// CRC-64/XZ (ECMA-182 polynomial, reflected): finds every change of up to 64 neighbouring bits.
#pragma once
#include <cstdint>
#include <string_view>

namespace cellscope::io {

std::uint64_t crc64(std::string_view bytes);

}  // namespace cellscope::io
