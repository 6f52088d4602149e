#include "sim/layers/messages.h"

#include <fmt/format.h>

#include <cmath>

namespace cellscope::layers {

std::vector<MessageView> messageViews(const std::vector<HaloMessage>& messages, const Box& box,
                                      int axis, double origin, double width) {
  std::vector<MessageView> all;
  for (const HaloMessage& m : messages) {
    MessageView& to = all.emplace_back();
    for (int k = 0; k < box.dimension; ++k) to.cells.hi[k] = static_cast<float>(box.length[k]);
    const double first = std::fmod(origin + m.row * width, box.length[axis]);
    to.cells.lo[axis] = static_cast<float>(first);
    to.cells.hi[axis] = static_cast<float>(first + m.rows * width);
    to.cells.value = static_cast<float>(2 * (m.from % 3) + 1);
    to.axis = axis;
    to.ahead = m.ahead;
    to.words = fmt::format("{} cells, {:.0f} KiB", m.cells, static_cast<double>(m.bytes) / 1024);
  }
  return all;
}

}  // namespace cellscope::layers
