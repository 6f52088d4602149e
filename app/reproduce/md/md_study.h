// Shared by all studies of molecular dynamics.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/algo/md/engine.h"

namespace cellscope::reproduce {

// n particles on a lattice, with velocities.
MdState latticeState(std::int64_t n, double density, double temperature);
struct Steps {
  double dt;
  std::uint64_t count;
};
// After these steps with a Langevin thermostat of friction 1. Throws RunError where `what` blows
// up.
MdState equilibrated(const exec::Shared& exec, const MdState& start, const PairSettings& pair,
                     double temperature, const std::vector<Steps>& steps, const char* what);
// Settings, state and forces, so that it can run.
void prepare(MdEngine& engine, const MdState& state, const PairSettings& pair);

// Median wall-clock time of work(), in seconds, over `repeats` calls after one that does not count;
// each is complete when it returns. Throws RunError when the study is stopped.
double medianSeconds(std::int64_t repeats, const std::function<void()>& work);

// Median time of one list build, by the builder that `settings` name, for this state.
struct BuildTime {
  double seconds = 0;
  std::string how;  // what the builder chose (ListBuilder::words())
};
BuildTime buildTime(const exec::Shared& exec, const MdState& state, const PairSettings& settings,
                    std::int64_t repeats);

// Molecular dynamics as one writes it for one core of a CPU: every pair once, in double precision,
// no tiles, threads or vector instructions. What van Meel et al. 2008 compare a GPU with.

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
  void forEachPair(const auto& f) const;
  void pairsOfCell(std::int32_t x, std::int32_t y, std::int32_t z, const auto& f) const;

  PlainPairs pairs_;
  PairSettings settings_;
  double length_, potential_ = 0;
  std::int32_t cells_ = 0;  // along a side
  std::vector<Vec3d> position_, velocity_, force_;
  std::vector<std::int32_t> first_, next_;  // of each cell, and after each particle; -1: none
};

}  // namespace cellscope::reproduce
