// The column of presentation mode.
#include <algorithm>

#include "app/gui/panels.h"
#include "app/gui/time_plot.h"

namespace cellscope::gui {

constexpr float kLow = 560;  // height at scale 1, below which a card takes room from the others

std::string mainPlot(const Shell& shell) {
  const Publication& now = *shell.now;
  for (const ObservableSeries& s : now.observables)
    if (now.scenario && s.info.id == now.scenario->watch)
      return s.info.plot.empty() ? s.info.id : s.info.plot;
  if (now.scenario && !now.scenario->plots.empty()) return now.scenario->plots.front();
  if (now.observables.empty()) return now.curves.empty() ? "" : now.curves[0].id;
  const ObservableInfo& first = now.observables[0].info;
  return first.plot.empty() ? first.id : first.plot;
}

static bool hasData(const Shell& shell, const std::string& plot) {
  const Publication& now = *shell.now;
  const auto ofCurve = [&](const Curve& c) { return c.id == plot && !c.series.empty(); };
  const auto ofTime = [&](const ObservableSeries& s) {
    return plotName(s.info) == plot && s.samples > 0;
  };
  return std::any_of(now.curves.begin(), now.curves.end(), ofCurve) ||
         std::any_of(now.observables.begin(), now.observables.end(), ofTime);
}

static std::string phaseWords(const Shell& shell) {
  const Publication& now = *shell.now;
  std::string words = now.mode->stepName + " " + grouped(now.step);
  const int phase = now.frame && !now.playing ? now.frame->phase : -1;
  if (phase >= 0 && phase < static_cast<int>(now.mode->phases.size()))
    words += " · " + printed(now.mode->phases[static_cast<std::size_t>(phase)]);
  return words;
}

void presentationColumn(Shell& shell, ImVec2 at, ImVec2 size) {
  const Pane pane("presentation",
                  {.at = at,
                   .size = size,
                   .padding = ImVec2(shell.px(14), shell.px(12)),
                   .more = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus,
                   .isSquare = true});
  shell.log->rect("presentation", at, ImVec2(at.x + size.x, at.y + size.y));
  pagesRow(shell);
  const Scenario* open = shell.now->scenario.get();
  const bool crowded = isPicked(shell) && size.y < shell.px(kLow);
  const bool lesson = open && !open->lesson.empty();
  if (!crowded || !lesson)  // the title bar has it, too
    textStrong(shell, open ? open->title : shell.now->mode->label);
  if (lesson) {
    const ImVec2 lo = ImGui::GetCursorScreenPos();
    textWrapped(shell, printed(open->lesson), shell.colours->muted);
    shell.log->rect("lesson", lo, ImGui::GetItemRectMax());
  }
  if (open && open->onlyPlay && !open->text.empty()) {
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string text = wrapped(shell.fonts.small, printed(open->text), width - shell.px(12));
    const float high = textSize(shell.fonts.small, text).y + shell.px(4);
    ImGui::BeginChild("##text", ImVec2(width, std::min(high, 0.24f * size.y)));
    textSmall(shell, text);
    ImGui::EndChild();
  }
  textSmall(shell, phaseWords(shell));
  if (hasPlay(shell)) playPanel(shell);
  const bool picked = isPicked(shell);
  if (picked) particlePanel(shell);  // the plot has what it leaves
  const std::string id = mainPlot(shell);
  // At least 120 pixels of curve, whatever the scale.
  constexpr float kAxes = 44;  // at scale 1, and the legend beneath
  const float left = ImGui::GetContentRegionAvail().y, least = 120 + shell.px(kAxes + 28);
  if (!id.empty() && (!picked || (left > least && hasData(shell, id)))) {
    std::string equation;
    const Heading heading = plotHeading(shell, id, equation);
    const float most = std::min(left - shell.px(8), 1.3f * ImGui::GetContentRegionAvail().x);
    const float height = std::max(least, most);
    if (shell.now->scenario == nullptr || shell.now->scenario->watch.empty())
      textStrong(shell, heading.title + "  " + heading.value, heading.ink(shell));
    plotContent(shell, id, ImVec2(ImGui::GetContentRegionAvail().x, height), crowded);
  }
}

}  // namespace cellscope::gui
