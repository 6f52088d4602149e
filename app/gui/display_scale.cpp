#include "app/gui/display_scale.h"

#include <algorithm>
#include <cmath>

namespace cellscope::gui {

float displayScale(float contentScale, int heightPixels) {
  constexpr float kUsual = 1080;
  const float content = std::clamp(contentScale, 0.5f, 4.f);
  const float height = static_cast<float>(heightPixels) / content;
  const float larger = std::floor(4 * height / kUsual) / 4;
  return std::min(4.f, content * std::clamp(larger, 1.f, 2.f));
}

float presentationZoom(float heightAtScale1) {
  return std::max(1.5f, kReadableShare * heightAtScale1 / kSmallestPrint);
}

}  // namespace cellscope::gui
