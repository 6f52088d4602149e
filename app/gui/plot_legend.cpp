// Legend of a plot: its entries, with sources of published data; how they are placed and drawn.
#include <regex>
#include <string_view>
#include <tuple>

#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

// With more series, sources are authors and year; the tooltip of the title has them in full.
constexpr std::size_t kMostSources = 6;
// Bytes of an entry of a folded legend: what is longer goes without its source, then without what
// follows a colon. Unfolded, and in the tooltip of the title, it is whole.
constexpr std::size_t kBrief = 54;

std::string beforeColon(const std::string& label) { return label.substr(0, label.find(": ")); }

struct SeriesEntry {
  const PlotSeries* series;
  std::string method, source;  // the source of all series with this label
  std::string label = {};
  std::size_t group = 0;  // entries of a group stay on one line
};

// Method of published points: the label up to "N = ".
std::string methodOf(const PlotSeries& s) {
  const std::size_t at = s.label.find(", N = ");
  return s.kind != SeriesKind::points || at == std::string::npos ? "" : s.label.substr(0, at);
}

// Points of the series, or pieces of its line, in these ranges of axis coordinates.
std::size_t partsIn(const Plot& plot, const PlotSeries& s, AxisRange x, AxisRange y) {
  const OnAxes on(s, plot.x.scale, plot.y.scale);
  const std::size_t joined = s.kind == SeriesKind::line && on.size() > 1 ? 1 : 0;
  std::size_t parts = 0;
  for (std::size_t k = 0; k + joined < on.size(); ++k) {
    const auto [left, right] = std::minmax(on.x()[k], on.x()[k + joined]);
    const auto [low, high] = std::minmax(on.y()[k], on.y()[k + joined]);
    parts += right >= x.lo && left <= x.hi && high >= y.lo && low <= y.hi;
  }
  return parts;
}

// How much of each label is in sight, where a plot shows a part of its published values.
std::map<std::string, std::size_t> inSight(const Plot& plot) {
  std::map<std::string, std::size_t> parts;
  if (!plot.focus.hasLength()) return parts;
  const AxisRange x = fitX(plot), y = fitY(plot, x);
  for (const PlotSeries& s : plot.series)
    parts[s.label] += s.y.empty() ? 1 : partsIn(plot, s, x, y);
  return parts;
}

// Series with distinct labels: what is in sight first, and ours, then those without a method, then
// method by method, those of most points in sight first.
std::vector<const PlotSeries*> legendOrder(const Plot& plot) {
  std::map<std::string, std::size_t> parts = inSight(plot), ofMethod;
  const bool whole = parts.empty();
  std::vector<const PlotSeries*> shown;
  for (const PlotSeries& s : plot.series) {
    const bool known = std::ranges::find(shown, s.label, &PlotSeries::label) != shown.end();
    if (!s.inLegend || s.label.empty() || known) continue;
    shown.push_back(&s);
    if (!whole) ofMethod[methodOf(s)] += parts[s.label];
  }
  const auto sizes = [&](const PlotSeries* s) {
    return std::ranges::count_if(shown,
                                 [&](const PlotSeries* o) { return methodOf(*o) == methodOf(*s); });
  };
  const auto place = [&](const PlotSeries* s) {
    const std::string method = methodOf(*s);
    const bool outside = !whole && parts[s->label] == 0, none = method.empty();
    return std::tuple(outside, !s->emphasis, !none,
                      none ? 0 : -static_cast<std::ptrdiff_t>(ofMethod[method]),
                      none ? 0 : sizes(s), method);
  };
  std::ranges::stable_sort(shown, {}, place);
  return shown;
}

