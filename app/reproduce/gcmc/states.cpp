// Published states of the fluid at given chemical potential: serial chains in the published cube
// against the published values, the checkerboard against serial chains in cubes of its own size.
// Averages depend on the size: in a small box by the fluctuations of N, with the tail correction
// (energy c N^2 / V) more so.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/reproduce/gcmc/gcmc_study.h"
#include "sim/algo/gcmc/checkerboard.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/drift.h"
#include "sim/algo/observables/gcmc_published_states.h"
#include "sim/core/gcmc_tail.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

struct PublishedOptions {
  std::vector<double> lengths = {8, 12, 16};
  std::int64_t chains = 264;
  double leastDensity = 0.0012;
  std::vector<double> temperatures = {0.70, 0.75, 0.80, 0.85, 0.90, 0.95, 1.00, 1.05, 1.20, 1.50};

  template <class V>
  void visit(V& v) {
    v({.key = "lengths",
       .unit = "sigma",
       .min = 8,
       .max = 200,
       .help = "Sides of the cubes: serial chains in all of them, the checkerboard where four of "
               "its cells have room. Published values are of side 8"},
      lengths);
    v({.key = "chains", .min = 8, .max = 4096, .help = "Serial chains side by side"}, chains);
    v({.key = "least_density",
       .min = 0,
       .max = 1,
       .help = "States of a smaller published density are left out: they take long"},
      leastDensity);
    v({.key = "temperatures", .min = 0.1, .max = 10, .help = "Published states of these"},
      temperatures);
  }
};

// Shares of the time of a run: a lattice melts at constant N, then N fluctuates, then samples.
constexpr double kMeltUntil = 0.15, kSettledAt = 0.35;
constexpr double kFarFromState = 4;  // combined errors: by chance one number in 16,000

struct StateMeans {
  Mean density, energy, pressure;
  double compressibility = 0;  // var N / V: change of the density with ln z
  double rareness = 1;         // studentFactor() of its errors
  std::string wrong;           // "": it can be compared
};

