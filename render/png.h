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
std::vector<std::uint8_t> encodePng(const Image& image, const Metadata& metadata);

// Pixels and text chunks of a PNG file. Throws InputError when it cannot be read.
Image readPng(const std::string& path, Metadata* metadata = nullptr);

}  // namespace cellscope::render
