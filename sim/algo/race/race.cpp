#include "sim/algo/race/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "sim/base/error.h"

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
  part_ = {};
  if (!candidates_.empty()) candidates_.front().prepare();
  prepared_ = true;
  if (candidates_.size() == 1 && !rules_.alone) turn_ = rules_.warmUps + rules_.rounds;
}

std::uint64_t Race::advance(std::uint64_t most) {
  CELLSCOPE_ASSERT(running());
  const std::size_t next = turn_ % candidates_.size();
  if (!std::exchange(prepared_, false)) {
    candidates_[next].prepare();
    part_ = {};
  }
  const std::uint64_t units = std::min(most, rules_.batch - part_.units);
  const double begin = clock_();
  candidates_[next].run(units);
  part_.seconds += clock_() - begin;
  const auto& done = candidates_[next].done;
  part_.work += done ? done() : static_cast<double>(units);
  part_.units += units;
  prepared_ = true;
  if (part_.units < rules_.batch) return units;
  const Part whole = std::exchange(part_, {});
  if (turn_ / candidates_.size() >= rules_.warmUps)
    seconds_[next].push_back(shortest(candidates_[next], whole.seconds) / whole.work);
  ++turn_;
  for (std::size_t i = 0; !running() && i < candidates_.size(); ++i)
    results_.push_back(resultOf(i));
  prepared_ = false;
  candidates_[running() ? turn_ % candidates_.size() : winner()].prepare();
  prepared_ = true;
  return units;
}

// Of a batch that has just taken so long.
double Race::shortest(const RaceCandidate& candidate, double seconds) const {
  constexpr int kMost = 100;  // times, on a fast device
  double least = seconds, spent = seconds;
  for (int k = 0; k < kMost && spent < rules_.again; ++k) {
    const double begin = clock_();
    candidate.run(rules_.batch);
    const double took = clock_() - begin;
    least = std::min(least, took), spent += took;
  }
  return least;
}

RaceResult Race::resultOf(std::size_t candidate) const {
  const std::vector<double>& seconds = seconds_[candidate];
  RaceResult r{candidates_[candidate].name, 0, 0};
  if (seconds.empty()) return r;
  r.median = medianOf(seconds);
  r.least = *std::min_element(seconds.begin(), seconds.end());
  std::vector<double> deviations;
  for (const double s : seconds) deviations.push_back(std::fabs(s - r.median));
  r.spread = medianOf(std::move(deviations));
  return r;
}

std::vector<RaceStanding> Race::standings() const {
  std::vector<RaceStanding> all;
  if (candidates_.size() < (rules_.alone ? 1 : 2)) return all;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    all.push_back({resultOf(i), seconds_[i].size(), rules_.rounds,
                   running() && turn_ % candidates_.size() == i});
  return all;
}

std::string RaceStanding::inWords(const std::string& name) const {
  if (next) return name + " (timing)";
  if (rounds == 0) return name + " (waiting)";
  return rounds < of ? fmt::format("{} ({} of {})", name, rounds, of) : name;
}

std::size_t Race::winner() const {
  CELLSCOPE_ASSERT(!running() && !candidates_.empty());
  const auto best = std::ranges::min_element(results_, {}, &RaceResult::median);
  return static_cast<std::size_t>(best - results_.begin());  // 0 for a single candidate
}

// Other programs run where times vary by more than this share.
static constexpr double kBusy = 0.1;

std::string busyWords(const std::vector<RaceStanding>& standings) {
  constexpr std::size_t kFewestRounds = 3;  // rounds that tell
  double worst = 0, longest = 1;
  for (const RaceStanding& s : standings)
    if (s.rounds >= kFewestRounds) {
      worst = std::max(worst, s.result.spread / s.result.median);
      longest = std::max(longest, s.result.median / s.result.least);
    }
  return worst < kBusy ? "" : busyWords(longest);  // a single short time does not count
}

std::string busyWords(double longest) {
  return longest < 1 + kBusy ? "" : fmt::format(", up to {:.2g} x: busy", longest);
}

std::optional<std::size_t> clearWinner(const std::vector<double>& times,
                                       const std::vector<double>& spreads, bool shortest) {
  const auto best =
      static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
  for (std::size_t k = 0; k < times.size(); ++k)
    if (k != best && times[k] - times[best] <= spreads[best] + (shortest ? 0 : spreads[k]))
      return {};
  return times.empty() ? std::optional<std::size_t>() : best;
}

Curve raceCurve(const Race& race, const RaceWords& words, double workPerUnit) {
  Curve c{
      words.id,
      words.label,
      {words.candidates, AxisScale::named},
      {words.rate, AxisScale::logarithmic},  // the slowest by a hundredth of the fastest, or less
      words.equation};
  CurveSeries bars{.label = "measured" + busyWords(race.standings()), .kind = SeriesKind::bars};
  for (const RaceStanding& s : race.standings()) {
    const auto x = static_cast<double>(c.x.names.size());
    c.x.names.push_back(s.inWords());
    if (!s.timed()) continue;
    const double rate = workPerUnit / s.result.median;
    bars.add(x, rate, rate * s.result.spread / s.result.median);
  }
  if (!race.results().empty()) {
    bars.highlight = race.winner();
    bars.highlightLabel = words.winner;
  }
  c.series = {std::move(bars)};
  return c;
}

}  // namespace cellscope
