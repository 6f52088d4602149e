// Text at a position in the scene.
#pragma once
#include <cstring>
#include <string>

#include "sim/base/frame_buffer.h"

namespace cellscope {

// Beside a place, or on it. at: three coordinates. Text that is too long is cut.
inline LabelInstance labelOf(const float* at, const std::string& text, float value = 0) {
  LabelInstance label{};
  std::memcpy(label.at, at, sizeof label.at);
  label.value = value;
  text.copy(label.text, sizeof label.text - 1);
  return label;
}

// Inside a box.
inline LabelInstance labelOf(const BoxInstance& box, const std::string& text, float value = 0) {
  float middle[3];
  for (int k = 0; k < 3; ++k) middle[k] = 0.5f * (box.lo[k] + box.hi[k]);
  LabelInstance label = labelOf(middle, text, value);
  for (int k = 0; k < 3; ++k) label.half[k] = 0.5f * (box.hi[k] - box.lo[k]);
  label.of = LabelOf::box;
  return label;
}

// At the rim of a ball.
inline LabelInstance labelOfBall(const float* at, float radius, const std::string& text,
                                 float value = 0) {
  LabelInstance label = labelOf(at, text, value);
  for (float& h : label.half) h = radius;
  label.of = LabelOf::ball;
  return label;
}

}  // namespace cellscope
