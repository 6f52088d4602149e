#include <iterator>
#include <limits>

#include "app/gui/panels.h"
#include "sim/base/words.h"
#include "sim/run/rewind.h"

namespace cellscope::gui {

std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, double lo,
                                  double hi, int columns) {
  std::vector<std::size_t> out;
  const std::size_t n = std::min(x.size(), y.size());
  if (n == 0 || !(hi > lo) || columns < 1) return out;
  const auto begin = x.begin(), end = x.begin() + static_cast<std::ptrdiff_t>(n);
  auto from = static_cast<std::size_t>(std::lower_bound(begin, end, lo) - begin);
  auto to = static_cast<std::size_t>(std::upper_bound(begin, end, hi) - begin);
  if (from > 0) --from;
  if (to < n) ++to;
  std::vector<std::size_t> picks;  // first, lowest, highest and last point of one pixel column
  const auto flush = [&] {
    std::ranges::sort(picks);
    for (const std::size_t p : picks)
      if (out.empty() || out.back() < p) out.push_back(p);
    picks.clear();
  };
  long current = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (!std::isfinite(y[i])) continue;
    const double place = std::clamp((x[i] - lo) / (hi - lo), -1.0, 2.0);
    const long here = static_cast<long>(std::floor(place * columns));
    if (std::exchange(current, here) != here) flush();
    if (picks.empty()) picks = {i, i, i, i};
    if (y[i] < y[picks[1]]) picks[1] = i;
    if (y[i] > y[picks[2]]) picks[2] = i;
    picks[3] = i;
  }
  flush();
  return out;
}

std::size_t nearestIndex(std::span<const double> x, double at) {
  const auto next = std::ranges::lower_bound(x, at);
  if (next == x.begin()) return 0;
  if (next == x.end()) return x.size() - 1;
  const auto before = std::prev(next);
  return static_cast<std::size_t>((at - *before <= *next - at ? before : next) - x.begin());
}

std::size_t alikeAtFirst(std::span<const double> y) {
  std::size_t n = 1;
  while (n < y.size() && y[n] == y[0]) ++n;
  return n > 1 ? n : 0;
}

std::vector<std::size_t> farBeyond(std::span<const double> y, double lo, double hi) {
  const auto beyond = [&](std::size_t i) { return std::max(lo - y[i], y[i] - hi); };
  std::vector<std::size_t> all;
  bool outside = false;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(beyond(i) > 0)) {
      outside = false;
    } else if (!std::exchange(outside, true)) {
      all.push_back(i);
    } else if (beyond(i) > beyond(all.back())) {
      all.back() = i;
    }
  }
  std::erase_if(all, [&](std::size_t i) { return beyond(i) <= 0.02 * (hi - lo); });
  return all;
}

double scatterNear(std::span<const double> y, std::size_t index) {
  constexpr std::size_t kSide = 32, kLeast = 4;
  const std::size_t to = std::min(y.size(), index + kSide + 1);
  double sum = 0;
  std::size_t count = 0;
  bool whole = true;
  for (std::size_t i = index > kSide ? index - kSide : 0; i + 1 < to; ++i) {
    const double step = y[i + 1] - y[i];
    if (!std::isfinite(step)) continue;
    sum += step * step;
    whole = whole && y[i] == std::floor(y[i]) && y[i + 1] == std::floor(y[i + 1]);
    ++count;
  }
  if (count < kLeast || sum == 0) return 0;
  const double scatter = std::sqrt(0.5 * sum / static_cast<double>(count));
  return whole ? -scatter : scatter;
}

