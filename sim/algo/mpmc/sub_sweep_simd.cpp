// Vectorised sub-sweep: the lanes are consecutive active cells of a row, which Algorithm 3 of S3
// puts next to each other in memory, as it does with their neighbours.
//
// The overlap test of a trial position a against a disk b uses
//   |a - b|^2 - 1 = (|a|^2 - 1) - (2 a.b - |b|^2),
// two fused operations and one maximum per disk. With |a|, |b| components below 2 sqrt 2 its
// rounding error stays below 120 units of 2^-24, less than kBand; lanes whose result lies within
// the band are decided by the exact rule. The outcome is therefore that of the scalar rule in every
// case.
#include "sim/algo/mpmc/simd_first.h"
//
#include "sim/algo/mpmc/cpu_kernels_simd.h"
#include "sim/algo/mpmc/lanes_random.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

constexpr int kPlaces = 4;
constexpr float kBand = 1.0f / 65536.0f;

// Disks of the eight neighbour cells, seen from the middle cells; one vector per disk.
struct Staged {
  alignas(64) float x[8 * kPlaces][kLanes];
  alignas(64) float y[8 * kPlaces][kLanes];
  alignas(64) float square[8 * kPlaces][kLanes];
  int n;
};

// A half-row of neighbour cells: cell k + offset (periodic) neighbours the k-th active cell.
struct Source {
  const float* disk;  // place 0 of its first cell, as pairs
  const std::uint8_t* count;
  int offset;
  float sx, sy;
};

struct RowPlan {
  Source source[8];
  float* own;           // place 0 of the first active cell
  std::uint8_t* count;  // of the first active cell
  std::uint32_t firstId;
  int half;            // active cells in the row
  std::size_t stride;  // floats from one place to the next
};

LANES_INLINE RowPlan planRow(const SubSweepTask& t, int y) {
  const GridInfo& g = t.cells.grid;
  const int px = t.set & 1, half = g.m / 2;
  float* disks = reinterpret_cast<float*>(t.cells.disk);
  RowPlan row;
  row.half = half;
  row.stride = 2 * g.cellCount();
  row.own = disks + 2 * g.cell(px, y);
  row.count = t.cells.count + g.cell(px, y);
  row.firstId = g.id(px, y);
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const int parity = dx == 0 ? px : 1 - px;
      const int offset = dx == 0 ? 0 : (dx < 0 ? px - 1 : px);
      const std::size_t first = g.cell(parity, g.wrap(y + dy));
      row.source[n++] = {disks + 2 * first, t.cells.count + first, offset,
                         static_cast<float>(dx) * g.w, static_cast<float>(dy) * g.w};
    }
  return row;
}

LANES_INLINE void stageOne(Staged& s, Float x, Float y) {
  store(s.x[s.n], x);
  store(s.y[s.n], y);
  store(s.square[s.n], multiplyAdd(x, x, y * y));
}

// Replace one lane by the disk at `pair`, for cells beyond the end of the half-row.
LANES_INLINE void patchLane(Staged& s, int lane, const float* pair, float sx, float sy) {
  const float x = pair[0] + sx, y = pair[1] + sy;
  s.x[s.n][lane] = x;
  s.y[s.n][lane] = y;
  s.square[s.n][lane] = x * x + y * y;
}

// At least the largest of kLanes counts (each at most 4, so three bits), in scalar registers.
LANES_INLINE int placesInUse(const std::uint8_t* counts) {
  std::uint64_t two = 0, three = 0, four = 0;
  for (int k = 0; k < kLanes; k += 8) {
    std::uint64_t c = 0;
    std::memcpy(&c, counts + k, kLanes < 8 ? kLanes : 8);
    two |= c >> 1;
    three |= c & (c >> 1);
    four |= c >> 2;
  }
  const std::uint64_t ones = 0x0101010101010101ull;
  return four & ones ? 4 : (three & ones ? 3 : (two & ones ? 2 : 1));
}

