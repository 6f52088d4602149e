// Numbers that only the GPU knows, read back without waiting.
#pragma once
#include <cstddef>
#include <cstdint>

#include "render/gl_object.h"

namespace cellscope::render {

// One 32-bit integer of a GL buffer: asked for in one frame, known in a later one.
class CountReader {
 public:
  CountReader() = default;
  CountReader(const CountReader&) = delete;
  CountReader& operator=(const CountReader&) = delete;
  ~CountReader();
  // Begin to read from `buffer`, unless the number asked for before is still on its way.
  void request(unsigned buffer);
  // The newest known number, at most `most`; `most` before the first is known.
  std::size_t read(std::size_t most);

 private:
  void poll();

  GlBuffer copy_;
  const std::uint32_t* memory_ = nullptr;
  GLsync arrived_ = nullptr;
  bool known_ = false;
  std::uint32_t value_ = 0;
};

}  // namespace cellscope::render
