// Shared by all studies of molecular dynamics.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/algo/md/engine.h"
#include "sim/algo/race/race.h"
#include "sim/base/error.h"
#include "sim/core/potentials.h"
#include "sim/modes/md/start.h"

namespace cellscope::reproduce {

// n particles on a lattice, with velocities.
inline MdState latticeState(std::int64_t n, double density, double temperature) {
  const double length = std::cbrt(static_cast<double>(n) / density);
  return {cubicBox(length), md::startLattice(n, length), md::maxwellVelocities(n, temperature, 1)};
}
// Settings, state and forces, so that it can run.
inline void prepare(MdEngine& engine, const MdState& state, const PairSettings& pair) {
  engine.setPair(pair);
  engine.upload(state);
  engine.forces();
}

struct Steps {
  double dt;
  std::uint64_t count;
};
// After these steps with a Langevin thermostat of friction 1. Throws RunError where `what` blows
// up.
inline MdState equilibrated(const exec::Shared& exec, const MdState& start,
                            const PairSettings& pair, double temperature,
                            const std::vector<Steps>& steps, const char* what) {
  const std::unique_ptr<MdEngine> engine = makeVerlet(exec);
  engine->setBath({true, temperature, 1, 1});
  prepare(*engine, start, pair);
  std::uint64_t step = 0;
  for (const auto& [dt, count] : steps) {
    engine->run(dt, step, count, {});
    step += count;
  }
  if (engine->failure()) throw RunError("the {} blew up while it was equilibrated", what);
  MdState state = engine->download();
  state.order.clear(), state.built.clear(), state.history = {};
  return state;
}
// Median wall-clock time of work(), in seconds, over `repeats` calls after one that does not count;
// each is complete when it returns. Throws RunError when the study is stopped.
inline double medianSeconds(std::int64_t repeats, const std::function<void()>& work) {
  const common::InterruptGuard interrupt;
  std::vector<double> seconds;
  for (std::int64_t k = -1; k < repeats; ++k) {
    const double begin = steadySeconds();
    work();
    if (k >= 0) seconds.push_back(steadySeconds() - begin);
    if (interrupt.raised()) throwStopped();
  }
  return medianOf(std::move(seconds));
}

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
  PlainCore(const MdState& state, PlainPairs pairs)
      : pairs_(pairs),
        length_(state.box.length[0]),
        position_(state.position),
        velocity_(state.velocity),
        force_(state.position.size()),
        next_(state.position.size(), -1) {
    if (pairs_ == PlainPairs::cells) {
      cells_ = static_cast<std::int32_t>(length_ / settings_.cutoff);
      if (cells_ < 3)
        throw InputError(
            "a box of side {:.4g} has no room for three cells of width {:g} along a side", length_,
            settings_.cutoff);
      first_.resize(static_cast<std::size_t>(cells_) * cells_ * cells_);
    }
    forces();
  }
  void step(double dt) {
    const std::size_t n = position_.size();
    const auto kick = [&](std::size_t i) {
      Vec3d& v = velocity_[i];
      const Vec3d f = force_[i];
      v = {v.x + 0.5 * dt * f.x, v.y + 0.5 * dt * f.y, v.z + 0.5 * dt * f.z};
    };
    for (std::size_t i = 0; i < n; ++i) {
      kick(i);
      Vec3d& r = position_[i];
      const Vec3d v = velocity_[i];
      r = {wrapped(r.x + dt * v.x, length_), wrapped(r.y + dt * v.y, length_),
           wrapped(r.z + dt * v.z, length_)};
    }
    forces();
    for (std::size_t i = 0; i < n; ++i) kick(i);
  }
  // Kinetic and potential.
  double energy() const {
    double kinetic = 0;
    for (const Vec3d v : velocity_) kinetic += 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z);
    return kinetic + potential_;
  }

 private:
  void forces() {
    if (pairs_ == PlainPairs::cells) fillCells();
    std::ranges::fill(force_, Vec3d{0, 0, 0});
    double energy = 0;
    withPotential<double>(settings_.potential, settings_.onlyPair(), [&](const auto& law) {
      forEachPair([&](std::int32_t i, std::int32_t j) {
        const Vec3d a = position_[static_cast<std::size_t>(i)];
        const Vec3d b = position_[static_cast<std::size_t>(j)];
        const double x = minimumImage(a.x - b.x, length_), y = minimumImage(a.y - b.y, length_),
                     z = minimumImage(a.z - b.z, length_);
        const double r2 = x * x + y * y + z * z;
        if (!(r2 < law.cutoffSquared)) return;
        const auto t = law.terms(r2, 1.0 / std::sqrt(r2));
        energy += t.energy;
        Vec3d &f = force_[static_cast<std::size_t>(i)], &g = force_[static_cast<std::size_t>(j)];
        f = {f.x + t.forceOverR * x, f.y + t.forceOverR * y, f.z + t.forceOverR * z};
        g = {g.x - t.forceOverR * x, g.y - t.forceOverR * y, g.z - t.forceOverR * z};
      });
    });
    potential_ = energy;
  }
  void fillCells() {
    std::ranges::fill(first_, -1);
    const double perLength = cells_ / length_;
    const auto along = [&](double x) {
      return std::min(static_cast<std::int32_t>(x * perLength), cells_ - 1);
    };
    for (std::size_t i = 0; i < position_.size(); ++i) {
      const Vec3d r = position_[i];
      const std::int32_t cell = along(r.x) + cells_ * (along(r.y) + cells_ * along(r.z));
      next_[i] =
          std::exchange(first_[static_cast<std::size_t>(cell)], static_cast<std::int32_t>(i));
    }
  }
  void forEachPair(const auto& f) const {
    if (pairs_ == PlainPairs::all) {
      const auto n = static_cast<std::int32_t>(position_.size());
      for (std::int32_t i = 0; i < n; ++i)
        for (std::int32_t j = i + 1; j < n; ++j) f(i, j);
      return;
    }
    for (std::int32_t z = 0; z < cells_; ++z)
      for (std::int32_t y = 0; y < cells_; ++y)
        for (std::int32_t x = 0; x < cells_; ++x) pairsOfCell(x, y, z, f);
  }
  // Pairs within the cell, and with the 13 of its 26 neighbours that come after it.
  void pairsOfCell(std::int32_t x, std::int32_t y, std::int32_t z, const auto& f) const {
    const auto firstAt = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
      const auto in = [&](std::int32_t k) { return (k + cells_) % cells_; };
      return first_[static_cast<std::size_t>(in(a) + cells_ * (in(b) + cells_ * in(c)))];
    };
    const std::int32_t own = firstAt(x, y, z);
    for (std::int32_t i = own; i >= 0; i = next_[static_cast<std::size_t>(i)])
      for (std::int32_t j = next_[static_cast<std::size_t>(i)]; j >= 0;
           j = next_[static_cast<std::size_t>(j)])
        f(i, j);
    for (std::int32_t neighbour = 14; neighbour < 27; ++neighbour) {
      const std::int32_t other =
          firstAt(x + neighbour % 3 - 1, y + neighbour / 3 % 3 - 1, z + neighbour / 9 - 1);
      for (std::int32_t i = own; i >= 0; i = next_[static_cast<std::size_t>(i)])
        for (std::int32_t j = other; j >= 0; j = next_[static_cast<std::size_t>(j)]) f(i, j);
    }
  }

  const PlainPairs pairs_;
  const PairSettings settings_ = {};
  double length_, potential_ = 0;
  std::int32_t cells_ = 0;  // along a side
  std::vector<Vec3d> position_, velocity_, force_;
  std::vector<std::int32_t> first_, next_;  // of each cell, and after each particle; -1: none
};

}  // namespace cellscope::reproduce