// Disks of one source; vectors without a disk are left out (occupied places come first).
LANES_INLINE void stageSource(Staged& s, const RowPlan& row, const Source& from, int k0,
                              int lanes) {
  const int first = k0 + from.offset;
  const int wrapped = first < 0 ? 0 : (first + lanes > row.half ? row.half - first : -1);
  const Float sx = broadcast(from.sx), sy = broadcast(from.sy);
  const int places = wrapped < 0 ? placesInUse(from.count + first) : kPlaces;
  for (int i = 0; i < places; ++i) {
    const float* place = from.disk + static_cast<std::size_t>(i) * row.stride;
    Float x, y;
    loadPairs(place + 2 * first, x, y);
    stageOne(s, x + sx, y + sy);
    if (wrapped >= 0)
      patchLane(s, wrapped, place + (first < 0 ? 2 * (row.half - 1) : 0), from.sx, from.sy);
    ++s.n;
  }
}

// The active cells of the lanes.
struct Own {
  Float x[kPlaces], y[kPlaces];
  Int n;
  int most;  // largest count of all lanes
};

LANES_INLINE Own loadOwn(const RowPlan& row, int k0, Mask valid) {
  Own own;
  own.n = select(valid, loadBytes(row.count + k0), broadcast(0u));
  own.most = 0;
  for (int i = 0; i < kPlaces; ++i) {
    loadPairs(row.own + static_cast<std::size_t>(i) * row.stride + 2 * k0, own.x[i], own.y[i]);
    if (any(greater(own.n, broadcast(static_cast<std::uint32_t>(i))))) own.most = i + 1;
  }
  return own;
}

LANES_INLINE void storeOwn(const RowPlan& row, int k0, int lanes, const Own& own) {
  for (int i = 0; i < own.most; ++i) {
    float* to = row.own + static_cast<std::size_t>(i) * row.stride + 2 * k0;
    if (lanes == kLanes) {
      storePairs(to, own.x[i], own.y[i]);
      continue;
    }
    alignas(64) float pairs[2 * kLanes];
    storePairs(pairs, own.x[i], own.y[i]);
    for (int k = 0; k < 2 * lanes; ++k) to[k] = pairs[k];
  }
}

// Smallest exact squared distance (S3, Algorithm 2, line 19) to the staged disks.
LANES_INLINE Mask exactlyBlocked(const Staged& s, Float x, Float y) {
  Float smallest = broadcast(kFarSquared);
  for (int j = 0; j < s.n; ++j) {
    const Float dx = x - load(s.x[j]), dy = y - load(s.y[j]);
    smallest = minimum(smallest, dx * dx + dy * dy);
  }
  return less(smallest, broadcast(1.0f));
}

LANES_INLINE Mask blockedByNeighbours(const Staged& s, Float x, Float y, Mask asked) {
  const Float x2 = x + x, y2 = y + y, reach = x * x + y * y - broadcast(1.0f);
  Float a = broadcast(-1000.0f), b = a;
  int j = 0;
  for (; j + 1 < s.n; j += 2) {
    a = maximum(
        a, multiplyAdd(x2, load(s.x[j]), multiplySubtract(y2, load(s.y[j]), load(s.square[j]))));
    b = maximum(b, multiplyAdd(x2, load(s.x[j + 1]),
                               multiplySubtract(y2, load(s.y[j + 1]), load(s.square[j + 1]))));
  }
  if (j < s.n)
    a = maximum(
        a, multiplyAdd(x2, load(s.x[j]), multiplySubtract(y2, load(s.y[j]), load(s.square[j]))));
  const Float gap = reach - maximum(a, b);  // smallest |a - b|^2 - 1, nearly
  const Mask unsure = both(less(broadcast(-kBand), gap), less(gap, broadcast(kBand)));
  if (__builtin_expect(any(both(asked, unsure)), 0)) return exactlyBlocked(s, x, y);
  return less(gap, broadcast(0.0f));
}

struct Moves {
  Float scale, w;
  int nMoves;
  bool shuffle;
};

LANES_INLINE Float stepOf(Float half, Float scale) {
  return (half * scale + broadcast(3.0f)) - broadcast(3.0f);
}

