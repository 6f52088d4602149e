// PNG files of tests.
#pragma once

#include "render/renderer.h"
#include "sim/io/files.h"

namespace cellscope::test {

inline void writePng(const std::string& path, const render::Image& image,
                     const render::Metadata& texts) {
  io::replaceFile(path, render::encodePng(image, texts));
}
inline render::Image readPng(const std::string& path, render::Metadata* texts = nullptr) {
  return render::decodePng(io::readFile(path), path, texts);
}

}  // namespace cellscope::test
