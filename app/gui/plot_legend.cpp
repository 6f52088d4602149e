// Legend of a plot: labels of lines and markers, with sources of published data.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <tuple>

#include "app/gui/plot_frame.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// With more series than this, sources are shortened to authors and year; the tooltip of the title
// has them in full.
constexpr std::size_t kMostSources = 6;

struct LegendEntry {
  std::string label;
  const PlotSeries* series;
  std::size_t group;  // entries of a group stay on one line
};

// Method of published points: the label up to "N = ".
std::string methodOf(const PlotSeries& s) {
  const std::size_t at = s.label.find(", N = ");
  return s.kind != SeriesKind::points || at == std::string::npos ? "" : s.label.substr(0, at);
}

// Series with distinct labels: ours first, then those without a method, then method by method.
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

struct Line {
  const PlotSeries* series;
  std::string method;
  std::string source;  // of all series with this label
};

std::vector<Line> legendLines(const Plot& plot) {
  std::vector<Line> all;
  const bool full = plot.series.size() <= kMostSources;
  for (const PlotSeries* s : legendOrder(plot)) {
    std::vector<std::string> sources;
    for (const PlotSeries& o : plot.series) {
      if (o.label != s->label || o.source.empty()) continue;
      const std::string source = full ? o.source : shortSource(o.source);
      if (std::find(sources.begin(), sources.end(), source) == sources.end())
        sources.push_back(source);
    }
    all.push_back({s, methodOf(*s), fmt::format("{}", fmt::join(sources, "; "))});
  }
  return all;
}

// Points of one method at several sizes are grouped: only the first names the method, only the last
// its source.
std::vector<LegendEntry> legendEntries(const Plot& plot) {
  std::vector<LegendEntry> all;
  const std::vector<Line> lines = legendLines(plot);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& one = lines[i];
    const auto sameMethod = [&](std::size_t k) {
      return k < lines.size() && !one.method.empty() && lines[k].method == one.method;
    };
    const bool goesOn = i > 0 && sameMethod(i - 1);
    const bool again = sameMethod(i + 1) && lines[i + 1].source == one.source;
    const std::string& whole = one.series->label;
    const std::string label = goesOn ? whole.substr(one.method.size() + 6) : whole;
    const std::size_t group = all.empty() ? 0 : all.back().group;
    // "Henderson (1975)": an equation named after its author.
    const bool bears = one.source.starts_with(whole + " ");
    const std::string source = bears ? one.source.substr(whole.size() + 1) : one.source;
    all.push_back({one.source.empty() || again ? label : label + " (" + source + ")", one.series,
                   goesOn ? group : group + 1});
  }
  return all;
}

// "method, N = 870: source" with the source shortened.
std::string referenceLabel(const std::string& label) {
  const std::size_t colon = label.find(": ");
  if (colon == std::string::npos) return label;
  const std::string source = label.substr(colon + 2), name = shortSource(source);
  return name == source ? label : label.substr(0, colon) + " (" + name + ")";
}

}  // namespace

std::string shortSource(const std::string& source) {
  static const std::regex year(R"(\((\d{4})\))"), said(R"(\(([^()]* \d{4})\)$)");
  // First author, then "et al.", a second one, or more than one.
  static const std::regex authors(
      R"(^(?:[A-Z]\. )+([^ ,]+))"
      R"((?:( et al\.)| and (?:[A-Z]\. )+([^ ,]+)|(, (?:[A-Z]\. )+[^ ,]+ and ))?)");
  static std::map<std::string, std::string> known;  // cache, used in every frame
  const auto [entry, fresh] = known.try_emplace(source, source);
  std::string& out = entry->second;
  std::smatch who, when;
  if (!fresh) return out;
  if (std::regex_search(source, when, said)) {
    out = when[1];
  } else if (std::regex_search(source, who, authors) && std::regex_search(source, when, year)) {
    const bool more = who[2].matched || who[4].matched;
    const std::string second = who[3].matched ? " and " + who[3].str() : more ? " et al." : "";
    out = who[1].str() + second + " " + when[1].str();
  }
  return out;
}

std::vector<std::string> legendLabels(const Plot& plot) {
  std::vector<std::string> labels;
  for (const LegendEntry& one : legendEntries(plot)) labels.push_back(one.label);
  return labels;
}

