// Cells of a grand-canonical chain, in the memory of a backend. Traditional cells (S0, 3.2) have
// three neighbours along each axis, microcells (3.3) more; all cells along an axis are equal.
// Which threads read which cells in a move.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/core/gcmc_pair.h"

namespace cellscope {

// Number of cells along each axis and how many of them, `span`, hold all that is within the cutoff
// of any point of the middle one. 2D: count[2] = span[2] = 1.
struct GcmcCube {
  int count[3] = {1, 1, 1};
  int span[3] = {1, 1, 1};

  HOST_DEVICE int cells() const { return span[0] * span[1] * span[2]; }  // of the cube
  HOST_DEVICE std::size_t allCells() const {
    return static_cast<std::size_t>(count[0]) * count[1] * count[2];
  }
  HOST_DEVICE std::uint32_t number(int x, int y, int z) const {
    return static_cast<std::uint32_t>((z * count[1] + y) * count[0] + x);
  }
  HOST_DEVICE std::uint32_t cellOf(GcmcPoint p) const {
    return number(along(p.x, 0), along(p.y, 1), along(p.z, 2));
  }
  HOST_DEVICE int along(std::uint32_t word, int axis) const {
    return static_cast<int>(gcmcCell(word, static_cast<std::uint32_t>(count[axis])));
  }
};

// Which of the cells around a point have a point within the cutoff of it, on the CPU.
class GcmcNearCells {
 public:
  struct Near {
    std::uint32_t cell[27];
    int count;
    bool has(std::uint32_t c) const { return std::find(cell, cell + count, c) != cell + count; }
  };

  GcmcNearCells() = default;
  // cube: of at least three cells along each axis. Without a cutoff the own cell is found.
  GcmcNearCells(const Box& box, const GcmcCube& cube, float cutoffSquared)
      : space_(box.dimension == 3), limit_(cutoffSquared * 1.0001f + 1e-30f) {
    for (int k = 0; k < 3; ++k) {
      side_[k] = static_cast<std::uint32_t>(cube.count[k]);
      width_[k] = box.length[k] / cube.count[k];
    }
  }

  Near of(GcmcPoint p) const { return findFor<false>(p, p); }
  // For both of two points of one cell; some cells more.
  Near of(GcmcPoint p, GcmcPoint q) const { return findFor<true>(p, q); }

 private:
  template <bool two>
  Near findFor(GcmcPoint p, GcmcPoint q) const {
    const std::uint32_t word[3] = {p.x, p.y, p.z}, other[3] = {q.x, q.y, q.z};
    std::uint32_t index[3][3];
    float gap2[3][3];  // squared distance along the axis to the cell before, the own, the next one
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t scaled = std::uint64_t{word[k]} * side_[k];
      const auto own = static_cast<std::uint32_t>(scaled >> 32);
      const double part = static_cast<double>(scaled & 0xffffffffu) * 0x1p-32;
      double first = part, last = part;
      if constexpr (two) {
        const auto low = static_cast<std::uint32_t>(std::uint64_t{other[k]} * side_[k]);
        first = std::min(part, low * 0x1p-32), last = std::max(part, low * 0x1p-32);
      }
      const auto before = static_cast<float>(first * width_[k]);
      const auto after = static_cast<float>((1.0 - last) * width_[k]);
      index[k][0] = own == 0 ? side_[k] - 1 : own - 1;
      index[k][1] = own;
      index[k][2] = own + 1 == side_[k] ? 0 : own + 1;
      gap2[k][0] = before * before, gap2[k][1] = 0, gap2[k][2] = after * after;
    }
    Near near;
    int found = 0;
    for (int z = 0; z < (space_ ? 3 : 1); ++z)
      for (int y = 0; y < 3; ++y) {
        const int kz = space_ ? z : 1;
        const float gap = gap2[2][kz] + gap2[1][y];
        const std::uint32_t row = (index[2][kz] * side_[1] + index[1][y]) * side_[0];
        for (int x = 0; x < 3; ++x) {
          near.cell[found] = row + index[0][x];
          found += gap + gap2[0][x] < limit_ ? 1 : 0;
        }
      }
    near.count = found;
    return near;
  }

  bool space_ = true;
  float limit_ = 0;
  std::uint32_t side_[3] = {3, 3, 1};
  double width_[3] = {1, 1, 1};
};

// A cell of the cube around a point: position along each axis and number.
struct GcmcCubeCell {
  int at[3];
  std::uint32_t cell;
};

// Cell `index` of the cube around p, x fastest; cells() - 1 is the last one. Where the cube is as
// wide as the box each cell comes once.
HOST_DEVICE GcmcCubeCell gcmcCubeCell(const GcmcCube& c, GcmcPoint p, int index) {
  const std::uint32_t word[3] = {p.x, p.y, p.z};
  GcmcCubeCell r;
  for (int k = 0; k < 3; ++k) {
    const int offset = index % c.span[k] - c.span[k] / 2;
    index /= c.span[k];
    int at = c.along(word[k], k) + offset;
    if (at < 0) at += c.count[k];
    if (at >= c.count[k]) at -= c.count[k];
    r.at[k] = at;
  }
  r.cell = c.number(r.at[0], r.at[1], r.at[2]);
  return r;
}

// Cells and what they hold. Entry k of a cell is the slot of a particle, k < filled[cell].
struct GcmcGrid {
  GcmcCube cube;
  std::uint32_t capacity = 0;  // entries per cell; 0: a method without cells
  std::size_t cellStride = 0, entryStride = 0;
  std::uint32_t* filled = nullptr;
  std::uint32_t* entry = nullptr;
  // First word of each cell along the three axes and 2^32 (as 0) behind, one after another.
  const std::uint32_t* edge = nullptr;

