// Parameters of molecular dynamics, declared once.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/api/parameter.h"
#include "sim/core/potentials.h"

namespace cellscope::md {

// What a change of a parameter touches.
struct MdTouch {
  enum : std::uint32_t {
    pairLaw = 1,  // another energy
    forces = 2,   // computed in another way
    drift = 4,    // of the centre of mass
    engine = 8,   // another one
    bath = 16     // thermostat
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

// Index 0: all pairs; then the methods of sim/algo/neighbours/methods.h.
inline std::vector<ChoiceInfo> methodChoices() {
  std::vector<ChoiceInfo> all = {{"all_pairs", "all pairs"}};
  for (const ListMethod& m : listMethods()) all.emplace_back(m.key, m.label);
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
  Choice method{0};
  double buffer = 0.3;
  Choice lanes{0};
  Choice thermostat{0};
  double bathTemperature = 1.0;
  double friction = 1.0;
  Choice tile{1};
  Choice kernel{0};
  std::int64_t seed = 1;
  bool removeDrift = false;

  double length() const { return std::cbrt(static_cast<double>(n) / density); }
  bool lists() const { return method.index > 0; }
  bool bathOn() const { return thermostat.index > 0; }
  SpeciesTable species() const {
    SpeciesTable s;
    s.cutoff[0] = cutoff;
    return s;
  }
  PairSettings pair() const {
    PairSettings s;
    s.potential = static_cast<int>(potential.index);
    s.cutoff = cutoff;
    s.tile = kTiles[tile.index];
    s.kernel = static_cast<PairKernel>(kernel.index);
    s.method = lists() ? static_cast<int>(method.index) - 1 : 0;
    s.buffer = buffer;
    s.lanes = lanes.index == 0 ? 0 : 1 << (lanes.index - 1);
    s.species = species();
    return s;
  }
  BathSettings bath() const {
    return {bathOn(), bathTemperature, friction, static_cast<std::uint64_t>(seed)};
  }

  template <class V>
  void visit(V& v) {
    visitState(v);
    visitPair(v);
    visitIntegration(v);
    visitMethod(v);
    visitExecution(v);
  }

  template <class V>
  void visitState(V& v) {
    v({.key = "n",
       .label = "Particles",
       .symbol = "N",
       .group = "State",
       .min = 2,
       .max = 16777216,
       .logScale = true,
       .help =
           "Number of particles. They start on a face-centred cubic lattice where N = 4 k^3, "
           "otherwise on the lattice, or the one with evenly spread vacancies, that keeps them "
           "furthest apart. Larger: smaller fluctuations; the work per step grows as N^2 for all "
           "pairs and as N for neighbour lists.",
       .equation = "van Meel et al. 2008, section 2",
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
       .help =
           "How the Lennard-Jones pair potential ends at the cutoff. force_shifted: energy and "
           "force go to zero there, and energy is conserved best. shifted: the force jumps. "
           "truncated: energy jumps as well, so the total energy drifts. wca: the repulsive part "
           "alone, which ends at 2^(1/6) whatever the cutoff.",
       .equation = "van Meel et al. 2008, eqs. (2) and (3); Weeks, Chandler and Andersen (1971)",
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
       .equation = "van Meel et al. 2008, eq. (3)",
       .touches = MdTouch::pairLaw | MdTouch::forces},
      cutoff);
  }

  template <class V>
  void visitIntegration(V& v) {
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
       .equation = "van Meel et al. 2008, section 2: velocity Verlet, r' = r + v dt + f dt^2 / 2, "
                   "v' = v + (f + f') "
                   "dt / 2 (Swope et al., J. Chem. Phys. 76, 637, 1982)"},
      dt);
    v({.key = "thermostat",
       .label = "Thermostat",
       .group = "Integration",
       .choices = {{"none", "none"}, {"langevin", "Langevin"}},
       .help = "none: the energy is conserved. langevin: every particle feels friction and random "
               "kicks, which hold the temperature; momentum is not conserved.",
       .equation = "BAOAB: v' = a v + b xi between two half drifts, a = exp(-gamma dt), b = "
                   "sqrt(T (1 - a^2)) (Leimkuhler and Matthews, Appl. Math. Res. Express 2013, 34)",
       .touches = MdTouch::bath},
      thermostat);
    v({.key = "bath_temperature",
       .label = "Bath temperature",
       .symbol = "T_bath",
       .unit = "epsilon/k_B",
       .group = "Integration",
       .min = 0.001,
       .max = 20,
       .help = "Temperature that the Langevin thermostat holds. Larger: stronger random kicks.",
       .equation = "b = sqrt(T (1 - exp(-2 gamma dt)))",
       .touches = MdTouch::bath},
      bathTemperature);
    v({.key = "friction",
       .label = "Friction",
       .symbol = "gamma",
       .unit = "1/tau",
       .group = "Integration",
       .min = 0.0001,
       .max = 100,
       .logScale = true,
       .help =
           "Friction of the Langevin thermostat. Larger: the temperature is reached sooner, and "
           "particles diffuse more slowly.",
       .equation = "a = exp(-gamma dt)",
       .touches = MdTouch::bath},
      friction);
  }

