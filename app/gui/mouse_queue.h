// Presses and releases of mouse buttons, in order. ImGui before 1.87 asks for the buttons once per
// frame: where frames are slow, a click or a double-click that lies between two of them would be
// lost or end elsewhere.
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
    std::optional<ImVec2> at;  // where the last of the changes happened; none: nothing changed
  };
  // What the next frame is to see: everything that happened, as long as no button changes twice.
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