  HOST_DEVICE std::uint32_t& at(std::uint32_t cell, std::uint32_t k) const {
    return entry[cell * cellStride + k * entryStride];
  }
  HOST_DEVICE bool full(std::uint32_t cell) const { return filled[cell] == capacity; }
  // There must be room.
  HOST_DEVICE void add(std::uint32_t cell, std::uint32_t slot) const {
    at(cell, filled[cell]++) = slot;
  }
  // The last entry fills the hole.
  HOST_DEVICE void remove(std::uint32_t cell, std::uint32_t slot) const {
    const std::uint32_t last = --filled[cell];
    for (std::uint32_t k = 0; k < last; ++k)
      if (at(cell, k) == slot) {
        at(cell, k) = at(cell, last);
        return;
      }
  }
  HOST_DEVICE void rename(std::uint32_t cell, std::uint32_t from, std::uint32_t to) const {
    for (std::uint32_t k = 0; k < filled[cell]; ++k)
      if (at(cell, k) == from) at(cell, k) = to;
  }
};

// Particles by cell, in the memory of a backend: the words of entry k < filled[cell] of a cell lie
// as in gcmcCellsInRow() (chain_simd.h).
struct GcmcStoredCells {
  std::uint32_t* filled;
  std::uint32_t* word;
  ParticleId* id;
  std::uint32_t capacity;  // entries that a cell has room for, a multiple of 16

  HOST_DEVICE std::size_t idAt(std::uint32_t cell, std::uint32_t k) const {
    return static_cast<std::size_t>(cell) * capacity + k;
  }
  HOST_DEVICE ParticleId& idOf(std::uint32_t cell, std::uint32_t k) const {
    return id[idAt(cell, k)];
  }
  // Its x, then its y, then its z.
  HOST_DEVICE std::uint32_t* words(std::uint32_t cell) const {
    return word + 3 * static_cast<std::size_t>(cell) * capacity;
  }
  HOST_DEVICE GcmcPoint point(std::uint32_t cell, std::uint32_t k) const {
    const std::uint32_t* w = words(cell) + k;
    return {w[0], w[capacity], w[2 * capacity]};
  }
  HOST_DEVICE void put(std::uint32_t cell, std::uint32_t k, GcmcPoint p) const {
    std::uint32_t* w = words(cell) + k;
    w[0] = p.x, w[capacity] = p.y, w[2 * capacity] = p.z;
  }
  // There must be room.
  HOST_DEVICE void add(std::uint32_t cell, GcmcPoint p, ParticleId particle) const {
    const std::uint32_t k = filled[cell]++;
    put(cell, k, p);
    idOf(cell, k) = particle;
  }
  HOST_DEVICE void remove(std::uint32_t cell, std::uint32_t k) const {
    const std::uint32_t last = --filled[cell];
    if (k == last) return;
    put(cell, k, point(cell, last));
    idOf(cell, k) = idOf(cell, last);
  }
};

// Smallest distance, in words, from a word to a cell [first, last] along a periodic axis.
HOST_DEVICE std::uint32_t gcmcGap(std::uint32_t word, std::uint32_t first, std::uint32_t last) {
  if (word - first <= last - first) return 0;
  const std::uint32_t up = first - word, down = word - last;
  return up < down ? up : down;
}

inline namespace GCMC_TYPES {

// Whether no point of a cell interacts with p: by the same rounded arithmetic as the pair law,
// which grows with each of the three distances, so that no pair is missed.
HOST_DEVICE bool gcmcBeyond(const GcmcGrid& g, const GcmcPair& pair, GcmcPoint p,
                            const GcmcCubeCell& c) {
  const std::uint32_t word[3] = {p.x, p.y, p.z};
  const std::uint32_t* edge = g.edge;
  float square[3];
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t gap = gcmcGap(word[k], edge[c.at[k]], edge[c.at[k] + 1] - 1);
    const float d = gcmcImage(gap, 0, pair.unit[k]);
    square[k] = mulRn(d, d);
    edge += g.cube.count[k] + 1;
  }
  return addRn(addRn(square[0], square[1]), square[2]) >= gcmcReachSquared(pair);
}

}  // namespace GCMC_TYPES

// --- Which cells suit a box and a cutoff. ---

// Traditional cells (S0, 3.2.2): as many as there can be of width S >= r_cut, at least three along
// each axis (S = L / 3 when L < 3 r_cut: the neighbours are the whole box then).
GcmcCube gcmcCells(const Box& box, const GcmcPair& pair);

// Microcells (S0, 3.3) of width w = L / floor(L) >= sigma, instead of sigma with a thin last one
// that would leave pairs across it out of reach; 2 ceil(r_cut / w) + 1 of them along each axis of
// the cube, or all there are.
GcmcCube gcmcMicrocells(const Box& box, const GcmcPair& pair);

// Cells of the checkerboard (board.h): an even number along each axis, as many as there can be of
// width S >= r_cut. Throws InputError where there are not four. part < 1, wrong on purpose: of a
// width of at least that part of the cutoff.
GcmcCube gcmcBoardCells(const Box& box, const GcmcPair& pair, double part = 1);

// Throws InputError where the layers of a board across its last axis are too few for so many
// domains.
void gcmcBoardCutInto(int domains, int layers);

// GcmcGrid::edge of a cube. typeBit: of GcmcBoard.
std::vector<std::uint32_t> gcmcEdges(const GcmcCube& cube, std::uint32_t typeBit = 0);

// --- Which threads read which cells in a move: the cells around a position with their block,
// threads and turn, from the functions that the kernels use. For drawings and tests. ---

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
