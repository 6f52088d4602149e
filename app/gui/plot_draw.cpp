// Lines, bands, points, references and the read-out of a plot.
#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/plot_frame.h"
#include "app/gui/series.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

void dashedLine(ImDrawList* list, ImVec2 a, ImVec2 b, ImU32 colour, float thickness, float dash,
                float& phase) {
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (!(length > 0)) return;
  const float dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
  for (float s = -phase; s < length; s += 2 * dash) {
    const float from = std::max(0.f, s), to = std::min(length, s + dash);
    if (to > from) {
      list->AddLine(ImVec2(a.x + dx * from, a.y + dy * from), ImVec2(a.x + dx * to, a.y + dy * to),
                    colour, thickness);
    }
  }
  phase = std::fmod(phase + length, 2 * dash);
}

// y - error to y + error as a filled band between neighbouring points.
void band(const PlotSeries& s, const PlotFrame& f, const std::vector<std::size_t>& kept,
          ImDrawList* list) {
  const ImU32 fill = withAlpha(s.colour, 0.2f * s.opacity);
  for (std::size_t k = 1; k < kept.size(); ++k) {
    const std::size_t i = kept[k - 1], j = kept[k];
    if (j >= s.error.size() || !std::isfinite(s.error[i]) || !std::isfinite(s.error[j])) continue;
    const float xi = f.px(s.x[i]), xj = f.px(s.x[j]);
    auto clampY = [&](double y) { return std::clamp(f.py(y), f.lo.y - 10, f.hi.y + 10); };
    list->AddQuadFilled(
        ImVec2(xi, clampY(s.y[i] + s.error[i])), ImVec2(xj, clampY(s.y[j] + s.error[j])),
        ImVec2(xj, clampY(s.y[j] - s.error[j])), ImVec2(xi, clampY(s.y[i] - s.error[i])), fill);
  }
}

void points(Shell& shell, const PlotSeries& s, const PlotFrame& f, ImDrawList* list) {
  const ImU32 colour = withAlpha(s.colour, 0.6f * s.opacity);
  const float thin = std::max(1.f, shell.px(s.emphasis ? 2 : 1.2f));
  const float r = shell.px(s.emphasis ? 4 : 2.5f), cap = shell.px(s.emphasis ? 6 : 3);
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (!std::isfinite(s.y[i]) || s.x[i] < f.x0 || s.x[i] > f.x1) continue;
    const float x = f.px(s.x[i]);
    if (i < s.error.size() && s.error[i] > 0) {
      const float lo = f.py(s.y[i] - s.error[i]), hi = f.py(s.y[i] + s.error[i]);
      list->AddLine(ImVec2(x, lo), ImVec2(x, hi), colour, thin);
      list->AddLine(ImVec2(x - cap, lo), ImVec2(x + cap, lo), colour, thin);
      list->AddLine(ImVec2(x - cap, hi), ImVec2(x + cap, hi), colour, thin);
    }
    if (s.emphasis) {
      list->AddCircleFilled(ImVec2(x, f.py(s.y[i])), r + shell.px(2), shell.colours->viewport);
    }
    drawMarker(list, s.marker, ImVec2(x, f.py(s.y[i])), r, withAlpha(s.colour, s.opacity));
  }
}

}  // namespace

void drawMarker(ImDrawList* list, int marker, ImVec2 p, float r, ImU32 colour) {
  switch (marker % 4) {
    case 0:
      list->AddCircleFilled(p, r, colour, 10);
      break;
    case 1:
      r *= 0.9f;
      list->AddRectFilled(ImVec2(p.x - r, p.y - r), ImVec2(p.x + r, p.y + r), colour);
      break;
    case 2:
      list->AddTriangleFilled(ImVec2(p.x - r * 1.2f, p.y + r), ImVec2(p.x, p.y - r * 1.2f),
                              ImVec2(p.x + r * 1.2f, p.y + r), colour);
      break;
    default:
      r *= 1.3f;
      list->AddQuadFilled(ImVec2(p.x - r, p.y), ImVec2(p.x, p.y - r), ImVec2(p.x + r, p.y),
                          ImVec2(p.x, p.y + r), colour);
  }
}

void drawSeries(Shell& shell, const PlotSeries& s, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (!s.line) {
    points(shell, s, f, list);
    return;
  }
  const auto kept = decimate(s.x, s.y, f.x0, f.x1, std::max(1, static_cast<int>(f.hi.x - f.lo.x)));
  if (s.band) band(s, f, kept, list);
  // Single values that crowd every column must not become a wall before the mean.
  const bool crowded = static_cast<float>(kept.size()) > f.hi.x - f.lo.x;
  const ImU32 colour = withAlpha(s.colour, s.opacity * (s.opacity < 1 && crowded ? 0.6f : 1.f));
  const float thickness = std::max(1.f, shell.px(s.broad ? 3.5f : 1.5f));
  auto place = [&](std::size_t i) {
    return ImVec2(f.px(s.x[i]), std::clamp(f.py(s.y[i]), f.lo.y - 1e4f, f.hi.y + 1e4f));
  };
  if (s.dashed) {
    float phase = 0;
    for (std::size_t k = 1; k < kept.size(); ++k) {
      dashedLine(list, place(kept[k - 1]), place(kept[k]), colour, thickness, shell.px(5), phase);
    }
    return;
  }
  for (std::size_t i : kept) list->PathLineTo(place(i));
  list->PathStroke(colour, 0, thickness);
  if (kept.size() == 1) list->AddCircleFilled(place(kept[0]), shell.px(2), colour, 8);
}

