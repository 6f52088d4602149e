#include <filesystem>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "sim/base/digits.h"
#include "sim/io/files.h"

namespace cellscope::gui {
namespace {

constexpr std::size_t kMostSliders = 4;

// The ends of the slider of the first one, as it is now; none where it has no range.
void suggestRange(Shell& shell) {
  PageWindow& w = shell.page;
  w.from = w.to = "";
  const ParameterState* p = w.sliders.empty() ? nullptr : stateOf(shell, w.sliders.front());
  if (!p || !p->info.choices.empty() || !(p->info.max > p->info.min)) return;
  const SliderRange span = spanOf(shell, *p);
  w.from = fmt::format("{}", span.lo);
  w.to = fmt::format("{}", span.hi);
}

// What is typed goes into the scenario; its reader says what is wrong with it.
void asPage(const PageWindow& w, const std::vector<ObservableSeries>& observables, Scenario& s) {
  s.title = w.title;
  s.lesson = w.lesson;
  s.text = w.text.data();
  s.onlyPlay = w.alone;
  s.promote = {};
  s.beside.assign(w.sliders.begin() + std::min<std::ptrdiff_t>(1, std::ssize(w.sliders)),
                  w.sliders.end());
  if (!w.sliders.empty()) s.promote.key = w.sliders.front();
  if (!w.from.empty() || !w.to.empty()) {
    s.promote.lo = realFrom(w.from).value_or(NAN);
    s.promote.hi = realFrom(w.to).value_or(NAN);
    if (!(s.promote.lo < s.promote.hi))
      throw InputError(
          "run.promote: from = {} and to = {}: two numbers are allowed, the first one less than "
          "the second",
          w.from, w.to);
  }
  s.watch = w.watch > 0 ? observables[static_cast<std::size_t>(w.watch - 1)].info.id : "";
}

std::filesystem::path fileOfPage(const std::string& name) {
  namespace fs = std::filesystem;
  fs::path path = fs::path(common::ownFolder("scenarios")) / withHome(name);
  if (path.extension() != ".toml") path += ".toml";
  return path;
}

bool isThere(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void savePage(Shell& shell) {
  PageWindow& w = shell.page;
  w.error.clear();
  try {
    if (w.title.empty()) throw InputError("title: is empty; write one");
    if (w.file.empty()) throw InputError("file: is empty; write a name");
    const std::filesystem::path path = fileOfPage(w.file);
    const auto as = [w, observables = shell.now->observables](Scenario& s) {
      asPage(w, observables, s);
    };
    Scenario trial = shell.currentScenario();
    as(trial);
    parseScenario(scenarioText(trial), path.string());  // refuses
    if (isThere(path) && std::exchange(w.overwrites, path.string()) != path.string())
      throw InputError("'{}' exists already: save once more to replace it, or write another name",
                       path.string());
    if (path.has_parent_path()) io::createFolder(path.parent_path().string());
    io::checkWritable(path.string(), true);
    shell.saveScenarioAs = as;
    shell.saveScenarioTo = path.string();
    w.open = false;
  } catch (const std::exception& e) {
    w.error = e.what();
    shell.log->write("page-error", w.error);
  }
}

// Enter saves.
void textRow(Shell& shell, const std::string& id, const char* label, std::string& field,
             float width = -1) {
  textSmall(shell, label);
  ImGui::SetNextItemWidth(width);
  if (textField(shell, "##" + id, id, field, ImGuiInputTextFlags_EnterReturnsTrue)) savePage(shell);
}

void sliderChoice(Shell& shell) {
  PageWindow& w = shell.page;
  textSmall(shell, "What the class may move; the first one is large.");
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x;
  ImGui::BeginChild("##sliders", ImVec2(0, shell.px(84)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(6, 4));
  bool first = true;
  for (const ParameterState& p : shell.now->parameters) {
    if (!p.acts || p.info.key == "seed") continue;
    const auto at = std::ranges::find(w.sliders, p.info.key);
    const bool on = at != w.sliders.end();
    const std::string place = on ? std::to_string(at - w.sliders.begin() + 1) : "";
    const std::string label = printed(p.info.label);
    const float end = std::exchange(first, false) ? 0 : right - shell.px(16);
    if (!chipInLine(shell, "page-slider:" + p.info.key, label, place, end, on, true)) continue;
    if (on)
      w.sliders.erase(at);
    else if (w.sliders.size() < kMostSliders)
      w.sliders.push_back(p.info.key);
    suggestRange(shell);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  if (w.from.empty() && w.to.empty()) return;
  const float half = (ImGui::GetContentRegionAvail().x - shell.px(8)) / 2;
  const ImVec2 at = ImGui::GetCursorPos();
  textRow(shell, "page-from", "Its slider from", w.from, half);
  const ImVec2 end = ImGui::GetCursorPos();
  ImGui::SetCursorPos(ImVec2(at.x + half + shell.px(8), at.y));
  ImGui::BeginGroup();
  textRow(shell, "page-to", "to", w.to, half);
  ImGui::EndGroup();
  ImGui::SetCursorPos(end);
}

void watchChoice(Shell& shell) {
  PageWindow& w = shell.page;
  const auto& all = shell.now->observables;
  const auto nameOf = [&](int k) {
    return k == 0 ? std::string("none") : printed(all[static_cast<std::size_t>(k - 1)].info.label);
  };
  textSmall(shell, "Number to watch");
  ImGui::SetNextItemWidth(-1);
  if (!ImGui::BeginCombo("##page-watch", fittedChoice(onScreen(nameOf(w.watch))).c_str())) return;
  for (int k = 0; k <= static_cast<int>(all.size()); ++k)
    if (ImGui::Selectable(onScreen(nameOf(k) + "##" + std::to_string(k)).c_str(), k == w.watch))
      w.watch = k;
  ImGui::EndCombo();
}

}  // namespace

void openPageWindow(Shell& shell) {
  const Scenario& s = shell.scenario();
  PageWindow& w = shell.page = {};
  w.open = w.focus = true;
  w.title = shell.title();
  w.lesson = s.lesson;
  s.text.copy(w.text.data(), w.text.size() - 1);
  if (!s.promote.key.empty()) w.sliders = {s.promote.key};
  for (std::size_t k = 0; k < shell.now->observables.size(); ++k)
    if (shell.now->observables[k].info.id == s.watch) w.watch = static_cast<int>(k) + 1;
  suggestRange(shell);
  // my-NAME, my-NAME-2, ...: the first that replaces no file.
  w.file = "my-" + shell.name();
  for (int k = 2; isThere(fileOfPage(w.file)); ++k)
    w.file = fmt::format("my-{}-{}", shell.name(), k);
  shell.log->write("page-window", "open");
}

void pageWindow(Shell& shell) {
  PageWindow& w = shell.page;
  if (!w.open) return;
  dimRest(shell, "page-rest");  // a click there would lose what is typed
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(shell.px(620), screen.x - shell.px(24));
  ImGui::SetNextWindowFocus();
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, screen.y - shell.px(16)));
  const Pane pane(
      "page", dialogLook(ImVec2(width, 0), shell.px(20, 14), ImGuiWindowFlags_AlwaysAutoResize));
  shell.log->window("page");
  textStrong(shell, "Make a page of a lesson");
  if (std::exchange(w.focus, false)) ImGui::SetKeyboardFocusHere();
  textRow(shell, "page-title", "Title", w.title);
  textRow(shell, "page-lesson", "What is to be learned, in one sentence", w.lesson);
  textSmall(shell, "Text");
  ImGui::InputTextMultiline("##page-text", w.text.data(), w.text.size(), ImVec2(-1, shell.px(76)));
  shell.log->item("page-text");
  sliderChoice(shell);
  watchChoice(shell);
  switchRow(shell, "page-alone", "Hide everything else when it is opened", w.alone);
  textRow(shell, "page-file", "File, in the folder of your scenarios or with a path", w.file);
  textSmall(shell, common::ownFolder("scenarios"));
  if (!w.error.empty()) textSmall(shell, sentence(w.error), shell.colours->red);
  const float half = halfWidth();
  if (button(shell, "page-cancel", "Cancel", Icon::none, half)) w.open = false;
  ImGui::SameLine();
  if (button(shell, "page-save", "Save", Icon::none, half, true)) savePage(shell);
}

std::string LessonPages::words() const {
  return isOpen() ? fmt::format("{} of {}", at + 1, pages.size()) : "";
}

void LessonPages::follow(const Scenario* open) {
  const auto isOpened = [&](const Scenario& page) {
    return open &&
           (page.path == open->path || (page.name == open->name && page.mode == open->mode));
  };
  const auto found = std::ranges::find_if(pages, isOpened);
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
    if (iconButton(shell, id, icon, ImVec2(x, at.y), side, shell.px(12), isEnd ? c.line : c.accent))
      turnPage(shell, by);
    tooltip(shell, title, {p.title});
  };
  arrow("page:previous", Icon::back, at.x, -1, "Previous scenario (Page Up)");
  const std::string words = p.words();
  const float y = at.y + (side - textSize(font, words).y) / 2, left = at.x + side + shell.px(2);
  drawText(shell.fonts.strong, ImVec2(left, at.y + shell.px(2)), c.text, words);
  const float next = left + textSize(shell.fonts.strong, words).x + shell.px(2);
  arrow("page:next", Icon::end, next, 1, "Next scenario (Page Down)");
  const float title = next + side + shell.px(6), close = at.x + width - side;
  drawText(font, ImVec2(title, y), c.muted, fitted(font, p.title, close - title - shell.px(4)));
  if (iconButton(shell, "page:close", Icon::close, ImVec2(close, at.y), side, shell.px(11))) {
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
                            " Steps and parameters are the lecturer's; pick particles, look around "
                            "and choose layers and plots yourself."
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
