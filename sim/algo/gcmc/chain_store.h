// Particles of the serial chain in cells at least as wide as the cutoff (S0, section 3.2), on the
// CPU: work per move does not depend on N.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/algo/gcmc/near_cells.h"
#include "sim/algo/gcmc/state.h"

namespace cellscope {

class GcmcCellStore {
 public:
  void reset(const Box& box, const GcmcPair& pair, std::vector<GcmcPoint> points,
             std::vector<ParticleId> ids);
  void setPair(const Box& box, const GcmcPair& pair);

  std::uint32_t count() const { return static_cast<std::uint32_t>(place_.size()); }
  GcmcPoint point(std::uint32_t slot) const { return at(place_[slot]); }
  ParticleId id(std::uint32_t slot) const { return id_[slot]; }
  double energy(GcmcPoint p) const;
  void insert(GcmcPoint p, ParticleId id);
  void erase(std::uint32_t slot);
  void move(std::uint32_t slot, GcmcPoint p);
  GcmcSums sums() const;
  // f(cell, skipped, slots, filled) for the cells around p, x fastest: energy() reads those that
  // are not skipped, in this order.
  template <class F>
  void visit(GcmcPoint p, const F& f) const {
    const Near read = near(p);
    GcmcCube cube;
    for (int k = 0; k < box_.dimension; ++k)
      cube.count[k] = static_cast<int>(side_[k]), cube.span[k] = 3;
    for (int k = 0; k < cube.cells(); ++k) {
      const std::uint32_t cell = gcmcCubeCell(cube, p, k).cell;
      const bool found =
          std::find(read.cell, read.cell + read.count, cell) != read.cell + read.count;
      f(cell, !found, &slotOf_[std::size_t{cell} * capacity_], filled_[cell]);
    }
  }
  std::size_t bytes() const;
  std::size_t capacity() const { return slotOf_.size(); }
  GcmcCellsView cells() const;

  // Brings what a move to come will read towards the processor; no effect on results.
  void expectChoice(const GcmcDraw& d) const;
  void expectMove(const GcmcDraw& d) const;

 private:
  struct Place {
    std::uint32_t cell, entry;
  };
  struct Near {
    std::uint32_t cell[27];
    int count;
  };

  void build(std::vector<GcmcPoint> points);
  void chooseCells();
  void grow();
  Near near(GcmcPoint p) const;
  std::uint32_t cellOf(GcmcPoint p) const;
  std::size_t first(Place p) const { return std::size_t{3} * p.cell * capacity_ + p.entry; }
  GcmcPoint at(Place p) const {
    const std::uint32_t* w = &word_[first(p)];
    return {w[0], w[capacity_], w[2 * capacity_]};
  }
  void put(std::uint32_t cell, GcmcPoint p, std::uint32_t slot);
  void take(Place p);

  Box box_;
  GcmcPair pair_{};
  GcmcCellFunctions functions_ = gcmcCellFunctionsFor();
  std::uint32_t side_[3] = {3, 3, 1};  // cells along each axis
  GcmcNearCells near_;
  std::uint32_t capacity_ = 16;        // entries per cell
  std::size_t rebuildAt_ = 0;          // number of particles for which more cells are worth it
  bool large_ = false;                 // beyond the caches: worth prefetching
  std::vector<std::uint32_t> word_;    // GcmcCellWords
  std::vector<std::uint32_t> filled_;  // by cell
  std::vector<std::uint32_t> slotOf_;  // by cell and entry
  std::vector<Place> place_;           // by slot
  std::vector<ParticleId> id_;         // by slot
};

}  // namespace cellscope
