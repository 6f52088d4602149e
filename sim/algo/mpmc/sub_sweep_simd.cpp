// Vectorised sub-sweep: the lanes are consecutive active cells of a row, which Algorithm 3 of S3
// puts next to each other in memory, as it does with their neighbours.
#include "sim/algo/mpmc/lanes_moves.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

LANES_INLINE Own loadOwn(const RowPlan& row, int k0, int lanes) {
  Own own;
  own.n = select(firstLanes(lanes), loadBytes(row.count + k0), broadcast(0u));
  own.most = 0;
  for (int i = 0; i < kSlots; ++i) {
    loadGroup(row.own + static_cast<std::size_t>(i) * row.stride + 2 * k0, lanes, own.x[i],
              own.y[i]);
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

// Shared by all groups of a task.
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

// The cells around the same active cells of the next active row, to the cache.
LANES_INLINE void fetchAhead(const RowPlan& row, int k0) {
  constexpr int kLine = 16;  // floats
  for (const float* of : {static_cast<const float*>(row.own), row.source[3].disk,
                          row.source[5].disk, row.source[6].disk})
    for (std::size_t i = 0; i + 1 < kSlots; ++i)  // the last one is rare
      for (int k = 0; k < 2 * kLanes; k += kLine)
        __builtin_prefetch(of + i * row.stride + 8 * row.half + 2 * k0 + k);
}

LANES_INLINE void updateGroup(Work& work, const RowPlan& row, int k0, MpmcTally& tally) {
  const int lanes = row.half - k0 < kLanes ? row.half - k0 : kLanes;
  Own own = loadOwn(row, k0, lanes);
  if (own.most == 0) return;
  fetchAhead(row, k0);
  work.staged.n = 0;
  for (const Source& from : row.source) stageSource(work.staged, row, from, k0, lanes);
  const Int id =
      add(broadcast(row.firstId + 2 * static_cast<std::uint32_t>(k0)), shiftLeft<1>(laneNumbers()));
  moveAll(work, own, id, tally);
  storeOwn(row, k0, lanes, own);
}

void updateTail(Work& work, const DiskCellsView& cells, Tail& tail, MpmcTally& tally) {
  const GridInfo& g = cells.grid;
  alignas(64) float x[kSlots][kLanes] = {}, y[kSlots][kLanes] = {};
  alignas(64) std::uint32_t n[kLanes] = {}, id[kLanes] = {};
  Own own;
  own.most = 0;
  for (int k = 0; k < tail.n; ++k) {
    const std::size_t cell = g.cell(tail.x[k], tail.y[k]);
    id[k] = g.id(tail.x[k], tail.y[k]);
    n[k] = cells.count[cell];
    own.most = cells.count[cell] > own.most ? cells.count[cell] : own.most;
    for (std::size_t i = 0; i < kSlots; ++i) {
      x[i][k] = cells.disk[i * g.cellCount() + cell].x;
      y[i][k] = cells.disk[i * g.cellCount() + cell].y;
    }
  }
  own.n = load(n);
  for (int i = 0; i < kSlots; ++i) own.x[i] = load(x[i]), own.y[i] = load(y[i]);
  stageTail(work.staged, cells, tail);
  moveAll(work, own, load(id), tally);
  for (int i = 0; i < kSlots; ++i) store(x[i], own.x[i]), store(y[i], own.y[i]);
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
  if (t.cells.grid.slots != kSlots || r.margin > 0.0f || r.once || r.nMoves > kMostMoves ||
      r.nMoves < 1)
    return kScalarKernels.updateRows(t, begin, end, tally);
  Work work;
  work.philox = planOf(r);
  work.moves = {broadcast(r.scale), broadcast(t.cells.grid.w), r.nMoves, r.shuffle, r.relax};
  Tail tail;
  // Very short tails of rows are cheaper when gathered cell by cell.
  const int half = t.cells.grid.m / 2, rest = half % kLanes;
  const int whole = 6 * rest <= kLanes ? half - rest : half;
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
