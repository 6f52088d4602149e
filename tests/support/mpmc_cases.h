// Cases, parameters and counter comparison shared by the tests of Monte Carlo engines.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/core/checkerboard.h"

namespace cellscope::test {

struct MpmcCase {
  const char* name;
  int disks;
  double packing;
  MpmcParameters p;
  std::uint64_t sweeps = 12;
  GridShape shape = {};
};

inline MpmcParameters parameters(std::uint64_t seed, float d, int nMoves, MpmcExperiments e = {}) {
  MpmcParameters p;
  p.seed = seed;
  p.d = d;
  p.nMoves = nMoves;
  p.experiments = e;
  return p;
}

inline void expectEqualCounters(const MpmcCounters& a, const MpmcCounters& b) {
  for (int set = 0; set < 4; ++set) {
    EXPECT_EQ(a.attempted[set], b.attempted[set]) << "set " << set;
    EXPECT_EQ(a.accepted[set], b.accepted[set]) << "set " << set;
    EXPECT_EQ(a.overlap[set], b.overlap[set]) << "set " << set;
    EXPECT_EQ(a.leftCell[set], b.leftCell[set]) << "set " << set;
  }
}

}  // namespace cellscope::test
