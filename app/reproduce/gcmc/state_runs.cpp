#include "app/reproduce/gcmc/state_runs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/drift.h"
#include "sim/core/gcmc_tail.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

using StateClock = std::chrono::steady_clock;

// Shares of the time of a run: a lattice melts at constant N, then N fluctuates, then samples.
constexpr double kMeltUntil = 0.15, kSettledAt = 0.35;

// An error of this number of degrees of freedom, times this: kAllowed of them are as rare as exact
// ones (Student's quantile, first terms of its expansion).
double studentFactor(double freedom) {
  constexpr double z = kAllowed * kAllowed;
  return 1 + (z + 1) / (4 * freedom) + (5 * z * z + 16 * z + 3) / (96 * freedom * freedom) +
         (3 * z * z * z + 19 * z * z + 17 * z - 15) / (384 * freedom * freedom * freedom);
}

GcmcSettings settingsAt(const PublishedState& s, bool exchanges) {
  GcmcSettings g;
  g.seed = 1;
  g.temperature = s.temperature, g.activity = std::exp(s.lnActivity);
  g.ratio[0] = exchanges ? 0.3 : 1, g.ratio[1] = g.ratio[2] = exchanges ? 0.35 : 0;
  g.maxDisplacement = s.density.value > 0.3 ? 0.2 : 1;
  g.truncation = s.truncation, g.cutoff = s.cutoff, g.tail = s.tail;
  return g;
}

// N, U and the virial of a state become density, energy per particle and pressure. Of the energy
// the part that does not follow N is averaged, so that <U> / <N> has its own error.
class SumsOf {
 public:
  SumsOf(const PublishedState& s, double volume)
      : s_(s), volume_(volume), guess_(std::isfinite(s.energy.value) ? s.energy.value : 0) {}
  double excess(double n, double energy) const {
    return energy + (s_.tail ? tailEnergy(3, s_.cutoff) * n * n / volume_ : 0) - guess_ * n;
  }
  double pressure(double n, double virial) const {
    const double rho = n / volume_;
    return rho * s_.temperature + virial / (3 * volume_) +
           (s_.tail ? tailPressure(3, s_.cutoff) * rho * rho : 0);
  }
  StateMeans of(const Mean& n, const Mean& excess, const Mean& pressure, double variance) const {
    return {{n.value / volume_, n.error / volume_},
            {guess_ + excess.value / n.value, excess.error / n.value},
            pressure,
            variance / volume_};
  }

 private:
  const PublishedState& s_;
  double volume_, guess_;
};

// In a gas few are enough for a cell to forget what it held.
int attemptsAt(const PublishedState& s) {
  const double inCell = s.density.value * s.cutoff * s.cutoff * s.cutoff;
  return std::clamp(static_cast<int>(3 * inCell), 4, 32);
}
double secondsFrom(StateClock::time_point t) {
  return std::chrono::duration<double>(StateClock::now() - t).count();
}
std::size_t particlesOf(const PublishedState& s, const Box& box) {
  return static_cast<std::size_t>(std::llround(s.density.value * box.volume()));
}

// A quantity of one chain on the way of a run.
class Course {
 public:
  void add(double value) { values_.push_back(value), average_.add(value); }
  Mean mean() const { return {average_.mean(), average_.error()}; }
  double variance() const { return average_.variance(); }
  // Why its average and error are not known yet.
  std::string wrong() const {
    if (values_.size() < kLeastSamples || !average_.converged()) return "too few samples";
    const double drift = driftOver(std::span<const double>(values_), [](const auto& last) {
      BlockAverage b;
      for (const double v : last) b.add(v);
      return b.error();
    });
    return std::abs(drift) > kAllowed ? "still drifting" : "";
  }

 private:
  std::vector<double> values_;
  BlockAverage average_;
};

// Mean of independent values.
Mean meanOf(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, spread = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) spread += (v - mean) * (v - mean);
  return {mean, std::sqrt(spread / (n * (n - 1)))};
}

// A quantity of many chains: errors from what differs between them.
class OfChains {
 public:
  // One value per chain. progress: share of the time of sampling that is over.
  void add(const std::vector<double>& values, double progress) {
    all_.add(values);
    if (progress <= 0.2) first_.add(values);
    if (progress >= 0.5) last_.add(values);
  }
  Mean mean() const { return meanOf(all_.means()); }
  std::string wrong() const {
    if (all_.samples < kLeastSamples || first_.samples < 1 || last_.samples < 1)
      return "too few samples";
    std::vector<double> change = first_.means();
    const std::vector<double> last = last_.means();
    for (std::size_t k = 0; k < change.size(); ++k) change[k] -= last[k];
    const Mean drift = meanOf(change);
    const double allowed = kAllowed * studentFactor(static_cast<double>(change.size() - 1));
    return std::abs(drift.value) > allowed * drift.error ? "still drifting" : "";
  }

