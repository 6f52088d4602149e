// A lesson: its scenarios in order; of one that is followed: how it stands, leave and come back.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "app/lesson/link.h"

namespace cellscope::gui {

std::string LessonPages::words() const {
  return isOpen() ? fmt::format("{} of {}", at + 1, pages.size()) : "";
}

void LessonPages::follow(const Scenario* open) {
  const auto isOpened = [&](const Scenario& page) {
    return open &&
           (page.path == open->path || (page.name == open->name && page.mode == open->mode));
  };
  const auto found = std::find_if(pages.begin(), pages.end(), isOpened);
  isShown = found != pages.end();
  if (isShown && !isOpened(pages[at])) at = static_cast<std::size_t>(found - pages.begin());
}

void openPlan(Shell& shell, const std::string& path, bool opens) {
  const LessonPlan plan = loadPlan(path);
  LessonPages pages{plan.title, common::pagesOf(plan)};
  if (opens && !shell.leads()) return;
  shell.pages = std::move(pages);
  shell.log->write("lesson-open", plan.name + " " + shell.pages.words());
  if (opens) shell.open(shell.pages.pages.front());
}

void turnPage(Shell& shell, int by) {
  LessonPages& p = shell.pages;
  if (!shell.leads()) return;
  const bool first = by < 0 && p.at == 0, last = by > 0 && p.at + 1 == p.pages.size();
  if (first || last)
    return shell.say(Severity::info, std::string("This is the ") + (first ? "first" : "last") +
                                         " scenario of the lesson.");
  p.at = by < 0 ? p.at - 1 : p.at + 1;
  shell.open(p.pages[p.at]);
  shell.log->write("page", p.words());
}

void pagesRow(Shell& shell) {
  const LessonPages& p = shell.pages;
  if (!p.isOpen()) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = shell.px(24), width = ImGui::GetContentRegionAvail().x;
  const Palette& c = *shell.colours;
  ImFont* const font = shell.fonts.small;
  const auto arrow = [&](const char* id, Icon icon, float x, int by, const char* title) {
    const bool isEnd = by < 0 ? p.at == 0 : p.at + 1 == p.pages.size();
    if (iconButton(shell, id, icon, ImVec2(x, at.y), side, shell.px(12), isEnd ? c.line : c.accent,
                   c.text))
      turnPage(shell, by);
    tooltip(shell, title, {p.title});
  };
  arrow("page:previous", Icon::back, at.x, -1, "Previous scenario (Page Up)");
  const std::string words = p.words();
  const float y = at.y + (side - textSize(font, words).y) / 2, left = at.x + side + shell.px(2);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  drawText(list, shell.fonts.strong, ImVec2(left, at.y + shell.px(2)), c.text, words);
  const float next = left + textSize(shell.fonts.strong, words).x + shell.px(2);
  arrow("page:next", Icon::end, next, 1, "Next scenario (Page Down)");
  const float title = next + side + shell.px(6), close = at.x + width - side;
  drawText(list, font, ImVec2(title, y), c.muted,
           fitted(font, p.title, close - title - shell.px(4)));
  if (iconButton(shell, "page:close", Icon::close, ImVec2(close, at.y), side, shell.px(11), c.muted,
                 c.text)) {
    shell.pages = {};
    shell.log->write("lesson-closed");
  }
  tooltip(shell, "Close the lesson", {"The scenario stays open."});
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + side + shell.px(2)));
  ImGui::Dummy(ImVec2(width, 0));
  shell.log->state("pages", words + " " + p.title);
}

bool isInLesson(const Shell& shell) {
  return shell.pages.isOpen() || (shell.lesson && shell.lesson->lecturer());
}

void lessonPanel(Shell& shell) {
  pagesRow(shell);
  if (!shell.lesson || !shell.lesson->lecturer()) return;
  const LessonLink::Words words = shell.lesson->words();
  const bool follows = shell.isLed();
  const std::string caption = shell.lesson->shown().caption;
  if (!caption.empty()) textSmall(shell, caption);
  shell.log->state("lesson-caption", caption);
  textStrong(shell, words.text, words.isGood ? shell.colours->green : shell.colours->amber);
  textWrapped(shell,
              follows ? words.hover +
                            " Steps and parameters are the lecturer's; pick particles, "
                            "look around and choose layers and plots yourself."
                      : "The run is yours.",
              shell.colours->muted);
  if (button(shell, "lesson", follows ? "Leave the lesson" : "Come back", Icon::none, -1)) {
    shell.lesson->follow(!follows);
    shell.log->write("follow", follows ? "off" : "on");
  }
  tooltip(shell, follows ? "Leave the lesson" : "Come back",
          {follows ? "The run pauses here and can be changed; come back at any time."
                   : "Takes over the lecturer's state; what was changed here is given up."});
}

}  // namespace cellscope::gui
