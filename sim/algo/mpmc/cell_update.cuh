// Update of one cell on CUDA by one thread (S3, Algorithm 2), for grids of four slots.
//
// Fewest operations. A cell can only be reached by disks less than one diameter outside it: eight
// of the 14 in the neighbour cells at packing 0.698. They are packed through shared memory into
// registers, in the form of the contact filter.
//
// Legend: p disk of this cell, q neighbour disk in this cell's coordinates, w cell width,
// n_M trial moves per cell.
#pragma once
#include "sim/algo/mpmc/cell_trials.cuh"
#include "sim/algo/mpmc/sweep_plan.cuh"

namespace cellscope::mpmc {
inline constexpr int kHeld = 10;       // neighbours in registers; rarely exceeded
inline constexpr int kReachable = 24;  // no more unit disks than 20 fit around a cell, within reach
inline constexpr int kEight = 8;       // neighbour cells
inline constexpr int kWarp = 32;

// Number of neighbour cell c, 0 to 7, in the 3x3 cells.
__device__ constexpr int around(int c) { return c + (c > 3); }

// The reachable disks of one thread, in its column of the shared memory of its warp.
struct ReachableList {
  static constexpr unsigned kStep = kWarp * sizeof(Vec2);  // from one entry to the next
  unsigned begin, end;                                     // addresses in shared memory

  __device__ explicit ReachableList(unsigned column) : begin(column), end(column) {
#pragma unroll
    for (int k = 0; k < kHeld; ++k) storeShared(begin + k * kStep, Vec2{kFar, kFar});
  }
  __device__ Vec2 entry(int k) const { return loadSharedVec2(begin + k * kStep); }

  // Append a disk of neighbour cell k, given in that cell's coordinates, when it can be reached:
  // closer than one diameter to the middle cell. Always written, and kept by advancing the end,
  // without a branch. States without overlap never fill the list.
  __device__ void append(Vec2 v, int k, float w) {
    const int column = k % 3, row = k / 3;
    const float limit = 1.0f + kBand;
    const Vec2 q = {column == 1   ? v.x
                    : column == 0 ? v.x - w
                                  : v.x + w,
                    row == 1   ? v.y
                    : row == 0 ? v.y - w
                               : v.y + w};
    // Signed distance to the nearer border: q in the cells before, v in those after. Empty slots
    // are at kEmptySlot, out of reach on either side.
    const float dx = column == 0 ? q.x : v.x, dy = row == 0 ? q.y : v.y;
    bool reach;
    if (row == 1)
      reach = fabsf(dx) < limit;
    else if (column == 1)
      reach = fabsf(dy) < limit;
    else
      reach = __fmaf_rn(dx, dx, dy * dy) < limit;
    storeShared(end, q);
    if (reach) end += kStep;
  }

