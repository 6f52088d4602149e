#include "sim/algo/race/race.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "sim/core/assert.h"

namespace cellscope {

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double medianOf(std::vector<double> values) {
  CELLSCOPE_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Race::Race(RaceRules rules, RaceClock clock) : rules_(rules), clock_(std::move(clock)) {
  CELLSCOPE_ASSERT(rules_.batch > 0 && rules_.rounds > 0);
}

void Race::begin(std::vector<RaceCandidate> candidates) {
  candidates_ = std::move(candidates);
  seconds_.assign(candidates_.size(), {});
  results_.clear();
  turn_ = 0;
  if (!candidates_.empty()) candidates_.front().prepare();
  if (candidates_.size() == 1) turn_ = rules_.warmUps + rules_.rounds;
}

std::uint64_t Race::advance(std::uint64_t most) {
  CELLSCOPE_ASSERT(running());
  const std::size_t next = turn_ % candidates_.size();
  const std::uint64_t units = std::min(most, rules_.batch);
  const double begin = clock_();
  candidates_[next].run(units);
  const double seconds = clock_() - begin;
  if (units < rules_.batch) return units;
  if (turn_ / candidates_.size() >= rules_.warmUps)
    seconds_[next].push_back(seconds / static_cast<double>(units));
  ++turn_;
  if (!running()) results_ = soFar();
  candidates_[running() ? turn_ % candidates_.size() : winner()].prepare();
  return units;
}

void Race::finish() {
  while (running()) advance(rules_.batch);
}

std::vector<RaceResult> Race::soFar() const {
  std::vector<RaceResult> results;
  for (std::size_t i = 0; i < candidates_.size() && !seconds_[i].empty(); ++i) {
    RaceResult r{candidates_[i].name, medianOf(seconds_[i]), 0};
    std::vector<double> deviations;
    for (const double s : seconds_[i]) deviations.push_back(std::fabs(s - r.median));
    r.spread = medianOf(std::move(deviations));
    results.push_back(std::move(r));
  }
  return results;
}

std::size_t Race::winner() const {
  CELLSCOPE_ASSERT(!running() && !candidates_.empty());
  const auto best = std::min_element(
      results_.begin(), results_.end(),
      [](const RaceResult& a, const RaceResult& b) { return a.median < b.median; });
  return static_cast<std::size_t>(best - results_.begin());  // 0 for a single candidate
}

Curve raceCurve(const Race& race, const RaceWords& words, double workPerUnit) {
  Curve c;
  c.id = words.id;
  c.label = words.label;
  c.x.label = words.candidates;
  c.x.scale = AxisScale::named;
  c.y.label = words.rate;
  c.y.scale = AxisScale::logarithmic;  // the slowest by a hundredth of the fastest, or less
  c.equation = words.equation;
  CurveSeries bars;
  bars.label = "measured";
  bars.kind = SeriesKind::bars;
  for (const RaceResult& r : race.soFar()) {
    bars.x.push_back(static_cast<double>(bars.x.size()));
    bars.y.push_back(workPerUnit / r.median);
    bars.error.push_back(bars.y.back() * r.spread / r.median);
    c.x.names.push_back(r.name);
  }
  if (!race.results().empty()) {
    bars.highlight = race.winner();
    bars.highlightLabel = words.winner;
  }
  c.series = {std::move(bars)};
  return c;
}

}  // namespace cellscope
