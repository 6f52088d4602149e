// The fastest way to find the pairs at the state of a run: buffer of the lists, how they are built,
// threads per particle and, where asked, the method are timed on engines of their own, so that the
// run is not touched. What it finds depends on the machine and on what else it does; so the values
// are handed over to be set like any others, and a run that is done again takes these and does not
// search.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/race/race.h"
#include "sim/algo/race/tuner.h"
#include "sim/api/mode.h"
#include "sim/modes/md/parameters.h"

namespace cellscope::md {

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
  using Setting = std::pair<std::string, ParameterValue>;
  std::vector<Setting> take() { return std::exchange(found_, {}); }
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
  PairProgress told() const;
  void beginMethod();
  std::vector<ListChoice> choicesOf(const MdParameters& p) const;
  void beginRace();
  void endRace();
  void endMethod();
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
  std::vector<Setting> found_;
  std::string result_;
};

}  // namespace cellscope::md
