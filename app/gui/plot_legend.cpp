// Rows of words under a plot: which line or mark is what, and where it was published.
#include <algorithm>
#include <tuple>

#include "app/gui/plot_frame.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// More series than this: sources stand in the tooltip of the plot's title, not in its legend.
constexpr std::size_t kMostSources = 6;

struct LegendEntry {
  std::string label;
  const PlotSeries* series;
  std::size_t group;  // entries of one group stay together in a line
};

// What stands before "N = " in the label of published points: their method.
std::string methodOf(const PlotSeries& s) {
  const std::size_t at = s.label.find(", N = ");
  return s.line || at == std::string::npos ? "" : s.label.substr(0, at);
}

// Series with different labels, ours first, then those of no method, then method by method.
std::vector<const PlotSeries*> legendOrder(const Plot& plot) {
  std::vector<const PlotSeries*> shown;
  for (const PlotSeries& s : plot.series) {
    const bool known = std::any_of(shown.begin(), shown.end(),
                                   [&](const PlotSeries* o) { return o->label == s.label; });
    if (s.inLegend && !s.label.empty() && !known) shown.push_back(&s);
  }
  const auto sizes = [&](const PlotSeries* s) {
    return std::count_if(shown.begin(), shown.end(),
                         [&](const PlotSeries* o) { return methodOf(*o) == methodOf(*s); });
  };
  const auto place = [&](const PlotSeries* s) {
    const std::string method = methodOf(*s);
    return std::tuple(!s->emphasis, !method.empty(), method.empty() ? 0 : sizes(s), method);
  };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const PlotSeries* a, const PlotSeries* b) { return place(a) < place(b); });
  return shown;
}

// Points of one method at several sizes stand together, and only the first names the method.
std::vector<LegendEntry> legendEntries(const Plot& plot) {
  std::vector<LegendEntry> all;
  std::string last;
  for (const PlotSeries* s : legendOrder(plot)) {
    const std::string method = methodOf(*s);
    const bool withSource = !s->source.empty() && plot.series.size() <= kMostSources;
    const std::size_t group = all.empty() ? 0 : all.back().group;
    if (!method.empty() && method == last)
      all.push_back({s->label.substr(method.size() + 6), s, group});
    else
      all.push_back({withSource ? s->label + " (" + s->source + ")" : s->label, s, group + 1});
    last = method;
  }
  return all;
}

}  // namespace

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  const Palette& c = *shell.colours;
  ImFont* font = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16);
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const float most = width - mark - shell.px(6);  // of a label; longer ones go on below
  float x = at.x, y = at.y + shell.px(2), height = row;
  bool any = false;
  const auto widthOf = [&](const std::string& label) {
    return mark + shell.px(18) + textSize(font, label).x;
  };
  // `ahead`: width of what must stay in the same line, if it fits into one at all.
  auto entry = [&](const std::string& label, ImU32 colour, bool dashed, int marker, float ahead) {
    const ImVec2 text = textSize(font, label);
    const float w = widthOf(label), gap = shell.px(12);
    const bool together = ahead - gap <= width && x + ahead - gap > at.x + width;
    if (any && (together || x + w - gap > at.x + width)) x = at.x, y += height, height = row;
    height = std::max(height, text.y + shell.px(3));
    const float m = y + row / 2 - shell.px(1);
    const float thick = std::max(1.f, shell.px(2));
    if (draw && marker >= 0) {
      drawMarker(list, marker, ImVec2(x + mark / 2, m), shell.px(3), colour);
    } else if (draw && dashed) {
      list->AddLine(ImVec2(x, m), ImVec2(x + mark * 0.4f, m), colour, thick);
      list->AddLine(ImVec2(x + mark * 0.6f, m), ImVec2(x + mark, m), colour, thick);
    } else if (draw) {
      list->AddLine(ImVec2(x, m), ImVec2(x + mark, m), colour, thick);
    }
    if (draw) list->AddText(font, size, ImVec2(x + mark + shell.px(6), y), c.muted, label.c_str());
    x += w;
    any = true;
  };
  std::vector<LegendEntry> all = legendEntries(plot);
  for (LegendEntry& one : all) one.label = wrapped(font, one.label, most);
  for (std::size_t i = 0; i < all.size(); ++i) {
    float group = 0;
    const bool first = i == 0 || all[i - 1].group != all[i].group;
    for (std::size_t k = i; first && k < all.size() && all[k].group == all[i].group; ++k)
      group += widthOf(all[k].label);
    const PlotSeries& s = *all[i].series;
    entry(all[i].label, s.colour, s.dashed, s.line ? -1 : s.marker, group);
  }
  for (const PlotReference& r : plot.references)
    entry(wrapped(font, r.label, most), r.colour, true, -1, 0);
  return any ? y + height - at.y : 0;
}

}  // namespace cellscope::gui
