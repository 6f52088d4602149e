// What a lecturer uses: pages of a lesson, a pointer in the picture, a run walked through.
#pragma once
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

}  // namespace cellscope::gui
