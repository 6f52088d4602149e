// How a kernel of the cell list hands the neighbour cells of a point to blocks and threads (S0,
// 3.2.3, 3.2.4 and Table 2). Kernel, drawing and tests ask gcmcVisit().
#pragma once
#include <array>
#include <span>

#include "sim/base/host_device.h"

namespace cellscope {

// Default number of threads that share one cell.
inline constexpr int kGcmcLanes = 32;

// Blocks times cells side by side times cells in turn: all 27 neighbour cells, or 9 in 2D.
struct GcmcMapping {
  const char* key;  // value of the parameter `mapping`, the notation of Table 2
  int dimension;
  int blocks;
  int across;              // cells that a block visits at the same time, each by threads of its own
  int inTurn;              // cells that each thread visits one after another
  int lanes = kGcmcLanes;  // threads per cell: thread `lane` reads entries lane, lane + lanes, ...
  HOST_DEVICE int threads() const { return across * lanes; }
  HOST_DEVICE int cells() const { return blocks * across * inTurn; }
};

// All there are: those of S0, Table 2, and the analogous ones in two dimensions.
inline constexpr std::array<GcmcMapping, 12> kGcmcMappings = {{
    {"27x1", 3, 27, 1, 1},
    {"9x3", 3, 9, 3, 1},
    {"3x9", 3, 3, 9, 1},
    {"1x27", 3, 1, 27, 1},
    {"9x1x3", 3, 9, 1, 3},
    {"3x1x9", 3, 3, 1, 9},
    {"1x1x27", 3, 1, 1, 27},
    {"9x1", 2, 9, 1, 1},
    {"3x3", 2, 3, 3, 1},
    {"1x9", 2, 1, 9, 1},
    {"3x1x3", 2, 3, 1, 3},
    {"1x1x9", 2, 1, 1, 9},
}};

// Those of one dimension; GcmcOptions::mapping is a row of it.
constexpr std::span<const GcmcMapping> gcmcMappings(int dimension) {
  const std::span<const GcmcMapping> all(kGcmcMappings);
  return dimension == 3 ? all.first(7) : all.subspan(7);
}

// The same with an upper limit of threads in a block (S0, 3.2.3: block size), as many for each of
// the cells that it visits at the same time; 0: as it is. There must be one for each.
inline constexpr int kGcmcMostThreads = 1024;  // of a block
constexpr GcmcMapping gcmcWithBlockSize(GcmcMapping m, int threads) {
  if (threads > 0) m.lanes = threads / m.across;
  return m;
}

struct GcmcVisit {
  int neighbour;  // 0 to 26 (8 in 2D): x fastest, then y, then z; the middle one is the own cell
  int lane;
};

// The k-th cell that a thread visits, k in [0, inTurn).
HOST_DEVICE GcmcVisit gcmcVisit(const GcmcMapping& m, int block, int thread, int k) {
  return {(block * m.inTurn + k) * m.across + thread / m.lanes, thread % m.lanes};
}

}  // namespace cellscope
