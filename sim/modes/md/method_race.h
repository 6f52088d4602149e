// A race of all methods of molecular dynamics on the state of the run: list build and force pass of
// each are timed in turn on engines of their own, so that the run is not touched.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
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

// Medians of one method, in seconds.
struct MethodTime {
  std::string key, label;
  ListSearch search = ListSearch::fast;
  double build = 0, forces = 0;  // of one list (0: none), of one force pass
  double perStep(double stepsPerBuild) const {
    return forces + (build > 0 ? build / stepsPerBuild : 0.0);
  }
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
  void end();
  // Times the next candidate once; returns true when a round of all of them is complete, and
  // medians are there.
  bool advance();
  const std::vector<MethodTime>& times() const { return times_; }
  // Times of each method. stepsPerBuild: how long lists last in the run.
  std::optional<Curve> chart(double stepsPerBuild, const std::vector<PublishedRatio>& ratios) const;
  std::size_t bytes() const;

  std::size_t mostForAllPairs() const { return exec_->where() == Backend::cuda ? 100000 : 5000; }

 private:
  struct Entry {
    std::string key, label;
    ListSearch search = ListSearch::fast;
    bool lists = false;
    std::unique_ptr<AllPairsEngine> engine;
  };
  void add(Entry entry, const MdState& state, const PairSettings& pair);
  void addLists(const MdState& state, PairSettings pair);
  const MethodTime* published(const std::string& key) const;

  exec::Shared exec_;
  Race race_{RaceRules{1, 3, 1}};
  std::vector<Entry> entries_;
  std::vector<MethodTime> times_;
  bool begun_ = false;
};

}  // namespace cellscope::md
