// Text at a position in the scene.
#pragma once
#include <cstring>
#include <string>

#include "sim/base/frame_buffer.h"

namespace cellscope {

// at: three coordinates. Text that is too long is cut.
inline LabelInstance labelOf(const float* at, const std::string& text, float value = 0) {
  LabelInstance label{};
  std::memcpy(label.at, at, sizeof label.at);
  label.value = value;
  text.copy(label.text, sizeof label.text - 1);
  return label;
}

}  // namespace cellscope
