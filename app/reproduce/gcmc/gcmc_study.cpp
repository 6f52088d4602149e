#include "app/reproduce/gcmc/gcmc_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/box.h"
#include "sim/base/digits.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {
namespace {

constexpr double kMeltShare = 0.2;        // of the time of a state
constexpr double kTryShare = 0.1;         // of its rest, to learn how fast the methods are
constexpr double kMeltMovesEach = 7;      // two displacements per particle
constexpr std::size_t kRounds = 5;        // of which the median counts
constexpr std::uint64_t kFewest = 20;     // moves of a round, even past its time
constexpr std::uint64_t kAtOnce = 10000;  // moves between two looks at the clock and for Ctrl-C

double until(double end) { return std::max(0.0, end - steadySeconds()); }

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

// A method that is timed.
struct ChainTimer::Entrant {
  std::unique_ptr<GcmcEngine> engine;
  double movesPerSecond = 0;
  std::uint64_t movesOfRound = 0;
};

ChainTimer::ChainTimer(const StudyContext& context, std::size_t rows, std::uint64_t mostMoves)
    : exec_(exec::makeExec(context.exec)),
      core_(exec::makeExec({Backend::cpu, 1, 0})),
      end_(steadySeconds() + 60 * context.minutes),
      rowEnd_(end_),
      rowsLeft_(rows),
      mostMoves_(mostMoves) {}

void ChainTimer::begin(const Liquid& liquid) {
  const double share = until(end_) / static_cast<double>(std::max<std::size_t>(rowsLeft_, 1));
  rowEnd_ = steadySeconds() + share;
  rowsLeft_ -= rowsLeft_ > 0 ? 1 : 0;
  const Box box = cubicBox(std::cbrt(static_cast<double>(liquid.particles) / liquid.density));
  rules_ = makeGcmcRules(settingsOf(liquid), box);
  const auto engine = makeGcmcEngine(fastest(), exec_);
  engine->upload(gcmc::latticeState(box, static_cast<std::size_t>(liquid.particles)), rules_);
  const double begin = steadySeconds();
  const auto wanted =
      static_cast<std::uint64_t>(kMeltMovesEach * static_cast<double>(liquid.particles));
  std::uint64_t done = 0;
  for (; done < wanted && steadySeconds() - begin < kMeltShare * share; done += kAtOnce)
    advance(*engine, std::min(kAtOnce, wanted - done));
  if (done < wanted)
    notMelted_ += fmt::format(
        "{}{} at N = {}", notMelted_.empty() ? "" : ", ",
        significant(static_cast<double>(done) / static_cast<double>(wanted), 2), liquid.particles);
  state_ = engine->state();
  state_.energy = engine->energy();
}

std::string ChainTimer::fastest() const {
  return gcmc::fastestMethods({}, exec_->where()).front()->made().key;
}

// Done on return.
void ChainTimer::advance(GcmcEngine& engine, std::uint64_t moves) const {
  for (std::uint64_t done = 0; done < moves; done += kAtOnce) {
    engine.advance(std::min(kAtOnce, moves - done));
    static_cast<void>(engine.count());  // waits
    requireGoingOn();
  }
}

// The engine on the state, and its speed, tried for at most this number of seconds or a little
// longer.
ChainTimer::Entrant ChainTimer::enter(const TimedMethod& m, double seconds) const {
  Entrant e{makeGcmcEngine(m.method, m.onCore ? core_ : exec_, {.mapping = m.mapping})};
  e.engine->upload(state_, rules_);
  advance(*e.engine, kFewest / 2);  // the first launches
  const double begin = steadySeconds();
  for (std::uint64_t moves = kFewest; e.movesPerSecond == 0; moves *= 2) {
    const double started = steadySeconds();
    advance(*e.engine, moves);
    const double now = steadySeconds(), took = now - started;
    if (2 * moves < mostOfRound() && 3 * took < seconds - (now - begin)) continue;
    e.movesPerSecond = static_cast<double>(moves) / std::max(took, 1e-9);
  }
  return e;
}

std::uint64_t ChainTimer::mostOfRound() const { return std::max(kFewest, mostMoves_ / kRounds); }

// As many moves as there are to be timed, or an equal share of the time that the faster ones leave.
void ChainTimer::shareTime(std::vector<Entrant>& entrants) const {
  std::vector<Entrant*> fastestFirst;
  for (Entrant& e : entrants) fastestFirst.push_back(&e);
  std::ranges::sort(fastestFirst, std::greater(), &Entrant::movesPerSecond);
  double left = until(rowEnd_);
  for (std::size_t k = 0; k < fastestFirst.size(); ++k) {
    Entrant& e = *fastestFirst[k];
    const double ofRound = left / static_cast<double>((fastestFirst.size() - k) * kRounds);
    e.movesOfRound =
        std::clamp(static_cast<std::uint64_t>(e.movesPerSecond * ofRound), kFewest, mostOfRound());
    left -= kRounds * static_cast<double>(e.movesOfRound) / e.movesPerSecond;
    left = std::max(left, 0.0);
  }
}

std::vector<Timed> ChainTimer::time(const std::vector<TimedMethod>& methods) {
  const double toTry = kTryShare * until(rowEnd_) / static_cast<double>(methods.size());
  std::vector<Entrant> entrants;
  for (const TimedMethod& m : methods) entrants.push_back(enter(m, toTry));
  shareTime(entrants);
  std::vector<RaceCandidate> candidates;
  for (std::size_t k = 0; k < methods.size(); ++k)
    candidates.push_back({methods[k].method, [] {},
                          [this, &e = entrants[k]](std::uint64_t rounds) {
                            advance(*e.engine, rounds * e.movesOfRound);
                          }});
  Race race({.batch = 1, .rounds = kRounds, .warmUps = 0});
  race.begin(std::move(candidates));
  const auto allTimed = [&] { return race.standings().back().timed(); };
  while (race.running() && !(until(rowEnd_) <= 0 && allTimed())) race.advance(1);
  return timesOf(race, entrants);
}

std::vector<Timed> ChainTimer::timesOf(const Race& race, const std::vector<Entrant>& entrants) {
  std::vector<Timed> times;
  const std::vector<RaceStanding> standings = race.standings();
  for (std::size_t k = 0; k < entrants.size(); ++k) {
    const RaceResult& r = standings[k].result;
    const std::uint64_t moves = entrants[k].movesOfRound;
    const double rounds = 1e6 / static_cast<double>(moves);  // of a million
    times.push_back({r.median * rounds, r.spread * rounds, standings[k].rounds * moves});
    largestSpread_ = std::max(largestSpread_, r.spread / r.median);
    if (times.back().moves >= kRounds * mostOfRound()) continue;
    std::uint64_t& least =
        fewMoves_.try_emplace(state_.point.size(), times.back().moves).first->second;
    least = std::min(least, times.back().moves);
  }
  return times;
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
      "Seconds for a million trial moves: medians of up to {} interleaved rounds (median absolute "
      "deviation at most {:.1f} %), together up to {} moves of each method within its share of "
      "--minutes, on a state melted from a lattice at T = 1.2, ln z = -2.5 with tail correction "
      "(the paper states neither). Without the energy of the whole system at the start, which the "
      "paper's times include. All methods make the same decisions from the same state.",
      kRounds, 100 * largestSpread_, mostMoves_));
  if (emulated())
    report.note(
        "On this CPU the blocks and threads of the paper's GPU are emulated: all columns but those "
        "of serial chains are the cost of that emulation. They compare neither with the paper's "
        "times nor among each other, and none of them is called the fastest.");
  if (const std::string text = shortened(); !text.empty()) report.note(text);
}

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
