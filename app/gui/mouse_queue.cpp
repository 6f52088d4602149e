#include "app/gui/mouse_queue.h"

#include <algorithm>

namespace cellscope::gui {

void MouseQueue::add(int button, bool down, ImVec2 at) {
  if (button >= 0 && button < kButtons) waiting_.push_back({button, down, at});
}

MouseQueue::Seen MouseQueue::next() {
  Seen seen;
  bool changed[kButtons] = {};
  while (!waiting_.empty() && !changed[waiting_.front().button]) {
    const Change c = waiting_.front();
    waiting_.pop_front();
    changed[c.button] = true;
    down_[c.button] = c.down;
    seen.at = c.at;
  }
  std::copy(down_, down_ + kButtons, seen.down);
  return seen;
}

}  // namespace cellscope::gui
