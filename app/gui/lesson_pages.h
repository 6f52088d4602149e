// The lesson that is open in the window: its scenarios in order, one of which is shown.
#pragma once
#include <string>
#include <vector>

#include "sim/run/lesson_plan.h"

namespace cellscope::gui {

struct Shell;

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

}  // namespace cellscope::gui