void drawReferences(Shell& shell, const Plot& plot, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const PlotReference& r : plot.references) {
    if (r.error > 0) {
      list->AddRectFilled(ImVec2(f.lo.x, f.py(r.value + r.error)),
                          ImVec2(f.hi.x, f.py(r.value - r.error)), withAlpha(r.colour, 0.2f));
    }
    float phase = 0;
    dashedLine(list, ImVec2(f.lo.x, f.py(r.value)), ImVec2(f.hi.x, f.py(r.value)), r.colour,
               std::max(1.f, shell.px(1.5f)), shell.px(5), phase);
  }
}

namespace {

struct ReadoutRow {
  std::string label, value;
  ImU32 colour;
};

// The x of the point nearest to `at` over all series.
double nearestX(const Plot& plot, double at) {
  double x = at, best = -1;
  for (const PlotSeries& s : plot.series) {
    if (s.x.empty() || s.y.empty()) continue;
    const double place = s.x[nearestIndex(s.x, at)];
    if (best < 0 || std::abs(place - at) < best) best = std::abs(place - at), x = place;
  }
  return x;
}

// Values of every series at x, and a dot on each of them.
std::vector<ReadoutRow> readoutRows(Shell& shell, const Plot& plot, const PlotFrame& f, double x) {
  std::vector<ReadoutRow> rows;
  for (const PlotSeries& s : plot.series) {
    if (s.x.empty() || s.y.size() < s.x.size() || !s.inReadout) continue;
    const std::size_t i = nearestIndex(s.x, x);
    if (std::abs(f.px(s.x[i]) - f.px(x)) > shell.px(12)) continue;
    const double error = i < s.error.size() ? s.error[i] : 0;
    rows.push_back({s.label, valueWithError(s.y[i], error), s.colour});
    const ImVec2 p(f.px(s.x[i]), f.py(s.y[i]));
    if (f.contains(p)) ImGui::GetWindowDrawList()->AddCircleFilled(p, shell.px(3), s.colour, 12);
  }
  for (const PlotReference& r : plot.references) {
    rows.push_back({r.label, valueWithError(r.value, r.error), r.colour});
  }
  return rows;
}

// Below the plot, whose legend it repeats with numbers; above it at the window's lower edge. Never
// over the lines that it is about.
void placeReadout(Shell& shell, const PlotFrame& f, std::size_t rows) {
  const float height = shell.px(18) * static_cast<float>(rows + 1) + shell.px(16);
  const float below = f.hi.y + shell.px(38), screen = ImGui::GetIO().DisplaySize.y;
  const bool fits = below + height < screen;
  ImGui::SetNextWindowPos(ImVec2(f.hi.x, fits ? below : f.lo.y - shell.px(4)), 0,
                          ImVec2(1, fits ? 0.f : 1.f));
}

void readoutTooltip(Shell& shell, const std::string& where, const std::vector<ReadoutRow>& rows) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shell.px(10), shell.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(shell.px(8), shell.px(3)));
  ImGui::BeginTooltip();
  ImGui::PushFont(shell.fonts.smallNumbers);
  ImGui::TextDisabled("%s", where.c_str());
  for (const ReadoutRow& row : rows) {
    ImGui::PushStyleColor(ImGuiCol_Text, row.colour);
    ImGui::TextUnformatted(row.value.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine();
    ImGui::PushFont(shell.fonts.small);
    ImGui::TextDisabled("%s", row.label.c_str());
    ImGui::PopFont();
  }
  ImGui::PopFont();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(2);
}

}  // namespace

void drawReadout(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double x = nearestX(plot, f.xAt(mouse.x));
  const std::vector<ReadoutRow> rows = readoutRows(shell, plot, f, x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float px = f.px(x), width = std::max(1.f, shell.px(1));
  const ImU32 muted = shell.colours->muted;
  list->AddLine(ImVec2(px, f.lo.y), ImVec2(px, f.hi.y), withAlpha(muted, 0.7f), width);
  list->AddLine(ImVec2(f.lo.x, mouse.y), ImVec2(f.hi.x, mouse.y), withAlpha(muted, 0.35f), width);
  const std::string at =
      plot.integerX ? grouped(static_cast<std::uint64_t>(std::max(0.0, x))) : number(x, 6);
  placeReadout(shell, f, rows.size());
  readoutTooltip(shell, plot.xLabel + "  " + at, rows);
}

}  // namespace cellscope::gui
