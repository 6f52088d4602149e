// A method of computing a grand-canonical chain, as the mode sees it: what it brings of its own
// besides its engine (sim/algo/gcmc/engine.h). Nobody else asks which method it is. And the race of
// the methods, and the choice of one by its speed.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/race/race.h"
#include "sim/api/frame.h"
#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// What methods count besides moves and acceptances, each its own part.
struct MethodCounts {
  GcmcFlightCounts flights, flightsSinceSample;  // since the averages began, since the last sample
  std::uint64_t full = 0;                        // moves that a full cell rejected, since the start
  GcmcSpeculation speculation;                   // since the averages began

  void take(const GcmcFlightCounts& flown, const GcmcSpeculation& more) {
    gcmcAddCounts(flights, flown), gcmcAddCounts(flightsSinceSample, flown);
    gcmcAddCounts(speculation, more);
    full += flown.full;
  }
  void forgetAverages() {
    flights = flightsSinceSample = {};
    speculation = {};
  }
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);  // throws InputError for what is impossible
};

class Method {
 public:
  // Moves that are made together, of which one is looked at; the names of the turns that follow it
  // in a sweep, which no step cuts; and what those before the last sweep of a step are called.
  struct Turn {
    std::uint64_t moves = 1;
    std::vector<std::string> others = {};
    const char* before = "moves but the last";
    std::uint64_t movesOfSweep() const { return moves * (others.size() + 1); }
  };
  // A competitor in a race.
  struct Variant {
    std::string name, published;  // key of publishedGcmcSpeed()
    int mapping = 0;              // row of gcmcMappings()
    int blockSize = 0;            // 0: as published
  };

  explicit Method(const GcmcMethod& made) : made_(made) {}
  virtual ~Method() = default;
  const GcmcMethod& made() const { return made_; }

  // How it works at these parameters, to follow its name.
  virtual std::string words(const GcmcParameters&, Backend) const { return ""; }
  // Throws InputError for what is impossible with it.
  virtual void check(const GcmcParameters&) const {}
  virtual Turn turn(const GcmcParameters&) const { return {}; }
  // Whether an experiment of its own breaks it on purpose.
  virtual bool broken(const GcmcParameters&) const { return false; }
  virtual std::vector<Variant> variants(int dimension, Backend where) const;
  virtual std::vector<GcmcObservable> observables() const { return {}; }
  virtual std::vector<Curve> curves(const MethodCounts&) const { return {}; }
  virtual void addChecks(std::vector<SelfCheck>&, const GcmcParameters&,
                         const MethodCounts&) const {}

 private:
  const GcmcMethod& made_;
};

std::unique_ptr<const Method> makeInOrderMethod(const GcmcMethod& made);
std::unique_ptr<const Method> makeSpeculativeMethod(const GcmcMethod& made);
// In the order of gcmcMethods(), which is that of the parameter `method` behind "auto".
const std::vector<std::unique_ptr<const Method>>& methods();
// The one that the parameters name; of "auto" the first of fastestMethods().
const Method& methodOf(const GcmcParameters& p, Backend where);
// Those that may be the fastest exact chain: moves in order where a run starts large and dense, as
// measured; else those with the decisions of the serial chain, in the memory of the backend first.
// It depends on parameters alone: which chain a run is must not depend on how fast a machine is.
std::vector<const Method*> fastestMethods(const GcmcParameters& p, Backend where);
inline bool isAutomatic(const GcmcParameters& p) { return p.method.index == 0; }
// Lets the parameters name it.
void choose(GcmcParameters& p, const Method& method);

// How many moves are ordered at a time, for the words of methods that run on a GPU.
std::string launchesInWords(const GcmcParameters& p);
// Name and options of the method that runs, for the status.
std::string methodInWords(const Method& method, const GcmcParameters& p, Backend where);

// Methods, mappings and block sizes timed in turn, each on a copy of the current state: the run
// itself is not disturbed. On a CPU the blocks of a GPU, which it emulates, are timed but never
// win.
class MethodRace {
 public:
  MethodRace() = default;
  MethodRace(const MethodRace&) = delete;  // the candidates refer to it
  MethodRace& operator=(const MethodRace&) = delete;

  void begin(const GcmcParameters& p, const GcmcState& state, const exec::Shared& exec);
  void stop();
  bool running() const { return race_ && race_->running(); }
  // The next batch of the next candidate. What the progress callback throws leaves the race where
  // it was.
  void advance(const GcmcProgress& progress = {});
  // While it runs: how far it is, and the candidate that is timed next.
  double progress() const { return race_->progress(); }
  std::string now() const {
    const std::vector<RaceStanding> all = race_->standings();
    return std::ranges::find(all, true, &RaceStanding::next)->result.name;
  }
  // Moves per second so far, published values where there are some for this state; empty before the
  // first race, and without a choice.
  std::optional<Curve> chart() const;
  // Sets method, mapping and block size to the winner. Only after the end; false: nobody ran.
  bool apply(GcmcParameters& p) const;

 private:
  struct Candidate {
    Method::Variant how;
    const Method* method;
  };
  bool possible(const Method& method) const;
  bool emulated(const Candidate& c) const { return c.method->made().emulatedOn(exec_->where()); }
  std::vector<RaceCandidate> runners(std::uint64_t batch);
  std::size_t winner() const;  // only after the end
  void addPublished(Curve& chart) const;
  void addFigures(Curve& chart) const;

  std::vector<Candidate> candidates_;
  std::optional<Race> race_;
  double raced_ = 0;  // particles of the state
  exec::Shared exec_;
  GcmcParameters parameters_;
  GcmcState state_;
  std::unique_ptr<GcmcEngine> engine_;  // of the candidate whose turn it is
  GcmcProgress progress_;               // of the present advance()
};

// method = auto: of fastestMethods() the fastest one on this machine. Where several may be it they
// make the first steps of the run in turn, timed, and the fastest goes on: the same run, whichever
// it is, without a move made for the race alone.
class AutoMethod {
 public:
  // Lets a method make the moves from now on, from the present state. False: it cannot, as there is
  // no memory for it, and the one before goes on.
  using Use = std::function<bool(const Method&)>;

  explicit AutoMethod(RaceClock clock = steadySeconds)
      : clock_(std::move(clock)), race_({}, clock_) {}
  AutoMethod(const AutoMethod&) = delete;  // the candidates refer to it
  AutoMethod& operator=(const AutoMethod&) = delete;

  // The first candidate makes the moves. step(): a step of the run, of so many moves. n: particles.
  void begin(std::vector<const Method*> candidates, Use use, std::function<void()> step,
             std::uint64_t moves, std::uint32_t n);
  void stop() {
    race_ = Race({}, clock_);
    candidates_.clear();
  }
  bool running() const { return race_.running(); }
  // The next step by the candidate whose turn it is; after the last one the winner is in use.
  void advance() { race_.advance(1); }
  // N is so different from when they were timed that another one may be the fastest.
  bool outdated(std::uint32_t n) const;
  // What was found, to follow the words on the method that runs.
  std::string words() const;

 private:
  static constexpr std::size_t kRounds = 3;
  static constexpr std::uint32_t kMany = 1000;  // particles: fewer are no matter

  RaceClock clock_;
  Race race_;
  std::vector<const Method*> candidates_;
  std::vector<bool> absent_;
  std::uint64_t moves_ = 0;
  std::uint32_t timedAt_ = 0;
};

}  // namespace cellscope::gcmc
