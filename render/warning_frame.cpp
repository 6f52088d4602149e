#include "render/warning_frame.h"

#include <algorithm>
#include <array>

namespace cellscope::render {

void paintWarningFrame(Image& image) {
  constexpr std::array<std::uint8_t, 3> kRed = {230, 57, 70};
  const int wide = std::max(3, std::min(image.width, image.height) / 150);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (std::min({x, y, image.width - 1 - x, image.height - 1 - y}) >= wide) continue;
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                      static_cast<std::size_t>(x);
      std::copy(kRed.begin(), kRed.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * at));
    }
}

}  // namespace cellscope::render
