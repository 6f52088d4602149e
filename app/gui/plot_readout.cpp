// Crosshair and values at the mouse; a plot over the picture, and on a page of its own for export.
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>

#include "app/gui/panels.h"
#include "sim/base/error.h"
#include "sim/run/csv_log.h"

namespace cellscope::gui {
namespace {

constexpr float kWidestLabel = 340;  // at scale 1

// A value of a series and its position in axis coordinates.
struct Near {
  std::size_t index;
  double x, y;
};

// The bin of a histogram in which `at` lies.
std::optional<Near> binAt(const PlotSeries& s, const PlotFrame& f, double at) {
  for (std::size_t i = 0; i + 1 < s.x.size() && i < s.y.size(); ++i) {
    const double lo = std::max(toAxis(f.xScale, s.x[i]), f.x.lo), hi = toAxis(f.xScale, s.x[i + 1]);
    if (at >= lo && at < hi) return Near{i, 0.5 * (lo + hi), toAxis(f.yScale, s.y[i])};
  }
  return std::nullopt;
}

std::optional<Near> nearest(const PlotSeries& s, const PlotFrame& f, double at) {
  if (s.kind == SeriesKind::steps) return binAt(s, f, at);
  const OnAxes on(s, f.xScale, f.yScale);
  if (on.size() == 0) return std::nullopt;
  std::size_t k = 0;
  if (s.kind == SeriesKind::line) {
    k = nearestIndex(on.x(), at);
  } else {  // in any order
    for (std::size_t i = 1; i < on.size(); ++i)
      if (std::abs(on.x()[i] - at) < std::abs(on.x()[k] - at)) k = i;
  }
  return Near{on.index(k), on.x()[k], on.y()[k]};
}

// The x nearest to `at` over all series; histograms have a value at every x and are used last.
double nearestX(const Plot& plot, const PlotFrame& f, double at) {
  double x = at, best = -1;
  for (int histograms = 0; histograms < 2 && best < 0; ++histograms) {
    for (const PlotSeries& s : plot.series) {
      if ((s.kind == SeriesKind::steps) != (histograms == 1)) continue;
      const std::optional<Near> n = nearest(s, f, at);
      if (n && (best < 0 || std::abs(n->x - at) < best)) best = std::abs(n->x - at), x = n->x;
    }
  }
  return x;
}

std::string labelOf(const PlotSeries& s, std::size_t i) {
  if (s.kind != SeriesKind::steps) return s.label;
  return s.label + ", " + number(s.x[i], 4) + " to " + number(s.x[i + 1], 4);
}

// Values of every series at x, and a dot on each of them.
std::vector<ReadoutRow> readoutRows(Shell& shell, const Plot& plot, const PlotFrame& f, double x) {
  std::vector<ReadoutRow> rows;
  for (const PlotSeries& s : plot.series) {
    if (!s.inReadout) continue;
    const std::optional<Near> n = nearest(s, f, x);
    if (!n || std::abs(f.px(n->x) - f.px(x)) > shell.px(12)) continue;
    const bool hasError = n->index < s.error.size() && s.error[n->index] > 0;
    rows.push_back({labelOf(s, n->index),
                    hasError ? valueWithError(s.y[n->index], s.error[n->index])
                             : sampleText(s.y[n->index], scatterNear(s.y, n->index)),
                    s.colour});
    const ImVec2 p(f.px(n->x), f.py(n->y));
    if (f.contains(p)) ImGui::GetWindowDrawList()->AddCircleFilled(p, shell.px(3), s.colour, 12);
  }
  for (const PlotReference& r : plot.references)
    rows.push_back({r.label, valueWithError(r.value, r.error), r.colour});
  return rows;
}

}  // namespace

void drawReadoutTable(Shell& shell, const PlotFrame& f, const std::string& where,
                      const std::vector<ReadoutRow>& rows) {
  // Sources can be long: they would cover half of the window in one line.
  std::vector<std::string> labels;
  std::size_t lines = 0;
  for (const ReadoutRow& row : rows) {
    labels.push_back(wrapped(shell.fonts.small, onScreen(row.label), shell.px(kWidestLabel)));
    lines += 1 + static_cast<std::size_t>(std::ranges::count(labels.back(), '\n'));
  }
  // Below the plot, or above it near the window's lower edge: never over the lines.
  const float height = shell.px(18) * static_cast<float>(lines + 1) + shell.px(16);
  const float below = f.hi.y + shell.px(38), screen = ImGui::GetIO().DisplaySize.y;
  const bool fits = below + height < screen;
  ImGui::SetNextWindowPos(ImVec2(f.hi.x, fits ? below : f.lo.y - shell.px(4)), 0,
                          ImVec2(1, fits ? 0.f : 1.f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, shell.px(10, 8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(8, 3));
  ImGui::BeginTooltip();
  ImGui::PushFont(shell.fonts.smallNumbers);
  ImGui::TextDisabled("%s", onScreen(where).c_str());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ImGui::TextColored(ImColor(rows[i].colour), "%s", onScreen(rows[i].value).c_str());
    ImGui::SameLine();
    ImGui::PushFont(shell.fonts.small);
    ImGui::TextDisabled("%s", labels[i].c_str());
    ImGui::PopFont();
  }
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
}

void drawLinked(Shell& shell, const Plot& plot, const PlotFrame& f, double at) {
  const double x = nearestX(plot, f, at);
  const float px = f.px(x);
  if (px < f.lo.x || px > f.hi.x) return;
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(px, f.lo.y), ImVec2(px, f.hi.y), withAlpha(shell.colours->muted, 0.7f),
                shell.stroke());
  const std::vector<ReadoutRow> rows = readoutRows(shell, plot, f, x);
  if (rows.empty()) return;
  const ImVec2 size = textSize(shell.fonts.smallNumbers, rows.front().value);
  const bool right = px + size.x + shell.px(8) < f.hi.x;
  const ImVec2 lo(right ? px + shell.px(5) : px - size.x - shell.px(5), f.lo.y + shell.px(2));
  list->AddRectFilled(lo, lo + size, withAlpha(shell.colours->viewport, 0.8f));
  drawText(shell.fonts.smallNumbers, lo, shell.colours->text, rows.front().value);
  shell.log->state("linked:" + plot.id, number(x, 12) + " " + rows.front().value);
}

double drawReadout(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = nearestX(plot, f, f.xAt(mouse.x));
  const std::vector<ReadoutRow> rows = readoutRows(shell, plot, f, x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float px = f.px(x), width = shell.stroke();
  const ImU32 muted = shell.colours->muted;
  list->AddLine(ImVec2(px, f.lo.y), ImVec2(px, f.hi.y), withAlpha(muted, 0.7f), width);
  list->AddLine(ImVec2(f.lo.x, mouse.y), ImVec2(f.hi.x, mouse.y), withAlpha(muted, 0.35f), width);
  const std::string at = plot.integerX ? grouped(static_cast<std::uint64_t>(std::max(0.0, x)))
                                       : number(fromAxis(f.xScale, x), 6);
  drawReadoutTable(shell, f, plot.x.label + "  " + at, rows);
  return x;
}

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
  std::vector<std::string> parts;
  for (const auto& [key, value] : describe(*shell.now)) {
    const bool parameter = std::ranges::any_of(shell.now->parameters, [&key = key](const auto& p) {
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
  file << csvQuoted("series") << ',' << csvQuoted(plot.x.label) << ',' << csvQuoted(plot.y.label)
       << ',' << csvQuoted(has(plot, SeriesKind::bars) ? "spread" : "standard error");
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