// An error of so many degrees of freedom, times this: kFarFromState of them are as rare as exact
// ones (Student's quantile, first terms of its expansion).
double studentFactor(double freedom) {
  const double z = kFarFromState * kFarFromState;
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
bool boardHasRoom(const PublishedState& s, double length) { return length >= 4 * s.cutoff; }
bool isPublishedSize(const PublishedState& s, double length) {
  return std::abs(length - s.length) < 1e-9;
}

double secondsFrom(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}
std::size_t particlesOf(const PublishedState& s, const Box& box) {
  return static_cast<std::size_t>(std::llround(s.density.value * box.volume()));
}
Mean meanOf(const BlockAverage& b) { return {b.mean(), b.error()}; }

// A quantity on the way of a run; of several chains their mean.
class Course {
 public:
  void add(double value) { values_.push_back(value), average_.add(value); }
  const BlockAverage& average() const { return average_; }
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
  static constexpr std::size_t kLeastSamples = 64;
  std::vector<double> values_;
  BlockAverage average_;
};

std::string firstWrong(const Course& n, const Course& excess) {
  const std::string wrong = n.wrong();
  return wrong.empty() ? excess.wrong() : wrong;
}

// Sums over the samples of each chain.
struct ChainSums {
  std::vector<double> sum;
  double samples = 0;
  explicit ChainSums(std::size_t chains) : sum(chains) {}
  // The error from what differs between chains.
  Mean mean() const {
    const auto n = static_cast<double>(sum.size());
    double mean = 0, spread = 0;
    for (const double s : sum) mean += s / samples / n;
    for (const double s : sum) spread += (s / samples - mean) * (s / samples - mean);
    return {mean, std::sqrt(spread / (n * (n - 1)))};
  }
};

class StateRuns {
 public:
  StateRuns(const PublishedOptions& o, const StudyContext& context, std::size_t runs)
      : o_(o),
        exec_(exec::makeExec(context.exec)),
        seconds_(60 * context.minutes / static_cast<double>(std::max<std::size_t>(runs, 1))) {}

  // One checkerboard, a sample after some moves per particle; errors from blocks.
  StateMeans board(const PublishedState& s, double length) {
    const Box box = cubicBox(length);
    const auto engine = makeGcmcCheckerboard(exec_, {.attempts = attemptsAt(s)});
    engine->upload(gcmc::latticeState(box, particlesOf(s, box)),
                   makeGcmcRules(settingsAt(s, false), box));
    Course n, excess, pressure;
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
    StateMeans m = as.of(meanOf(n.average()), meanOf(excess.average()), meanOf(pressure.average()),
                         n.average().variance());
    m.rareness = studentFactor(31);  // of 32 blocks, the fewest of a converged average
    m.wrong = firstWrong(n, excess);
    return m;
  }

  // Independent chains; errors from what differs between them.
  StateMeans serial(const PublishedState& s, double length) {
    const Box box = cubicBox(length);
    const auto count = static_cast<std::size_t>(o_.chains);
    const std::unique_ptr<GcmcReplicas> chains = startChains(s, box, count);
    const SumsOf as(s, box.volume());
    ChainSums n(count), squares(count), excess(count), pressure(count);
    Course meanN, meanExcess;
    const auto moves = std::max<std::uint64_t>(2000, particlesOf(s, box));
    run([&] { chains->advance(moves); },
        [&] {
          for (std::size_t k = 0; k < count; ++k)
            chains->chain(k).setRules(rulesOfChain(s, box, k, true));
        },
        [&] {
          const std::vector<GcmcReplicaNow> now = chains->now();
          const bool withVirial = static_cast<std::uint64_t>(n.samples) % 8 == 0;
          double allN = 0, allExcess = 0;
          for (std::size_t k = 0; k < count; ++k) {
            const double energy = as.excess(now[k].n, now[k].energy);
            n.sum[k] += now[k].n, squares.sum[k] += static_cast<double>(now[k].n) * now[k].n;
            excess.sum[k] += energy;
            allN += now[k].n, allExcess += energy;
            if (withVirial) pressure.sum[k] += as.pressure(now[k].n, chains->chain(k).sums().virial);
          }
          meanN.add(allN), meanExcess.add(allExcess);
          n.samples = squares.samples = excess.samples += 1;
          pressure.samples += withVirial ? 1 : 0;
        });
    const Mean number = n.mean();
    StateMeans m = as.of(number, excess.mean(), pressure.mean(),
                         squares.mean().value - number.value * number.value);
    m.rareness = studentFactor(static_cast<double>(count - 1));
    m.wrong = firstWrong(meanN, meanExcess);
    return m;
  }

 private:
  static GcmcRules rulesOfChain(const PublishedState& s, const Box& box, std::size_t chain,
                                bool exchanges) {
    GcmcSettings g = settingsAt(s, exchanges);
    g.chain = static_cast<std::uint32_t>(chain);
    return makeGcmcRules(g, box);
  }
  std::unique_ptr<GcmcReplicas> startChains(const PublishedState& s, const Box& box,
                                            std::size_t count) const {
    std::vector<GcmcReplica> chains;
    for (std::size_t k = 0; k < count; ++k)
      chains.push_back(
          {gcmc::latticeState(box, particlesOf(s, box)), rulesOfChain(s, box, k, false)});
    std::unique_ptr<GcmcReplicas> replicas = makeGcmcReplicas(exec_, {});
    replicas->upload(chains);
    return replicas;
  }
  template <class Advance, class Exchange, class Sample>
  void run(const Advance& advance, const Exchange& exchange, const Sample& sample) {
    const auto begin = Clock::now();
    const auto goOn = [&](double until) {
      if (interrupt_.raised()) throwStopped();
      return secondsFrom(begin) < until * seconds_;
    };
    while (goOn(kMeltUntil)) advance();
    exchange();
    while (goOn(kSettledAt)) advance();
    do {
      advance();
      sample();
    } while (goOn(1));
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

// One row: a state at one size.
class StateRow {
 public:
  StateRow(const PublishedState& s, double length, const StateMeans& serial,
           const std::optional<StateMeans>& board, const StateMeans& smallest)
      : s_(s), length_(length), serial_(serial), board_(board), smallest_(smallest) {}

  Row cells() {
    Row row = {s_.name, fmt::format("{:g}", s_.lnActivity),
               fmt::format("{} at {:g}{}",
                           s_.truncation == Truncation::force ? "force-shifted" : "cut", s_.cutoff,
                           s_.tail ? ", tail" : ""),
               fmt::format("{:g}", length_)};
    const double ofLnZ = serial_.compressibility * s_.lnActivityError;
    addQuantity(&StateMeans::density, s_.density, ofLnZ, true, row);
    addQuantity(&StateMeans::energy, s_.energy, 0, true, row);
    // Of a plain cut T ln Xi / V is published, and the virial lacks the step of the potential.
    addQuantity(&StateMeans::pressure, s_.pressure, 0, s_.truncation == Truncation::force, row);
    row.push_back(verdict());
    return row;
  }
  int far() const { return far_; }
  int compared() const { return compared_; }

 private:
  // Ours by serial chains and by the checkerboard, their difference, published, the difference to
  // it, and the change since the smallest cube.
  void addQuantity(Mean StateMeans::*which, const PublishedNumber& published, double more,
                   bool comparable, Row& row) {
    const Mean& ours = serial_.*which;
    const bool there = isPublishedSize(s_, length_) && std::isfinite(published.value);
    row.push_back(compact(ours));
    row.push_back(board_ ? compact((*board_).*which) : "-");
    row.push_back(board_ && board_->wrong.empty() && serial_.wrong.empty()
                      ? judge(ours.value - ((*board_).*which).value,
                              std::hypot(serial_.rareness * ours.error,
                                         board_->rareness * ((*board_).*which).error))
                      : "-");
    row.push_back(there ? text(published) : "-");
    row.push_back(there && comparable && serial_.wrong.empty()
                      ? judge(ours.value - published.value,
                              std::hypot(serial_.rareness * ours.error, published.error, more))
                      : "-");
    const Mean& before = smallest_.*which;
    row.push_back(&serial_ == &smallest_
                      ? "-"
                      : compact(ours.value - before.value, std::hypot(ours.error, before.error)));
  }
  std::string judge(double difference, double error) {
    const double sigmas = difference / error;
    const bool isFar = std::abs(sigmas) > kFarFromState;
    ++compared_, far_ += isFar ? 1 : 0;
    return fmt::format("{:+.1f}{}", sigmas, isFar ? " (too far)" : "");
  }
  std::string verdict() const {
    if (!serial_.wrong.empty()) return "no: serial, " + serial_.wrong;
    if (board_ && !board_->wrong.empty()) return "no: checkerboard, " + board_->wrong;
    return "yes";
  }

  const PublishedState& s_;
  double length_;
  const StateMeans& serial_;
  const std::optional<StateMeans>& board_;
  const StateMeans& smallest_;
  int far_ = 0, compared_ = 0;
};

Row columns() {
  Row all = {"state", "ln z", "potential", "side"};
  for (const char* quantity : {"density", "energy", "pressure"})
    for (const std::string& column :
         {fmt::format("{}, serial", quantity), std::string("checkerboard"),
          std::string("serial - checkerboard"), std::string("published"),
          std::string("serial - published"), std::string("change with the side")})
      all.push_back(column);
  all.emplace_back("equilibrated");
  return all;
}

std::vector<PublishedState> statesOf(const PublishedOptions& o) {
  std::vector<PublishedState> states = publishedGcmcStates();
  std::erase_if(states, [&](const PublishedState& s) {
    const bool wanted = std::any_of(o.temperatures.begin(), o.temperatures.end(),
                                    [&](double t) { return std::abs(t - s.temperature) < 1e-6; });
    return !wanted || s.density.value < o.leastDensity;
  });
  return states;
}

void addNotes(const PublishedOptions& o, int far, int compared, Report& report) {
  report.note(fmt::format(
      "Equal boxes are compared: serial chains with published values in the published cube, the "
      "checkerboard with serial chains in a cube of its size. Serial: {} chains, errors from what "
      "differs between them. Checkerboard: one chain, errors from blocks. In brackets one standard "
      "error; differences in combined standard errors, widened for the few chains and blocks that "
      "they come from. {} of {} lie beyond {:g}, which chance does to one in 16,000.",
      o.chains, far, compared, kFarFromState));
  report.note(
      "Change with the side: of the serial chains since the first side of the list. A small box "
      "has larger fluctuations of N, and with a tail correction a mean field of its own N: near "
      "the critical point, and in dense vapours, that shifts its energy and density by many errors. "
      "That is physics, and is not judged.");
  report.note(
      "Equilibrated: no comparison is made of a run with fewer than 64 samples, with an error that "
      "its blocks do not settle, or with a drift from its first fifth to its last half.");
  report.note(
      "Published: NIST Standard Reference Simulation, in brackets the published error or half of "
      "the last digit; the digits of ln z are part of the difference in density. Pressures with "
      "tail are published as T ln Xi / V and not compared: ours is the virial, which takes the "
      "fluid beyond the cutoff for uniform, and differs by some 0.005 in a liquid.");
}

int runStates(const PublishedOptions& o, const StudyContext& context) {
  const std::vector<PublishedState> states = statesOf(o);
  std::size_t runs = 0;
  for (const PublishedState& s : states)
    for (const double length : o.lengths) runs += boardHasRoom(s, length) ? 2 : 1;
  Report report(context, "Published states by serial chains and by the checkerboard", columns());
  StateRuns run(o, context, runs);
  int far = 0, compared = 0;
  for (const PublishedState& s : states) {
    std::optional<StateMeans> smallest;
    for (const double length : o.lengths) {
      const StateMeans serial = run.serial(s, length);
      std::optional<StateMeans> board;
      if (boardHasRoom(s, length)) board = run.board(s, length);
      StateRow row(s, length, serial, board, smallest ? *smallest : serial);
      report.row(row.cells());
      far += row.far(), compared += row.compared();
      if (!smallest) smallest = serial;
    }
  }
  addNotes(o, far, compared, report);
  return far > 0 ? 1 : 0;
}

}  // namespace

std::unique_ptr<Study> chainStates() {
  return std::make_unique<FunctionStudy<PublishedOptions>>(
      StudyInfo{.name = "gcmc_states",
                .about = "published densities, energies and pressures at given chemical potential, "
                         "by serial chains and by the checkerboard, in cubes of several sizes "
                         "(NIST)",
                .onCpu = {{"chains", "16"}, {"temperatures", "1.5"}}},
      runStates);
}

}  // namespace cellscope::reproduce
