#include "app/reproduce/gcmc/gcmc_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/base/box.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMeltShare = 0.2;      // of the time of a state
constexpr double kMeltMovesEach = 7;    // two displacements per particle
constexpr std::uint64_t kFewest = 200;  // moves of a timing, even past its time

double since(Clock::time_point t) {
  return std::chrono::duration<double>(Clock::now() - t).count();
}

GcmcSettings settingsOf(const Liquid& liquid) {
  GcmcSettings s;
  s.seed = 1;
  s.temperature = 1.2;
  s.activity = std::exp(-2.5);
  s.ratio[0] = 0.3, s.ratio[1] = s.ratio[2] = 0.35;
  s.maxDisplacement = 0.2;
  s.cutoff = liquid.cutoff;
  s.tail = true;
  return s;
}

}  // namespace

ParameterInfo particlesOption() {
  return {.key = "particles", .min = 64, .max = 2097152, .help = "Particles at the start"};
}

ParameterInfo movesOption() {
  return {.key = "moves",
          .min = 100,
          .max = 100000000,
          .help =
              "Trial moves to be timed of each method at most; fewer where its share of the "
              "time ends before"};
}

ChainTimer::ChainTimer(const StudyContext& context, std::size_t rows, std::size_t methods,
                       std::uint64_t mostMoves)
    : exec_(exec::makeExec(context.exec)),
      cpu_(exec::makeExec({Backend::cpu, 1, 0})),
      mostMoves_(mostMoves) {
  const double seconds = 60 * context.minutes / static_cast<double>(std::max<std::size_t>(rows, 1));
  secondsPerMelt_ = kMeltShare * seconds;
  secondsPerTiming_ =
      (1 - kMeltShare) * seconds / static_cast<double>(std::max<std::size_t>(methods, 1));
}

void ChainTimer::begin(const Liquid& liquid) {
  const Box box = cubicBox(std::cbrt(static_cast<double>(liquid.particles) / liquid.density));
  rules_ = makeGcmcRules(settingsOf(liquid), box);
  const char* const fastest = exec_->where() == Backend::cuda ? "half_warps" : "serial_cells";
  const auto engine = makeGcmcEngine(fastest, exec_);
  engine->upload(gcmc::latticeState(box, static_cast<std::size_t>(liquid.particles)), rules_);
  const auto begin = Clock::now();
  const auto wanted =
      static_cast<std::uint64_t>(kMeltMovesEach * static_cast<double>(liquid.particles));
  for (std::uint64_t done = 0; done < wanted && since(begin) < secondsPerMelt_; done += 10000)
    engine->advance(std::min<std::uint64_t>(10000, wanted - done));
  state_ = engine->state();
}

Timed ChainTimer::timeOn(const MethodOnBackend& m, const exec::Shared& exec) const {
  const auto engine = makeGcmcEngine(m.method, exec, {.mapping = m.mapping});
  engine->upload(state_, rules_);
  engine->advance(kFewest / 4);  // the first launches
  Timed t;
  t.particles = state_.point.size();
  double seconds = 0;
  // Batches grow, so that waits of the host between them weigh little.
  for (std::uint64_t batch = kFewest;
       t.moves < mostMoves_ && (t.moves == 0 || seconds < secondsPerTiming_);
       batch = std::min<std::uint64_t>(2 * batch, 10000)) {
    const std::uint64_t now = std::min(batch, mostMoves_ - t.moves);
    const auto begin = Clock::now();
    engine->advance(now);
    static_cast<void>(engine->count());  // done when it is known
    seconds += since(begin);
    t.moves += now;
    requireGoingOn();
  }
  t.seconds = seconds / static_cast<double>(t.moves) * 1e6;
  return t;
}

Timed ChainTimer::time(const MethodOnBackend& m) { return timeOn(m, exec_); }
Timed ChainTimer::timeSerial() { return timeOn({"serial", 0}, cpu_); }

void ChainTimer::requireGoingOn() const {
  if (interrupt_.raised()) throwStopped();
}

std::string secondsText(const Timed& t) {
  return t.seconds > 0 ? fmt::format("{:.4g}", t.seconds) : "-";
}

std::string ratioText(const Timed& slow, const Timed& fast) {
  return slow.seconds > 0 && fast.seconds > 0 ? fmt::format("{:.3g}", slow.seconds / fast.seconds)
                                              : "-";
}

std::string aboutTiming(std::uint64_t mostMoves) {
  return fmt::format(
      "Seconds for a million trial moves, from up to {} moves each within its share of --minutes, "
      "on "
      "a state melted from a lattice at T = 1.2, ln z = -2.5 with tail correction (the paper "
      "states "
      "neither). Without the energy of the whole system at the start, which the paper's times "
      "include. All methods make the same decisions from the same state.",
      mostMoves);
}

}  // namespace cellscope::reproduce
