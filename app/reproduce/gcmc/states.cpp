// Published states of the fluid at given chemical potential, by the checkerboard and by serial
// chains.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/gcmc_published_states.h"
#include "sim/core/gcmc_tail.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

struct PublishedOptions {
  double length = 48;
  std::int64_t chains = 264;
  double leastDensity = 0.0012;
  std::vector<double> temperatures = {0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00, 1.05, 1.20, 1.50};

  template <class V>
  void visit(V& v) {
    v({.key = "length",
       .unit = "sigma",
       .min = 12,
       .max = 200,
       .help = "Side of the cube of the checkerboard; the serial chains have the published cube"},
      length);
    v({.key = "chains", .min = 2, .max = 4096, .help = "Serial chains side by side"}, chains);
    v({.key = "least_density",
       .min = 0,
       .max = 1,
       .help = "States of a smaller published density are left out: they take long"},
      leastDensity);
    v({.key = "temperatures", .min = 0.1, .max = 10, .help = "Published states of these"},
      temperatures);
  }
};

// Shares of the time of a state: a lattice melts at constant N, then N fluctuates, then samples.
constexpr double kStateMelt = 0.15, kStateSettled = 0.35;
constexpr double kFarFromState = 4;  // combined errors: by chance one number in 16,000

struct StateMeans {
  Mean density, energy, pressure;
  double compressibility = 0;  // var N / V: change of the density with ln z
};

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

double secondsFrom(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}
std::size_t particlesOf(const PublishedState& s, const Box& box) {
  return static_cast<std::size_t>(std::llround(s.density.value * box.volume()));
}
Mean meanOf(const BlockAverage& b) { return {b.mean(), b.error()}; }

class StateRuns {
 public:
  StateRuns(const PublishedOptions& o, const StudyContext& context, std::size_t states)
      : o_(o),
        exec_(exec::makeExec(context.exec)),
        seconds_(60 * context.minutes / static_cast<double>(2 * states)) {}

  // One checkerboard, a sample after some moves per particle; errors from blocks.
  StateMeans board(const PublishedState& s) {
    const Box box = cubicBox(o_.length);
    const auto engine = makeGcmcCheckerboard(exec_, {.attempts = attemptsAt(s)});
    engine->upload(gcmc::latticeState(box, particlesOf(s, box)),
                   makeGcmcRules(settingsAt(s, false), box));
    BlockAverage n, excess, pressure;
    const SumsOf as(s, box.volume());
    const auto moves = static_cast<std::uint64_t>(10 * s.density.value * box.volume());
    run([&] { engine->advance(moves); },
        [&] { engine->setRules(makeGcmcRules(settingsAt(s, true), box)); },
        [&] {
          const GcmcSums sums = engine->sums();
          const double count = engine->count();
          n.add(count), excess.add(as.excess(count, sums.energy));
          pressure.add(as.pressure(count, sums.virial));
        });
    return as.of(meanOf(n), meanOf(excess), meanOf(pressure), n.variance());
  }

  // Independent chains in the published cube; errors from what differs between chains.
  StateMeans serial(const PublishedState& s) {
    const Box box = cubicBox(s.length);
    const auto count = static_cast<std::size_t>(o_.chains);
    const auto rules = [&](std::size_t k, bool exchanges) {
      GcmcSettings g = settingsAt(s, exchanges);
      g.chain = static_cast<std::uint32_t>(k);
      return makeGcmcRules(g, box);
    };
    std::vector<GcmcReplica> chains;
    for (std::size_t k = 0; k < count; ++k)
      chains.push_back({gcmc::latticeState(box, particlesOf(s, box)), rules(k, false)});
    const auto replicas = makeGcmcReplicas(exec_, {});
    replicas->upload(chains);
    const SumsOf as(s, box.volume());
    std::vector<double> n(count), squares(count), excess(count), pressure(count);
    double samples = 0, virials = 0;
    run([&] { replicas->advance(2000); },
        [&] {
          for (std::size_t k = 0; k < count; ++k) replicas->chain(k).setRules(rules(k, true));
        },
        [&] {
          const std::vector<GcmcReplicaNow> now = replicas->now();
          const bool withVirial = static_cast<std::uint64_t>(samples) % 8 == 0;
          for (std::size_t k = 0; k < count; ++k) {
            n[k] += now[k].n, squares[k] += static_cast<double>(now[k].n) * now[k].n;
            excess[k] += as.excess(now[k].n, now[k].energy);
            if (withVirial) pressure[k] += as.pressure(now[k].n, replicas->chain(k).sums().virial);
          }
          samples += 1, virials += withVirial ? 1 : 0;
        });
    const Mean number = across(n, samples);
    return as.of(number, across(excess, samples), across(pressure, virials),
                 across(squares, samples).value - number.value * number.value);
  }

