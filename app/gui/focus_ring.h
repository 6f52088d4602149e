// What the keyboard acts on: Tab and Shift+Tab go through the controls in the order in which they
// are drawn, Enter presses one, arrows move a slider or choose.
#pragma once
#include <imgui.h>

#include <vector>

namespace cellscope::gui {

struct Shell;

class FocusRing {
 public:
  // After the ImGui item of a control, which gets a ring where it has the focus. True: Enter was
  // pressed on it.
  bool item(Shell& shell, bool drawsRing = true);
  bool has(ImGuiID id) const { return id != 0 && id == focused_; }
  bool any() const { return focused_ != 0; }
  bool lastItemHas() const;  // the last ImGui item
  void take();               // to the last ImGui item, as by a click
  void beginHere();          // the last item is where Tab goes first
  void move(int by);
  void press() { pressed_ = focused_ != 0; }
  // Only what is drawn from now on can be reached: a dialog lies over the rest.
  void restart() { order_.clear(); }
  bool clear();  // false: nothing had it
  void endFrame();

 private:
  std::vector<ImGuiID> order_, last_;  // of this frame, of the one before
  ImGuiID focused_ = 0, first_ = 0;
  bool pressed_ = false, moved_ = false;
};

// Arrow keys in hundredths of a range: tenths of that with Shift, ten with Ctrl.
double arrowSteps();

}  // namespace cellscope::gui