namespace {

// A quantity as an axis names it, and its unit.
using AxisName = std::pair<std::string, std::string>;

AxisName axisName(const ObservableInfo& info, int dimension) {
  std::string name = printed(info.symbol);
  // An index of several letters cannot be set as one: the words stand for it.
  if (name.empty() || name.find('_') != name.npos) name = printed(info.label);
  if (info.unit.empty()) return {name, ""};
  // The star marks a reduced quantity, which needs no unit.
  if (name.ends_with('*')) name.pop_back();
  return {name, "  (" + printedUnit(info.unit, dimension) + ")"};
}

// "Density" of "Density of the denser box".
std::string quantityOf(const std::string& label) {
  const std::size_t of = label.find(" of ");
  return of == label.npos ? "" : label.substr(0, of);
}

// What was measured in parts of the run that were left by going back, or lie still ahead: pale.
void addBranches(Shell& shell, const std::string& id, ImU32 colour, Plot& plot) {
  for (const Branch& branch : shell.now->timeline.branches) {
    const std::vector<ObservableSeries>& all = branch.series;
    const auto s =
        std::ranges::find_if(all, [&](const ObservableSeries& o) { return o.info.id == id; });
    if (s == all.end()) continue;
    const std::span<const double> x = s->step.recorded();
    auto from = static_cast<std::size_t>(
        std::ranges::lower_bound(x, static_cast<double>(branch.from)) - x.begin());
    if (from > 0) --from;  // it begins where the present one leaves it
    if (from >= x.size()) continue;
    const ImU32 ink = mix(colour, shell.colours->muted, 0.6f);
    const std::string label =
        branch.ahead ? "ahead, to " + grouped(branch.to) : "left at " + grouped(branch.from);
    PlotSeries mean{label, x.subspan(from), s->mean.recorded().subspan(from), {}, ink, 0.7f};
    PlotSeries samples{label, x.subspan(from), s->value.recorded().subspan(from), {}, ink, 0.25f};
    samples.inReadout = false;
    plot.series.push_back(mean);
    plot.series.push_back(samples);
    if (branch.ahead) continue;
    PlotSeries mark{label, x.subspan(from, 1), s->mean.recorded().subspan(from, 1), {}, ink};
    mark.kind = SeriesKind::points;
    mark.marker = 3;
    mark.inReadout = false;
    plot.series.push_back(mark);
    const auto at = static_cast<double>(branch.from);
    if (!hasItem(plot.branches, at)) plot.branches.push_back(at);
  }
}

// The same of the run at the right: dashed.
void addBeside(const Publication& now, const ObservableSeries& own, ImU32 colour, Plot& plot) {
  if (!now.beside) return;
  for (const ObservableSeries& s : now.beside->observables) {
    if (s.info.id != own.info.id) continue;
    const SharedColumn& y = own.info.grows || !own.settled ? s.value : s.mean;
    PlotSeries right{
        printed(s.info.label) + ", at the right", s.step.recorded(), y.recorded(), {}, colour};
    right.dashed = true;
    plot.series.push_back(right);
  }
}

// Of several estimators of a quantity one whose samples are all alike at first has measured nothing
// yet, as where no pair has come near contact. It begins where they change, and its samples have a
// gap where they are that again.
std::size_t beginOf(const Publication& now, const ObservableSeries& s) {
  const bool others = std::ranges::any_of(now.observables, [&](const ObservableSeries& o) {
    return o.info.id != s.info.id && o.info.symbol == s.info.symbol && o.samples > 0 &&
           plotName(o.info) == plotName(s.info);
  });
  return others && !s.info.whole ? alikeAtFirst(s.value.recorded()) : 0;
}

}  // namespace

ImU32 inkOf(const Shell& shell, bool settled, const std::string& value) {
  const Palette& c = *shell.colours;
  return !settled ? c.muted : shell.now->experiments.empty() || value == "0" ? c.text : c.red;
}

std::string axisOf(const std::vector<ObservableInfo>& shown, int dimension) {
  std::vector<AxisName> names;
  const std::string quantity = quantityOf(printed(shown.front().label));
  bool ofThings = shown.size() > 1 && !quantity.empty();
  for (const ObservableInfo& info : shown) {
    const AxisName name = axisName(info, dimension);
    ofThings =
        ofThings && quantityOf(printed(info.label)) == quantity && info.unit == shown.front().unit;
    if (!hasItem(names, name)) names.push_back(name);
  }
  if (ofThings) return quantity + names.front().second;
  // A symbol with an index is no common one.
  const std::string title = printed(shown.front().label);
  const bool isCommon = shown.front().symbol.find('_') == std::string::npos;
  std::string label = isCommon || names.front().first.starts_with(title) ? "" : title + "  ";
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool last = k + 1 == names.size();
    label += names[k].first;
    if (last || names[k + 1].second != names[k].second) label += names[k].second;
    if (!last) label += ", ";
  }
  return label;
}

std::vector<std::string> plotsOf(const Publication& now) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!hasItem(names, name)) names.push_back(name);
  };
  for (const ObservableSeries& s : now.observables) add(plotName(s.info));
  for (const Curve& curve : now.curves) add(curve.id);
  return names;
}

