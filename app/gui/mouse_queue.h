// Queue of mouse button presses and releases. ImGui before 1.87 samples the buttons once per frame:
// with slow frames, a click between two of them would be lost or misplaced.
#pragma once
#include <imgui.h>

#include <deque>
#include <optional>

namespace cellscope::gui {

class MouseQueue {
 public:
  static constexpr int kButtons = 3;

  void add(int button, bool down, ImVec2 at);

  struct Seen {
    bool down[kButtons] = {};
    std::optional<ImVec2> at;  // position of the last change; empty: nothing changed
  };
  // Input for the next frame: all queued changes up to the second change of any button.
  Seen next();

 private:
  struct Change {
    int button;
    bool down;
    ImVec2 at;
  };
  std::deque<Change> waiting_;
  bool down_[kButtons] = {};
};

}  // namespace cellscope::gui
