// What is timed on engines of their own, at the state of the run, which is not touched: races of
// all methods, list build and force pass of each; of the parts of one method, to see where its time
// goes: passes with something left out beside the whole ones, of which nothing comes; and the
// search for the fastest settings.
#pragma once
#include <deque>

#include "sim/algo/race/race.h"
#include "sim/algo/race/tuner.h"
#include "sim/api/mode.h"
#include "sim/base/curve_series.h"
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

// A published ratio of times of list builds, or of force passes, for the state of the run.
struct PublishedRatio {
  std::string method;    // key in sim/algo/neighbours/methods.h, built as in the paper
  std::string relative;  // key of the method that it is relative to, likewise
  double speedup = 1;    // time of `relative` over time of `method`
  std::string label;     // who says so
  std::string source;
  bool forces = false;
};

// Shortest times of one method, in seconds, and how much longer the median is; NaN: not known yet.
struct MethodTime {
  std::string key, label;
  ListSearch search = ListSearch::fast;
  bool lists = false;
  double build = 0, forces = 0;  // of one list (without lists 0), of one force pass
  double buildSpread = 0, forcesSpread = 0;
  std::string words;  // its label and, while it is being timed, how far that is
};

// Other programs make times longer, never shorter: of the last races the shortest time of each, and
// how much longer the middle one of the newest is. All are of the same methods.
std::vector<MethodTime> shortestOf(const std::deque<std::vector<MethodTime>>& races);

class MethodRace {
 public:
  explicit MethodRace(exec::Shared exec) : exec_(std::move(exec)) {}
  MethodRace(const MethodRace&) = delete;  // the candidates refer to it

  // Times the next candidate once. A race begins with engines of all methods that take part at the
  // state as it is then (Method::races()), lists both fast and as in the paper; waits.
  void turn(const MdEngine& engine, const PairSettings& pair);
  // Its times stay.
  void end() {
    race_.begin({});
    entries_.clear();
  }
  // What was timed is for another state.
  void forget() {
    end();
    races_.clear(), last_.clear();
  }
  // Of the last kRaces complete races or, before there is one, those so far.
  std::vector<MethodTime> times() const { return last_.empty() ? soFar() : last_; }
  // Times of each method; once all are known the fastest one stands out, if it leads clearly.
  // stepsPerBuild: how long lists last in the run. Empty before the first race.
  std::optional<Curve> chart(double stepsPerBuild, const std::vector<PublishedRatio>& ratios) const;

 private:
  struct Entry {
    MethodTime of;  // no times yet
    std::unique_ptr<MdEngine> engine;
  };
  void begin(const MdState& state, const PairSettings& pair);
  void add(const Method& method, ListSearch search, const MdState& state, PairSettings pair);
  std::vector<MethodTime> soFar() const;

  exec::Shared exec_;
  Race race_{RaceRules{.batch = 1, .rounds = 3, .warmUps = 1, .again = 0.1}};
  std::vector<Entry> entries_;
  static constexpr std::size_t kRaces = 8;
  std::deque<std::vector<MethodTime>> races_;  // the last
  std::vector<MethodTime> last_;               // the shortest of those
};

class PartRace {
 public:
  explicit PartRace(exec::Shared exec) : exec_(std::move(exec)) {}
  PartRace(const PartRace&) = delete;  // the candidates refer to its engine

  // Times the next part once. A race begins with an engine of the method, for the state as it is
  // then; waits. Parts that the method has not, or not apart from the others, do not take part: of
  // some there is nothing but the whole force pass.
  void turn(const MdEngine& engine, const MdParameters& p);
  // Its medians stay.
  void end() {
    race_.begin({});
    engine_.reset();
  }
  // What was timed is for another state.
  void forget() {
    end();
    last_.clear();
  }
  // Medians of the last complete race or, before there is one, those so far; empty before the
  // first. `method` as it is called.
  std::optional<Curve> chart(const std::string& method) const;

 private:
  void begin(const MdState& state, const MdParameters& p);