namespace {

enum class Swatch { line, dashes, marker, ring, bar, steps, winner };

struct LegendItem {
  std::string label;
  ImU32 colour;
  Swatch swatch;
  int marker = 0;
  std::size_t group = 0;  // 0: none
};

Swatch swatchOf(const PlotSeries& s) {
  if (s.kind == SeriesKind::points) return s.hollow ? Swatch::ring : Swatch::marker;
  if (s.dashed) return Swatch::dashes;
  if (s.kind == SeriesKind::bars) return Swatch::bar;
  return s.kind == SeriesKind::steps ? Swatch::steps : Swatch::line;
}

std::vector<LegendItem> legendItems(const Plot& plot) {
  std::vector<LegendItem> all;
  for (const LegendEntry& one : legendEntries(plot))
    all.push_back(
        {one.label, one.series->colour, swatchOf(*one.series), one.series->marker, one.group});
  for (const PlotSeries& s : plot.series)
    if (s.highlight) all.push_back({s.highlightLabel, s.colour, Swatch::winner});
  for (const PlotReference& r : plot.references)
    all.push_back({referenceLabel(r.label), r.colour, Swatch::dashes});
  return all;
}

// `at`: the middle of its left end.
void drawSwatch(Shell& shell, const LegendItem& item, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thick = std::max(1.f, shell.px(2)), x = at.x, y = at.y, h = shell.px(4);
  const ImVec2 middle(x + width / 2, y), end(x + width, y);
  switch (item.swatch) {
    case Swatch::line:
      return list->AddLine(at, end, item.colour, thick);
    case Swatch::dashes:
      list->AddLine(at, ImVec2(x + width * 0.4f, y), item.colour, thick);
      return list->AddLine(ImVec2(x + width * 0.6f, y), end, item.colour, thick);
    case Swatch::marker:
      return drawMarker(list, item.marker, middle, shell.px(3), item.colour);
    case Swatch::ring:
      return drawMarker(list, item.marker, middle, shell.px(3.5f), item.colour, shell.px(1.5f));
    case Swatch::bar:
      return list->AddRectFilled(ImVec2(x + shell.px(1), y - h), ImVec2(end.x - shell.px(1), y + h),
                                 withAlpha(item.colour, 0.9f), shell.px(2));
    case Swatch::winner:
      return list->AddTriangleFilled(ImVec2(middle.x - h, y - h), ImVec2(middle.x + h, y),
                                     ImVec2(middle.x - h, y + h), item.colour);
    case Swatch::steps:
      for (const ImVec2& p : {ImVec2(x, y + h), ImVec2(x, y), ImVec2(middle.x, y),
                              ImVec2(middle.x, y - h), ImVec2(end.x, y - h), ImVec2(end.x, y + h)})
        list->PathLineTo(p);
      return list->PathStroke(item.colour, 0, std::max(1.f, shell.px(1.5f)));
  }
}

}  // namespace

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  ImFont* font = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16), gap = shell.px(12);
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  float x = at.x, y = at.y + shell.px(2), height = row;
  const auto widthOf = [&](const LegendItem& item) {
    return mark + shell.px(6) + gap + textSize(font, item.label).x;
  };
  std::vector<LegendItem> all = legendItems(plot);
  for (LegendItem& item : all)  // long entries are wrapped
    item.label = wrapped(font, item.label, width - mark - shell.px(6));
  for (std::size_t i = 0; i < all.size(); ++i) {
    // Width of a group, which stays on one line if it fits.
    float ahead = 0;
    const bool first = all[i].group && (i == 0 || all[i - 1].group != all[i].group);
    for (std::size_t k = i; first && k < all.size() && all[k].group == all[i].group; ++k)
      ahead += widthOf(all[k]);
    const float w = widthOf(all[i]);
    const bool together = ahead - gap <= width && x + ahead - gap > at.x + width;
    if (i > 0 && (together || x + w - gap > at.x + width)) x = at.x, y += height, height = row;
    height = std::max(height, textSize(font, all[i].label).y + shell.px(3));
    if (draw) {
      drawSwatch(shell, all[i], ImVec2(x, y + row / 2 - shell.px(1)), mark);
      list->AddText(font, size, ImVec2(x + mark + shell.px(6), y), shell.colours->muted,
                    all[i].label.c_str());
    }
    x += w;
  }
  return all.empty() ? 0 : y + height - at.y;
}

}  // namespace cellscope::gui
