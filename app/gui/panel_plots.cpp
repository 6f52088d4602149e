// Time series and curves, stacked, in the order the scenario asks for.
#include <strings.h>

#include "app/gui/panels.h"
#include "render/renderer.h"

namespace cellscope::gui {

static bool sameWords(const std::string& a, const std::string& b) {
  return strcasecmp(a.c_str(), b.c_str()) == 0;
}

// x of our next point: the value of the parameter on the x axis.
static std::optional<double> placeOf(const Publication& now, const Curve& curve) {
  const std::string axis = curve.x.label.substr(0, curve.x.label.find("  ("));
  for (const ParameterState& p : now.parameters) {
    if (!sameWords(p.info.label, axis)) continue;
    if (const double* value = std::get_if<double>(&p.value)) return *value;
  }
  return std::nullopt;
}

// The star marks a reduced quantity, which needs no unit.
static CurveAxis printedAxis(CurveAxis axis) {
  for (const char* unit : {"*  (", "* (", "* / "})
    if (const std::size_t star = axis.label.find(unit); star != std::string::npos)
      axis.label.erase(star, 1);
  axis.label = printed(axis.label);
  for (std::string& name : axis.names) name = printed(name);
  return axis;
}

static ImU32 typeColour(const Shell& shell, int type) {
  const render::Rgb c =
      render::colourOf({.kind = ColourKind::categorical}, static_cast<float>(type),
                       shell.dark ? render::Paint::thinOnDark : render::Paint::thinOnLight);
  return ImGui::ColorConvertFloat4ToU32(ImVec4(c.r, c.g, c.b, 1));
}

// Curves of pairs of `types` types, in the order AA, AB, BB: the colour of the particles, and of
// two types nearly that of text, dashed.
static void lookOfPair(const Shell& shell, int types, int index, PlotSeries& out) {
  int a = 0;
  for (; index >= types - a; ++a) index -= types - a;
  const ImU32 both = mix(typeColour(shell, a), typeColour(shell, a + index), 0.5f);
  out.colour = index == 0 ? both : mix(both, shell.colours->text, 0.85f);
  out.dashed = index > 0;
}

Plot curvePlot(Shell& shell, const Curve& curve) {
  Plot plot;
  plot.id = curve.id;
  plot.x = printedAxis(curve.x);
  plot.y = printedAxis(curve.y);
  plot.waiting = printed(curve.waiting);
  int published = 0, own = 0;
  std::string lastOwn;
  std::map<std::pair<SeriesKind, bool>, int> ranks;
  const bool rows = curve.x.scale == AxisScale::named;
  const auto lasting = std::ranges::count(curve.series, false, &CurveSeries::provisional);
  int types = 1;  // whose pairs have as many curves; 1: the curves are not of pairs of types
  while (curve.id == "g_r" && types * (types + 1) / 2 < std::ssize(curve.series)) ++types;
  constexpr int kPublished = 3;  // first marker of published points: none of up to three of ours
  std::map<std::string, int> looks;  // same look for the same method and size
  for (const CurveSeries& s : curve.series) {
    // Ours in the accent colour; published ones in the other five, then with other markers.
    const bool ours = s.source.empty() && !s.reference;
    const int look = ours ? 0 : looks.try_emplace(s.label, published).first->second;
    if (!ours && look == published) ++published;
    constexpr int kOwn[] = {0, 3, 2};
    // What is still equilibrating looks like what will become of it, but hollow or pale.
    if (s.provisional && own > 0 && s.label.starts_with(lastOwn)) --own;
    if (ours) lastOwn = s.label;
    const int colour = ours ? kOwn[own++ % 3] : 1 + look % 5;
    PlotSeries out{printed(s.label), s.x, s.y, s.error, plotColour(*shell.colours, colour)};
    out.source = printed(s.source);
    out.marker = ours ? own - 1 : kPublished + (rows ? look : look / 5);
    const bool points = s.kind == SeriesKind::points;
    out.kind = s.kind;
    out.dashed = s.reference && !points;
    if (types > 1) lookOfPair(shell, types, own - 1, out);
    out.hollow = points && (s.reference || s.provisional);
    if (s.provisional && !points) {
      out.opacity = 0.5f;
      if (out.label.find("equilibrating") == std::string::npos) out.label += ", equilibrating";
    }
    out.rank = out.hollow || types > 1 ? 0 : ranks[{s.kind, out.dashed}]++;
    out.emphasis = ours && points && lasting > 2;
    out.upwards = s.upwards;
    out.beside = printed(s.beside);
    out.highlight = s.highlight;
    out.highlightLabel = printed(s.highlightLabel);
    plot.series.push_back(out);
  }
  PlotZoom& zoom = shell.zooms[curve.id];
  const std::optional<double> place = placeOf(*shell.now, curve);
  if (!zoom.focus || !place) zoom.focus = focusOf(curve, place);
  plot.focus = withOwnPoints(*zoom.focus, curve);
  return plot;
}

namespace {

std::string equationOf(const Publication& now, const std::string& name) {
  std::string text;
  for (const ObservableInfo& o : now.mode->observables) {  // for the current parameters
    const auto measured = [&](const ObservableSeries& s) {
      return s.info.id == o.id && s.samples > 0;
    };
    if (plotName(o) != name || std::ranges::none_of(now.observables, measured)) continue;
    if (!text.empty()) text += "\n";
    const bool named = o.symbol.empty() || sameWords(o.symbol, o.label);
    text += o.label + (named ? "" : " " + o.symbol) + (o.equation.empty() ? "" : ": " + o.equation);
  }
  return printed(text);
}

struct Shown {
  Plot plot;
  Heading heading;
  StepRange* shared = nullptr;
  bool openAtFirst = false;
  float rows = 0;     // height of a chart of rows, or 0
  float tight = 0;    // the same with its rows as close as they can be
  float least = 0;    // height that leaves 120 px at scale 1 for the curve
  float legend = 0;   // height below it, with the gap before it
  bool asked = true;  // listed in the scenario; otherwise under "More plots"

