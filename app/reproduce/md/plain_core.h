// Molecular dynamics as one writes it for one core of a CPU: every pair once, in double precision,
// no tiles, threads or vector instructions. What van Meel et al. 2008 compare a GPU with.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/md/engines.h"

namespace cellscope::reproduce {

enum class PlainPairs {
  all,   // a double loop
  cells  // cells at least as wide as the cutoff with a linked list each, filled in every step
};

// Velocity Verlet of one species at constant energy.
class PlainCore {
 public:
  // Throws InputError where there is no room for three cells along a side.
  PlainCore(const MdState& state, PlainPairs pairs, const PairSettings& settings = {});
  void step(double dt);
  double energy() const;  // kinetic and potential

 private:
  void forces();
  void fillCells();
  template <class F>
  void forEachPair(const F& f) const;
  template <class F>
  void pairsOfCell(std::int32_t x, std::int32_t y, std::int32_t z, const F& f) const;

  PlainPairs pairs_;
  PairSettings settings_;
  double length_, potential_ = 0;
  std::int32_t cells_ = 0;  // along a side
  std::vector<Vec3d> position_, velocity_, force_;
  std::vector<std::int32_t> first_, next_;  // of each cell, and after each particle; -1: none
};

}  // namespace cellscope::reproduce