// One trial move of every active lane: the disk at `place`. No lane has more than kMost disks.
template <int kMost>
LANES_INLINE void tryLanes(Own& own, const Staged& s, const Moves& moves, Mask active, Int place,
                           Int word, MpmcTally& tally) {
  Mask self[kPlaces];
  Float x = own.x[0], y = own.y[0];
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    self[j] = equal(place, broadcast(static_cast<std::uint32_t>(j)));
    if (j == 0) continue;
    x = select(self[j], own.x[j], x);
    y = select(self[j], own.y[j], y);
  }
  x = x + stepOf(candidateXOf(word), moves.scale);
  y = y + stepOf(candidateYOf(word), moves.scale);
  const Mask inside = both(active, insideSquare(x, y, moves.w));
  Mask blocked = blockedByNeighbours(s, x, y, inside);
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    const Float dx = x - own.x[j], dy = y - own.y[j];
    blocked = either(blocked, without(less(dx * dx + dy * dy, broadcast(1.0f)), self[j]));
  }
  const Mask accepted = without(inside, blocked);
#pragma GCC unroll 4
  for (int j = 0; j < kMost; ++j) {
    const Mask here = both(accepted, self[j]);
    own.x[j] = select(here, x, own.x[j]);
    own.y[j] = select(here, y, own.y[j]);
  }
  const auto in = static_cast<unsigned>(countOf(inside));
  const auto won = static_cast<unsigned>(countOf(accepted));
  tally.accepted += won;
  tally.overlap += in - won;
  tally.leftCell -= in;  // attempted is added once per group
}

template <int kMost>
LANES_INLINE void tryAll(Own& own, const Staged& s, const Moves& moves, Mask active, Int shuffle,
                         const Candidates& candidates, MpmcTally& tally) {
  Int order[kPlaces], turn = broadcast(0u);
  shuffleLanes(shuffle, moves.shuffle ? own.n : broadcast(0u), order);
  for (int move = 0; move < moves.nMoves; ++move) {
    Int place = order[0];
#pragma GCC unroll 4
    for (std::uint32_t j = 1; j < kMost; ++j)
      place = select(equal(turn, broadcast(j)), order[j], place);
    tryLanes<kMost>(own, s, moves, active, place, load(candidates.word[move]), tally);
    turn = add(turn, broadcast(1u));
    turn = select(equal(turn, own.n), broadcast(0u), turn);
  }
}

// What every group of one task shares.
struct Work {
  PhiloxPlan philox;
  Moves moves;
  Staged staged;
  Candidates candidates;
};

// All trial moves of the lanes, whose neighbours are staged.
LANES_INLINE void moveAll(Work& work, Own& own, Int id, MpmcTally& tally) {
  const Mask active = greater(own.n, broadcast(0u));
  const Int shuffle = drawCandidates(work.philox, id, active, work.moves.nMoves, work.candidates);
  if (own.most <= 2) {
    tryAll<2>(own, work.staged, work.moves, active, shuffle, work.candidates, tally);
  } else if (own.most == 3) {
    tryAll<3>(own, work.staged, work.moves, active, shuffle, work.candidates, tally);
  } else {
    tryAll<4>(own, work.staged, work.moves, active, shuffle, work.candidates, tally);
  }
  const auto tried = static_cast<unsigned>(countOf(active) * work.moves.nMoves);
  tally.attempted += tried;
  tally.leftCell += tried;
}

LANES_INLINE void updateGroup(Work& work, const RowPlan& row, int k0, MpmcTally& tally) {
  const int lanes = row.half - k0 < kLanes ? row.half - k0 : kLanes;
  Own own = loadOwn(row, k0, firstLanes(lanes));
  if (own.most == 0) return;
  work.staged.n = 0;
  for (const Source& from : row.source) stageSource(work.staged, row, from, k0, lanes);
  const Int id =
      add(broadcast(row.firstId + 2 * static_cast<std::uint32_t>(k0)), shiftLeft<1>(laneNumbers()));
  moveAll(work, own, id, tally);
  storeOwn(row, k0, lanes, own);
}

// Active cells at the ends of several rows, put together to fill the lanes.
struct Tail {
  int n = 0;
  int x[kLanes], y[kLanes];
};

