// Hard-disk states for tests, and runs of engines that are compared.
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/observables/disk_observables.h"

namespace cellscope::test {

// `disks` disks without overlap in the box of `grid`, by random sequential insertion with fixed
// random numbers of `seed`; ids 0..disks-1. For packing fractions up to about 0.4.
DiskCells randomDisks(const GridInfo& grid, int disks, std::uint64_t seed);

// `disks` disks without overlap on randomly chosen sites of the loosest triangular lattice that
// fits. For packing fractions up to about 0.8 in large boxes.
DiskCells latticeDisks(const GridInfo& grid, int disks, std::uint64_t seed);

// randomDisks below packing 0.35, latticeDisks above; grid from chooseGrid.
DiskCells someDisks(int disks, double packing, std::uint64_t seed, GridShape shape = {});

// Trial moves of one update of the cell in the middle, in order: the rules replayed on a copy.
std::vector<TrialRecord> replayedUpdate(const Neighbourhood& before, const CellRule& rule,
                                        std::uint32_t cellId);

// The same disks in cells with as many slots as there can be.
inline DiskCells roomyCells(const DiskCells& host) {
  GridInfo grid = host.grid;
  grid.slots = kMaxSlots;
  const DiskPositions at = positionsOf(host);
  return fillCells(grid, at.xy, at.ids);
}

// A copy in the memory of a backend.
inline DiskCells copyOf(const DiskCells& host, Backend where = Backend::cpu) {
  return copyOfCells(host.view(), Backend::cpu, where);
}

// An engine of the CPU that holds these disks; kernels "": the best of this processor.
inline std::unique_ptr<MpmcEngine> engineWith(const DiskCells& start, int threads = 1,
                                              const std::string& kernels = "") {
  auto engine = makeMpmcEngineCpu(threads, kernels);
  engine->upload(start);
  return engine;
}

inline std::unique_ptr<DiskObservables> observablesOn(const ExecConfig& config) {
  return makeDiskObservables(exec::makeExec(config));
}

// Slots, ids and counts equal bit for bit.
bool identical(const DiskCells& a, const DiskCells& b);

// --- Runs of engines. ---

struct MpmcCase {
  const char* name;
  int disks;
  double packing;
  MpmcParameters p;
  std::uint64_t sweeps = 12;
  GridShape shape = {};
};

inline MpmcParameters parameters(std::uint64_t seed, float d, int nMoves, MpmcExperiments e = {}) {
  return {.seed = seed, .d = d, .nMoves = nMoves, .experiments = e};
}

inline void expectEqualCounters(const MpmcCounters& a, const MpmcCounters& b) {
  for (int set = 0; set < 4; ++set) {
    EXPECT_EQ(a.attempted[set], b.attempted[set]) << "set " << set;
    EXPECT_EQ(a.accepted[set], b.accepted[set]) << "set " << set;
    EXPECT_EQ(a.overlap[set], b.overlap[set]) << "set " << set;
    EXPECT_EQ(a.leftCell[set], b.leftCell[set]) << "set " << set;
  }
}

// Their cells and counters.
inline void expectSameCells(const MpmcEngine& a, const MpmcEngine& b) {
  EXPECT_TRUE(identical(a.download(), b.download()));
  expectEqualCounters(a.counters(), b.counters());
}

}  // namespace cellscope::test
