// A race of the parts of one method of molecular dynamics, to see where its time goes: passes with
// something left out beside the whole ones, timed in turn on an engine of their own. Nothing comes
// of them, and the run is not touched.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/md/engines.h"
#include "sim/algo/race/race.h"
#include "sim/base/curve_series.h"

namespace cellscope::md {

class PartRace {
 public:
  PartRace() = default;
  PartRace(const PartRace&) = delete;  // the candidates refer to it
  PartRace& operator=(const PartRace&) = delete;

  bool begun() const { return engine_ != nullptr; }
  // With an engine of the method, for this state; waits. Parts that the method has not, or not
  // apart from the others, do not take part: of some there is nothing but the whole force pass.
  void begin(std::unique_ptr<MdEngine> engine, const MdState& state, const PairSettings& pair);
  void end();     // its medians stay
  void forget();  // what was timed is for another state
  // Times the next part once; returns true when the race is complete.
  bool advance();
  // Medians of the last complete race or, before there is one, those so far; empty before the
  // first. `method` as it is called.
  std::optional<Curve> chart(const std::string& method) const;

 private:
  Race race_{RaceRules{.batch = 1, .rounds = 3, .warmUps = 1, .alone = true}};
  std::unique_ptr<MdEngine> engine_;
  std::vector<RaceStanding> last_;
};

}  // namespace cellscope::md