  exec::Shared exec_;
  Race race_{RaceRules{.batch = 1, .rounds = 3, .warmUps = 1, .alone = true}};
  std::unique_ptr<MdEngine> engine_;
  std::vector<RaceStanding> last_;
};

// Both, while they are asked for.
class Races {
 public:
  explicit Races(const exec::Shared& exec) : methods_(exec), parts_(exec) {}
  // After each batch of steps: one candidate of each.
  void turn(const MdEngine& engine, const MdParameters& p) {
    if (p.race) methods_.turn(engine, p.pair());
    if (p.raceParts) parts_.turn(engine, p);
  }
  // Parameters have changed. otherPairs: those on which the times depend.
  void end(const MdParameters& p, bool otherPairs);
  void forget() { methods_.forget(), parts_.forget(); }
  // stepsPerBuild: how long lists last.
  std::vector<Curve> charts(const MdParameters& p, double stepsPerBuild) const;

 private:
  MethodRace methods_;
  PartRace parts_;
};

// The fastest way to find the pairs at the state of a run: buffer of the lists, how they are built,
// threads per particle and, where asked, the method. What it finds depends on the machine and on
// what else it does; so the values are handed over to be set like any others, and a run that is
// done again takes these and does not search.
class PairTuner {
 public:
  static constexpr double kLeastBuffer = 0.08, kMostBuffer = 1.2;  // range of the search

  explicit PairTuner(exec::Shared exec) : exec_(std::move(exec)) {}
  PairTuner(const PairTuner&) = delete;  // the candidates refer to it

  // At this state; anyMethod: the method is looked for, too. Forgets what was found before.
  void begin(const MdState& state, const MdParameters& p, bool anyMethod);
  void end();  // before it has found anything
  bool active() const { return !methods_.empty(); }
  // Times one batch of steps. Only while active(). report: called several times a second, where a
  // step does not take longer; what it throws abandons the method in hand, which begins again.
  void advance(const std::function<void()>& report = {});

  Preparation preparation() const;
  // Keys and values, once, after the end: those that are not tuned are left out.
  Settings take() { return std::exchange(found_, {}); }
  const std::string& result() const { return result_; }  // in words; empty: nothing found yet
  std::vector<Curve> charts() const;                     // of the last search, or the one so far

 private:
  struct Point {
    double buffer, seconds;  // per step
  };
  struct Candidate {
    MdParameters p;                                     // with the best values so far
    bool buffers() const { return p.by().hasLists(); }  // has a buffer to be tuned
    double seconds = 0;                                 // per step with these; 0: not known yet
    std::vector<Point> tried;                           // buffers, of methods with lists
  };

  Candidate& now() { return methods_[at_]; }
  void timeBatch();
  void run(double dt, std::uint64_t count);
  PairProgress told() const {
    if (!report_) return {};
    return [this](double) { report_(); };
  }
  void beginMethod();
  std::vector<ListChoice> choicesOf(const MdParameters& p) const;
  void beginRace();
  void endMethod() {
    engine_.reset();
    if (++at_ == methods_.size()) finish();
  }
  void finish();
  void use(const MdParameters& p);
  double secondsPerStep();
  std::string words(const MdParameters& p) const;

  exec::Shared exec_;
  MdState state_;
  bool anyMethod_ = false;
  double before_ = 0;  // seconds per step with the values of the run
  std::vector<Candidate> methods_, done_;
  std::size_t at_ = 0;  // method in hand
  std::unique_ptr<MdEngine> engine_;
  std::function<void()> report_;        // of the present advance()
  std::uint64_t step_ = 0, batch_ = 0;  // of the engine; steps that are timed together,
  std::uint64_t part_ = 1;              // and that are made between two reports
  MinimumTuner buffer_{0.1};
  Race values_{RaceRules{1, 3, 1}};
  std::vector<ListChoice> left_;  // whose values race once the best buffer is known; the first now
  ListChoice raced_;              // now or last
  bool racing_ = false;           // after the buffer
  Settings found_;
  std::string result_;
};

}  // namespace cellscope::md