  // The same for the fourth slot of a cell k known only at run time.
  __device__ void appendFourth(const SubSweepArgs& a, const ActiveCell& active, int k) {
    const int column = k % 3 - 1, row = k / 3 - 1;
    const unsigned cell = (row < 0   ? active.row[0]
                           : row > 0 ? active.row[2]
                                     : active.row[1]) +
                          (column < 0   ? active.column[0]
                           : column > 0 ? active.column[2]
                                        : active.column[1]);
    const Vec2 v = a.slot[3][cell];
    const float w = a.cells.grid.w;
    const Vec2 q = {v.x + static_cast<float>(column) * w, v.y + static_cast<float>(row) * w};
    const float dx = fmaxf(fmaxf(-q.x, q.x - w), 0.0f), dy = fmaxf(fmaxf(-q.y, q.y - w), 0.0f);
    storeShared(end, q);
    if (__fmaf_rn(dx, dx, dy * dy) < 1.0f + kBand) end += kStep;
  }
};

// Input of a thread: the disks of its cell in storage order and the reachable
// neighbours.
__device__ inline int gather(const SubSweepArgs& a, const ActiveCell& active, Vec2 (&own)[4],
                             ReachableList& list) {
  const unsigned cell = active.cell(4);
  int counts[kEight];
  Vec2 raw[3 * kEight];  // three slots at once, without waiting for the counts; the fourth is
                         // rarely occupied
  const int n = a.cells.count[cell];
#pragma unroll
  for (int i = 0; i < 3; ++i) own[i] = a.slot[i][cell];
#pragma unroll
  for (int c = 0; c < kEight; ++c) {
    const unsigned beside = active.cell(around(c));
    counts[c] = a.cells.count[beside];
#pragma unroll
    for (int i = 0; i < 3; ++i) raw[kEight * i + c] = a.slot[i][beside];
  }
  const float w = a.cells.grid.w;
#pragma unroll
  for (int k = 0; k < 3 * kEight; ++k) list.append(raw[k], around(k % kEight), w);
  int most = n;
#pragma unroll
  for (int c = 0; c < kEight; c += 2) most = __vimax3_s32(most, counts[c], counts[c + 1]);
  own[3] = {kEmptySlot, kEmptySlot};
  if (most > 3) {
    if (n > 3) own[3] = a.slot[3][cell];
    unsigned full = 0;
#pragma unroll
    for (int c = 0; c < kEight; ++c) full |= counts[c] > 3 ? 1u << c : 0u;
    for (; full != 0; full &= full - 1) list.appendFourth(a, active, around(__ffs(full) - 1));
  }
  return active.inside ? n : 0;
}

// Whether trial s moves the disk with visiting index v, turn = s mod n. For n_M known at compile
// time a comparison of n with constants.
template <int kMoves>
__device__ bool isTurn(int s, int v, int n, int turn) {
  if (kMoves == 0) return turn == v;
  static_assert(kMoves <= 4);
  if (s == 0) return v == 0;
  if (s == 1) return v == 0 ? n < 2 : v == 1 ? n >= 2 : false;
  if (s == 2) return v == 0 ? n < 3 : v == 2 ? n >= 3 : false;
  return v == 0 ? (n & 1) != 0 : v == 1 ? n == 2 : v == 3 ? n == 4 : false;
}

// A cell and its reachable neighbours in the registers of a thread.
template <int kMoves>
struct HeldCell {
  FilterDisk p[4];  // in the order of visits
  FilterDisk q[kHeld];
  unsigned more, end;  // neighbours beyond kHeld, in shared memory
  int n;

  // Least filter value over all disks but the moving one.
  __device__ int least(int s, int turn, Vec2 a) const {
    int value = filterBits(q[0], a);
#pragma unroll
    for (int k = 1; k + 1 < kHeld; k += 2)
      value = __vimin3_s32(value, filterBits(q[k], a), filterBits(q[k + 1], a));
    const auto own = [&](int v) {
      return isTurn<kMoves>(s, v, n, turn) ? kNothing : filterBits(p[v], a);
    };
    static_assert(kHeld % 2 == 0);
    value = __vimin3_s32(value, filterBits(q[kHeld - 1], a), own(0));
    return min(__vimin3_s32(value, own(1), own(2)), own(3));
  }

  // The exact rule for the held neighbours and the cell's own disks.
  __device__ bool overlapsHeld(int s, int turn, Vec2 to) const {
    bool blocked = false;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) blocked |= overlaps(to.x - q[k].x, to.y - q[k].y);
#pragma unroll
    for (int v = 0; v < 4; ++v)
      blocked |= !isTurn<kMoves>(s, v, n, turn) & overlaps(to.x - p[v].x, to.y - p[v].y);
    return blocked;
  }

  // see(from, to, outcome) is called for every trial.
  template <class See>
  __device__ void tryMove(int s, int turn, Vec2 step, float w, TrialCounts& counts, See&& see) {
    Vec2 from = {p[0].x, p[0].y};
#pragma unroll
    for (int v = 1; v < 4; ++v)
      if (isTurn<kMoves>(s, v, n, turn)) from = {p[v].x, p[v].y};
    const Vec2 to = {from.x + step.x, from.y + step.y};
    const bool stays = insideUnsigned(to, w);
    const FilterDisk moved = filterDisk(to);
    // Below zero: overlaps.
    float margin = filterMargin(least(s, turn, {-2.0f * to.x, -2.0f * to.y}), moved.s);
    if (fabsf(margin) < kBand) margin = overlapsHeld(s, turn, to) ? -1.0f : 1.0f;
#pragma unroll 1
    for (unsigned e = more; e < end; e += ReachableList::kStep) {
      const Vec2 q = loadSharedVec2(e);
      if (overlaps(to.x - q.x, to.y - q.y)) margin = -1.0f;
    }
    const bool accept = stays & (margin >= 0.0f);
#pragma unroll
    for (int v = 0; v < 4; ++v)
      if (isTurn<kMoves>(s, v, n, turn) & accept) p[v] = moved;
    if (accept) ++counts.accepted;
    if (!stays) ++counts.leftCell;
    see(from, to, outcomeOf(accept, stays));
  }
};