// Points of one method at several sizes are grouped: only the first names the method, only the last
// its source, and briefly none.
std::vector<SeriesEntry> legendEntries(const Plot& plot, bool brief) {
  std::vector<SeriesEntry> all;
  const bool full = !brief && plot.series.size() <= kMostSources;
  for (const PlotSeries* s : legendOrder(plot)) {
    std::vector<std::string> sources;
    for (const PlotSeries& o : plot.series) {
      if (o.label != s->label || o.source.empty()) continue;
      const std::string source = full ? o.source : shortSource(o.source);
      if (!hasItem(sources, source)) sources.push_back(source);
    }
    all.push_back({s, methodOf(*s), fmt::format("{}", fmt::join(sources, "; "))});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    SeriesEntry& one = all[i];
    const auto sameMethod = [&](std::size_t k) {
      return k < all.size() && !one.method.empty() && all[k].method == one.method;
    };
    const bool goesOn = i > 0 && sameMethod(i - 1);
    const bool again = sameMethod(i + 1) && all[i + 1].source == one.source;
    const std::string& whole = one.series->label;
    std::string label = goesOn ? whole.substr(one.method.size() + 6) : whole;
    if (brief) label = beforeColon(label);
    // "Henderson (1975)": an equation named after its author.
    const bool bears = one.source.starts_with(whole + " ");
    const std::string source = bears ? one.source.substr(whole.size() + 1) : one.source;
    const std::string named = label + " (" + source + ")";
    const bool ofSeveral = goesOn || sameMethod(i + 1);
    const bool bare = source.empty() || again || (brief && (ofSeveral || named.size() > kBrief));
    one.label = bare ? label : named;
    one.group = (i > 0 ? all[i - 1].group : 0) + (goesOn ? 0 : 1);
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

constexpr std::string_view kMean = ", mean", kSamples = ", samples";

// Length of the words with which all names begin (or end), and after which each has others.
template <class Read>
static std::size_t sharedWords(const std::vector<std::string>& names, const Read& read) {
  std::size_t shared = 0;
  for (std::size_t k = 0;; ++k)
    for (const std::string& name : names) {
      if (k + 1 >= name.size() || read(name, k) != read(names.front(), k)) return shared;
      if (&name == &names.back() && read(name, k) == ' ') shared = k + 1;
    }
}

std::vector<LegendItem> legendItems(const Plot& plot, bool brief) {
  std::vector<LegendItem> all;
  std::vector<std::string> names;  // of the observables of a time plot
  for (const PlotSeries& s : plot.series)
    if (s.label.ends_with(kMean)) names.push_back(s.label.substr(0, s.label.size() - kMean.size()));
  const bool one = names.size() == 1, several = brief && names.size() > 1;
  const auto fromFront = [](const std::string& name, std::size_t k) { return name[k]; };
  const auto fromBack = [](const std::string& name, std::size_t k) { return name.rbegin()[k]; };
  const std::size_t front = several ? sharedWords(names, fromFront) : 0;
  std::size_t back = several ? sharedWords(names, fromBack) : 0;
  for (const std::string& name : names)
    if (name.size() <= front + back) back = 0;
  const std::map<std::string, std::size_t> parts = inSight(plot);
  for (const SeriesEntry& entry : legendEntries(plot, brief)) {
    const PlotSeries& s = *entry.series;
    const bool mean = s.label.ends_with(kMean), samples = s.label.ends_with(kSamples);
    if ((several && samples) || (brief && s.kind == SeriesKind::points && s.y.empty())) continue;
    std::string label = entry.label;
    if (one && (mean || samples)) label = label.substr(names.front().size() + 2);
    if (several && mean) {
      label = label.substr(front, label.size() - kMean.size() - back - front);
      if (s.emphasis) label += kMean;
    }
    const float opacity = several && mean ? 1 : std::max(0.5f, s.opacity);
    const bool drawn = std::ranges::any_of(s.y, [](double y) { return std::isfinite(y); });
    const Swatch swatch = s.kind == SeriesKind::points  ? s.hollow ? Swatch::ring : Swatch::marker
                          : s.dashed                    ? Swatch::dashes
                          : s.kind == SeriesKind::bars  ? Swatch::bar
                          : s.kind == SeriesKind::steps ? Swatch::steps
                                                        : Swatch::line;
    all.push_back({label, withAlpha(s.colour, opacity), swatch, s.marker, entry.group, s.label,
                   !s.source.empty(), drawn && (parts.empty() || parts.at(s.label) > 0)});
  }
  for (auto s = plot.series.rbegin(); s != plot.series.rend(); ++s)  // the verdict of a race first
    if (!s->highlightLabel.empty())
      all.push_back({s->highlightLabel, s->colour, s->highlight ? Swatch::winner : Swatch::none});
  for (const PlotReference& r : plot.references) {
    // An error that four digits do not show.
    const bool certain = r.error <= 1e-4 * std::abs(r.value);
    const std::string value = certain ? number(r.value, 4) : valueWithError(r.value, r.error);
    all.push_back({referenceLabel(r.label, brief) + ": " + value, r.colour, Swatch::dashes, 0, 0,
                   r.label, true});
  }
  return all;
}

int foldRank(const std::vector<LegendItem>& all, std::size_t index) {
  const LegendItem& one = all[index];
  if (!one.inSight) return 2;
  if (index == 0 || one.swatch == Swatch::bar) return 0;
  return one.published || (one.swatch != Swatch::line && one.swatch != Swatch::steps) ? 1 : 2;
}

namespace {

// `at`: the middle of its left end.
void drawSwatch(Shell& shell, const LegendItem& item, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thick = shell.stroke(2), x = at.x, y = at.y, h = shell.px(4);
  const ImVec2 middle(x + width / 2, y), end(x + width, y);
  switch (item.swatch) {
    case Swatch::line:
      return list->AddLine(at, end, item.colour, thick);
    case Swatch::dashes:
      list->AddLine(at, ImVec2(x + width * 0.4f, y), item.colour, thick);
      return list->AddLine(ImVec2(x + width * 0.6f, y), end, item.colour, thick);
    case Swatch::marker:
      return drawMarker(item.marker, middle, shell.px(3), item.colour);
    case Swatch::ring:
      return drawMarker(item.marker, middle, shell.px(3.5f), item.colour, shell.px(1.5f));
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
      return list->PathStroke(item.colour, 0, shell.stroke(1.5f));
    case Swatch::none:
      return;
  }
}

struct PlacedLegend {
  std::vector<LegendItem> entries;
  std::size_t hidden = 0;  // entries for which one line has no room
  float height = 0;
  bool folds = false;  // entries are hidden or cut where it is folded
};

// Rows of entries; `cut`: each of ours on one line, shortened where it must be.
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
    const bool line = cut && !item.published;
    item.label = line ? fitted(font, item.label, most) : wrapped(font, item.label, most);
    legend.folds = legend.folds || (line && item.label != all[i].label);
    // Width of a group, which stays on one line if it fits.
    float ahead = 0;
    const bool first = item.group && (i == 0 || all[i - 1].group != item.group);
    for (std::size_t k = i; first && k < all.size() && all[k].group == item.group; ++k)
      ahead += widthOf(all[k]);
    const float w = widthOf(item);
    const bool together = ahead - gap <= room && x + ahead - gap > room;
    if (i > 0 && (together || x + w - gap > room)) x = 0, y += height, height = row;
    item.at = ImVec2(x, y);
    item.size = ImVec2(w - gap, textSize(font, item.label).y);
    height = std::max(height, item.size.y + shell.px(3));
    legend.entries.push_back(item);
    x += w;
  }
  legend.height = all.empty() ? 0 : y + height;
  return legend;
}

// Folded it names the first entry, which is ours, all bars, what is published, marked or dashed in
// sight as far as five lines have room, and of the others those that fit besides, or in two lines.
PlacedLegend placeFolded(Shell& shell, const Plot& plot, const std::vector<LegendItem>& all,
                         float room) {
  const float row = textSize(shell.fonts.small, "X").y + shell.px(3);
  const int more = plot.x.scale == AxisScale::named ? 1 : 0;  // rows have many kinds of marks
  std::vector<bool> kept(all.size());
  const auto placed = [&] {
    std::vector<LegendItem> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (kept[i]) some.push_back(all[i]);
    return placeEntries(shell, some, room, true);
  };
  PlacedLegend legend;
  for (const int rank : {0, 1, 2}) {
    const auto lines = static_cast<float>(rank == 1 ? 5 : 2 + more);
    const float most = std::max(legend.height, shell.px(2) + lines * row);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Of a group the first one has the name.
      const bool named = !all[i].group || i == 0 || all[i - 1].group != all[i].group || kept[i - 1];
      if (foldRank(all, i) != rank || !named) continue;
      kept[i] = true;
      PlacedLegend next = placed();
      kept[i] = rank == 0 || next.height <= most;
      if (!kept[i]) break;
      legend = std::move(next);
    }
  }
  return legend;
}