Plot timePlot(Shell& shell, const std::string& name, Heading& heading) {
  std::string& title = heading.title;
  const Publication& now = *shell.now;
  Plot plot;
  plot.id = name;
  plot.x.label = now.mode->stepName;
  plot.x.whole = true;
  plot.integerX = true;
  if (now.scenario && now.scenario->sampleEvery > 0 && !now.preparation) {
    const std::uint64_t every = now.scenario->sampleEvery;
    plot.waiting =
        "first sample at " + now.mode->stepName + " " + grouped(now.step / every * every + every);
    if (!now.playing) plot.waiting += "; Space plays";
  }
  const bool anySample =
      std::ranges::any_of(now.observables, [](const ObservableSeries& s) { return s.samples > 0; });
  const ObservableSeries* const watch = watched(shell);
  const bool watches = watch && plotName(watch->info) == name && watch->samples > 0;
  int index = 0;
  std::vector<ObservableInfo> shown;
  for (const ObservableSeries& s : now.observables) {
    if (plotName(s.info) != name) continue;
    // Disabled observables have no line.
    if (index > 0 && (s.value.empty() || !std::isfinite(s.value.back()))) continue;
    if (s.info.isMean && s.value.empty() && anySample) plot.waiting = "a mean of more samples";
    // Beside another run one estimator of a quantity is enough.
    const AxisName axis = axisName(s.info, now.mode->dimension);
    const bool sameQuantity = std::ranges::any_of(shown, [&](const ObservableInfo& other) {
      return axisName(other, now.mode->dimension) == axis;
    });
    if (sameQuantity && now.beside) continue;
    plot.y.whole = s.info.whole && (shown.empty() || plot.y.whole);
    shown.push_back(s.info);
    const ImU32 colour = plotColour(*shell.colours, index++);
    if (title.empty()) {
      title = printed(s.info.label);
      static_cast<Average&>(heading) = averageOf(s, now.mode->stepName);
    }
    const std::size_t begin = beginOf(now, s);
    const auto recorded = [&](const SharedColumn& of) { return of.recorded().subspan(begin); };
    // Until there is a mean the samples are what is to be seen, though not to hide what else is
    // there; so is what grows until it is one.
    const bool hasMean = !s.info.grows && s.hasMean();
    // A mean that a run keeps by itself is pale as well until it is one.
    constexpr float kBehindMean = 0.4f, kAlone = 0.75f, kUnsettled = 0.6f;
    const float opacity = hasMean         ? kBehindMean
                          : !s.info.grows ? kAlone
                          : !s.settled    ? kUnsettled
                                          : 1;
    PlotSeries values{printed(s.info.label) + (s.info.grows ? "" : ", samples"),
                      recorded(s.step),
                      recorded(s.value),
                      {},
                      colour,
                      opacity};
    PlotSeries mean{
        printed(s.info.label) + ", mean", recorded(s.step), recorded(s.mean),
        s.settled || s.equilibratedErrorKnown ? recorded(s.error) : std::span<const double>{},
        colour};
    if (begin > 0) {
      std::vector<double> kept(values.y.begin(), values.y.end());
      std::ranges::replace(kept, s.value.front(), std::numeric_limits<double>::quiet_NaN());
      values.rare = std::make_shared<const std::vector<double>>(std::move(kept));
      values.y = *values.rare;
    }
    // Two estimators of the same quantity often coincide: the first is drawn over a broader second.
    mean.rank = sameQuantity;
    mean.emphasis = shell.scenario().watch == s.info.id;  // first in the legend
    values.emphasis = mean.emphasis;
    mean.aside = values.aside =
        watches && !mean.emphasis && axis == axisName(watch->info, now.mode->dimension);
    const bool nothingYet = begin > 0 && values.x.empty();  // the legend names what is drawn
    if (hasMean && !nothingYet) plot.series.push_back(mean);
    if (!nothingYet) plot.series.push_back(values);
    addBeside(now, s, colour, plot);
    addBranches(shell, s.info.id, colour, plot);
    for (const ReferenceValue& r : now.references) {
      if (r.observable != s.info.id) continue;
      const bool drawn = std::ranges::any_of(plot.references, [&](const PlotReference& p) {
        return p.label == printed(r.source) && p.value == r.value;
      });
      if (drawn) continue;
      // The first in the text colour, the others tinted, to distinguish them in the legend.
      const auto others = static_cast<int>(plot.references.size());
      const ImU32 ink = plotColour(*shell.colours, others ? 2 + others : index - 1);
      plot.references.push_back({printed(r.source), r.value, r.error,
                                 mix(shell.colours->text, ink, others ? 0.7f : 0.25f)});
    }
    plot.changedAt = std::max(plot.changedAt, static_cast<double>(s.epochStart));
    if (s.info.grows && !s.info.isMean) continue;
    plot.averages = plot.averages || (!s.info.grows && s.hasMean());
    const double from = static_cast<double>(std::max(s.epochStart, s.equilibratedFrom));
    plot.dims = plot.dims || from > 0;
    plot.dimBefore = std::max(plot.dimBefore, from);
    plot.equilibrated = plot.equilibrated && (s.samples > 0 ? s.settled : s.equilibrated);
  }
  if (!shown.empty()) plot.y.label = axisOf(shown, now.mode->dimension);
  // Plots of several observables, or of the same one of two things ("Pressure of box 1"), are
  // titled with the name of the plot, measured or not: titles stay.
  std::ptrdiff_t sharing = 0, ofThings = 0;
  const std::string quantity = title.substr(0, title.find(" of ") + 1);
  for (const ObservableSeries& s : now.observables) {
    if (plotName(s.info) != name) continue;
    ++sharing, ofThings += !quantity.empty() && printed(s.info.label).starts_with(quantity + "of ");
  }
  if (sharing > 2 || ofThings > 1) title = capitalised(printed(name));
  if (index > 2 || (index > 1 && ofThings > 1)) {
    heading.value.clear();
    heading.errorKnown = heading.settled = true;
  }
  return plot;
}

}  // namespace cellscope::gui
