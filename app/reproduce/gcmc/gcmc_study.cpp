#include "app/reproduce/gcmc/gcmc_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/base/box.h"
#include "sim/base/digits.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kMeltShare = 0.2;      // of the time of a state
constexpr double kMeltMovesEach = 7;    // two displacements per particle
constexpr std::uint64_t kFewest = 200;  // moves of a timing, even past its time

double since(Clock::time_point t) { return Seconds(Clock::now() - t).count(); }
double until(Clock::time_point t) { return std::max(0.0, -since(t)); }
Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
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
      end_(after(60 * context.minutes)),
      rowEnd_(end_),
      methods_(methods),
      rowsLeft_(rows),
      mostMoves_(mostMoves) {}

void ChainTimer::begin(const Liquid& liquid) {
  const double share = until(end_) / static_cast<double>(std::max<std::size_t>(rowsLeft_, 1));
  rowEnd_ = after(share);
  rowsLeft_ -= rowsLeft_ > 0 ? 1 : 0, methodsLeft_ = methods_;
  const Box box = cubicBox(std::cbrt(static_cast<double>(liquid.particles) / liquid.density));
  rules_ = makeGcmcRules(settingsOf(liquid), box);
  const char* const fastest = exec_->where() == Backend::cuda ? "half_warps" : "serial_cells";
  const auto engine = makeGcmcEngine(fastest, exec_);
  engine->upload(gcmc::latticeState(box, static_cast<std::size_t>(liquid.particles)), rules_);
  const auto begin = Clock::now();
  const auto wanted =
      static_cast<std::uint64_t>(kMeltMovesEach * static_cast<double>(liquid.particles));
  std::uint64_t done = 0;
  for (; done < wanted && since(begin) < kMeltShare * share; done += 10000) {
    engine->advance(std::min<std::uint64_t>(10000, wanted - done));
    requireGoingOn();
  }
  if (done < wanted)
    notMelted_ += fmt::format(
        "{}{} at N = {}", notMelted_.empty() ? "" : ", ",
        significant(static_cast<double>(done) / static_cast<double>(wanted), 2), liquid.particles);
  state_ = engine->state();
  state_.energy = engine->energy();
}

Timed ChainTimer::timeOn(const MethodOnBackend& m, const exec::Shared& exec) {
  const double share = until(rowEnd_) / static_cast<double>(std::max<std::size_t>(methodsLeft_, 1));
  methodsLeft_ -= methodsLeft_ > 0 ? 1 : 0;
  const auto engine = makeGcmcEngine(m.method, exec, {.mapping = m.mapping});
  const auto begin = Clock::now();
  engine->upload(state_, rules_);
  engine->advance(kFewest / 4);  // the first launches
  Timed t;
  t.particles = state_.point.size();
  double seconds = 0;
  // Batches grow, so that waits of the host between them weigh little, as long as they end in time.
  for (std::uint64_t batch = kFewest;
       t.moves < mostMoves_ && (t.moves == 0 || since(begin) < share);) {
    const std::uint64_t now = std::min(batch, mostMoves_ - t.moves);
    const auto started = Clock::now();
    engine->advance(now);
    static_cast<void>(engine->count());  // done when it is known
    seconds += since(started);
    t.moves += now;
    requireGoingOn();
    const double rate = static_cast<double>(t.moves) / seconds;
    const auto left = static_cast<std::uint64_t>(std::max(1.0, rate * (share - since(begin))));
    batch = std::min<std::uint64_t>({2 * batch, 10000, left});
  }
  t.seconds = seconds / static_cast<double>(t.moves) * 1e6;
  if (t.moves < mostMoves_) {
    std::uint64_t& least = fewMoves_.try_emplace(t.particles, t.moves).first->second;
    least = std::min(least, t.moves);
  }
  return t;
}

std::string ChainTimer::shortened() const {
  std::string few, text;
  for (const auto& [n, moves] : fewMoves_)
    few += fmt::format("{}{} at N = {}", few.empty() ? "" : ", ", moves, n);
  if (!few.empty())
    text = fmt::format("Shortened to end in time: fewer than {} moves were timed, at least {}.",
                       mostMoves_, few);
  if (!notMelted_.empty())
    text += fmt::format("{}The lattice was melted by a part of {:g} moves per particle: {}.",
                        text.empty() ? "" : " ", kMeltMovesEach, notMelted_);
  return text;
}

void ChainTimer::noteTiming(Report& report) const {
  report.note(fmt::format(
      "Seconds for a million trial moves, from up to {} moves each within its share of --minutes, "
      "on a state melted from a lattice at T = 1.2, ln z = -2.5 with tail correction (the paper "
      "states neither). Without the energy of the whole system at the start, which the paper's "
      "times include. All methods make the same decisions from the same state.",
      mostMoves_));
  if (const std::string text = shortened(); !text.empty()) report.note(text);
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

}  // namespace cellscope::reproduce
