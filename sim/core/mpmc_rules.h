// Rules of massively parallel Monte Carlo of hard disks (S3, Algorithms 1, 2 and 4) for one cell.
// This is the scalar reference; every faster engine must give the same result bit for bit.
#pragma once
#include "sim/core/checkerboard.h"
#include "sim/core/rng.h"

namespace cellscope {

inline constexpr std::uint32_t kNoId = 0xffffffffu;  // id of an unused slot
inline constexpr float kFarSquared = 9.0f;           // squared distance when nothing is near
inline constexpr int kOwnCell = 4;                   // index of the middle of a 3x3 block

// A cell and its eight neighbours, k = 3 (dy + 1) + (dx + 1). Coordinates are local to each cell;
// unused slots hold kEmptySlot and kNoId. Every cell appears once, because m >= 4.
struct Neighbourhood {
  Vec2 disk[9][kMaxSlots];
  std::uint32_t id[9][kMaxSlots];
  std::int32_t count[9];
  std::int32_t slots;
  float w;
};

HOST_DEVICE Neighbourhood readNeighbourhood(const DiskCellsView& cells, int x, int y) {
  const GridInfo& g = cells.grid;
  Neighbourhood n;
  n.slots = g.slots;
  n.w = g.w;
  for (int k = 0; k < 9; ++k) {
    const int nx = g.wrap(x + k % 3 - 1), ny = g.wrapRow(y + k / 3 - 1);
    n.count[k] = cells.count[g.cell(nx, ny)];
    for (int i = 0; i < g.slots; ++i) {
      n.disk[k][i] = cells.disk[g.slot(nx, ny, i)];
      n.id[k][i] = cells.id[g.slot(nx, ny, i)];
    }
  }
  return n;
}

// Words of one random stream in order: words 0..3 of block 0, of block 1, ...
struct WordStream {
  RngKey key;
  RngPurpose purpose;
  std::uint64_t step;
  std::uint32_t id;
  std::uint32_t block;
  int used;
  Random4 words;

