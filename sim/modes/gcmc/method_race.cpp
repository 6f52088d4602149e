#include "sim/modes/gcmc/method_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/algo/gcmc/mapping.h"
#include "sim/algo/observables/gcmc_speed_reference.h"
#include "sim/base/error.h"

namespace cellscope::gcmc {
namespace {

// So that a batch of the slowest method, all particles for every move, takes well under a second.
std::uint64_t batchOf(std::size_t n, Backend where) {
  const double work = where == Backend::cuda ? 1e9 : 2e6;  // particles looked at
  return static_cast<std::uint64_t>(std::min(where == Backend::cuda ? 10000.0 : 500.0,
                                             std::max(5.0, work / static_cast<double>(n + 1))));
}

}  // namespace

void MethodRace::begin(const GcmcParameters& p, const GcmcState& state, const exec::Shared& exec) {
  stop();
  parameters_ = p, state_ = state, exec_ = exec;
  raced_ = static_cast<double>(state.point.size());
  const auto& methods = gcmcMethods();
  const auto mappings = gcmcMappings(p.dimensions());
  for (std::size_t k = 0; k < methods.size(); ++k) {
    if (!(exec->where() == Backend::cuda ? methods[k].cuda : methods[k].cpu)) continue;
    const std::string key = methods[k].key;
    if (key != "cells") {
      std::string words = key;
      std::replace(words.begin(), words.end(), '_', ' ');
      candidates_.push_back({words, key, k, 0});
      continue;
    }
    for (std::size_t row = 0; row < mappings.size(); ++row)
      candidates_.push_back({fmt::format("cells {}", mappings[row].key), mappings[row].key, k,
                             static_cast<int>(row)});
  }
  const RaceRules rules{.batch = batchOf(state.point.size(), exec->where()), .rounds = 5};
  std::vector<RaceCandidate> runners;
  for (const Candidate& c : candidates_) {
    const auto prepare = [this, c, batch = rules.batch] {
      GcmcOptions o = optionsOf(parameters_);
      o.mapping = c.mapping;
      o.movesPerLaunch = static_cast<int>(batch);
      engine_.reset();
      engine_ = gcmcMethods()[c.method].make(exec_, o);
      engine_->upload(state_, makeGcmcRules(parameters_.settings(), state_.box));
    };
    runners.push_back({c.name, prepare, [this](std::uint64_t moves) {
                         engine_->advance(moves);
                         static_cast<void>(engine_->count());  // done when it is known
                       }});
  }
  turns_ = (rules.rounds + rules.warmUps) * runners.size(), done_ = 0;
  race_.emplace(rules);
  race_->begin(std::move(runners));
}

void MethodRace::stop() {
  race_.reset();
  engine_.reset();
  candidates_.clear();
  turns_ = done_ = 0;
}

void MethodRace::advance() {
  race_->advance(~std::uint64_t{0});
  ++done_;
  if (!race_->running()) engine_.reset(), state_.point.clear(), state_.id.clear();
}

double MethodRace::progress() const {
  return turns_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(turns_);
}

std::string MethodRace::now() const {
  return candidates_.empty() ? "" : candidates_[done_ % candidates_.size()].name;
}

// What the text on Figures 6 and 7 says of the optimised microcell list, from the speeds measured
// here: its lead over no cells, and what it leaves to microcells with a kernel per move. Least and
// most of each card.
void MethodRace::addFigures(Curve& chart) const {
  const GcmcSpeedData& data = gcmcSpeedData();
  const auto found = [&](const char* name) -> std::optional<std::size_t> {
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      if (candidates_[k].published == name) return k;
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
  } all[] = {{"GeForce GTX 550 Ti", data.gtxOverNoCells, data.gtxOverMicrocells},
             {"Tesla K40c", data.k40OverNoCells, data.k40OverMicrocells(raced_)}};
  for (const auto& of : all) {
    CurveSeries ghosts;
    const auto mark = [&](std::size_t place, double speed) {
      if (!std::isfinite(speed)) return;  // not given
      ghosts.x.push_back(static_cast<double>(place));
      ghosts.y.push_back(speed);
    };
    if (many && without > 0)
      mark(*many, without * of.overNone.least), mark(*many, without * of.overNone.most);
    if (each && optimised > 0)
      mark(*each, optimised / of.overEach.most), mark(*each, optimised / of.overEach.least);
    if (ghosts.x.empty()) continue;
    ghosts.label = fmt::format("from the speed-ups published for the {} and the speeds here: {}",
                               of.card, "microcells over no cells, one kernel over one per move");
    ghosts.source = data.figureSource;
    ghosts.kind = SeriesKind::points;
    ghosts.reference = true;
    chart.series.push_back(std::move(ghosts));
  }
}

void MethodRace::addReferences(Curve& chart) const {
  const GcmcSpeedData& data = gcmcSpeedData();
  const bool comparable = parameters_.dimensions() == 3 && !parameters_.ideal() &&
                          std::fabs(parameters_.cutoff - data.cutoff) < 1e-6;
  if (!comparable) return;
  addFigures(chart);
  CurveSeries ghosts;
  double published = 0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const auto speed = publishedGcmcSpeed(candidates_[k].published, raced_);
    if (!speed) continue;
    ghosts.x.push_back(static_cast<double>(k));
    ghosts.y.push_back(speed->movesPerSecond);
    published = speed->particles;
  }
  if (ghosts.x.empty()) return;
  ghosts.label = fmt::format("published, N = {:g}: {}; {}", published, data.mappingHardware,
                             data.serialHardware);
  ghosts.source = data.source + "; " + data.mappingSource;
  ghosts.kind = SeriesKind::points;
  ghosts.reference = true;
  chart.series.push_back(std::move(ghosts));
}

std::optional<Curve> MethodRace::chart() const {
  if (!race_ || race_->standings().empty()) return std::nullopt;
  Curve c =
      raceCurve(*race_,
                {"method_race", "Race of methods and mappings", "method", "trial moves per second",
                 "median of the batches of moves; error: median absolute deviation"},
                1);
  addReferences(c);
  return c;
}

bool MethodRace::apply(GcmcParameters& p) const {
  if (!race_ || race_->running() || candidates_.empty()) return false;
  const Candidate& best = candidates_[race_->winner()];
  p.method.index = best.method + 1;  // after "auto"
  // In the plane some rows of the parameter mean the same.
  for (std::size_t row = 0; row < gcmcMappings(3).size(); ++row) {
    GcmcParameters q = p;
    q.mapping.index = row;
    if (optionsOf(q).mapping != best.mapping) continue;
    p.mapping.index = row;
    break;
  }
  return true;
}

}  // namespace cellscope::gcmc
