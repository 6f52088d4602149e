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

// assets/help/tours.toml explains the fields.
struct TourStep {
  std::string title, text, asks, after, panel, layer;
  std::vector<std::string> targets;
  TourColumn column = TourColumn::none;
  TourTask task = TourTask::none;
};

struct Tour {
  std::string mode, scenario;  // where it takes place
  std::vector<TourStep> steps;
};

// Of a file; none where it is missing or damaged.
std::vector<Tour> readTours(const std::string& path);
// That of a mode in the program's assets, or null.
const Tour* tourOf(const std::string& mode);

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
