#include "sim/modes/md/method_race.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/algo/md/engines.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/verlet/lists_lent.h"
#include "sim/algo/verlet/pair_law.h"

namespace cellscope::md {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Distances of all particles to those in the cells around them.
double checksInCells(const MdState& state, const PairSettings& pair) {
  const PairTable table = pairTable(pair.potential, pair.species, pair.buffer);
  const double n = static_cast<double>(state.position.size());
  const double around = std::pow(3.0 * static_cast<double>(table.longest()), state.box.dimension);
  return n * n * std::min(1.0, around / state.box.volume());
}

}  // namespace

void MethodRace::add(Entry e, const MdState& state, const PairSettings& pair) {
  e.engine->setPair(pair);
  e.engine->upload(state);
  e.engine->forces();
  entries_.push_back(std::move(e));
}

void MethodRace::addLists(const MdState& state, PairSettings pair) {
  const bool gpu = exec_->where() == Backend::cuda;
  const bool tooMany = checksInCells(state, pair) > (gpu ? 1e11 : 1e9);
  for (const ListSearch search : {ListSearch::fast, ListSearch::paper})
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      const ListMethod& method = listMethods()[m];
      const bool paper = search == ListSearch::paper;
      if (paper && !method.differs(search, exec_->where())) continue;
      if (paper && tooMany && std::string(method.key) == "cells") continue;
      pair.method = static_cast<int>(m), pair.search.how = search;
      add({method.key, method.label + std::string(paper ? ", as in the paper" : ""), search, true,
           makeVerlet(exec_)},
          state, pair);
      Lent lent;
      Entry& e = entries_.back();
      e.engine->lend(lent, false);
      const auto* const lists = lent.find<ListsLent>();
      if (!lists) continue;
      if (const std::string how = lists->builder->words(); !how.empty()) e.label += ", " + how;
    }
}

void MethodRace::begin(const MdState& state, const PairSettings& pair) {
  end();
  MdState s = state;  // each builds a list of its own
  s.dropDerived();
  if (s.position.size() <= mostForAllPairs())
    add({"all_pairs", "all pairs", ListSearch::fast, false, makeAllPairs(exec_)}, s, pair);
  addLists(s, pair);
  if (!placeholdersRefused(s.position.size(), s.box, pair))
    add({"placeholder_cells", "placeholder cells", ListSearch::fast, false,
         makePlaceholders(exec_)},
        s, pair);
  std::vector<RaceCandidate> candidates;
  const auto candidate = [&](const Entry& e, auto&& work) {
    MdEngine* engine = e.engine.get();
    candidates.push_back({e.key, [] {},
                          [engine, work](std::uint64_t times) {
                            for (std::uint64_t k = 0; k < times; ++k) work(*engine);
                            engine->failure();  // waits
                          }});
  };
  for (const Entry& e : entries_) {
    if (e.lists) candidate(e, [](MdEngine& engine) { engine.orderPart(TimedPart::built); });
    candidate(e, [](MdEngine& engine) { engine.forces(); });
  }
  race_.begin(std::move(candidates));
  begun_ = true;
}

void MethodRace::end() {
  race_.begin({});
  entries_.clear();
  begun_ = false;
}

void MethodRace::forget() {
  end();
  last_.clear();
}

bool MethodRace::advance() {
  race_.advance(1);
  if (race_.running()) return false;
  last_ = soFar();
  return true;
}

// A build is timed before the forces from it: these tell how far a method has come.
std::vector<MethodTime> MethodRace::soFar() const {
  const std::vector<RaceStanding> all = race_.standings();
  std::vector<MethodTime> times;
  if (all.empty()) return times;
  const auto median = [](const RaceStanding& s) { return s.timed() ? s.result.median : kUnknown; };
  std::size_t k = 0;
  for (const Entry& e : entries_) {
    MethodTime t{e.key, e.label, e.search, e.lists, 0, 0, ""};
    const bool building = e.lists && all[k].next;
    if (e.lists) t.build = median(all[k++]);
    RaceStanding forces = all[k++];
    t.forces = median(forces);
    forces.next = forces.next || building;
    t.words = forces.inWords(e.label);
    times.push_back(std::move(t));
  }
  return times;
}

std::size_t MethodRace::bytes() const {
  std::size_t all = 0;
  for (const Entry& e : entries_) all += e.engine->bytes();
  return all;
}

namespace {

// As in the paper where that takes part.
const MethodTime* published(const std::vector<MethodTime>& times, const std::string& key) {
  const MethodTime* found = nullptr;
  for (const MethodTime& t : times)
    if (t.key == key && (!found || t.search == ListSearch::paper)) found = &t;
  return found;
}

Curve emptyChart() {
  Curve c;
  c.id = "method_race";
  c.label = "Race of the methods";
  c.x.label = "method";
  c.x.scale = AxisScale::named;
  c.y.label = "time / ms";
  c.y.scale = AxisScale::logarithmic;
  c.equation =
      "medians at the state of the run, on engines of their own; a step costs a force pass, and a "
      "list build over the steps that lists last";
  return c;
}

void addKnown(CurveSeries& to, double x, double seconds) {
  if (!(seconds > 0)) return;
  to.x.push_back(x);
  to.y.push_back(1e3 * seconds);
}

// Where a method would be by its ratio to the other.
std::optional<CurveSeries> ghostOf(const PublishedRatio& p, const std::vector<MethodTime>& times) {
  const MethodTime* const at = published(times, p.method);
  const MethodTime* const base = published(times, p.relative);
  if (!at || !base) return {};
  CurveSeries ghost{
      p.forces ? "force pass by the published ratio" : "list build by the published ratio",
      p.source,
      {},
      {}};
  ghost.kind = SeriesKind::points;
  ghost.reference = true;
  addKnown(ghost, static_cast<double>(at - times.data()),
           (p.forces ? base->forces : base->build) / p.speedup);
  if (ghost.x.empty()) return {};
  return ghost;
}

}  // namespace

std::optional<Curve> MethodRace::chart(double stepsPerBuild,
                                       const std::vector<PublishedRatio>& ratios) const {
  const std::vector<MethodTime> times = this->times();
  if (times.empty()) return {};
  Curve c = emptyChart();
  CurveSeries build{"one list build", "", {}, {}}, forces{"one force pass", "", {}, {}},
      step{"a step on average", "", {}, {}};
  for (const MethodTime& t : times) {
    const auto x = static_cast<double>(c.x.names.size());
    c.x.names.push_back(t.words);
    addKnown(build, x, t.build);
    addKnown(forces, x, t.forces);
    addKnown(step, x, t.perStep(stepsPerBuild));
  }
  for (CurveSeries* s : {&build, &forces, &step}) s->kind = SeriesKind::bars;
  if (!last_.empty()) {
    step.highlight =
        static_cast<std::size_t>(std::min_element(step.y.begin(), step.y.end()) - step.y.begin());
    step.highlightLabel = "fastest";
  }
  c.series = {std::move(build), std::move(forces), std::move(step)};
  for (const PublishedRatio& p : ratios)
    if (auto ghost = ghostOf(p, times)) c.series.push_back(std::move(*ghost));
  return c;
}

}  // namespace cellscope::md