  std::string section() const { return "plot-" + plot.id; }
  float lowest() const { return rows > 0 ? rows : least; }
  // Curves are taller, as their legends are longer; charts of rows have a fixed height.
  float weight() const { return rows > 0 ? 0 : shared ? 1 : 1.2f; }
  float height(float ofTimePlot) const {
    return rows > 0 ? rows : std::max(least, std::floor(ofTimePlot * weight()));
  }
};

// Names of all plots: those of the scenario in its order, then the others.
std::vector<std::string> orderOf(const Shell& shell, std::size_t& asked) {
  std::vector<std::string> order = shell.scenario().plots;
  asked = order.size();
  for (const std::string& name : plotsOf(*shell.now))
    if (!hasItem(order, name)) order.push_back(name);
  if (asked == 0) asked = order.size();
  return order;
}

void setBare(Shell& shell, Shown& one, bool bare, float width) {
  one.plot.bareX = bare;
  one.least = std::ceil(leastHeight(shell, one.plot, width));
}

// `large`: over the picture or beside it, with a legend of its own.
Shown shownOf(Shell& shell, const std::string& name, float width, bool large = false) {
  const auto curve = std::ranges::find(shell.now->curves, name, &Curve::id);
  Shown one;
  if (curve != shell.now->curves.end()) {
    one.plot = curvePlot(shell, *curve);
    one.heading.title = printed(curve->label);
    one.heading.equation = printed(curve->equation);
    one.rows = rowsHeight(shell, one.plot, width);
    one.tight = rowsHeight(shell, one.plot, width, true);
  } else {
    one.plot = timePlot(shell, name, one.heading);
    one.heading.equation = equationOf(*shell.now, name);
    one.shared = &shell.steps;
  }
  if (large) one.plot.id = kLarge + name;
  one.legend =
      drawLegend(shell, one.plot, ImVec2(0, 0), width, false) + ImGui::GetStyle().ItemSpacing.y;
  setBare(shell, one, false, width);
  return one;
}

std::vector<Shown> collect(Shell& shell, float width) {
  std::vector<Shown> all;
  std::size_t asked = 0;
  const std::vector<std::string> order = orderOf(shell, asked);
  for (std::size_t i = 0; i < order.size(); ++i) {
    Shown one = shownOf(shell, order[i], width);
    one.asked = i < asked;
    if (!one.shared || !one.plot.series.empty()) all.push_back(std::move(one));
  }
  return all;
}

bool anyMore(const std::vector<Shown>& all) { return !all.empty() && !all.back().asked; }

constexpr float kHeading = 36, kGood = 180, kMost = 270, kCard = 300;  // at scale 1

// Height for the scenario's plots and the heading of the others, which are reached by scrolling:
// opening them does not resize the scenario's plots.
float headingsHeight(Shell& shell, const std::vector<Shown>& all) {
  const auto asked = std::ranges::count(all, true, &Shown::asked);
  return shell.px(kHeading) * static_cast<float>(asked + anyMore(all));
}

// The rows of a race come in one after the other: until all are there, what fits below them is
// decided anew with each, unless somebody decided otherwise.
void followRows(Shell& shell, const std::vector<Shown>& all) {
  if (!shell.now->scenario) return;
  std::size_t size = 0;
  for (const Shown& one : all)
    if (one.asked && one.rows > 0) size += one.plot.x.names.size() + one.plot.series.size();
  if (std::exchange(shell.rowsShown, size) == size || !shell.scenario().openPlots.empty()) return;
  for (const Shown& one : all)
    if (!shell.chosen.contains(one.section())) shell.collapsed.erase(one.section());
}

// Initially open: the first plot of the scenario, a second one if it is in sight where both are
// low, and as many as fit into the column in a good height. Where rows do not fit they are closer.
void openFirst(Shell& shell, std::vector<Shown>& all, float room) {
  followRows(shell, all);
  float low = room + shell.px(kHeading);  // to the foot, without headings below
  room -= headingsHeight(shell, all);
  std::size_t open = 0;
  for (Shown& one : all) {
    if (!one.asked) continue;
    if (open == 0 && one.rows > 0)
      one.rows = std::clamp(room - one.legend, one.tight, std::max(one.tight, one.rows));
    room -= one.legend + one.height(shell.px(kGood));
    low -= one.legend + shell.px(kHeading) + one.lowest();
    one.openAtFirst = open == 0 || (open == 1 ? low : room) >= 0;
    open += one.openAtFirst;
  }
}

// Height of a time plot such that the open plots fill the column and all headings stay visible.
float plotHeight(Shell& shell, const std::vector<Shown>& all, float room) {
  float weights = 0;
  room -= headingsHeight(shell, all);
  for (const Shown& one : all) {
    if (!one.asked || !sectionOpen(shell, one.section(), one.openAtFirst)) continue;
    room -= one.legend + one.rows;
    weights += one.weight();
  }
  return std::clamp(weights > 0 ? room / weights : 0, 0.f, shell.px(kMost));
}

// Where the open plots do not fit, those over time have the numbers of their axis once, beneath the
// last of them, or of those in sight.
void shareAxis(Shell& shell, std::vector<Shown>& all, float room, float width) {
  std::vector<Shown*> open;
  float left = room;
  for (Shown& one : all) {
    if (!one.asked) continue;
    left -= shell.px(kHeading);
    if (!sectionOpen(shell, one.section(), one.openAtFirst)) continue;
    left -= one.legend + one.lowest();
    open.push_back(&one);
  }
  if (left >= 0) return;
  for (std::size_t k = 0; k + 1 < open.size(); ++k)
    if (open[k]->shared && open[k + 1]->shared) setBare(shell, *open[k], true, width);
  float bottom = 0;
  Shown* last = nullptr;
  for (Shown& one : all) {
    bottom += one.asked ? shell.px(kHeading) : 0;
    if (!hasItem(open, &one)) continue;
    bottom += one.lowest();
    if (one.shared && bottom <= room + shell.px(kHeading) + ImGui::GetScrollY()) last = &one;
    bottom += one.legend;
  }
  if (last) setBare(shell, *last, false, width);
}

// Right of the heading that was drawn last: shows the plot over the picture.
void enlargeButton(Shell& shell, const std::string& id) {
  const ImVec2 heading = ImGui::GetItemRectMax(), next = ImGui::GetCursorScreenPos();
  const ImVec2 at(heading.x + shell.px(2), ImGui::GetItemRectMin().y + shell.px(2));
  const ImU32 hot = shell.colours->accent, ink = shell.enlarged == id ? hot : shell.colours->muted;
  if (iconButton(shell, "enlarge:" + id, Icon::enlarge, at, shell.px(24), shell.px(12), ink, hot)) {
    shell.enlarged = shell.enlarged == id ? "" : id;
    shell.log->write("enlarge", shell.enlarged);
  }
  tooltip(shell, "Enlarge", {"Shows this plot over the picture; Esc closes it."});
  ImGui::SetCursorScreenPos(next);
}

void show(Shell& shell, const Shown& one, float height) {
  const bool open = section(shell, one.section(), one.heading.title, one.heading.value,
                            one.openAtFirst, shell.px(26), one.heading.ink(shell));
  const bool ours = one.shared || std::ranges::any_of(one.plot.series, &PlotSeries::emphasis);
  std::string sources;
  for (const PlotSeries& s : one.plot.series) {
    if (!s.source.empty()) sources.append(s.label).append(": ").append(s.source).append("\n");
  }
  for (const PlotReference& r : one.plot.references) sources.append(r.label).append("\n");
  tooltip(shell, one.heading.title,
          {one.heading.equation, sources, one.heading.errorKnown ? "" : kErrorUnknown,
           one.shared ? one.heading.explanation
           : ours     ? equilibrating(shell.now->observables)
                      : "",
           "Drag to zoom, double-click to fit, right-click to save."});
  enlargeButton(shell, one.plot.id);
  if (!open) return;
  drawPlot(shell, one.plot, shell.zooms[one.plot.id], one.shared,
           ImVec2(ImGui::GetContentRegionAvail().x, one.height(height)));
}

}  // namespace

void plotContent(Shell& shell, const std::string& id, ImVec2 size, bool isShort, bool large) {
  const Shown one = shownOf(shell, id, size.x, large);
  if (one.plot.series.empty()) return;
  // However long the legend is, there is a curve.
  float least = one.rows > 0 ? one.rows : leastHeight(shell, one.plot, size.x);
  if (isShort && one.rows <= 0) least -= shell.px(120) - std::min(shell.px(120), 120.f);
  const float height = std::max(size.y - one.legend, least);
  drawPlot(shell, one.plot, shell.zooms[id], one.shared, ImVec2(size.x, height));
}

bool hasPlot(Shell& shell, const std::string& id) {
  return !shownOf(shell, id, shell.px(360)).plot.series.empty();
}

Heading plotHeading(Shell& shell, const std::string& id) {
  return shownOf(shell, id, shell.px(360)).heading;
}

void plotsPanel(Shell& shell) {
  const float width = ImGui::GetContentRegionAvail().x;
  std::vector<Shown> all = collect(shell, width);
  // Height left for plots above the last heading.
  const float room = ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - shell.px(kHeading + 14);
  // The card of a particle that the scenario picks is not there in the first frames.
  const bool awaited = shell.scenario().picked >= 0 && !isPicked(shell);
  openFirst(shell, all, room - (awaited ? shell.px(kCard) : 0));
  shareAxis(shell, all, room, width);
  const float height = plotHeight(shell, all, room);
  for (const Shown& one : all)
    if (one.asked) show(shell, one, height);
  if (!anyMore(all)) return;
  std::string titles;  // of plots of the mode that the scenario does not list
  for (const Shown& one : all)
    if (!one.asked) titles += (titles.empty() ? "" : ", ") + one.heading.title;
  const bool open = section(shell, "more-plots", "More plots", "", false);
  tooltip(shell, "More plots", {"Also measured, but not listed in this scenario: " + titles + "."});
  if (!open) return;
  for (const Shown& one : all)
    if (!one.asked) show(shell, one, height);
}

}  // namespace cellscope::gui
