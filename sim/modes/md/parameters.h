// Parameters of all-pairs molecular dynamics, declared once.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/api/parameter.h"
#include "sim/core/potentials.h"

namespace cellscope::md {

// What a change of a parameter touches.
struct MdTouch {
  enum : std::uint32_t {
    pairLaw = 1,  // another energy
    forces = 2,   // computed in another way
    drift = 4     // of the centre of mass
  };
};

inline std::vector<ChoiceInfo> potentialChoices() {
  std::vector<ChoiceInfo> all;
  for (const std::string& key : potentialKeys()) {
    std::string label = key;
    std::replace(label.begin(), label.end(), '_', '-');
    all.emplace_back(key, label);
  }
  return all;
}

inline constexpr int kTiles[] = {32, 64, 128, 256};

struct MdParameters {
  std::int64_t n = 2048;
  double density = 0.8442;
  double temperature = 1.4;
  double dt = 0.004;
  Choice potential{0};
  double cutoff = 2.5;
  Choice tile{1};
  Choice kernel{0};
  std::int64_t seed = 1;
  bool removeDrift = false;

  double length() const { return std::cbrt(static_cast<double>(n) / density); }
  PairSettings pair() const {
    return {static_cast<int>(potential.index), cutoff, kTiles[tile.index],
            static_cast<PairKernel>(kernel.index)};
  }

  template <class V>
  void visit(V& v) {
    visitState(v);
    visitPair(v);
    visitExecution(v);
  }

  template <class V>
  void visitState(V& v) {
    v({.key = "n",
       .label = "Particles",
       .symbol = "N",
       .group = "State",
       .min = 2,
       .max = 1048576,
       .logScale = true,
       .help = "Number of particles. They start on a face-centred cubic lattice where N = 4 k^3, "
               "otherwise on the lattice, or the one with evenly spread vacancies, that keeps them "
               "furthest apart. Larger: smaller fluctuations, and work per step that grows as N^2.",
       .equation = "S2, section 2",
       .effect = Effect::restart},
      n);
    v({.key = "density",
       .label = "Density",
       .symbol = "rho*",
       .unit = "1/sigma^3",
       .group = "State",
       .min = 0.0001,
       .max = 1.5,
       .help = "Particles per volume. Larger: a smaller box, higher pressure.",
       .equation = "rho = N / L^3",
       .effect = Effect::restart},
      density);
    v({.key = "temperature",
       .label = "Starting temperature",
       .symbol = "T*",
       .unit = "epsilon/k_B",
       .group = "State",
       .min = 0.01,
       .max = 20,
       .help = "Temperature of the first step: Maxwell-Boltzmann velocities are drawn at it, then "
               "scaled to it exactly. Larger: faster particles; the lattice melts sooner and "
               "into a hotter liquid. Energy is conserved, so the temperature changes as the "
               "lattice melts.",
       .equation = "T = 2 K / (3 N - 3): equipartition, the centre of mass at rest",
       .effect = Effect::restart},
      temperature);
    v({.key = "seed",
       .label = "Seed",
       .group = "State",
       .min = 0,
       .max = 4294967295.0,
       .help = "Number from which the starting velocities are drawn. The same seed gives the same "
               "start on every machine; another value gives an independent run.",
       .equation = "Philox 4x32-10, key = hash(seed)",
       .effect = Effect::restart},
      seed);
    v({.key = "remove_drift",
       .label = "Remove drift",
       .group = "State",
       .help = "Off: the velocities of a loaded configuration are used as they are, so that its "
               "centre of mass may drift; temperature and pressure do not count the drift. On: "
               "the velocity of the centre of mass is subtracted from all particles, at the start "
               "and when this is switched on. The relative motion stays the same.",
       .equation = "v_i' = v_i - sum_j v_j / N",
       .touches = MdTouch::drift},
      removeDrift);
  }

  template <class V>
  void visitPair(V& v) {
    v({.key = "potential",
       .label = "Potential",
       .group = "Pair interaction",
       .choices = potentialChoices(),
       .help = "How the Lennard-Jones pair potential ends at the cutoff. force_shifted: energy and "
               "force go to zero there, and energy is conserved best. shifted: the force jumps. "
               "truncated: energy jumps as well, so the total energy drifts.",
       .equation = "S2, eqs. (2) and (3)",
       .touches = MdTouch::pairLaw | MdTouch::forces},
      potential);
    v({.key = "cutoff",
       .label = "Cutoff",
       .symbol = "r_c",
       .unit = "sigma",
       .group = "Pair interaction",
       .min = 0.5,
       .max = 20,
       .help = "Pairs further apart do not interact; at most half the box. Larger: more of the "
               "attraction is kept.",
       .equation = "S2, eq. (3)",
       .touches = MdTouch::pairLaw | MdTouch::forces},
      cutoff);
  }

  template <class V>
  void visitExecution(V& v) {
    v({.key = "dt",
       .label = "Time step",
       .symbol = "dt",
       .unit = "tau",
       .group = "Integration",
       .min = 0.00001,
       .max = 0.03,
       .logScale = true,
       .help =
           "Time step of velocity Verlet. Larger: faster, but the energy error grows as dt^2. A "
           "liquid drifts visibly above 0.02 and blows up at about 0.03.",
       .equation = "S2, section 2: velocity Verlet, r' = r + v dt + f dt^2 / 2, v' = v + (f + f') "
                   "dt / 2 (Swope et al., J. Chem. Phys. 76, 637, 1982)"},
      dt);
    v({.key = "tile",
       .label = "Tile size",
       .symbol = "n_B",
       .group = "Execution",
       .choices = {"32", "64", "128", "256"},
       .help = "Threads per block, and partners loaded into shared memory at a time. Changes the "
               "speed on the GPU and the order of summation, not the physics.",
       .equation = "S2, section 2.1 (n_B = 64)",
       .touches = MdTouch::forces},
      tile);
    v({.key = "kernel",
       .label = "Force kernel",
       .group = "Execution",
       .choices = {{"tuned", "tuned"},
                   {"teams", "plain tiles"},
                   {"teams_double", "plain tiles, double precision"}},
       .help = "tuned: the fast kernel of the backend. teams: the plain tiles of the paper, in "
               "single precision. teams_double: the same in double precision, slow, as a check.",
       .equation = "S2, section 2.1",
       .touches = MdTouch::forces},
      kernel);
  }
};

}  // namespace cellscope::md
