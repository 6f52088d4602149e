// Which threads read which cells in a move: the cells around a position with their block, threads
// and turn, from the functions that the kernels use. For drawings and tests.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/grid.h"
#include "sim/algo/gcmc/mapping.h"

namespace cellscope {

// How a method shares the reading of one move.
enum class GcmcSharing {
  particles,  // all particles, thread after thread: there are no cells
  mapping,    // by a GcmcMapping
  oneBlock,   // a block with `lanes` threads per cell, as many cells at a time as there are threads
  oneThread,  // cell after cell
  warpOfMove,  // a warp, half of it per cell: those within reach that hold particles, one by one
  warpOfCell   // a warp reads an active cell, then those around it, half of it per cell
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
