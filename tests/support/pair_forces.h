// Forces of the all-pairs engines in tests.
#pragma once
#include <vector>

#include "sim/algo/all_pairs/engine.h"

namespace cellscope::test {

inline std::vector<PairSums> forcesOf(AllPairsEngine& engine, const MdState& s,
                                      PairSettings settings) {
  engine.setPair(settings);
  engine.upload(s);
  engine.forces();
  return engine.pairSums();
}

// Largest difference of any force component, over the root mean square force or 1 if that is
// larger; NaN when any force is.
double deviation(const std::vector<PairSums>& a, const std::vector<PairSums>& b);

}  // namespace cellscope::test
