// What grand-canonical chains store: lists of their arrays, which make them and give before how
// many bytes they take; and the cells of the serial chain.
#pragma once
#include <cmath>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/exec/layout.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Slots for n particles: a quarter more, so that slow growth does not allocate again and again.
constexpr std::size_t gcmcRoom(std::size_t n) { return n + n / 4 + 64; }

// Particles in the fullest of many cells with this mean: four standard deviations
// above it, of a liquid, whose variance is about a third of that of an ideal gas. Cells of a gas
// have room to spare.
inline std::uint32_t gcmcFullest(double mean) {
  return static_cast<std::uint32_t>(std::ceil(mean + 4 * std::sqrt(mean / 3)));
}
// Entries per cell, at least this number; more where the fullest cell needs them.
constexpr std::uint32_t gcmcEntries(std::uint32_t least, std::uint32_t fullest) {
  return fullest <= least ? least : fullest + fullest / 4 + 1;
}

// Entries of the cells of the tuned chains on CUDA to begin with.
inline constexpr std::uint32_t kGcmcChainEntries = 32;

struct GcmcParticleArrays {
  exec::Array<GcmcPoint> point;
  exec::Array<ParticleId> id;
  static exec::Layout<GcmcParticleArrays> layout(std::size_t room) {
    return {{"positions", &GcmcParticleArrays::point, room},
            {"ids", &GcmcParticleArrays::id, room}};
  }
};

// Cells whose entries are slots. Without any: {}.
struct GcmcCellArrays {
  exec::Array<std::uint32_t> filled, entry, edge;
  static exec::Layout<GcmcCellArrays> layout(const GcmcCube& cube, std::uint32_t entries) {
    const std::size_t cells = cube.allCells();
    return {{"particles in each cell", &GcmcCellArrays::filled, cells},
            {"slots in each cell", &GcmcCellArrays::entry, cells * entries},
            {"edges of cells", &GcmcCellArrays::edge, gcmcEdges(cube).size()}};
  }
};

// Particles that lie by cell, one after another, for files and drawing.
struct GcmcRowArrays {
  exec::Array<std::uint32_t> first;
  GcmcParticleArrays particles;
  static exec::Layout<GcmcRowArrays> layout(std::size_t cells, std::size_t n) {
    return {{"first of each cell", &GcmcRowArrays::first, cells + 1},
            {"in a row", &GcmcRowArrays::particles, GcmcParticleArrays::layout(n + n / 8 + 64)}};
  }
  // Room for this number; contents are not kept.
  void reserve(Backend where, std::size_t cells, std::size_t n) {
    if (first.size() == cells + 1 && particles.point.size() >= n) return;
    *this = {};
    *this = layout(cells, n).make(where);
  }
};

// Particles of the serial chain in cells at least as wide as the cutoff (S0, section 3.2), on the
// CPU: work per move does not depend on N.
//
// A cell has blocks of 16 entries, of which the first is enough for most: those of all cells lie
// together, three cache lines each (16 x, y and z words). With density 0.67 and a cutoff of 2.5
// that is 18 bytes per particle, so that a million of them come from the last cache. The energy of
// each particle is kept, and changed when another one comes, goes or moves: a deletion reads no
// cells and a displacement those around its new position. Sums are exact (sim/core/gcmc_pair.h).
class GcmcCellStore {
 public:
  void reset(const Box& box, const GcmcPair& pair, const std::vector<GcmcPoint>& points,
             const std::vector<ParticleId>& ids);
  void setPair(const Box& box, const GcmcPair& pair) {
    const std::vector<GcmcPoint> all = points();
    box_ = box, pair_ = pair;
    build(all);
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(place_.size()); }
  GcmcPoint point(std::uint32_t slot) const { return at(place_[slot]); }
  ParticleId id(std::uint32_t slot) const { return id_[slot]; }
  double energy(GcmcPoint p) const;
  std::vector<double> energies(const std::vector<GcmcPoint>& at) const;
  double energyOf(std::uint32_t slot) const { return energy_[energyPlace(place_[slot])]; }
  // None where it is not worth it: where there is much room.
  std::optional<double> energyFloor(GcmcPoint p) const;
  double pairEnergy() const;
  void insert(GcmcPoint p, ParticleId id);
  void erase(std::uint32_t slot);
  void move(std::uint32_t slot, GcmcPoint p);
  GcmcSums sums() const;
  // f(cell, skipped, slots, filled) for the cells around p, x fastest: energy() reads those that
  // are not skipped, in this order.
  void visit(GcmcPoint p, const auto& f) const {
    const GcmcNearCells::Near read = near_.of(p);
    for (int k = 0; k < cube_.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(cube_, p, k).cell;
      f(cell, !read.has(cell), &slotOf_[std::size_t{cell} * capacity_], filled_[cell]);
    }
  }
  std::size_t bytes() const;
  static std::size_t bytesFor(std::size_t n, const Box& box, const GcmcPair& pair);
  std::size_t capacity() const { return slotOf_.size(); }
  const GcmcCube& cube() const { return cube_; }
  GcmcCellsView cells() const;

