#include "sim/modes/gcmc/methods/method.h"

#include <fmt/format.h>

#include "sim/algo/observables/fluid_reference.h"

namespace cellscope::gcmc {

// So that a batch of the slowest method, all particles for every move, takes well under a second.
static std::uint64_t batchOf(std::size_t n, Backend where) {
  const double work = where == Backend::cuda ? 1e9 : 2e6;  // particles looked at
  return static_cast<std::uint64_t>(std::min(where == Backend::cuda ? 10000.0 : 500.0,
                                             std::max(5.0, work / static_cast<double>(n + 1))));
}

void MethodRace::begin(const GcmcParameters& p, const GcmcState& state, const exec::Shared& exec) {
  stop();
  parameters_ = p, state_ = state, exec_ = exec;
  raced_ = static_cast<double>(state.point.size());
  for (const auto& m : methods())
    if (possible(*m))
      for (const Method::Variant& v : m->variants(p.dimensions(), exec->where()))
        candidates_.push_back({v, m.get()});
  // What a CPU can choose comes before what it emulates.
  std::ranges::stable_partition(candidates_, [&](const Candidate& c) { return !emulated(c); });
  for (Candidate& c : candidates_)
    if (emulated(c)) c.how.name += " (emulated)";
  const RaceRules rules{.batch = batchOf(state.point.size(), exec->where()), .rounds = 5};
  race_.emplace(rules);
  race_->begin(runners(rules.batch));
}

// Whether it can run this state.
bool MethodRace::possible(const Method& method) const {
  GcmcParameters p = soundOf(parameters_);
  choose(p, method);
  p.blockSize = 0;
  try {
    checkParameters(p, exec_->config());
  } catch (const InputError&) {
    return false;
  }
  return true;
}

// Those of whole turns or colours make more moves than a batch: they are counted.
std::vector<RaceCandidate> MethodRace::runners(std::uint64_t batch) {
  std::vector<RaceCandidate> all;
  for (const Candidate& c : candidates_) {
    const auto prepare = [this, c, batch] {
      GcmcOptions o = optionsOf(soundOf(parameters_));
      o.mapping = c.how.mapping, o.blockSize = c.how.blockSize;
      o.movesPerLaunch = static_cast<int>(batch);
      engine_.reset();
      engine_ = c.method->made().make(exec_, o);
      engine_->upload(state_, makeGcmcRules(parameters_.settings(), state_.box));
    };
    const auto run = [this](std::uint64_t moves) {
      engine_->watch(progress_);
      engine_->advance(moves);
      static_cast<void>(engine_->count());  // done when it is known
    };
    const auto done = [this] {
      double made = 0;
      for (const std::uint64_t k : engine_->counters().attempted) made += static_cast<double>(k);
      engine_->clearCounters();
      return made;
    };
    all.push_back({c.how.name, prepare, run,
                   c.method->made().exact ? nullptr : std::function<double()>(done)});
  }
  return all;
}

void MethodRace::stop() {
  race_.reset();
  engine_.reset();
  candidates_.clear();
}

void MethodRace::advance(const GcmcProgress& progress) {
  progress_ = progress;
  race_->advance(~std::uint64_t{0});
  progress_ = {};
  if (!race_->running()) engine_.reset(), state_.point.clear(), state_.id.clear();
}

// What the text on Figures 6 and 7 says of the optimised microcell list, from the speeds measured
// here: its lead over no cells, and what it leaves to microcells with a kernel per move. Least and
// most of each card.
void MethodRace::addFigures(Curve& chart) const {
  const GcmcSpeedData& data = gcmcSpeedData();
  const auto found = [&](const char* name) -> std::optional<std::size_t> {
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      if (candidates_[k].how.published == name) return k;
    return std::nullopt;
  };
  const auto speedOf = [&](std::optional<std::size_t> k) {
    const CurveSeries& bars = chart.series.front();
    for (std::size_t i = 0; k && i < bars.x.size(); ++i)
      if (bars.x[i] == static_cast<double>(*k)) return bars.y[i];
    return 0.0;
  };
  const auto none = found("all_particles"), each = found("microcells"),
             many = found("microcells_many");
  const double without = speedOf(none), optimised = speedOf(many);
  const struct {
    const char* card;
    GcmcSpeedData::Range overNone, overEach;
  } all[] = {{"GTX 550 Ti", data.gtxOverNoCells, data.gtxOverMicrocells},
             {"K40c", data.k40OverNoCells, data.k40OverMicrocells(raced_)}};
  for (const auto& of : all) {
    CurveSeries ghosts{.source = data.figureSource, .kind = SeriesKind::points, .reference = true};
    const auto mark = [&](std::size_t place, double speed) {
      if (!std::isfinite(speed)) return;  // not given
      ghosts.add(static_cast<double>(place), speed);
    };
    if (many && without > 0)
      mark(*many, without * of.overNone.least), mark(*many, without * of.overNone.most);
    if (each && optimised > 0)
      mark(*each, optimised / of.overEach.most), mark(*each, optimised / of.overEach.least);
    if (ghosts.x.empty()) continue;
    ghosts.label = fmt::format(
        "{}, by speed-up: published for it, of the microcells over no cells and of one kernel over "
        "one per move, times the speeds here",
        of.card);
    chart.series.push_back(std::move(ghosts));
  }
}

void MethodRace::addPublished(Curve& chart) const {
  const GcmcSpeedData& data = gcmcSpeedData();
  CurveSeries ghosts{.source = data.source + "; " + data.mappingSource,
                     .kind = SeriesKind::points,
                     .reference = true};
  double published = 0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const auto speed = publishedGcmcSpeed(candidates_[k].how.published, raced_);
    if (!speed) continue;
    ghosts.add(static_cast<double>(k), speed->movesPerSecond);
    published = speed->particles;
  }
  if (ghosts.x.empty()) return;
  ghosts.label = fmt::format("published, {}: N = {:g}; the serial chain: {}", data.mappingHardware,
                             published, data.serialHardware);
  chart.series.push_back(std::move(ghosts));
}

