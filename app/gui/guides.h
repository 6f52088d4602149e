// What guides through a run: pages of a lesson, a pointer in the picture, a run walked through, and
// a tour of the window.
#pragma once
#include <imgui.h>

#include <cstdint>
#include <string>
#include <vector>

#include "app/lesson/link.h"
#include "sim/run/scenario.h"

namespace cellscope::gui {

struct Shell;
class ViewportArea;

// The lesson that is open in the window: its scenarios in order, one of which is shown.
struct LessonPages {
  std::string title;
  std::vector<Scenario> pages;
  std::size_t at = 0;
  bool isShown = true;  // page `at`; otherwise a scenario of no page is open
  bool isOpen() const { return !pages.empty(); }
  void follow(const Scenario* open);  // which was opened, by whatever way
  std::string words() const;          // "2 of 5"; "" where none is open
};

// With its first scenario; `opens`: false where that one is open already. Throws InputError.
void openPlan(Shell& shell, const std::string& path, bool opens = true);
void turnPage(Shell& shell, int by);  // says so at the first and the last one
// Title, number and buttons; nothing where no lesson is open.
void pagesRow(Shell& shell);

// A mark in the picture at the lecturer's mouse, which those who follow see at the same place of
// the box.
struct Pointer {
  bool on = false;  // switched on, without a key held down
  lesson::Shown shown;
  double sentAt = -1;
};

// Own mark, sent to those who follow, or that of the lecturer; in the picture beside it as well.
void pointerOverlay(Shell& shell, const ViewportArea& area, const ViewportArea* second);

// A run walked through: a phase a second, of which those that leave the picture as it was take no
// time.
struct Walk {
  bool on = false;
  double next = 0;             // when the next phase is due
  bool ordered = false;        // one is under way
  std::uint64_t step = 0;      // where it was ordered
  int phase = 0, skipped = 0;  // skipped: in a row
  std::uint64_t picture = 0;   // hash of the last one
};

void setWalk(Shell& shell, bool on);
void goOnWalking(Shell& shell, const ViewportArea& area);  // once a frame, after the picture

// A tour of five steps for each mode, in the window itself: each step points at what it explains,
// may ask for one action, and goes on when that is done.

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
