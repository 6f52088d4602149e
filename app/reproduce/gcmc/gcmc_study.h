// Shared by the studies of grand-canonical speed: what a method takes for a million moves in the
// liquid of S0, and the paper's numbers beside it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/race/race.h"
#include "sim/base/box.h"
#include "sim/base/digits.h"
#include "sim/exec/context.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::reproduce {

void declareSystem(auto& v, auto& particles, std::int64_t& moves) {
  v("particles", 64, 2097152, "Particles at the start", particles);
  v("moves", 100, 100000000,
    "Trial moves to be timed of each method at most; fewer where its share of the time ends before",
    moves);
}

// Options of a study that goes through numbers of particles.
struct SizesOptions {
  std::vector<std::int64_t> particles;
  std::int64_t moves = 1000000;

  void visit(auto& v) { declareSystem(v, particles, moves); }
};

// The liquid: 30 / 35 / 35 % of displacements, insertions and deletions; T = 1.2 and ln z = -2.5
// with tail correction, which hold a density of about 0.67 (the paper states neither).
struct Liquid {
  std::int64_t particles = 512;
  double density = 0.67, cutoff = 2.5;
};

constexpr double kPaperDensity = 0.6;  // of Tables 1 and 3

struct TimedMethod {
  std::string method;
  int mapping = 0;      // row of gcmcMappings(3)
  bool onCore = false;  // one core of the CPU, whatever the backend
};

// Seconds for a million moves: median and median absolute deviation of the rounds.
struct Timed {
  double seconds = 0, spread = 0;  // 0: not measured
  std::uint64_t moves = 0;         // that were timed
};

// Times methods on one state after another in interleaved rounds (sim/algo/race): the states to
// come share evenly what is left of the time, so that those which need little leave it to the
// others.
class ChainTimer {
 public:
  // rows: states that will be asked for. The time begins now.
  ChainTimer(const StudyContext& context, std::size_t rows, std::uint64_t mostMoves)
      : exec_(exec::makeExec(context.exec)),
        core_(exec::makeExec({Backend::cpu, 1, 0})),
        end_(steadySeconds() + 60 * context.minutes),
        rowEnd_(end_),
        rowsLeft_(rows),
        mostMoves_(mostMoves) {}
  // A new state, melted by the fastest method.
  void begin(const Liquid& liquid) {
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
      notMelted_ +=
          fmt::format("{}{} at N = {}", notMelted_.empty() ? "" : ", ",
                      significant(static_cast<double>(done) / static_cast<double>(wanted), 2),
                      liquid.particles);
    state_ = engine->state();
    state_.energy = engine->energy();
  }
  // Two methods or more, all from this state.
  std::vector<Timed> time(const std::vector<TimedMethod>& methods) {
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
  // Blocks and threads of a GPU are emulated: not a measure of their speed on one.
  bool emulated() const { return exec_->where() == Backend::cpu; }
  // Method of this backend.
  std::string fastest() const {
    return gcmc::fastestMethods({}, exec_->where()).front()->made().key;
  }
  // How the times were taken, and what was cut short for want of time.
  void noteTiming(Report& report) const {
    report.note(
        fmt::format("Seconds for a million trial moves: medians of up to {} interleaved rounds "
                    "(median absolute deviation at most {:.1f} %), together up to {} moves of each "
                    "method within its share of --minutes, on a state melted from a lattice at T = "
                    "1.2, ln z = -2.5 with tail correction (the paper states neither). Without the "
                    "energy of the whole system at the start, which the paper's times include. All "
                    "methods make the same decisions from the same state.",
                    kRounds, 100 * largestSpread_, mostMoves_));
    if (emulated())
      report.note(
          "On this CPU the blocks and threads of the paper's GPU are emulated: all columns but "
          "those of serial chains are the cost of that emulation. They compare neither with the "
          "paper's times nor among each other, and none of them is called the fastest.");
    if (const std::string text = shortened(); !text.empty()) report.note(text);
  }

 private:
  static constexpr double kMeltShare = 0.2;        // of the time of a state
  static constexpr double kTryShare = 0.1;         // of its rest, to learn how fast methods are
  static constexpr double kMeltMovesEach = 7;      // two displacements per particle
  static constexpr std::size_t kRounds = 5;        // of which the median counts
  static constexpr std::uint64_t kFewest = 20;     // moves of a round, even past its time
  static constexpr std::uint64_t kAtOnce = 10000;  // moves between two looks for time and Ctrl-C

  struct Entrant {
    std::unique_ptr<GcmcEngine> engine;
    double movesPerSecond = 0;
    std::uint64_t movesOfRound = 0;
  };
  static double until(double end) { return std::max(0.0, end - steadySeconds()); }
  static GcmcSettings settingsOf(const Liquid& liquid) {
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
  // The engine on the state, and its speed, tried for at most this number of seconds or a little
  // longer.
  Entrant enter(const TimedMethod& m, double seconds) const {
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
  std::uint64_t mostOfRound() const { return std::max(kFewest, mostMoves_ / kRounds); }
  // As many moves as there are to be timed, or an equal share of the time that the faster ones
  // leave.
  void shareTime(std::vector<Entrant>& entrants) const {
    std::vector<Entrant*> fastestFirst;
    for (Entrant& e : entrants) fastestFirst.push_back(&e);
    std::ranges::sort(fastestFirst, std::greater(), &Entrant::movesPerSecond);
    double left = until(rowEnd_);
    for (std::size_t k = 0; k < fastestFirst.size(); ++k) {
      Entrant& e = *fastestFirst[k];
      const double ofRound = left / static_cast<double>((fastestFirst.size() - k) * kRounds);
      e.movesOfRound = std::clamp(static_cast<std::uint64_t>(e.movesPerSecond * ofRound), kFewest,
                                  mostOfRound());
      left -= kRounds * static_cast<double>(e.movesOfRound) / e.movesPerSecond;
      left = std::max(left, 0.0);
    }
  }
  std::vector<Timed> timesOf(const Race& race, const std::vector<Entrant>& entrants) {
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
  // Done on return.
  void advance(GcmcEngine& engine, std::uint64_t moves) const {
    for (std::uint64_t done = 0; done < moves; done += kAtOnce) {
      engine.advance(std::min(kAtOnce, moves - done));
      static_cast<void>(engine.count());  // waits
      if (interrupt_.raised()) throwStopped();
    }
  }
  std::string shortened() const {
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

  exec::Shared exec_, core_;
  double end_, rowEnd_;  // steadySeconds(), of the study and of the present state
  std::size_t rowsLeft_;
  std::uint64_t mostMoves_;
  double largestSpread_ = 0;  // of a median
  std::string notMelted_;
  std::map<std::size_t, std::uint64_t> fewMoves_;  // by N: the fewest that were timed
  GcmcState state_;
  GcmcRules rules_{};
  common::InterruptGuard interrupt_;
};

// "12.3", "-".
inline std::string secondsText(const Timed& t) {
  return t.seconds > 0 ? fmt::format("{:.4g}", t.seconds) : "-";
}
// "4.56", "-".
inline std::string ratioText(const Timed& slow, const Timed& fast) {
  return slow.seconds > 0 && fast.seconds > 0 ? fmt::format("{:.3g}", slow.seconds / fast.seconds)
                                              : "-";
}

}  // namespace cellscope::reproduce
