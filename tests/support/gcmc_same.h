// Grand-canonical chains compared bit for bit.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/engine.h"

namespace cellscope::test {

inline void expectSameState(const GcmcState& a, const GcmcState& b) {
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.point, b.point);
}

inline void expectSameCounters(const GcmcCounters& a, const GcmcCounters& b) {
  for (int k = 0; k < kGcmcKinds; ++k) {
    EXPECT_EQ(a.attempted[k], b.attempted[k]) << k;
    EXPECT_EQ(a.accepted[k], b.accepted[k]) << k;
  }
}

// And as they were made.
inline void expectSameRun(const GcmcEngine& a, const GcmcEngine& b) {
  expectSameState(a.state(), b.state());
  EXPECT_EQ(a.energy(), b.energy());
  expectSameCounters(a.counters(), b.counters());
}

// Decision by decision.
inline void expectSameEvents(const std::vector<GcmcEvent>& a, const std::vector<GcmcEvent>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(a[k].move, b[k].move);
    ASSERT_EQ(a[k].kind, b[k].kind) << "move " << a[k].move;
    ASSERT_EQ(a[k].id, b[k].id) << "move " << a[k].move;
    ASSERT_TRUE(a[k].before == b[k].before && a[k].after == b[k].after) << "move " << a[k].move;
    ASSERT_EQ(a[k].change, b[k].change) << "move " << a[k].move;
    ASSERT_EQ(a[k].accepted, b[k].accepted) << "move " << a[k].move;
  }
}

}  // namespace cellscope::test
