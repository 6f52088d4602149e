// PNG files with text metadata, byte by byte.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

using Metadata = std::vector<std::pair<std::string, std::string>>;

// The whole file in memory. ASCII texts become tEXt chunks, others iTXt (UTF-8). Throws InputError
// for a keyword that PNG does not allow (1 to 79 printable ASCII characters).
std::string encodePng(const Image& image, const Metadata& metadata);

// Pixels and text chunks of a PNG file; `path` stands in messages. Throws InputError when it cannot
// be read, or declares more pixels than its bytes can hold or than kMostPixelsRead.
inline constexpr std::uint64_t kMostPixelsRead = 1 << 24;
Image decodePng(const std::string& bytes, const std::string& path, Metadata* metadata = nullptr);
// The text chunks alone; no pixel is decoded.
Metadata pngTexts(const std::string& bytes, const std::string& path);

}  // namespace cellscope::render
