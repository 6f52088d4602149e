// Entries of a legend: labels of lines and markers, with sources of published data.
#include <fmt/format.h>

#include <cmath>
#include <regex>
#include <string_view>
#include <tuple>

#include "app/gui/plot.h"
#include "app/gui/widgets.h"

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
      if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
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

// How long the words are with which all names begin (or, from behind, end), and after which each of
// them has others.
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
  const bool plain = one.swatch == Swatch::line || one.swatch == Swatch::steps;
  return one.published || !plain ? 1 : 2;
}

}  // namespace cellscope::gui
