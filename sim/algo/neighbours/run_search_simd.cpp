// Vectorised search of runs of cells. Compiled once per instruction set, in its own namespace.
//
// The particles of a cell have the same runs around them: these are split into one array for each
// axis once, and each particle then reads them side by side.
#include "sim/algo/neighbours/run_search_simd.h"

#include "sim/algo/neighbours/record_lanes.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

constexpr std::uint32_t kBlock = 1024;  // particles of the runs at a time: they fit into the cache
constexpr std::uint32_t kSpare = 2 * kLanes;
constexpr float kFarAway = 1e18f;  // its square is a finite float

struct Block {
  alignas(64) float at[3][kBlock + kSpare];
  alignas(64) float shift[3][kBlock + kSpare];
  alignas(64) std::uint32_t slot[kBlock + kSpare];
  std::uint32_t filled;
};

inline std::uint32_t slotOf(const CellSearch& s, std::uint32_t k) { return s.slot ? s.slot[k] : k; }

// Sorted particles [begin, end) after those that the block has. Vectors are stored whole: their
// last lanes are overwritten by the next run, or by what is far away.
template <bool shifted>
inline void take(const CellSearch& s, const SearchRun& run, std::uint32_t begin, std::uint32_t end,
                 Block& b) {
  for (std::uint32_t m = begin; m < end; m += kLanes) {
    const std::uint32_t last = end - 1 - m, to = b.filled + (m - begin);
    const auto of = [&](int k) {
      const auto lane = static_cast<std::uint32_t>(k);
      return m + (lane < last ? lane : last);
    };
    const Axes q = axesOf([&](int k) { return s.sorted + of(k); });
    store(b.at[0] + to, Float(q.x.v));
    store(b.at[1] + to, Float(q.y.v));
    store(b.at[2] + to, Float(q.z.v));
    if constexpr (shifted)
      for (int a = 0; a < 3; ++a) store(b.shift[a] + to, broadcast(run.shift[a]));
    if (s.slot)
      for (int k = 0; k < kLanes; ++k) b.slot[to + static_cast<std::uint32_t>(k)] = s.slot[of(k)];
    else
      store(b.slot + to, add(broadcast(m), laneNumbers()));
  }
  b.filled += end - begin;
}

inline void close(Block& b) {
  for (auto& axis : b.at) store(axis + b.filled, broadcast(kFarAway));
  // What lay here before may be far away as well, and bring them back.
  for (auto& axis : b.shift) store(axis + b.filled, broadcast(0.0f));
}

template <RunImages images>
inline Floats differenceTo(const Block& b, std::uint32_t m, Floats p, int axis,
                           const BoxLanes& box) {
  const Floats d = p - Floats(FloatLanes(load(b.at[axis] + m)));
  if constexpr (images == RunImages::none) return d;
  if constexpr (images == RunImages::byRun) return d + Floats(FloatLanes(load(b.shift[axis] + m)));
  return nearestImage(d, box.length[axis], box.half[axis]);
}

// Neighbours in the block of the particle in slot `self`, after those found before; how many there
// are then. Squared distances have the bits of RecordBox::distanceSquared().
template <RunImages images>
inline std::uint32_t search(const CellSearch& s, const Block& b, const BoxLanes& box,
                            const ParticleRecord& p, std::uint32_t self, std::uint32_t found) {
  const Floats x(p.x), y(p.y), z(p.z);
  const Float most = broadcast(s.reachSquared);
  const Int own = broadcast(self);
  std::uint32_t* const row = s.items + (static_cast<std::size_t>(self) - s.first) * s.room;
  for (std::uint32_t m = 0; m < b.filled; m += kLanes) {
    const Floats dx = differenceTo<images>(b, m, x, 0, box);
    const Floats dy = differenceTo<images>(b, m, y, 1, box);
    const Floats dz = differenceTo<images>(b, m, z, 2, box);
    const Floats r2 = dx * dx + dy * dy + dz * dz;
    const Int slots = load(b.slot + m);
    const Mask hits = without(lessEqual(Float(r2.v), most), equal(slots, own));
    if (found + kLanes <= s.room) {
      found += static_cast<std::uint32_t>(storeSelected(row + found, slots, hits));
      continue;
    }
    std::uint32_t some[kLanes] = {};
    const auto hit = static_cast<std::uint32_t>(storeSelected(some, slots, hits));
    for (std::uint32_t k = 0; k < hit && found + k < s.room; ++k) row[found + k] = some[k];
    found += hit;
  }
  return found;
}

template <RunImages images>
void searchBlock(const CellSearch& s, const Block& b, const BoxLanes& box, std::uint32_t begin,
                 std::uint32_t end, std::uint32_t* found) {
  for (std::uint32_t k = begin; k < end; ++k)
    found[k - begin] = search<images>(s, b, box, s.sorted[k], slotOf(s, k), found[k - begin]);
}

template <RunImages images>
void searchRuns(const CellSearch& s, std::uint32_t begin, std::uint32_t end, std::uint32_t* found) {
  const BoxLanes box(s.box);
  for (std::uint32_t k = begin; k < end; ++k) found[k - begin] = 0;
  Block b;
  b.filled = 0;
  const auto searchIt = [&] {
    close(b);
    searchBlock<images>(s, b, box, begin, end, found);
    b.filled = 0;
  };
  for (std::size_t r = 0; r < s.runs; ++r)
    for (std::uint32_t m = s.run[r].begin; m < s.run[r].end;) {
      const std::uint32_t left = s.run[r].end - m, room = kBlock - b.filled;
      const std::uint32_t some = left < room ? left : room;
      take<images == RunImages::byRun>(s, s.run[r], m, m + some, b);
      m += some;
      if (b.filled == kBlock) searchIt();
    }
  if (b.filled > 0) searchIt();
}

}  // namespace

void searchCell(const CellSearch& s, std::uint32_t begin, std::uint32_t end, std::uint32_t* found) {
  if (s.images == RunImages::none)
    searchRuns<RunImages::none>(s, begin, end, found);
  else if (s.images == RunImages::byRun)
    searchRuns<RunImages::byRun>(s, begin, end, found);
  else
    searchRuns<RunImages::each>(s, begin, end, found);
}

}  // namespace cellscope::CELLSCOPE_SIMD
