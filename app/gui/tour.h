// A tour of five steps for each mode, in the window itself: each step points at what it explains,
// may ask for one action, and goes on when that is done.
#pragma once
#include <imgui.h>

#include <string>
#include <vector>

namespace cellscope::gui {

struct Shell;

// What a step looks at when it begins, to see later that something was done.
struct TourBefore {
  std::string value;  // of the promoted parameter
  std::int64_t picked = -1;
  bool paused = false;  // seen since: the order to pause takes a moment
};

enum class TourTask { none, play, drag, enlarge, layer, pick };
enum class TourColumn { none, left, right };

struct TourStep {
  const char* mode;
  // Names of widgets as in the event log, outlined together; a word in braces is replaced by the
  // key of the promoted parameter.
  std::vector<const char*> targets;
  TourColumn column;  // opened, and scrolled to this panel
  const char* panel;
  const char* title;
  const char* text;
  const char* asks;  // what to do
  TourTask task;
  const char* layer;  // of the task `layer`
  const char* after;  // text once it is done, until the button is pressed; "": goes on at once
};

// All steps of all tours, in order.
const std::vector<TourStep>& tourSteps();
// Scenario of the gallery in which the tour of a mode takes place; "": it has none.
std::string tourScenario(const std::string& mode);

struct TourState {
  std::string mode;    // "": no tour
  int step = -1;       // of the mode; -1: its scenario is being opened
  double doneAt = -1;  // when the task was done; -1: not yet
  double waitingSince = 0;
  TourBefore before;
  float height = 0;                      // of the card in the last frame
  TourColumn column = TourColumn::none;  // kept open
  bool on() const { return !mode.empty(); }
  bool isPraising(double now) const { return doneAt >= 0 && now - doneAt < 2; }
};

void startTour(Shell& shell, const std::string& mode);
void endTour(Shell& shell, const char* how);
// Card and outline of the present step, over everything else.
void tourCard(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi);

}  // namespace cellscope::gui
