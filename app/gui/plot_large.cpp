// A plot over the picture, and on a page of its own for export.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "app/gui/panels.h"
#include "app/gui/pictures.h"
#include "app/gui/plot_frame.h"
#include "sim/base/error.h"
#include "sim/run/csv_log.h"

namespace cellscope::gui {

constexpr ImGuiWindowFlags kUnscrolled =
    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// Title at the left, the value at the right.
static void title(Shell& shell, const std::string& id, const std::string& before, float reserved) {
  const Heading heading = plotHeading(shell, id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - reserved;
  const float x = drawTextTo(shell.fonts.numbers, ImVec2(at.x + width, at.y + shell.px(1)),
                             heading.ink(shell), heading.value);
  drawText(shell.fonts.strong, at, shell.colours->text,
           fitted(shell.fonts.strong, before + heading.title, x - at.x - shell.px(8)));
  ImGui::Dummy(ImVec2(width, shell.px(22)));
}

// Program, scenario, step, and the parameters that are not the mode's defaults; the picture's
// metadata hold all of them. No entry is broken over two lines.
static std::string footer(const Shell& shell) {
  const Publication& now = *shell.now;
  std::vector<std::string> parts;
  for (const auto& [key, value] : describe(now)) {
    const bool parameter = std::ranges::any_of(now.parameters, [&key = key](const auto& p) {
      return p.info.key == key && p.value == p.fallback && key != "seed";
    });
    if (!parameter) parts.push_back(onOneLine(key == "Software" ? value : key + " = " + value));
  }
  return fmt::format("{}", fmt::join(parts, "  ·  "));
}

void enlargedPlot(Shell& shell, ImVec2 lo, ImVec2 hi) {
  // One that a scenario asks for may have no values yet.
  if (shell.enlarged.empty() || !hasPlot(shell, shell.enlarged)) return;
  const float edge = shell.px(16);
  lo = lo + ImVec2(edge, edge);
  hi = hi - ImVec2(edge, edge);
  const Pane pane("enlarged", {.at = lo,
                               .size = hi - lo,
                               .padding = shell.px(16, 12),
                               .more = kUnscrolled | ImGuiWindowFlags_NoFocusOnAppearing,
                               .opacity = 1});
  shell.log->rect("enlarged", lo, hi);
  const float side = shell.px(24);
  title(shell, shell.enlarged, "", side + shell.px(8));
  const ImVec2 next = ImGui::GetCursorScreenPos();
  const bool closed =
      iconButton(shell, "button:close-enlarged", Icon::close,
                 ImVec2(hi.x - shell.px(16) - side, lo.y + shell.px(10)), side, shell.px(12));
  ImGui::SetCursorScreenPos(next);
  plotContent(shell, shell.enlarged, ImGui::GetContentRegionAvail());
  if (!closed) return;
  shell.enlarged.clear();
  shell.log->write("enlarge", "");
}

void plotPage(Shell& shell, const std::string& id, ImVec2 size) {
  const Pane pane(
      "page", {.size = size, .padding = shell.px(20, 14), .more = kUnscrolled, .isSquare = true});
  const Scenario* open = shell.now->scenario.get();
  title(shell, id, open ? open->title + " – " : "", 0);
  const std::string equation = plotHeading(shell, id).equation;
  const std::string below = (equation.empty() ? "" : equation + "\n") + footer(shell);
  const float width = ImGui::GetContentRegionAvail().x;
  const float foot = textSize(shell.fonts.small, wrapped(shell.fonts.small, below, width)).y;
  const ImVec2 room(width, ImGui::GetContentRegionAvail().y - foot - shell.px(14));
  plotContent(shell, id, room);
  ImGui::SetCursorPosY(size.y - foot - shell.px(12));
  textSmall(shell, below);
}

static bool isSteps(const PlotSeries& s) {
  return s.kind == SeriesKind::steps && s.x.size() > s.y.size();
}

void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about) {
  std::ofstream file(path);
  for (const auto& [key, value] : about) file << "# " << key << ": " << value << '\n';
  const bool steps = std::ranges::any_of(plot.series, isSteps);
  // Bars are medians of a race: their error column is the spread.
  const bool bars = has(plot, SeriesKind::bars);
  file << csvQuoted("series") << ',' << csvQuoted(plot.x.label) << ',' << csvQuoted(plot.y.label)
       << ',' << csvQuoted(bars ? "spread" : "standard error");
  if (steps) file << ',' << csvQuoted(plot.x.label + ", upper edge");
  file << '\n';
  for (const PlotSeries& s : plot.series) {
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      file << csvQuoted(s.source.empty() ? s.label : s.label + " (" + s.source + ")") << ','
           << csvPlace(plot.x, s.x[i]) << ',' << fmt::format("{},", s.y[i]);
      if (i < s.error.size()) file << fmt::format("{}", s.error[i]);
      if (steps) file << ',';
      if (isSteps(s)) file << fmt::format("{}", s.x[i + 1]);
      file << '\n';
    }
  }
  for (const PlotReference& r : plot.references)
    file << csvQuoted(r.label) << ",,"
         << fmt::format("{},{}{}\n", r.value, r.error, steps ? "," : "");
  file.close();
  if (!file)
    throw RunError("cannot write {}: {}. Choose another output folder or free some space.", path,
                   std::strerror(errno));
}

}  // namespace cellscope::gui
