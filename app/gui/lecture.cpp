#include "app/gui/panels.h"
#include "app/gui/viewport.h"

namespace cellscope::gui {

constexpr double kBetween = 0.05;  // seconds, of moves that are sent

// Seen from the back row over bright and dark particles alike.
static void drawPointer(Shell& shell, ImVec2 at) {
  ImDrawList* const list = ImGui::GetForegroundDrawList();
  const float radius = shell.px(30);
  const ImU32 dark = IM_COL32(0, 0, 0, 200), bright = shell.colours->amber;
  list->AddCircle(at, radius, dark, 48, shell.px(9));
  list->AddCircle(at, radius, bright, 48, shell.px(5));
  list->AddCircleFilled(at, shell.px(6), dark, 16);
  list->AddCircleFilled(at, shell.px(4), bright, 16);
  shell.log->rect("pointer-mark", at - ImVec2(radius, radius), at + ImVec2(radius, radius));
}

void pointerOverlay(Shell& shell, const ViewportArea& area, const ViewportArea* second) {
  const ImGuiIO& io = ImGui::GetIO();
  const float beside = second ? second->lo().x - area.lo().x : 0;
  Pointer& p = shell.pointer;
  if (shell.isLed()) {
    p.shown = shell.lesson->shown();
    const ImVec2 at = area.onScreen({p.shown.at[0], p.shown.at[1], p.shown.at[2]});
    if (!p.shown.pointer || !area.holds(at)) return;
    drawPointer(shell, at);
    if (second) drawPointer(shell, ImVec2(at.x + beside, at.y));
    return;
  }
  const bool held = !io.WantTextInput && ImGui::IsKeyDown(ImGui::GetKeyIndex(ImGuiKey_X));
  lesson::Shown now;
  ImVec2 mouse = io.MousePos;
  if (second && mouse.x >= second->lo().x) mouse.x -= beside;
  now.pointer = (held || p.on) && !io.WantCaptureMouse && area.holds(mouse);
  if (shell.pages.isOpen() && shell.pages.isShown)
    now.caption = shell.pages.words() + " – " + shell.pages.title;
  if (now.pointer) {
    const glm::dvec3 place = area.placeAt(mouse, area.camera().target);
    for (int k = 0; k < 3; ++k) now.at[k] = place[k];
    drawPointer(shell, mouse);
    if (second) drawPointer(shell, ImVec2(mouse.x + beside, mouse.y));
  }
  const bool changes = now.pointer != p.shown.pointer || now.caption != p.shown.caption;
  if (now == p.shown || (!changes && shell.time - p.sentAt < kBetween)) return;
  if (now.pointer != p.shown.pointer) shell.log->write("pointing", now.pointer ? "on" : "off");
  p.shown = now;
  p.sentAt = shell.time;
  if (shell.lesson) shell.lesson->show(now);
}

constexpr double kPhaseSeconds = 1;

static void orderPhase(Shell& shell) {
  Walk& w = shell.walk;
  w.ordered = true;
  w.step = shell.now->step;
  w.phase = shell.now->nextPhase;
  shell.step(true);
}

void setWalk(Shell& shell, bool on) {
  if (on && !shell.advances()) return;
  shell.walk = {};
  shell.walk.on = on;
  shell.walk.next = shell.time;
  shell.log->write("walk", on ? "on" : "off");
}

void goOnWalking(Shell& shell, const ViewportArea& area) {
  Walk& w = shell.walk;
  if (!w.on) return;
  if (shell.now->playing || shell.isLed()) return setWalk(shell, false);
  if (!w.ordered) {
    if (w.picture == 0) w.picture = area.pictureHash();
    if (shell.time >= w.next) orderPhase(shell);
    return;
  }
  const bool came = shell.now->step != w.step || shell.now->nextPhase != w.phase;
  if (!came || !area.shows(shell.now->frame) || area.moving()) return;
  const std::uint64_t picture = area.pictureHash();
  w.ordered = false;
  // Of a state in which nothing moves each phase is shown once a second.
  if (picture == w.picture && w.skipped < std::ssize(shell.now->mode->phases)) {
    ++w.skipped;
    return orderPhase(shell);
  }
  shell.log->write("walked", std::to_string(w.phase) + " skipped " + std::to_string(w.skipped));
  w.picture = picture;
  w.skipped = 0;
  w.next = shell.time + kPhaseSeconds;
}

constexpr float kLow = 560;  // height at scale 1, below which a card takes room from the others

std::string mainPlot(const Shell& shell) {
  if (const ObservableSeries* s = watched(shell)) return plotName(s->info);
  if (!shell.scenario().plots.empty()) return shell.scenario().plots.front();
  const std::vector<std::string> all = plotsOf(*shell.now);
  return all.empty() ? "" : all.front();
}

static bool hasData(const Shell& shell, const std::string& plot) {
  const Publication& now = *shell.now;
  const auto ofCurve = [&](const Curve& c) { return c.id == plot && !c.series.empty(); };
  const auto ofTime = [&](const ObservableSeries& s) {
    return plotName(s.info) == plot && s.samples > 0;
  };
  return std::ranges::any_of(now.curves, ofCurve) || std::ranges::any_of(now.observables, ofTime);
}

void presentationColumn(Shell& shell, ImVec2 at, ImVec2 size) {
  const Pane pane("presentation",
                  {.at = at,
                   .size = size,
                   .padding = shell.px(14, 12),
                   .more = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus,
                   .isSquare = true});
  shell.log->rect("presentation", at, at + size);
  pagesRow(shell);
  const Scenario& open = shell.scenario();
  const bool crowded = isPicked(shell) && size.y < shell.px(kLow);
  const bool lesson = !open.lesson.empty();
  if (!crowded || !lesson)  // the title bar has it, too
    textStrong(shell, shell.title());
  if (lesson) {
    const ImVec2 lo = ImGui::GetCursorScreenPos();
    textWrapped(shell, printed(open.lesson), shell.colours->muted);
    shell.log->rect("lesson", lo, ImGui::GetItemRectMax());
  }
  if (open.onlyPlay && !open.text.empty()) {
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string text = wrapped(shell.fonts.small, printed(open.text), width - shell.px(12));
    const float high = textSize(shell.fonts.small, text).y + shell.px(4);
    ImGui::BeginChild("##text", ImVec2(width, std::min(high, 0.24f * size.y)));
    textSmall(shell, text);
    ImGui::EndChild();
  }
  const Publication& now = *shell.now;
  std::string words = now.mode->stepName + " " + grouped(now.step);
  const int phase = now.frame && !now.playing ? now.frame->phase : -1;
  if (phase >= 0 && phase < static_cast<int>(now.mode->phases.size()))
    words += " · " + printed(now.mode->phases[static_cast<std::size_t>(phase)]);
  textSmall(shell, words);
  if (hasPlay(shell)) playPanel(shell);
  const bool picked = isPicked(shell);
  if (picked) particlePanel(shell);  // the plot has what it leaves
  const std::string id = mainPlot(shell);
  // At least 120 pixels of curve, whatever the scale.
  constexpr float kAxes = 44;  // at scale 1, and the legend beneath
  const float left = ImGui::GetContentRegionAvail().y, least = 120 + shell.px(kAxes + 28);
  if (!id.empty() && (!picked || (left > least && hasData(shell, id)))) {
    const Heading heading = plotHeading(shell, id);
    const float most = std::min(left - shell.px(8), 1.3f * ImGui::GetContentRegionAvail().x);
    const float height = std::max(least, most);
    if (open.watch.empty())
      textStrong(shell, heading.title + "  " + heading.value, heading.ink(shell));
    plotContent(shell, id, ImVec2(ImGui::GetContentRegionAvail().x, height), crowded);
  }
}

}  // namespace cellscope::gui