  // Bring what a move to come will read towards the processor, in this order, some moves apart; no
  // effect on results.
  void expectChoice(const GcmcDraw& d) const;
  void expectPlace(const GcmcDraw& d) const;
  void expectMove(const GcmcRules& rules, const GcmcDraw& d) const;

 private:
  static constexpr std::uint32_t kBlock = 16;  // entries
  static constexpr std::size_t kBlockWords = std::size_t{3} * kBlock;

  struct Place {
    std::uint32_t cell, entry;
  };

  std::vector<GcmcPoint> points() const {  // by slot
    std::vector<GcmcPoint> all;
    all.reserve(count());
    for (std::uint32_t slot = 0; slot < count(); ++slot) all.push_back(point(slot));
    return all;
  }
  void build(const std::vector<GcmcPoint>& points);
  void resizeBlocks();
  // Cells along each axis for n particles, and their narrowest useful width.
  static double chooseSides(std::size_t n, const Box& box, const GcmcPair& pair, GcmcCube& cube);
  static std::uint32_t capacityFor(std::uint32_t fullest) {
    return (fullest + 3 + kBlock - 1) / kBlock * kBlock;
  }
  void chooseCells();
  void reserve(std::size_t n) {
    if (n <= id_.capacity()) return;
    place_.reserve(gcmcRoom(n)), id_.reserve(gcmcRoom(n));
  }
  void grow();
  bool crowded() const { return count() > crowdedFrom_; }
  double spread(GcmcPoint p, float sign);
  // Of the x word of an entry.
  std::size_t first(Place p) const {
    const std::size_t block = p.entry / kBlock;
    return (block * filled_.size() + p.cell) * kBlockWords + p.entry % kBlock;
  }
  std::size_t energyPlace(Place p) const {
    return (p.entry / kBlock * filled_.size() + p.cell) * kBlock + p.entry % kBlock;
  }
  GcmcPoint at(Place p) const {
    const std::uint32_t* w = &word_[first(p)];
    return {w[0], w[kBlock], w[2 * kBlock]};
  }
  void set(Place at, GcmcPoint p) {
    std::uint32_t* w = &word_[first(at)];
    w[0] = p.x, w[kBlock] = p.y, w[2 * kBlock] = p.z;
  }
  GcmcCellWords words() const {
    return {word_.data(), filled_.data(), kBlockWords, kBlockWords * filled_.size(), kBlock};
  }
  void put(std::uint32_t cell, GcmcPoint p, std::uint32_t slot, double energy);
  void take(Place p);

  Box box_;
  GcmcPair pair_{};
  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();
  GcmcCube cube_;
  GcmcNearCells near_, close_;            // within the cutoff, and within reach of strong repulsion
  double crowdedFrom_ = 0;                // particles from which on insertions mostly meet one
  std::uint32_t capacity_ = kBlock;       // entries per cell: whole blocks
  std::size_t rebuildAt_ = 0;             // number of particles for which more cells are worth it
  bool large_ = false;                    // beyond the caches: worth prefetching
  exec::HostVector<std::uint32_t> word_;  // words()
  exec::HostVector<double> energy_;       // by energyPlace()
  exec::HostVector<std::uint32_t> filled_;  // by cell
  exec::HostVector<std::uint32_t> slotOf_;  // by cell and entry
  exec::HostVector<Place> place_;           // by slot
  exec::HostVector<ParticleId> id_;         // by slot
};

// Particles in cells for a while: what a method without cells asks of all of them at once, where
// there are more than kGcmcMostBruteForce. Sums are exact, so that they are the same.
inline constexpr std::uint32_t kGcmcMostBruteForce = 8192;
GcmcCellStore gcmcInCells(const Box& box, const GcmcPair& pair,
                          const std::vector<GcmcPoint>& points);

}  // namespace cellscope
