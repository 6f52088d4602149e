// A race of all methods of molecular dynamics on the state of the run: list build and force pass of
// each are timed in turn on engines of their own, so that the run is not touched.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/md/engines.h"
#include "sim/algo/race/race.h"
#include "sim/base/curve_series.h"

namespace cellscope::md {

// A published ratio of times of list builds, or of force passes, for the state of the run.
struct PublishedRatio {
  std::string method;    // key in sim/algo/neighbours/methods.h, built as in the paper
  std::string relative;  // key of the method that it is relative to, likewise
  double speedup = 1;    // time of `relative` over time of `method`
  std::string source;
  bool forces = false;
};

// Medians of one method, in seconds; NaN: not known yet.
struct MethodTime {
  std::string key, label;
  ListSearch search = ListSearch::fast;
  bool lists = false;
  double build = 0, forces = 0;  // of one list (without lists 0), of one force pass
  std::string words;             // its label and, while it is being timed, how far that is
  double perStep(double stepsPerBuild) const { return forces + build / stepsPerBuild; }
};

class MethodRace {
 public:
  explicit MethodRace(exec::Shared exec) : exec_(std::move(exec)) {}
  MethodRace(const MethodRace&) = delete;  // the candidates refer to it

  bool begun() const { return begun_; }
  // Engines of all methods at this state, lists both fast and as in the paper; waits. With more
  // than mostForAllPairs() particles all pairs do not take part, placeholder cells not where there
  // is no room for three a side, and cells as in the paper not where a build would take seconds.
  void begin(const MdState& state, const PairSettings& pair);
  void end();     // its medians stay
  void forget();  // what was timed is for another state
  // Times the next candidate once; returns true when the race is complete.
  bool advance();
  // Of the last complete race or, before there is one, those so far.
  std::vector<MethodTime> times() const { return last_.empty() ? soFar() : last_; }
  // Times of each method; the fastest one stands out once all are known. stepsPerBuild: how long
  // lists last in the run. Empty before the first race.
  std::optional<Curve> chart(double stepsPerBuild, const std::vector<PublishedRatio>& ratios) const;
  std::size_t bytes() const;

  std::size_t mostForAllPairs() const { return exec_->where() == Backend::cuda ? 100000 : 5000; }

 private:
  struct Entry {
    std::string key, label;
    ListSearch search = ListSearch::fast;
    bool lists = false;
    std::unique_ptr<MdEngine> engine;
  };
  void add(Entry entry, const MdState& state, const PairSettings& pair);
  void addLists(const MdState& state, PairSettings pair);
  std::vector<MethodTime> soFar() const;

  exec::Shared exec_;
  Race race_{RaceRules{1, 3, 1}};
  std::vector<Entry> entries_;
  std::vector<MethodTime> last_;
  bool begun_ = false;
};

}  // namespace cellscope::md