std::size_t MethodRace::winner() const {
  const std::vector<RaceResult>& all = race_->results();
  if (all.empty()) return 0;  // without a choice
  std::size_t best = 0;       // never emulated: those come last
  for (std::size_t k = 1; k < all.size() && !emulated(candidates_[k]); ++k)
    if (all[k].median < all[best].median) best = k;
  return best;
}

std::optional<Curve> MethodRace::chart() const {
  if (!race_ || race_->standings().empty()) return std::nullopt;
  Curve c = raceCurve(*race_,
                      {"method_race", "Race of methods and mappings", "method", "trial moves / s",
                       "median of the batches of moves; error: median absolute deviation; the "
                       "fastest is marked where it leads by more than the errors",
                       "fastest"},
                      1);
  CurveSeries& bars = c.series.front();
  // Where it leads by more than times vary; none before the end.
  const std::vector<RaceResult>& all = race_->results();
  std::vector<double> times, spreads;
  for (std::size_t k = 0; k < all.size() && !emulated(candidates_[k]); ++k)
    times.push_back(all[k].median), spreads.push_back(all[k].spread);
  bars.highlight = clearWinner(times, spreads);
  if (!race_->running() && !bars.highlight) bars.highlightLabel += kTooClose;
  if (parameters_.dimensions() == 3 && !parameters_.ideal() &&
      std::fabs(parameters_.cutoff - gcmcSpeedData().cutoff) < 1e-6) {
    addPublished(c);  // first: its symbol stays the same while speeds come in
    addFigures(c);
  }
  return c;
}

bool MethodRace::apply(GcmcParameters& p) const {
  if (!race_ || race_->running() || candidates_.empty()) return false;
  const Candidate& best = candidates_[winner()];
  choose(p, *best.method);
  p.blockSize = best.how.blockSize;
  // In the plane some rows of the parameter mean the same.
  for (std::size_t row = 0; row < gcmcMappings(3).size(); ++row) {
    GcmcParameters q = p;
    q.mapping.index = row;
    if (optionsOf(q).mapping != best.how.mapping) continue;
    p.mapping.index = row;
    break;
  }
  return true;
}

void AutoMethod::begin(std::vector<const Method*> candidates, Use use, std::function<void()> step,
                       std::uint64_t moves, std::uint32_t n) {
  candidates_ = std::move(candidates);
  absent_.assign(candidates_.size(), false);
  moves_ = moves, timedAt_ = n;
  std::vector<RaceCandidate> all;
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    all.push_back({candidates_[k]->made().key,
                   [this, k, use] { absent_[k] = !use(*candidates_[k]); },
                   [step](std::uint64_t) { step(); }});
  race_ = Race({.batch = 1, .rounds = kRounds, .warmUps = 0}, clock_);
  race_.begin(std::move(all));
}

bool AutoMethod::outdated(std::uint32_t n) const {
  if (running() || candidates_.size() < 2) return false;
  const std::uint32_t more = std::max(n, timedAt_), fewer = std::min(n, timedAt_);
  return more > kMany && more / 2 > fewer;
}

std::string AutoMethod::words() const {
  if (candidates_.empty()) return "";
  std::string words = ", chosen automatically";
  if (running()) return words + ": the candidates make the first steps in turn";
  if (race_.results().empty()) return words;
  const auto rate = [&](std::size_t k) {
    return static_cast<double>(moves_) / race_.results()[k].median;
  };
  words += fmt::format(": {:.3g} moves/s", rate(race_.winner()));
  for (std::size_t k = 0; k < candidates_.size(); ++k)
    if (k != race_.winner() && !absent_[k])
      words += fmt::format(", {} {:.3g}", candidates_[k]->made().key, rate(k));
  return words;
}

}  // namespace cellscope::gcmc
