// Which threads read which cells in a move: the cells around a position with their block, threads
// and turn, from the functions that the kernels use. For drawings and tests.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/algo/gcmc/grid.h"
#include "sim/base/host_device.h"

namespace cellscope {

// How a kernel of the cell list hands the neighbour cells of a point to blocks and threads (S0,
// 3.2.3, 3.2.4 and Table 2). Kernel, drawing and tests ask gcmcVisit().

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

// How a method shares the reading of one move.
enum class GcmcSharing {
  particles,  // all particles, thread after thread: there are no cells
  mapping,    // by a GcmcMapping
  oneBlock,   // a block with `lanes` threads per cell, as many cells at a time as there are threads
  oneThread,  // cell after cell
  warpOfMove,  // a warp, half of it per cell: those within reach that hold particles, one by one
  blockOfCell  // a warp reads an active cell, then the warps of its block those around it, half of
               // one per cell
};

struct GcmcShare {
  GcmcSharing how = GcmcSharing::particles;
  GcmcCube cube;                       // but of `particles`
  GcmcMapping mapping{};               // of `mapping`
  int lanes = 1;                       // threads per cell of `oneBlock`
  int threads = 1;                     // of a block
  bool skipBeyond = false;             // cells wholly beyond the cutoff are not read
  std::uint32_t shift[3] = {0, 0, 0};  // cell 0 begins at this word of the box

  std::uint32_t cellOf(GcmcPoint p) const {
    return cube.cellOf({p.x - shift[0], p.y - shift[1], p.z - shift[2]});
  }
};

// One cell of the cube around a position.
struct GcmcCellWork {
  GcmcCubeCell cell;
  int block, firstThread, threads;
  int turn;      // cells that the same threads read before it
  bool skipped;  // wholly beyond the cutoff
};

// All cells of the cube around `at`, in the order of block, turn and thread. Empty without cells.
// filled: particles by cell, where empty ones take no turn (warpOfMove); empty: not known.
std::vector<GcmcCellWork> gcmcWork(const GcmcShare& share, const GcmcPair& pair, GcmcPoint at,
                                   const std::vector<std::uint32_t>& filled = {});

}  // namespace cellscope
