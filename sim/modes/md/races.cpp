#include "sim/modes/md/races.h"

#include "sim/algo/neighbours/builder.h"

namespace cellscope::md {
namespace {

constexpr const char *kListBuild = "one list build", *kForcePass = "one force pass";
constexpr const char* kAsHoward = "stencils should be here, Howard 2016";
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void bring(MdEngine& engine, const MdState& state, const PairSettings& pair) {
  MdState s = state;  // it builds a list of its own
  s.dropDerived();
  engine.setPair(pair);
  engine.upload(s);
  engine.forces();
}

RaceCandidate candidateOf(const std::string& name, MdEngine& engine, TimedPart part) {
  return {name, [] {},
          [&engine, part](std::uint64_t times) {
            for (std::uint64_t k = 0; k < times; ++k) engine.orderPart(part);
            engine.failure();  // waits
          }};
}

// As in the paper where that takes part.
const MethodTime* published(const std::vector<MethodTime>& times, const std::string& key) {
  const MethodTime* found = nullptr;
  for (const MethodTime& t : times)
    if (t.key == key && (!found || t.search == ListSearch::paper)) found = &t;
  return found;
}

Curve emptyChart() {
  return {"method_race",
          "Race of the methods",
          {"method", AxisScale::named},
          {"time / ms", AxisScale::logarithmic},
          "shortest of three times at the state of the run, on engines of their own, each the "
          "shortest of those that fit into 100 ms, as others may be those of other programs; "
          "error: how much longer the middle one is; a step costs a "
          "force pass, and a list build over the steps that lists last; the fastest is marked "
          "where it leads by more than the errors"};
}

void addKnown(CurveSeries& to, double x, double seconds, double spread = 0) {
  if (!(seconds > 0)) return;
  to.add(x, 1e3 * seconds, 1e3 * spread);
}

// Where a method would be by its ratio to the other.
std::optional<CurveSeries> ghostOf(const PublishedRatio& p, const std::vector<MethodTime>& times) {
  const MethodTime* const at = published(times, p.method);
  const MethodTime* const base = published(times, p.relative);
  if (!at || !base) return {};
  CurveSeries ghost{.label = p.label,
                    .source = p.source,
                    .kind = SeriesKind::points,
                    .reference = true,
                    .beside = p.forces ? kForcePass : kListBuild};
  addKnown(ghost, static_cast<double>(at - times.data()),
           (p.forces ? base->forces : base->build) / p.speedup);
  if (ghost.x.empty()) return {};
  return ghost;
}

// A list that a part of a build has left incomplete is built by the next one.
constexpr std::pair<TimedPart, const char*> kParts[] = {
    {TimedPart::sorted, "list build: no search"},  {TimedPart::walked, "list build: walk only"},
    {TimedPart::built, "list build: whole"},       {TimedPart::partners, "forces: walk only"},
    {TimedPart::records, "forces: no arithmetic"}, {TimedPart::forces, "forces: whole"}};

// What Howard et al. (2016) and van Meel et al. (2008) print for states like this one. The latter
// give no number for cells beside all pairs, only that cells are never slower.
std::vector<PublishedRatio> publishedRatios(const MdParameters& p) {
  if (p.what() == System::pure)
    return {{"stencils", "cells", 1.0, kAsHoward,
             "Howard et al. 2016, section 4.1: indistinguishable from the standard cell list for a "
             "single component"},
            {"placeholder_cells", "all_pairs", 1.0, "at most here, van Meel 2008",
             "van Meel et al. 2008, section 3.2: faster than all pairs at all sizes and densities, "
             "so at most this",
             true}};
  if (p.what() == System::binary && p.cutoffB < 6)
    return {{"stencils", "cells", 1.0, kAsHoward,
             "Howard et al. 2016, section 4.1: speedup of about 1 below r_BB = 6"}};
  if (p.what() != System::colloids) return {};
  struct Printed {
    double diameter, fraction, speedup;
  };
  static constexpr Printed kTable1[] = {{5, 0.1, 2.1},  {5, 0.2, 2.1},  {10, 0.1, 4.1},
                                        {10, 0.2, 4.1}, {20, 0.1, 8.2}, {20, 0.2, 8.0}};
  for (const Printed& row : kTable1)
    if (p.colloidDiameter == row.diameter && std::abs(p.colloidFraction - row.fraction) < 0.01)
      return {{"tree", "stencils", row.speedup, "trees should be here, Howard 2016",
               "Howard et al. 2016, Table 1"}};
  return {};
}

}  // namespace

void MethodRace::add(const Method& method, ListSearch search, const MdState& state,
                     PairSettings pair) {
  method.choose(pair);
  pair.search.how = search;
  const bool paper = search == ListSearch::paper;
  Entry e{{method.key, method.label + (paper ? " (paper)" : ""), search, method.hasLists()},
          method.make(exec_)};
  bring(*e.engine, state, pair);
  Lent lent;
  e.engine->lend(lent, false);
  if (const auto* const lists = lent.find<ListsLent>())
    if (const std::string how = lists->builder->words(); !how.empty()) e.of.label += ", " + how;
  entries_.push_back(std::move(e));
}

void MethodRace::begin(const MdState& state, const PairSettings& pair) {
  end();
  for (const ListSearch search : {ListSearch::fast, ListSearch::paper})
    for (const auto& m : methods())
      if (m->races(search, state, pair, exec_->where())) add(*m, search, state, pair);
  std::vector<RaceCandidate> candidates;
  for (const Entry& e : entries_) {
    if (e.of.lists) candidates.push_back(candidateOf(e.of.key, *e.engine, TimedPart::built));
    candidates.push_back(candidateOf(e.of.key, *e.engine, TimedPart::forces));
  }
  race_.begin(std::move(candidates));
}

void MethodRace::turn(const MdEngine& engine, const PairSettings& pair) {
  if (!race_.running()) begin(engine.download(), pair);
  race_.advance(1);
  if (race_.running()) return;
  const std::vector<MethodTime> now = soFar();
  if (!races_.empty() && races_.back().size() != now.size()) races_.clear();
  races_.push_back(now);
  if (races_.size() > kRaces) races_.pop_front();
  last_ = shortestOf(races_);
  end();
}

std::vector<MethodTime> shortestOf(const std::deque<std::vector<MethodTime>>& races) {
  std::vector<MethodTime> all = races.back();
  const auto take = [](double& least, double& spread, double other) {
    if (!(other < least)) return;
    spread += least - other;
    least = other;
  };
  for (const std::vector<MethodTime>& race : races)
    for (std::size_t k = 0; k < all.size(); ++k) {
      take(all[k].build, all[k].buildSpread, race.at(k).build);
      take(all[k].forces, all[k].forcesSpread, race.at(k).forces);
    }
  return all;
}

// A build is timed before the forces from it: these tell how far a method has come.
std::vector<MethodTime> MethodRace::soFar() const {
  const std::vector<RaceStanding> all = race_.standings();
  std::vector<MethodTime> times;
  if (all.empty()) return times;
  const auto least = [](const RaceStanding& s) { return s.timed() ? s.result.least : kUnknown; };
  const auto spread = [](const RaceStanding& s) { return s.result.median - s.result.least; };
  std::size_t k = 0;
  for (const Entry& e : entries_) {
    MethodTime t = e.of;
    const bool building = t.lists && all[k].next;
    if (t.lists) t.build = least(all[k]), t.buildSpread = spread(all[k++]);
    RaceStanding forces = all[k++];
    t.forces = least(forces), t.forcesSpread = spread(forces);
    forces.next = forces.next || building;
    t.words = forces.inWords(t.label);
    times.push_back(std::move(t));
  }
  return times;
}

std::optional<Curve> MethodRace::chart(double stepsPerBuild,
                                       const std::vector<PublishedRatio>& ratios) const {
  const std::vector<MethodTime> times = this->times();
  if (times.empty()) return {};
  Curve c = emptyChart();
  CurveSeries build{kListBuild, "", {}, {}}, forces{kForcePass, "", {}, {}},
      step{"a step on average", "", {}, {}};
  double longest = 1;  // whisker, as a multiple of its bar
  const auto add = [&](CurveSeries& to, double x, double time, double spread) {
    addKnown(to, x, time, spread);
    if (time > 0) longest = std::max(longest, 1 + spread / time);
  };
  for (const MethodTime& t : times) {
    const auto x = static_cast<double>(c.x.names.size());
    c.x.names.push_back(t.words);
    add(build, x, t.build, t.buildSpread);
    add(forces, x, t.forces, t.forcesSpread);
    addKnown(step, x, t.forces + t.build / stepsPerBuild,
             t.forcesSpread + t.buildSpread / stepsPerBuild);
  }
  for (CurveSeries* s : {&build, &forces, &step}) s->kind = SeriesKind::bars, s->upwards = true;
  forces.highlightLabel = "whiskers: middle of last race" + busyWords(longest);
  if (!last_.empty()) {
    step.highlight = clearWinner(step.y, step.error, true);
    step.highlightLabel = "fastest";
    if (!step.highlight) step.highlightLabel += kTooClose;
  }
  c.series = {std::move(build), std::move(forces), std::move(step)};
  for (const PublishedRatio& p : ratios)
    if (auto ghost = ghostOf(p, times)) c.series.push_back(std::move(*ghost));
  return c;
}

void PartRace::begin(const MdState& state, const MdParameters& p) {
  end();
  engine_ = p.by().make(exec_);
  bring(*engine_, state, p.pair());
  std::vector<RaceCandidate> candidates;
  for (const auto& [part, name] : kParts)
    if (engine_->orderPart(part)) candidates.push_back(candidateOf(name, *engine_, part));
  race_.begin(std::move(candidates));
}

void PartRace::turn(const MdEngine& engine, const MdParameters& p) {
  if (!race_.running()) begin(engine.download(), p);
  if (race_.running()) race_.advance(1);
  if (race_.running()) return;
  last_ = race_.standings();
  end();
}

std::optional<Curve> PartRace::chart(const std::string& method) const {
  const std::vector<RaceStanding> parts = last_.empty() ? race_.standings() : last_;
  if (parts.empty()) return {};
  Curve c{
      "part_race",
      "Where the time goes",
      {"part of " + method, AxisScale::named},
      {"time / ms"},
      "timing only, on a copy of the state: passes with something left out, of which nothing "
      "enters the run. no search: particles into cells or trees; walk only: cells, nodes, lists or "
      "tiles are gone through; no arithmetic: positions of all partners are read as well; medians"};
  CurveSeries bars{.label = "timing only" + busyWords(parts), .kind = SeriesKind::bars};
  for (const RaceStanding& s : parts) {
    const auto x = static_cast<double>(c.x.names.size());
    c.x.names.push_back(s.inWords());
    if (!s.timed()) continue;
    bars.add(x, 1e3 * s.result.median, 1e3 * s.result.spread);
  }
  c.series = {std::move(bars)};
  return c;
}

void Races::end(const MdParameters& p, bool otherPairs) {
  methods_.end();
  parts_.end();
  if (otherPairs || !p.race) methods_.forget();
  if (otherPairs || !p.raceParts) parts_.forget();
}

std::vector<Curve> Races::charts(const MdParameters& p, double stepsPerBuild) const {
  std::vector<Curve> all;
  if (p.race) {
    all.push_back(methods_.chart(stepsPerBuild, publishedRatios(p)).value_or(emptyChart()));
    if (all.back().series.empty()) all.back().waiting = "timed while the run goes on";
  }
  if (p.raceParts)
    if (auto chart = parts_.chart(p.by().label)) all.push_back(std::move(*chart));
  return all;
}

}  // namespace cellscope::md
