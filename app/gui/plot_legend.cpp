// Rows of words under a plot: which line or mark is what, and where it was published.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <tuple>

#include "app/gui/plot_frame.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// More series than this: sources are shortened to names and years; the tooltip of the plot's title
// has them in full.
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

// Points of one method at several sizes stand together: only the first names the method, and only
// the last of those with the same source names that.
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
    // "Henderson (1975)": an equation that bears its author's name.
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
  static std::map<std::string, std::string> known;  // asked for in every frame
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
    entry(wrapped(font, referenceLabel(r.label), most), r.colour, true, -1, 0);
  return any ? y + height - at.y : 0;
}

}  // namespace cellscope::gui