  HOST_DEVICE WordStream(RngKey k, RngPurpose p, std::uint64_t s, std::uint32_t i)
      : key(k), purpose(p), step(s), id(i), block(0), used(4), words{} {}
  HOST_DEVICE std::uint32_t next() {
    if (used == 4) {
      words = draw(key, purpose, step, id, block++);
      used = 0;
    }
    return words.w[used++];
  }
};

// What all cell updates of one sub-sweep share.
struct CellRule {
  RngKey key;
  RngPurpose purpose;
  std::uint64_t sweep;
  float scale;   // float(d / 32768), see displacement()
  float margin;  // how far a centre may leave its cell; 0 unless the leaveCell experiment is on
  std::int32_t nMoves;
  bool shuffle;  // visit the slots in random order
  bool relax;    // acceptance rule of compression
  bool once;     // one trial of every disk instead of nMoves
};

// Reach of the leaveCell experiment (S3, section 2.4, point 1: Algorithm 2 without line 25). A disk
// may leave its cell by w - 1, as far as the 3x3 cells hold all that it can touch. They hold the
// state before the sub-sweep: what another active cell does meanwhile is not seen. The result thus
// depends on no order of threads, but two active cells, w apart, may both move into the cell
// between them and overlap there. Distances stay above w - 2 (w - 1) = 2 - w, at least 0.5.
HOST_DEVICE float leaveMargin(float w) { return w > 1.0f ? w - 1.0f : 0.0f; }

// relax: compression. It has its own purpose of random numbers and never lets a disk leave its
// cell; the other experiments act as in a sweep.
HOST_DEVICE CellRule cellRule(const MpmcParameters& p, float w, std::uint64_t sweep, bool relax) {
  CellRule r;
  r.key = hashSeed(p.seed);
  r.purpose = relax ? RngPurpose::compression : RngPurpose::cellUpdate;
  r.sweep = sweep;
  r.scale = p.d / 32768.0f;
  r.margin = p.experiments.leaveCell && !relax ? leaveMargin(w) : 0.0f;
  r.nMoves = p.nMoves;
  r.shuffle = !p.experiments.noParticleShuffle;
  r.relax = relax;
  r.once = p.experiments.moveOnce && !relax;
  return r;
}

// Squared distance from `p` to the nearest disk of the 3x3 cells other than slot `self` of the
// middle cell, at most kFarSquared; `nearest` is its id. Neighbour coordinates are q + s with
// s = -w, 0, +w per axis: exact on the coordinate grid.
HOST_DEVICE float nearestSquared(const Neighbourhood& n, int self, Vec2 p, std::uint32_t* nearest) {
  float smallest = kFarSquared;
  *nearest = kNoId;
  for (int k = 0; k < 9; ++k) {
    const float sx = static_cast<float>(k % 3 - 1) * n.w;
    const float sy = static_cast<float>(k / 3 - 1) * n.w;
    for (int i = 0; i < n.count[k]; ++i) {
      if (k == kOwnCell && i == self) continue;
      const float d2 = distanceSquared(p.x - (n.disk[k][i].x + sx), p.y - (n.disk[k][i].y + sy));
      if (d2 < smallest) {
        smallest = d2;
        *nearest = n.id[k][i];
      }
    }
  }
  return smallest;
}

enum class TrialOutcome : std::uint8_t { accepted, overlap, leftCell };

// One trial move. blocking: id of the nearest disk when the outcome is `overlap`, else kNoId.
struct TrialRecord {
  std::int32_t slot;
  std::uint32_t id;
  Vec2 from, to;  // local to the cell; `to` is the proposal, taken or not
  TrialOutcome outcome;
  std::uint32_t blocking;
};

HOST_DEVICE bool insideReach(Vec2 p, float w, float margin) {
  return p.x >= -margin && p.x < w + margin && p.y >= -margin && p.y < w + margin;
}

// Trial move of the disk at `slot` by the candidate `word`. The move is made when accepted.
HOST_DEVICE TrialRecord tryMove(Neighbourhood& n, const CellRule& r, int slot, std::uint32_t word) {
  TrialRecord t;
  t.slot = slot;
  t.id = n.id[kOwnCell][slot];
  t.from = n.disk[kOwnCell][slot];
  t.to = {t.from.x + displacement(candidateX(word), r.scale),
          t.from.y + displacement(candidateY(word), r.scale)};
  t.blocking = kNoId;
  if (!insideReach(t.to, n.w, r.margin)) {
    t.outcome = TrialOutcome::leftCell;
    return t;
  }
  const float after = nearestSquared(n, slot, t.to, &t.blocking);
  bool accept = !(after < 1.0f);
  if (!accept && r.relax) {
    std::uint32_t ignored;
    accept = after >= nearestSquared(n, slot, t.from, &ignored);
  }
  t.outcome = accept ? TrialOutcome::accepted : TrialOutcome::overlap;
  if (accept) {
    t.blocking = kNoId;
    n.disk[kOwnCell][slot] = t.to;
  }
  return t;
}

// S3, Algorithm 2, for the cell in the middle; cellId = grid.id(x, y). Trial s moves the disk at
// order[s mod n]; disks stay at their slots, the order is only that of the visits. An empty cell
// draws nothing. record(t) sees every TrialRecord. moved: bits of the cell (DiskCellsView), or
// null; with CellRule::once, disks that have them set are passed over.
HOST_DEVICE void updateCell(Neighbourhood& n, const CellRule& r, std::uint32_t cellId,
                            auto&& record, std::uint8_t* moved = nullptr) {
  const int disks = n.count[kOwnCell];
  if (disks == 0) return;
  WordStream words(r.key, r.purpose, r.sweep, cellId);
  int order[kMaxSlots] = {0, 1, 2, 3, 4};
  const std::uint32_t first = words.next();
  if (r.shuffle) shuffleSlots(first, disks, order);
  if (!r.once || !(r.margin > 0.0f)) moved = nullptr;
  const unsigned before = moved ? *moved : 0u;
  for (int s = 0, turn = 0; s < (r.once ? disks : r.nMoves); ++s) {
    if (before >> order[turn] & 1u) {
      ++turn;
      continue;
    }
    std::uint32_t word = words.next();
    while (!candidateInCircle(word)) word = words.next();
    record(tryMove(n, r, order[turn], word));
    if (++turn == disks) turn = 0;
  }
  if (moved) *moved = static_cast<std::uint8_t>((1u << disks) - 1);
}

// --- Schedule of a sweep (S3, Algorithm 1, lines 1, 2, 15, 16) ---

// A pure function of the arguments. Set order: Fisher-Yates with words 0, 1, 2 of (setShuffle,
// sweep, 0, 0). Shift: direction = top two bits of word 0 of (cellShift, sweep, 0, 0); length =
// word 1 scaled to the multiples of q in [0, w/2). The experiments switch effects off, not draws;
// without the set shuffle the order is a, b, c, d.
HOST_DEVICE SweepSchedule scheduleOfSweep(const MpmcParameters& p, float w, std::uint64_t sweep) {
  const RngKey key = hashSeed(p.seed);
  SweepSchedule s{{0, 1, 2, 3}, {0, 0.0f}};
  if (!p.experiments.noSetShuffle) {
    const Random4 r = draw(key, RngPurpose::setShuffle, sweep, 0, 0);
    for (int i = 3; i > 0; --i) {
      const std::uint32_t j = scaleWord(r.w[3 - i], static_cast<std::uint32_t>(i + 1));
      const std::uint8_t t = s.set[i];
      s.set[i] = s.set[j];
      s.set[j] = t;
    }
  }
  if (!p.experiments.noCellShift) {
    const Random4 r = draw(key, RngPurpose::cellShift, sweep, 0, 0);
    const std::uint32_t width = static_cast<std::uint32_t>(w / kCoordinateQuantum);  // exact
    const std::uint32_t steps = scaleWord(r.w[1], (width + 1) / 2);
    s.shift = {static_cast<std::int32_t>(r.w[0] >> 30),
               static_cast<float>(steps) * kCoordinateQuantum, p.experiments.shiftRounding()};
  }
  return s;
}

// Position, 0 to 3, of the sub-sweep of `set` in its sweep.
HOST_DEVICE int positionOfSet(const MpmcParameters& p, float w, std::uint64_t sweep, int set) {
  const SweepSchedule s = scheduleOfSweep(p, w, sweep);
  int position = 0;
  while (position < 3 && s.set[position] != set) ++position;
  return position;
}

// --- Cell shift (S3, Algorithm 4) ---

// Direction f of a shift as a step between cells.
HOST_DEVICE int shiftStepX(int direction) { return direction == 0 ? 1 : direction == 1 ? -1 : 0; }
HOST_DEVICE int shiftStepY(int direction) { return direction == 2 ? 1 : direction == 3 ? -1 : 0; }

// Contents of one cell while it is being gathered.
struct CellContents {
  Vec2 disk[kMaxSlots];
  std::uint32_t id[kMaxSlots];
  std::int32_t count;
  bool overflow;   // a disk found no free slot
  unsigned moved;  // bits of DiskCellsView
};

HOST_DEVICE CellContents emptyContents() {
  CellContents c;
  for (int i = 0; i < kMaxSlots; ++i) {
    c.disk[i] = {kEmptySlot, kEmptySlot};
    c.id[i] = kNoId;
  }
  c.count = 0;
  c.overflow = false;
  c.moved = 0;
  return c;
}

HOST_DEVICE void append(CellContents& c, int slots, Vec2 disk, std::uint32_t id) {
  if (c.count == slots) {
    c.overflow = true;
    return;
  }
  c.disk[c.count] = disk;
  c.id[c.count] = id;
  ++c.count;
}

// Stored contents of a cell of a row.
HOST_DEVICE CellContents contentsOf(const CellRow& row, int column) {
  CellContents c = emptyContents();
  c.count = row.count[column];
  for (int i = 0; i < c.count; ++i) {
    const std::size_t slot =
        static_cast<std::size_t>(i) * row.stride + static_cast<std::size_t>(column);
    c.disk[i] = row.disk[slot];
    c.id[i] = row.id[slot];
  }
  return c;
}
HOST_DEVICE CellContents readContents(const DiskCellsView& cells, int x, int y) {
  return contentsOf(rowOf(cells, y), cells.grid.column(x));
}

// Coordinate v of a disk of the neighbour in this cell, s = -w, 0 or w away. The experiment
// shiftBits (S3, section 3.2): as floating-point numbers do, v + w loses digits and v - w none (the
// difference of near numbers is exact); here the distance to the edge w keeps whole multiples of
// `rounding`. Every step is exact. A disk nearer to that edge than `rounding` comes to lie on it.
HOST_DEVICE float carried(float v, float s, float w, float rounding) {
  const float x = v + s;
  if (!(rounding > 0.0f) || !(s > 0.0f)) return x;
  return w - static_cast<float>(static_cast<std::int32_t>((w - x) / rounding)) * rounding;
}

// Contents of a cell after the cells have moved by d along f, from its old contents and those of
// the neighbour along f: local coordinates change by -f d; first the disks that stay, in order,
// then those that enter from the neighbour. Both owners evaluate the same expression, D - f d, and
// nothing is rounded: a disk outside its old cell is inside the new one after adding the step f w.
// With CellShift::rounding the neighbour's disks are translated first and tested then, as S3,
// section 3.2, advises against: both tests may fail, and a disk is lost.
HOST_DEVICE CellContents shiftedContents(const CellContents& own, const CellContents& beside,
                                         const GridInfo& g, CellShift shift) {
  const int fx = shiftStepX(shift.direction), fy = shiftStepY(shift.direction);
  const float dx = static_cast<float>(fx) * shift.d, dy = static_cast<float>(fy) * shift.d;
  CellContents out = emptyContents();
  for (int i = 0; i < own.count; ++i) {
    const Vec2 p = {own.disk[i].x - dx, own.disk[i].y - dy};
    if (insideCell(p.x, p.y, g.w)) append(out, g.slots, p, own.id[i]);
  }
  const float sx = static_cast<float>(fx) * g.w, sy = static_cast<float>(fy) * g.w;
  for (int i = 0; i < beside.count; ++i) {
    const Vec2 p = {beside.disk[i].x - dx, beside.disk[i].y - dy};
    const Vec2 here = {carried(p.x, sx, g.w, shift.rounding),
                       carried(p.y, sy, g.w, shift.rounding)};
    const bool enters =
        shift.rounding > 0.0f ? insideCell(here.x, here.y, g.w) : !insideCell(p.x, p.y, g.w);
    if (enters) append(out, g.slots, here, beside.id[i]);
  }
  return out;
}

// The same for cell (x, y), where no other thread changes the cells.
HOST_DEVICE CellContents gatherShifted(const DiskCellsView& cells, int x, int y, CellShift shift) {
  const GridInfo& g = cells.grid;
  const int nx = g.wrap(x + shiftStepX(shift.direction));
  const int ny = g.wrapRow(y + shiftStepY(shift.direction));
  return shiftedContents(readContents(cells, x, y), readContents(cells, nx, ny), g, shift);
}

// Contents of cell (x, y) after a sub-sweep of the leaveCell experiment: disks still inside, in
// order, then entrants from the eight neighbours, dy = -1..1, dx = -1..1. Disks take the marks of
// their moves along.
HOST_DEVICE CellContents gatherRebinned(const DiskCellsView& cells, int x, int y) {
  const GridInfo& g = cells.grid;
  CellContents out = emptyContents();
  for (int visit = 0; visit < 9; ++visit) {
    const int k = visit == 0 ? kOwnCell : (visit <= kOwnCell ? visit - 1 : visit);
    const int nx = g.wrap(x + k % 3 - 1), ny = g.wrapRow(y + k / 3 - 1);
    const float sx = static_cast<float>(k % 3 - 1) * g.w, sy = static_cast<float>(k / 3 - 1) * g.w;
    for (int i = 0; i < cells.count[g.cell(nx, ny)]; ++i) {
      const std::size_t slot = g.slot(nx, ny, i);
      const Vec2 p = {cells.disk[slot].x + sx, cells.disk[slot].y + sy};
      if (!insideCell(p.x, p.y, g.w)) continue;
      if (cells.moved && (cells.moved[g.cell(nx, ny)] >> i & 1)) out.moved |= 1u << out.count;
      append(out, g.slots, p, cells.id[slot]);
    }
  }
  return out;
}

// Store gathered contents; unused slots get kEmptySlot and kNoId.
HOST_DEVICE void writeContents(const DiskCellsView& to, int x, int y, const CellContents& c) {
  for (int i = 0; i < to.grid.slots; ++i) {
    to.disk[to.grid.slot(x, y, i)] = c.disk[i];
    to.id[to.grid.slot(x, y, i)] = c.id[i];
  }
  to.count[to.grid.cell(x, y)] = static_cast<std::uint8_t>(c.count);
  if (to.moved) to.moved[to.grid.cell(x, y)] = static_cast<std::uint8_t>(c.moved);
}

}  // namespace cellscope
