// Legend of a plot: labels of lines and markers, with sources of published data.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <string_view>
#include <tuple>

#include "app/gui/panels.h"
#include "app/gui/plot_frame.h"

namespace cellscope::gui {
namespace {

// With more series than this, sources are shortened to authors and year; the tooltip of the title
// has them in full.
constexpr std::size_t kMostSources = 6;
// Bytes of an entry of a folded legend: what is longer goes without its source, then without what
// follows a colon. Unfolded, and in the tooltip of the title, it is whole.
constexpr std::size_t kBrief = 54;

std::string beforeColon(const std::string& label) { return label.substr(0, label.find(": ")); }

struct SeriesEntry {
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

std::vector<Line> legendLines(const Plot& plot, bool brief) {
  std::vector<Line> all;
  const bool full = !brief && plot.series.size() <= kMostSources;
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
std::vector<SeriesEntry> legendEntries(const Plot& plot, bool brief) {
  std::vector<SeriesEntry> all;
  const std::vector<Line> lines = legendLines(plot, brief);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& one = lines[i];
    const auto sameMethod = [&](std::size_t k) {
      return k < lines.size() && !one.method.empty() && lines[k].method == one.method;
    };
    const bool goesOn = i > 0 && sameMethod(i - 1);
    const bool again = sameMethod(i + 1) && lines[i + 1].source == one.source;
    const std::string& whole = one.series->label;
    std::string label = goesOn ? whole.substr(one.method.size() + 6) : whole;
    if (brief) label = beforeColon(label);
    const std::size_t group = all.empty() ? 0 : all.back().group;
    // "Henderson (1975)": an equation named after its author.
    const bool bears = one.source.starts_with(whole + " ");
    const std::string source = bears ? one.source.substr(whole.size() + 1) : one.source;
    const std::string named = label + " (" + source + ")";
    const bool bare = source.empty() || again || (brief && named.size() > kBrief);
    all.push_back({bare ? label : named, one.series, goesOn ? group : group + 1});
  }
  return all;
}

// "method, N = 870: source" with the source shortened.
std::string referenceLabel(const std::string& label, bool brief) {
  const std::size_t colon = label.find(": ");
  if (colon == std::string::npos) return brief ? shortSource(label) : label;
  const std::string source = label.substr(colon + 2), name = shortSource(source);
  const std::string out = name == source ? label : label.substr(0, colon) + " (" + name + ")";
  return brief && out.size() > kBrief ? beforeColon(label) : out;
}

}  // namespace

std::string shortSource(const std::string& source) {
  static const std::regex year(R"(\((\d{4})\))"), said(R"(\(([^()]* \d{4})\)$)");
  // First author, then "et al.", a second one, or more than one.
  static const std::regex authors(
      R"(^(?:[A-Z]\. )*((?:[a-z]+ )*[A-Z][^ ,]+)(?=,| and | et al\.))"
      R"((?:( et al\.)| and (?:[A-Z]\. )*([A-Z][^ ,]+)|(, (?:[A-Z]\. )+[^ ,]+ and ))?)");
  static std::map<std::string, std::string> known;  // cache, used in every frame
  const auto [entry, fresh] = known.try_emplace(source, source);
  std::string& out = entry->second;
  std::smatch who, when;
  if (!fresh) return out;
  if (source.starts_with("NIST ")) {
    out = "NIST";
  } else if (std::regex_search(source, when, said)) {
    out = when[1];
  } else if (std::regex_search(source, who, authors) && std::regex_search(source, when, year)) {
    const bool more = who[2].matched || who[4].matched;
    const std::string second = who[3].matched ? " and " + who[3].str() : more ? " et al." : "";
    out = who[1].str() + second + " " + when[1].str();
  }
  return out;
}

namespace {

enum class Swatch { line, dashes, marker, ring, bar, steps, winner };

struct LegendItem {
  std::string label;
  ImU32 colour;
  Swatch swatch;
  int marker = 0;
  std::size_t group = 0;  // 0: none
  std::string series;     // label of the series that a click hides; "": none
  bool published = false;
};

Swatch swatchOf(const PlotSeries& s) {
  if (s.kind == SeriesKind::points) return s.hollow ? Swatch::ring : Swatch::marker;
  if (s.dashed) return Swatch::dashes;
  if (s.kind == SeriesKind::bars) return Swatch::bar;
  return s.kind == SeriesKind::steps ? Swatch::steps : Swatch::line;
}

constexpr std::string_view kMean = ", mean", kSamples = ", samples";

// Names of the observables of a time plot.
std::vector<std::string> observablesOf(const Plot& plot) {
  std::vector<std::string> all;
  for (const PlotSeries& s : plot.series)
    if (s.label.ends_with(kMean)) all.push_back(s.label.substr(0, s.label.size() - kMean.size()));
  return all;
}

// How long the words are with which all names begin (or, from behind, end), and after which each of
// them has others.
template <class Read>
std::size_t sharedWords(const std::vector<std::string>& names, const Read& read) {
  std::size_t shared = 0;
  for (std::size_t k = 0;; ++k)
    for (const std::string& name : names) {
      if (k + 1 >= name.size() || read(name, k) != read(names.front(), k)) return shared;
      if (&name == &names.back() && read(name, k) == ' ') shared = k + 1;
    }
}

// brief: sources by authors and year; of several observables what tells one from another, once.
std::vector<LegendItem> legendItems(const Plot& plot, bool brief) {
  std::vector<LegendItem> all;
  const std::vector<std::string> names = observablesOf(plot);
  const bool one = names.size() == 1, several = brief && names.size() > 1;
  const auto fromFront = [](const std::string& name, std::size_t k) { return name[k]; };
  const auto fromBack = [](const std::string& name, std::size_t k) { return name.rbegin()[k]; };
  const std::size_t front = several ? sharedWords(names, fromFront) : 0;
  std::size_t back = several ? sharedWords(names, fromBack) : 0;
  for (const std::string& name : names)
    if (name.size() <= front + back) back = 0;
  for (const SeriesEntry& entry : legendEntries(plot, brief)) {
    const PlotSeries& s = *entry.series;
    const bool mean = s.label.ends_with(kMean), samples = s.label.ends_with(kSamples);
    const bool none = s.kind == SeriesKind::points && s.y.empty();
    if ((several && samples) || (brief && none)) continue;
    std::string label = entry.label;
    if (one && (mean || samples)) label = label.substr(names.front().size() + 2);
    if (several && mean) label = label.substr(front, label.size() - kMean.size() - back - front);
    const float opacity = several && mean ? 1 : std::max(0.5f, s.opacity);
    all.push_back({label, withAlpha(s.colour, opacity), swatchOf(s), s.marker, entry.group, s.label,
                   !s.source.empty()});
  }
  for (const PlotSeries& s : plot.series)
    if (s.highlight) all.push_back({s.highlightLabel, s.colour, Swatch::winner});
  for (const PlotReference& r : plot.references)
    all.push_back({referenceLabel(r.label, brief), r.colour, Swatch::dashes, 0, 0, r.label, true});
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

// An entry with its place, relative to the legend's upper left corner.
struct Placed {
  LegendItem item;
  ImVec2 at;
  float width = 0, height = 0;
};

struct PlacedLegend {
  std::vector<Placed> entries;
  std::size_t hidden = 0;  // entries for which one line has no room
  float height = 0;
  bool folds = false;  // entries are hidden or cut where it is folded
};

// A word at the right end of the first line that opens, or closes, the rest.
std::string foldWord(bool folded, std::size_t hidden) {
  if (!folded) return "less";
  return hidden > 0 ? "+" + std::to_string(hidden) : "more";
}

// Rows of entries; `cut`: each on one line, shortened where it must be.
PlacedLegend placeEntries(Shell& shell, const std::vector<LegendItem>& all, float room, bool cut) {
  ImFont* font = shell.fonts.small;
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16), gap = shell.px(12);
  const auto widthOf = [&](const LegendItem& one) {
    return mark + shell.px(6) + gap + textSize(font, one.label).x;
  };
  PlacedLegend legend;
  float x = 0, y = shell.px(2), height = row;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LegendItem item = all[i];
    const float most = room - mark - shell.px(6);
    item.label = cut ? fitted(font, item.label, most) : wrapped(font, item.label, most);
    legend.folds = legend.folds || (cut && item.label != all[i].label);
    // Width of a group, which stays on one line if it fits.
    float ahead = 0;
    const bool first = item.group && (i == 0 || all[i - 1].group != item.group);
    for (std::size_t k = i; first && k < all.size() && all[k].group == item.group; ++k)
      ahead += widthOf(all[k]);
    const float w = widthOf(item);
    const bool together = ahead - gap <= room && x + ahead - gap > room;
    if (i > 0 && (together || x + w - gap > room)) x = 0, y += height, height = row;
    height = std::max(height, textSize(font, item.label).y + shell.px(3));
    legend.entries.push_back({item, ImVec2(x, y), w - gap, textSize(font, item.label).y});
    x += w;
  }
  legend.height = all.empty() ? 0 : y + height;
  return legend;
}

// Folded it names the first entry, which is ours, all bars, and the first published one, and of the
// others those that the same lines, or two or three, have room for.
PlacedLegend placeLegend(Shell& shell, const Plot& plot, float width, bool folded) {
  const std::vector<LegendItem> whole = legendItems(plot, false), all = legendItems(plot, true);
  const float room = width - textSize(shell.fonts.small, "more").x - shell.px(8);
  const auto published = std::find_if(all.begin() + !all.empty(), all.end(),
                                      [](const LegendItem& one) { return one.published; });
  const auto shown = [&](std::ptrdiff_t others) {
    std::vector<LegendItem> kept;
    for (auto one = all.begin(); one != all.end(); ++one)
      if (one == all.begin() || one == published || one->swatch == Swatch::bar || others-- > 0)
        kept.push_back(*one);
    PlacedLegend legend = placeEntries(shell, kept, room, true);
    legend.hidden = whole.size() - kept.size();
    legend.folds = legend.folds || legend.hidden > 0;
    return legend;
  };
  PlacedLegend legend = shown(0);
  const float row = textSize(shell.fonts.small, "X").y + shell.px(3);
  const float lines = plot.x.scale == AxisScale::named ? 3 : 2;  // rows have many kinds of marks
  const float most = std::max(legend.height, shell.px(2) + lines * row);
  for (std::ptrdiff_t others = 1; others < std::ssize(all); ++others) {
    PlacedLegend more = shown(others);
    if (more.height > most) break;
    legend = std::move(more);
  }
  if (folded || !legend.folds) return legend;
  legend = placeEntries(shell, whole, room, false);
  legend.folds = true;
  return legend;
}

}  // namespace

std::vector<std::string> legendLabels(const Plot& plot, bool brief) {
  std::vector<std::string> labels;
  for (const LegendItem& one : legendItems(plot, brief)) labels.push_back(one.label);
  return labels;
}

std::string hiddenKey(const Plot& plot, const std::string& label) {
  const std::string id = plot.id.starts_with(kLarge) ? plot.id.substr(kLarge.size()) : plot.id;
  return id + "/" + label;
}

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  const bool large = plot.id.starts_with(kLarge);
  // Over the picture there is room for all entries, beside a presentation for the curve.
  const bool presented = large && shell.presentation && isPicked(shell);
  const std::string name = (presented ? "legend:presented:" : "legend:") + plot.id;
  bool& kept = shell.collapsed.try_emplace(name, !large || presented).first->second;
  bool whole = false;
  bool& folded = shell.onPage ? whole : kept;
  const PlacedLegend legend = placeLegend(shell, plot, width, folded);
  if (!draw) return legend.height;
  ImFont* font = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16);
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const bool over = ImGui::IsItemHovered();  // the plot's button
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool clicked = over && ImGui::IsMouseClicked(0);
  const auto holds = [&](ImVec2 lo, ImVec2 hi) {
    return over && mouse.x >= lo.x && mouse.x < hi.x && mouse.y >= lo.y && mouse.y < hi.y;
  };
  for (const Placed& one : legend.entries) {
    const ImVec2 lo(at.x + one.at.x, at.y + one.at.y), hi(lo.x + one.width, lo.y + one.height);
    const std::string key = hiddenKey(plot, one.item.series);
    const bool can = !one.item.series.empty();
    const bool off = can && shell.hiddenSeries.contains(key), hot = can && holds(lo, hi);
    LegendItem item = one.item;
    if (off) item.colour = withAlpha(item.colour, 0.35f);
    drawSwatch(shell, item, ImVec2(lo.x, lo.y + row / 2 - shell.px(1)), mark);
    const ImU32 ink = hot ? shell.colours->text : withAlpha(shell.colours->muted, off ? 0.5f : 1.f);
    list->AddText(font, size, ImVec2(lo.x + mark + shell.px(6), lo.y), ink,
                  onScreen(item.label).c_str());
    if (off)
      list->AddLine(ImVec2(lo.x + mark + shell.px(6), lo.y + row / 2), ImVec2(hi.x, lo.y + row / 2),
                    ink, std::max(1.f, shell.px(1)));
    if (can) shell.log->rect("entry:" + plot.id + ":" + one.item.series, lo, hi);
    if (!hot || !clicked) continue;
    if (off)
      shell.hiddenSeries.erase(key);
    else
      shell.hiddenSeries.insert(key);
    shell.log->write("series", key + (off ? " on" : " off"));
  }
  if (legend.folds && !shell.onPage) {
    const std::string word = foldWord(folded, legend.hidden);
    const ImVec2 text = textSize(font, word);
    const ImVec2 lo(at.x + width - text.x, at.y + shell.px(2)), hi(at.x + width, lo.y + text.y);
    const bool hot = holds(lo, hi);
    drawText(list, font, lo, hot ? shell.colours->text : shell.colours->accent, word);
    shell.log->rect("fold:" + plot.id, lo, hi);
    if (hot && clicked) folded = !folded;
  }
  return legend.height;
}

}  // namespace cellscope::gui
