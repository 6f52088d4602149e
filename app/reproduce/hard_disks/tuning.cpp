// Anderson et al. 2013, section 3.3: autocorrelation time of the global orientational order as a
// function of the maximum displacement d and the number of moves per cell n_M, in seconds of
// wall-clock time.
#include <fmt/format.h>

#include <chrono>
#include <complex>
#include <sstream>

#include "app/common/ending.h"
#include "app/common/terminal.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "app/reproduce/report.h"
#include "sim/algo/observables/block_average.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kEquilibration = 0.2;  // share of the time, once for all settings
// Independent samples (length over 2 tau) that a row should have: an error of 35 %.
constexpr double kEnough = 100;
constexpr std::size_t kLeastPoints = 16;  // samples taken of every setting, even past its time

struct TuningOptions {
  std::int64_t side = 256;
  double packing = 0.698;
  std::int64_t seed = 1;

  template <class V>
  void visit(V& v) {
    v(sidesOption(), side);
    v(packingsOption("Packing fraction"), packing);
    v(seedOption(), seed);
  }
};

struct MoveSetting {
  double d;
  std::int64_t nMoves;
};

struct Point {
  AutocorrelationTime time;
  double secondsPerSweep = 0, acceptance = 0, independent = 0;
  std::uint64_t every = 0;
  double seconds() const { return time.tau * static_cast<double>(every) * secondsPerSweep; }
  double error() const { return time.error * static_cast<double>(every) * secondsPerSweep; }
  bool good() const { return time.converged && independent >= kEnough; }
};

double since(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}

std::unique_ptr<Mode> equilibrated(const TuningOptions& o, const StudyContext& context,
                                   double seconds, const common::InterruptGuard& interrupt) {
  std::unique_ptr<Mode> mode = context.modes("hard_disks", context.exec);
  mode->parameters().at("n").set(o.side * o.side);
  mode->parameters().at("packing").set(o.packing);
  mode->parameters().at("seed").set(o.seed);
  mode->parameters().at("neighbours").setText("radius");
  mode->restart();
  for (const auto t = Clock::now(); since(t) < seconds && !interrupt.raised();) mode->advance(20);
  return mode;
}

// Every setting starts from the same state; `every` sweeps lie between samples of Psi6, so that
// measuring takes a small part of the time, and only sweeps count as cost.
Point measure(HardDisksMode& mode, const std::string& start, MoveSetting setting, double seconds,
              const common::InterruptGuard& interrupt) {
  std::istringstream in(start);
  mode.load(in);
  mode.parameters().at("d").set(setting.d);
  mode.parameters().at("n_M").set(setting.nMoves);
  mode.applyParameters();
  mode.advance(200);  // warm up, choose the mapping
  mode.resetAverages();
  Point p;
  p.every = 20;
  std::vector<std::complex<double>> series;
  double inSweeps = 0;
  const auto more = [&](double elapsed) {
    return elapsed < seconds || series.size() < kLeastPoints;
  };
  for (const auto t = Clock::now(); more(since(t)) && !interrupt.raised();) {
    const auto begin = Clock::now();
    mode.advance(p.every);
    inSweeps += since(begin);
    series.push_back(mode.globalPsi6());
  }
  if (series.size() < kLeastPoints) throwStopped();
  common::requireSound(mode);
  // Psi6 rotates freely in a liquid: its mean is zero and is not subtracted.
  p.time = autocorrelationTime(series, false);
  p.secondsPerSweep = inSweeps / static_cast<double>(series.size() * p.every);
  p.independent = static_cast<double>(series.size()) / (2 * p.time.tau);
  p.acceptance = mode.sample().at(columnOf(mode.info().observables, "acceptance"));
  return p;
}

// Those of Anderson et al., d = 0.06, 0.08, ..., 0.20 and n_M = 1, ..., 8, and one beyond either.
std::vector<MoveSetting> settings() {
  std::vector<MoveSetting> all;
  for (const double d : {0.06, 0.08, 0.10, 0.12, 0.14, 0.16, 0.18, 0.20, 0.28})
    all.push_back({d, 4});
  for (const std::int64_t n : {1, 2, 3, 5, 6, 7, 8, 16}) all.push_back({0.16, n});
  return all;
}

Row rowOf(const MoveSetting& s, const Point& p) {
  const double every = static_cast<double>(p.every);
  return {fmt::format("{}", s.d),
          fmt::format("{}", s.nMoves),
          fmt::format("{:.3f}", p.acceptance),
          compact(p.time.tau * every, p.time.error * every),
          compact(p.seconds(), p.error()),
          fmt::format("{:.3g}", p.secondsPerSweep),
          fmt::format("{:.0f}", p.independent),
          p.good() ? "yes" : "no"};
}

int run(const TuningOptions& o, const StudyContext& context) {
  Report report(context,
                fmt::format("Autocorrelation time of Psi6 (Anderson et al. 2013, section 3.3), N = "
                            "{}^2, packing {}",
                            o.side, o.packing),
                {"d", "n_M", "acceptance", "tau (sweeps)", "tau (seconds)", "seconds per sweep",
                 "independent samples", "long enough"});
  common::InterruptGuard interrupt;
  const std::vector<MoveSetting> all = settings();
  common::printError(fmt::format("equilibrating {}^2 disks", o.side));
  const double seconds = 60 * context.minutes;
  const std::unique_ptr<Mode> mode = equilibrated(o, context, seconds * kEquilibration, interrupt);
  std::ostringstream start;
  mode->save(start);
  const double each = seconds * (1 - kEquilibration) / static_cast<double>(all.size());
  Point best;
  MoveSetting bestSetting{};
  int poor = 0;
  for (const MoveSetting& s : all) {
    common::printError(fmt::format("d = {}, n_M = {}", s.d, s.nMoves));
    const Point p = measure(disksOf(*mode), start.str(), s, each, interrupt);
    report.row(rowOf(s, p));
    if (interrupt.raised()) throwStopped();
    poor += !p.good();
    if (p.good() && (best.every == 0 || p.seconds() < best.seconds())) best = p, bestSetting = s;
  }
  if (best.every > 0)
    report.note(
        fmt::format("Shortest time: d = {}, n_M = {}: {} s; the paper finds d = 0.16 and "
                    "n_M = 4 best on its GPU, at N = 512^2.",
                    bestSetting.d, bestSetting.nMoves, compact(best.seconds(), best.error())));
  report.note(fmt::format(
      "{} of {} rows are too short: a row needs a converged sum and {:.0f} independent samples "
      "(length over 2 tau); else its time is a lower bound. More --minutes, fewer disks (--sides) "
      "or a lower packing (--packings) helps.",
      poor, all.size(), kEnough));
  return poor == 0 ? kAgrees : kNotJudged;
}

}  // namespace

Study tuning() {
  return makeStudy<TuningOptions>({.name = "tuning",
                                   .about = "autocorrelation time against maximum displacement and "
                                            "moves per cell (Anderson et al. 2013, section 3.3)"},
                                  run);
}

}  // namespace cellscope::reproduce