// Stage the disks around every cell of the tail, packed per lane.
LANES_INLINE void stageTail(Staged& s, const DiskCellsView& cells, const Tail& tail) {
  const GridInfo& g = cells.grid;
  int used[kLanes] = {};
  const auto put = [&](int lane, float x, float y) {
    const int j = used[lane]++;
    s.x[j][lane] = x;
    s.y[j][lane] = y;
    s.square[j][lane] = x * x + y * y;
  };
  s.n = 0;
  for (int lane = 0; lane < tail.n; ++lane) {
    for (int k = 0; k < 9; ++k) {
      if (k == kOwnCell) continue;
      const int dx = k % 3 - 1, dy = k / 3 - 1;
      const std::size_t cell = g.cell(g.wrap(tail.x[lane] + dx), g.wrap(tail.y[lane] + dy));
      const float sx = static_cast<float>(dx) * g.w, sy = static_cast<float>(dy) * g.w;
      for (std::size_t i = 0; i < cells.count[cell]; ++i) {
        const Vec2 p = cells.disk[i * g.cellCount() + cell];
        put(lane, p.x + sx, p.y + sy);
      }
    }
    s.n = used[lane] > s.n ? used[lane] : s.n;
  }
  for (int lane = 0; lane < kLanes; ++lane)
    while (used[lane] < s.n) put(lane, kEmptySlot, kEmptySlot);
}

void updateTail(Work& work, const DiskCellsView& cells, Tail& tail, MpmcTally& tally) {
  const GridInfo& g = cells.grid;
  alignas(64) float x[kPlaces][kLanes] = {}, y[kPlaces][kLanes] = {};
  alignas(64) std::uint32_t n[kLanes] = {}, id[kLanes] = {};
  Own own;
  own.most = 0;
  for (int k = 0; k < tail.n; ++k) {
    const std::size_t cell = g.cell(tail.x[k], tail.y[k]);
    id[k] = g.id(tail.x[k], tail.y[k]);
    n[k] = cells.count[cell];
    own.most = cells.count[cell] > own.most ? cells.count[cell] : own.most;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      x[i][k] = cells.disk[i * g.cellCount() + cell].x;
      y[i][k] = cells.disk[i * g.cellCount() + cell].y;
    }
  }
  own.n = load(n);
  for (int i = 0; i < kPlaces; ++i) own.x[i] = load(x[i]), own.y[i] = load(y[i]);
  stageTail(work.staged, cells, tail);
  moveAll(work, own, load(id), tally);
  for (int i = 0; i < kPlaces; ++i) store(x[i], own.x[i]), store(y[i], own.y[i]);
  for (int k = 0; k < tail.n; ++k) {
    const std::size_t cell = g.cell(tail.x[k], tail.y[k]);
    for (std::size_t i = 0; i < n[k]; ++i)
      cells.disk[i * g.cellCount() + cell] = {x[i][k], y[i][k]};
  }
  tail.n = 0;
}

}  // namespace

void updateRows(const SubSweepTask& t, std::size_t begin, std::size_t end, MpmcTally& tally) {
  const CellRule& r = t.rule;
  if (t.cells.grid.places != kPlaces || r.relax || r.margin > 0.0f || r.nMoves > kMostMoves ||
      r.nMoves < 1)
    return kScalarKernels.updateRows(t, begin, end, tally);
  Work work;
  work.philox = planOf(r);
  work.moves = {broadcast(r.scale), broadcast(t.cells.grid.w), r.nMoves, r.shuffle};
  Tail tail;
  // A short rest of the rows is cheaper when gathered cell by cell.
  const int half = t.cells.grid.m / 2, rest = half % kLanes;
  const int whole = 2 * rest <= kLanes ? half - rest : half;
  for (std::size_t k = begin; k < end; ++k) {
    const int y = 2 * static_cast<int>(k) + (t.set >> 1);
    const RowPlan row = planRow(t, y);
    for (int k0 = 0; k0 < whole; k0 += kLanes) updateGroup(work, row, k0, tally);
    for (int j = whole; j < half; ++j) {
      tail.x[tail.n] = 2 * j + (t.set & 1);
      tail.y[tail.n] = y;
      if (++tail.n == kLanes) updateTail(work, t.cells, tail, tally);
    }
  }
  if (tail.n > 0) updateTail(work, t.cells, tail, tally);
}

}  // namespace cellscope::CELLSCOPE_SIMD