 private:
  template <class Advance, class Exchange, class Sample>
  void run(const Advance& advance, const Exchange& exchange, const Sample& sample) {
    const auto begin = Clock::now();
    const auto goOn = [&](double until) {
      if (interrupt_.raised()) throwStopped();
      return secondsFrom(begin) < until * seconds_;
    };
    while (goOn(kStateMelt)) advance();
    exchange();
    while (goOn(kStateSettled)) advance();
    do {
      advance();
      sample();
    } while (goOn(1));
  }
  static Mean across(const std::vector<double>& sums, double samples) {
    const auto n = static_cast<double>(sums.size());
    double mean = 0, spread = 0;
    for (const double s : sums) mean += s / samples / n;
    for (const double s : sums) spread += (s / samples - mean) * (s / samples - mean);
    return {mean, std::sqrt(spread / (n * (n - 1)))};
  }

  const PublishedOptions& o_;
  exec::Shared exec_;
  double seconds_;
  common::InterruptGuard interrupt_;
};

std::string text(const PublishedNumber& p) {
  return std::isfinite(p.value)
             ? p.error > 0 ? compact(p.value, p.error) : fmt::format("{:.6g}", p.value)
             : "-";
}
double deviationOf(const Mean& a, const Mean& b) {
  return deviation(a.value, a.error, b.value, b.error);
}
// Of the published density, with what the last digit of ln z makes of it.
double fromPublished(const Mean& a, const PublishedState& s, double compressibility) {
  return deviation(a.value, a.error, s.density.value,
                   std::hypot(s.density.error, compressibility * s.lnActivityError));
}

int runStates(const PublishedOptions& o, const StudyContext& context) {
  std::vector<PublishedState> states = publishedGcmcStates();
  std::erase_if(states, [&](const PublishedState& s) {
    const bool wanted = std::any_of(o.temperatures.begin(), o.temperatures.end(),
                                    [&](double t) { return std::abs(t - s.temperature) < 1e-6; });
    return !wanted || s.density.value < o.leastDensity;
  });
  Report report(
      context, "Published states by the checkerboard and by serial chains",
      {"state", "ln z", "potential", "density, checkerboard", "serial", "published",
       "checkerboard - serial", "- published", "energy, checkerboard", "serial", "published",
       "- serial", "pressure, checkerboard", "serial", "published", "- serial"});
  StateRuns runs(o, context, std::max<std::size_t>(states.size(), 1));
  int far = 0;
  for (const PublishedState& s : states) {
    const StateMeans a = runs.board(s), b = runs.serial(s);
    const double toSerial[3] = {deviationOf(a.density, b.density), deviationOf(a.energy, b.energy),
                                deviationOf(a.pressure, b.pressure)};
    const double toPublished = fromPublished(a.density, s, a.compressibility);
    for (const double d : {toSerial[0], toSerial[1], toSerial[2], toPublished})
      far += std::abs(d) > kFarFromState ? 1 : 0;
    report.row(
        {s.name, fmt::format("{:g}", s.lnActivity),
         fmt::format("{} at {:g}{}", s.truncation == Truncation::force ? "force-shifted" : "cut",
                     s.cutoff, s.tail ? ", tail" : ""),
         compact(a.density), compact(b.density), text(s.density), judged(toSerial[0]),
         judged(toPublished), compact(a.energy), compact(b.energy), text(s.energy),
         judged(toSerial[1]), compact(a.pressure), compact(b.pressure), text(s.pressure),
         judged(toSerial[2])});
  }
  report.note(fmt::format(
      "Checkerboard: one chain in a cube of side {:g}, errors from blocks. Serial: {} chains in "
      "the published cube of side 8, errors from what differs between them. Differences in "
      "combined standard errors; {} of {} lie beyond {:g}.",
      o.length, o.chains, far, 4 * states.size(), kFarFromState));
  report.note(
      "Published: NIST Standard Reference Simulation, in brackets the published error or half of "
      "the last digit; the digits of ln z are part of the difference in density. Pressures with "
      "tail are published as T ln Xi / V, ours is the virial, which takes the fluid beyond the "
      "cutoff for uniform: they differ by some 0.005 in a liquid.");
  return far > 0 ? 1 : 0;
}

}  // namespace

std::unique_ptr<Study> chainStates() {
  return std::make_unique<FunctionStudy<PublishedOptions>>(
      StudyInfo{.name = "gcmc_states",
                .about = "published densities, energies and pressures at given chemical potential, "
                         "by the checkerboard and by serial chains (NIST)",
                .onCpu = {{"length", "15"}, {"chains", "4"}, {"temperatures", "1.5"}}},
      runStates);
}

}  // namespace cellscope::reproduce
