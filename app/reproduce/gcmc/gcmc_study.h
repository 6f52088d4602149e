// Shared by the studies of grand-canonical speed: what a method takes for a million moves in the
// liquid of S0, and the paper's numbers beside it.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/race/race.h"
#include "sim/exec/context.h"

namespace cellscope::reproduce {

// Options of all of them.
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
  ChainTimer(const StudyContext& context, std::size_t rows, std::uint64_t mostMoves);
  // A new state, melted by the fastest method.
  void begin(const Liquid& liquid);
  // Two methods or more, all from this state.
  std::vector<Timed> time(const std::vector<TimedMethod>& methods);
  // Blocks and threads of a GPU are emulated: not a measure of their speed on one.
  bool emulated() const { return exec_->where() == Backend::cpu; }
  std::string fastest() const;  // method of this backend
  // How the times were taken, and what was cut short for want of time.
  void noteTiming(Report& report) const;

 private:
  struct Entrant;
  Entrant enter(const TimedMethod& m, double seconds) const;
  std::uint64_t mostOfRound() const;
  void shareTime(std::vector<Entrant>& entrants) const;
  std::vector<Timed> timesOf(const Race& race, const std::vector<Entrant>& entrants);
  void advance(GcmcEngine& engine, std::uint64_t moves) const;
  void requireGoingOn() const;  // throws RunError when the study was interrupted
  std::string shortened() const;

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

std::string secondsText(const Timed& t);                      // "12.3", "-"
std::string ratioText(const Timed& slow, const Timed& fast);  // "4.56", "-"

}  // namespace cellscope::reproduce