PlacedLegend placeLegend(Shell& shell, const Plot& plot, float width, bool folded) {
  const std::vector<LegendItem> whole = legendItems(plot, false), brief = legendItems(plot, true);
  const float room = width - textSize(shell.fonts.small, "more").x - shell.px(8);
  PlacedLegend legend = placeFolded(shell, plot, brief, room);
  legend.hidden = brief.size() - legend.entries.size();
  legend.folds = legend.folds || whole.size() > legend.entries.size();
  if (folded || !legend.folds) return legend;
  legend = placeEntries(shell, whole, room, false);
  legend.folds = true;
  return legend;
}

}  // namespace

std::string baseId(const Plot& plot) {
  return plot.id.starts_with(kLarge) ? plot.id.substr(kLarge.size()) : plot.id;
}

std::string hiddenKey(const Plot& plot, const std::string& label) {
  return baseId(plot) + "/" + label;
}

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  const bool large = plot.id.starts_with(kLarge);
  // Over the picture there is room for all entries, beside a presentation for the curve.
  const bool presented = large && shell.presentation && isPicked(shell);
  const std::string name = (presented ? "legend:presented:" : "legend:") + plot.id;
  bool& kept = shell.collapsed.try_emplace(name, !large || presented).first->second;
  bool whole = false;
  bool& folded = shell.onPage ? whole : kept;
  PlacedLegend legend = placeLegend(shell, plot, width, folded);
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
  for (LegendItem& item : legend.entries) {
    const ImVec2 lo = at + item.at, hi = lo + item.size;
    const std::string key = hiddenKey(plot, item.series);
    const bool can = !item.series.empty();
    const bool off = can && shell.hiddenSeries.contains(key), hot = can && holds(lo, hi);
    if (off) item.colour = withAlpha(item.colour, 0.35f);
    drawSwatch(shell, item, ImVec2(lo.x, lo.y + row / 2 - shell.px(1)), mark);
    const ImU32 ink = hot ? shell.colours->text : withAlpha(shell.colours->muted, off ? 0.5f : 1.f);
    list->AddText(font, size, ImVec2(lo.x + mark + shell.px(6), lo.y), ink,
                  onScreen(item.label).c_str());
    if (off)
      list->AddLine(ImVec2(lo.x + mark + shell.px(6), lo.y + row / 2), ImVec2(hi.x, lo.y + row / 2),
                    ink, shell.stroke());
    if (can) shell.log->rect("entry:" + plot.id + ":" + item.series, lo, hi);
    if (!hot || !clicked) continue;
    if (shell.hiddenSeries.erase(key) == 0) shell.hiddenSeries.insert(key);
    shell.log->write("series", key + (off ? " on" : " off"));
  }
  if (legend.folds && !shell.onPage) {
    // At the right end of the first line; opens, or closes, the rest.
    const std::string word = !folded             ? "less"
                             : legend.hidden > 0 ? "+" + std::to_string(legend.hidden)
                                                 : "more";
    const ImVec2 text = textSize(font, word);
    const ImVec2 lo(at.x + width - text.x, at.y + shell.px(2)), hi(at.x + width, lo.y + text.y);
    const bool hot = holds(lo, hi);
    drawText(font, lo, hot ? shell.colours->text : shell.colours->accent, word);
    shell.log->rect("fold:" + plot.id, lo, hi);
    if (hot && clicked) folded = !folded;
  }
  return legend.height;
}

}  // namespace cellscope::gui