 private:
  struct Sums {
    std::vector<double> sum;
    double samples = 0;
    void add(const std::vector<double>& values) {
      sum.resize(values.size());
      for (std::size_t k = 0; k < values.size(); ++k) sum[k] += values[k];
      samples += 1;
    }
    std::vector<double> means() const {
      std::vector<double> all = sum;
      for (double& v : all) v /= samples;
      return all;
    }
  };
  Sums all_, first_, last_;
};

template <class Quantity>
std::string firstWrong(const Quantity& n, const Quantity& excess) {
  const std::string wrong = n.wrong();
  return wrong.empty() ? excess.wrong() : wrong;
}

GcmcRules rulesOfChain(const PublishedState& s, const Box& box, std::size_t chain, bool exchanges) {
  GcmcSettings g = settingsAt(s, exchanges);
  g.chain = static_cast<std::uint32_t>(chain);
  return makeGcmcRules(g, box);
}

// What serial chains are asked for.
struct SerialSamples {
  OfChains n, squares, excess, pressure;
  std::uint64_t taken = 0;

  // The virial, which is not kept, now and then.
  void add(GcmcReplicas& chains, const SumsOf& as, double progress) {
    const bool withVirial = taken++ % 8 == 0;
    std::vector<double> number, square, energy, virial;
    for (const GcmcReplicaNow& now : chains.now()) {
      const double count = now.n;
      number.push_back(count), square.push_back(count * count);
      energy.push_back(as.excess(count, now.energy));
      if (withVirial)
        virial.push_back(as.pressure(count, chains.chain(virial.size()).sums().virial));
    }
    n.add(number, progress), squares.add(square, progress), excess.add(energy, progress);
    if (withVirial) pressure.add(virial, progress);
  }
  StateMeans means(const SumsOf& as, std::size_t chains) const {
    const Mean number = n.mean();
    StateMeans m = as.of(number, excess.mean(), pressure.mean(),
                         squares.mean().value - number.value * number.value);
    m.rareness = studentFactor(static_cast<double>(chains - 1));
    m.wrong = firstWrong(n, excess);
    return m;
  }
};

}  // namespace

template <class Advance, class Exchange, class Sample>
void StateRuns::run(const Advance& advance, const Exchange& exchange, const Sample& sample) {
  const auto begin = StateClock::now();
  const auto over = [&] {  // share of the time
    if (interrupt_.raised()) throwStopped();
    return secondsFrom(begin) / seconds_;
  };
  while (over() < kMeltUntil) advance();
  exchange();
  while (over() < kSettledAt) advance();
  do {
    advance();
    sample((over() - kSettledAt) / (1 - kSettledAt));
  } while (over() < 1);
}

StateMeans StateRuns::serial(const PublishedState& s, double length) {
  const Box box = cubicBox(length);
  std::vector<GcmcReplica> starts;
  for (std::size_t k = 0; k < chains_; ++k)
    starts.push_back(
        {gcmc::latticeState(box, particlesOf(s, box)), rulesOfChain(s, box, k, false)});
  const std::unique_ptr<GcmcReplicas> chains = makeGcmcReplicas(exec_, {});
  chains->upload(starts);
  const SumsOf as(s, box.volume());
  const auto moves = std::max<std::uint64_t>(2000, particlesOf(s, box));
  SerialSamples samples;
  run([&] { chains->advance(moves); },
      [&] {
        for (std::size_t k = 0; k < chains_; ++k)
          chains->chain(k).setRules(rulesOfChain(s, box, k, true));
      },
      [&](double progress) { samples.add(*chains, as, progress); });
  return samples.means(as, chains_);
}

// A sample after ten moves per particle.
StateMeans StateRuns::board(const PublishedState& s, double length) {
  const Box box = cubicBox(length);
  const auto engine = makeGcmcEngine("checkerboard", exec_, {.attempts = attemptsAt(s)});
  engine->upload(gcmc::latticeState(box, particlesOf(s, box)),
                 makeGcmcRules(settingsAt(s, false), box));
  Course n, excess, pressure;
  const SumsOf as(s, box.volume());
  const auto moves = static_cast<std::uint64_t>(10 * s.density.value * box.volume());
  run([&] { engine->advance(moves); },
      [&] { engine->setRules(makeGcmcRules(settingsAt(s, true), box)); },
      [&](double) {
        const GcmcSums sums = engine->sums();
        const double count = engine->count();
        n.add(count), excess.add(as.excess(count, sums.energy));
        pressure.add(as.pressure(count, sums.virial));
      });
  StateMeans m = as.of(n.mean(), excess.mean(), pressure.mean(), n.variance());
  m.rareness = studentFactor(31);  // of 32 blocks, the fewest of an error that is settled
  m.wrong = firstWrong(n, excess);
  return m;
}

}  // namespace cellscope::reproduce