  template <class V>
  void visitMethod(V& v) {
    v({.key = "method",
       .label = "Method",
       .group = "Execution",
       .choices = methodChoices(),
       .help = "How the pairs within the cutoff are found. all_pairs: every pair is looked at in "
               "every step. The others keep for each particle a list of its neighbours within "
               "cutoff and buffer, and differ in how they build it.",
       .equation = "van Meel et al. 2008, section 2; Verlet lists: Howard et al. 2016, section 2",
       .touches = MdTouch::engine},
      method);
    v({.key = "buffer",
       .label = "List buffer",
       .symbol = "r_buffer",
       .unit = "sigma",
       .group = "Execution",
       .min = 0,
       .max = 5,
       .help = "How far neighbour lists reach beyond the cutoff. A list is built again when some "
               "particle has moved by more than half of it. Larger: fewer builds, but longer "
               "lists. 0: a new list in every step. For methods with lists.",
       .equation = "Howard et al. 2016, section 2: |r_ij| <= r_c + r_buffer",
       .touches = MdTouch::forces},
      buffer);
    v({.key = "lanes",
       .label = "Threads per particle",
       .group = "Execution",
       .choices = {{"auto", "automatic"}, "1", "2", "4", "8", "16", "32"},
       .help =
           "Threads that share the neighbours of one particle on a GPU. On a CPU only the order "
           "of summation. For methods with lists.",
       .equation = "Howard et al. 2016, section 3.1",
       .touches = MdTouch::forces},
      lanes);
  }

  template <class V>
  void visitExecution(V& v) {
    v({.key = "tile",
       .label = "Tile size",
       .symbol = "n_B",
       .group = "Execution",
       .choices = {"32", "64", "128", "256"},
       .help = "All pairs: threads per block, and partners loaded into shared memory at a time. "
               "Changes the speed on the GPU and the order of summation, not the physics.",
       .equation = "van Meel et al. 2008, section 2.1 (n_B = 64)",
       .touches = MdTouch::forces},
      tile);
    v({.key = "kernel",
       .label = "Force kernel",
       .group = "Execution",
       .choices = {{"tuned", "tuned"},
                   {"teams", "plain tiles"},
                   {"teams_double", "plain tiles, double precision"}},
       .help =
           "tuned: the fast kernel of the backend. teams: the plain tiles of the paper, in "
           "single precision. teams_double: the same in double precision, slow, as a check. With "
           "neighbour lists both stand for one thread per particle.",
       .equation = "van Meel et al. 2008, section 2.1",
       .touches = MdTouch::forces},
      kernel);
  }
};

}  // namespace cellscope::md