// Shared memory of a warp. Lists reuse the memory of candidates already consumed.
template <int kMoves>
struct WarpShared {
  static constexpr bool kTaken = kMoves > 0;  // all candidates are consumed before lists are built
  Vec2 list[kReachable][kWarp];
  std::uint32_t later[kTaken ? 1 : kWords + 1][kTaken ? 1 : kWarp];
  __device__ unsigned candidates(int lane) const {
    return sharedAddress(kTaken ? reinterpret_cast<const std::uint32_t*>(list) + lane
                                : &later[0][kTaken ? 0 : lane]);
  }
};

// Storage order -> order of visits, through a column of shared memory.
__device__ inline void visit(const Vec2 (&own)[4], unsigned order, unsigned column,
                             FilterDisk (&p)[4]) {
#pragma unroll
  for (int i = 0; i < 4; ++i) storeShared(column + i * ReachableList::kStep, own[i]);
#pragma unroll
  for (int v = 0; v < 4; ++v)
    p[v] = filterDisk(loadSharedVec2(column + ((order >> (4 * v)) & 15u) * ReachableList::kStep));
}

// The update of one sub-sweep that a thread takes part in.
struct CellUpdate {
  int set;
  std::uint64_t sweep;
  float scale;  // d / 32768
  int nMoves;
  bool shuffleParticles;
};

// Makes the moves of one cell. kMoves: n_M when known at compile time, otherwise 0. block: number
// of the counters of this thread block. ready() returns when the disks may be read; random words do
// not depend on other cells and are drawn before.
template <int kMoves, bool kRecorded = false>
__device__ void updateCell(const SubSweepArgsOf<kRecorded>& a, const CellUpdate& u,
                           const ActiveCell& active, const VisitOrders& orders,
                           WarpShared<kMoves>& scratch, int lane, int block, auto&& ready) {
  const GridInfo g = a.cells.grid;
  CandidateStream<kWarp> stream{a.keys, scratch.candidates(lane), u.sweep,
                                g.id(active.x, active.y)};
  const std::uint32_t shuffleWord = stream.start();
  std::uint32_t word[kMoves > 0 ? kMoves : 1];
  if constexpr (kMoves > 0) stream.takeFirst(word);
  const int nMoves = kMoves > 0 ? kMoves : u.nMoves;
  __syncwarp();  // columns of lists are wider than those of candidates
  ReachableList list(sharedAddress(&scratch.list[0][lane]));

  ready();

  Vec2 own[4];
  HeldCell<kMoves> cell;
  cell.n = gather(a, active, own, list);
  cell.more = list.begin + kHeld * ReachableList::kStep;
  cell.end = list.end;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) cell.q[k] = filterDisk(list.entry(k));
  const unsigned order = u.shuffleParticles ? visitOrder(orders, shuffleWord, cell.n) : 0x3210u;
  visit(own, order, list.begin, cell.p);

  [[maybe_unused]] auto trace = traceOf<kRecorded>(a, active, cell.n);
  TrialCounts counts;
  int turn = 0;  // trial s moves the disk with visiting index s mod n
#pragma unroll(kMoves > 0 ? kMoves : 1)
  for (int s = 0; s < nMoves; ++s) {
    const std::uint32_t w = kMoves > 0 ? word[kMoves > 0 ? s : 0] : stream.take();
    cell.tryMove(s, turn, displacementOf(w, u.scale), g.w, counts,
                 [&](Vec2 from, Vec2 to, TrialOutcome outcome) {
                   if constexpr (kRecorded)
                     if (cell.n > 0)
                       trace.trial(s, (order >> (4 * (s % cell.n))) & 15u, from, to, outcome);
                 });
    if (kMoves == 0 && ++turn >= cell.n) turn = 0;
  }
  trace.end();
  const unsigned own4 = active.cell(4), slot = static_cast<unsigned>(g.cellCount());
#pragma unroll
  for (int v = 0; v < 4; ++v)
    if (v < cell.n)
      a.cells.disk[own4 + ((order >> (4 * v)) & 15u) * slot] = {cell.p[v].x, cell.p[v].y};
  counts.attempted = nMoves;
  if (cell.n == 0 || !g.owns(active.y)) counts = {};
  addCounters(a, u.set, block, counts);
}

}  // namespace cellscope::mpmc
