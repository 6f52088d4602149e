// Parameters of grand-canonical Monte Carlo, declared once.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/state.h"
#include "sim/api/parameter.h"
#include "sim/core/gcmc_tail.h"

namespace cellscope::gcmc {

// What a change of a parameter touches.
struct GcmcTouch {
  enum : std::uint32_t {
    rules = 1,      // other acceptance or energies
    averages = 2,   // another ensemble
    isotherm = 4,   // another isotherm
    method = 8,     // another engine
    tuning = 16,    // the search for a maximum displacement
    moveSize = 32,  // the maximum displacement
    reservoir = 64  // mu, z and f
  };
};

// How the pair potential ends; the keys are those of potentials.h, and the ideal gas.
enum class GcmcPotential { truncated, shifted, forceShifted, idealGas };

// Which of the three ways to state the reservoir is kept when the temperature changes.
enum class Reservoir { potential, activity, fugacity };

std::vector<ChoiceInfo> methodChoices();   // "auto", then gcmcMethods()
std::vector<ChoiceInfo> mappingChoices();  // those of space in gcmcMappings(), in words

struct GcmcParameters {
  Choice dimension{1};
  double length = 8;
  double density = 0.3;
  std::int64_t seed = 1;

  double temperature = 1.2;
  Choice reservoir{0};
  double mu = -3;
  double activity = activityOfPotential(mu, temperature);
  double fugacity = fugacityOfActivity(activity, temperature);

  Choice potential{0};
  double cutoff = 3;
  bool tail = true;

  double displacement = 0.3, insertion = 0.35, deletion = 0.35;
  double maxDisplacement = 0.2;
  bool tune = false;
  double targetAcceptance = 0.4;
  std::int64_t movesPerStep = 1000;

  Choice method{0};
  Choice mapping{0};
  bool skipBeyond = true;
  std::int64_t movesPerLaunch = 10000;
  std::int64_t widomPoints = 64;

  bool wrongSign = false;
  bool oldNumber = false;

  int dimensions() const { return dimension.index == 0 ? 2 : 3; }
  Box box() const { return dimensions() == 3 ? cubicBox(length) : squareBox(length); }
  GcmcPotential law() const { return static_cast<GcmcPotential>(potential.index); }
  bool ideal() const { return law() == GcmcPotential::idealGas; }
  double lnActivity() const { return std::log(activity); }
  GcmcSettings settings() const;

  template <class V>
  void visit(V& v) {
    visitState(v);
    visitReservoir(v);
    visitPair(v);
    visitMoves(v);
    visitExecution(v);
  }

  template <class V>
  void visitState(V& v) {
    v({.key = "dimension",
       .label = "Dimension",
       .group = "State",
       .choices = {{"2", "two"}, {"3", "three"}},
       .help = "The fluid in the plane or in space. In the plane density, activity and pressure "
               "are per area, and the tail correction is that of the plane.",
       .equation = "V = L^d",
       .effect = Effect::restart},
      dimension);
    v({.key = "length",
       .label = "Box side",
       .symbol = "L",
       .unit = "sigma",
       .group = "State",
       .min = 2,
       .max = 200,
       .logScale = true,
       .help = "Side of the periodic cube or square. Larger: more particles, smaller fluctuations "
               "of the density.",
       .equation = "V = L^d",
       .effect = Effect::restart},
      length);
    v({.key = "density",
       .label = "Starting density",
       .symbol = "rho_0",
       .unit = "sigma^-d",
       .group = "State",
       .min = 0,
       .max = 1.2,
       .help = "Particles per volume at the start, on a lattice. Larger: starts as a liquid; where "
               "liquid and vapour are both stable this decides which one is seen first. The "
               "reservoir then fills or empties the box.",
       .equation = "N_0 = rho_0 V",
       .effect = Effect::restart},
      density);
    v({.key = "seed",
       .label = "Seed",
       .group = "State",
       .min = 0,
       .max = 4294967295.0,
       .help = "Number from which all moves are drawn. The same seed gives the same decisions with "
               "every method and on every machine.",
       .equation = "Philox 4x32-10, key = hash(seed), counter = number of the move",
       .effect = Effect::restart},
      seed);
  }

  template <class V>
  void visitReservoir(V& v) {
    using T = GcmcTouch;
    v({.key = "temperature",
       .label = "Temperature",
       .symbol = "T*",
       .unit = "epsilon/k_B",
       .group = "Reservoir",
       .min = 0.1,
       .max = 100,
       .logScale = true,
       .help = "Temperature of the reservoir. Larger: energies count less; at the same chemical "
               "potential below zero the activity rises. Liquid and vapour are distinct below "
               "1.31 (full potential, three dimensions).",
       .equation = "acc = min(1, ... exp(-dU / T)) (Schwiebert et al. 2014, eqs. 3 to 5)",
       .touches = T::rules | T::averages | T::isotherm | T::reservoir},
      temperature);
    v({.key = "reservoir",
       .label = "Reservoir given by",
       .group = "Reservoir",
       .choices = {{"potential", "chemical potential"}, "activity", "fugacity"},
       .help = "Which of the three is kept when the temperature changes; the other two follow and "
               "are shown converted. Setting one of the others makes it the given one.",
       .equation = "z = exp(mu / T) / Lambda^d, f = z T; Lambda = 1",
       .touches = T::reservoir},
      reservoir);
    v({.key = "chemical_potential",
       .label = "Chemical potential",
       .symbol = "mu*",
       .unit = "epsilon",
       .group = "Reservoir",
       .min = -100,
       .max = 100,
       .help = "Chemical potential of the reservoir, for a thermal de Broglie length of 1. Larger: "
               "a denser fluid.",
       .equation = "mu = T ln z (Lambda = 1)",
       .touches = T::rules | T::averages | T::reservoir},
      mu);
    v({.key = "activity",
       .label = "Activity",
       .symbol = "z",
       .unit = "sigma^-d",
       .group = "Reservoir",
       .min = 1e-22,
       .max = 1e22,
       .logScale = true,
       .help = "Density that an ideal gas would have in equilibrium with the reservoir. Larger: a "
               "denser fluid.",
       .equation = "z = exp(mu / T) (Lambda = 1)",
       .touches = T::rules | T::averages | T::reservoir},
      activity);
    v({.key = "fugacity",
       .label = "Fugacity",
       .symbol = "f",
       .unit = "epsilon/sigma^d",
       .group = "Reservoir",
       .min = 1e-23,
       .max = 1e24,
       .logScale = true,
       .help = "Pressure that an ideal gas would have in equilibrium with the reservoir. Larger: a "
               "denser fluid.",
       .equation = "f = z T",
       .touches = T::rules | T::averages | T::reservoir},
      fugacity);
  }

  template <class V>
  void visitPair(V& v) {
    using T = GcmcTouch;
    constexpr std::uint32_t all = T::rules | T::averages | T::isotherm;
    v({.key = "potential",
       .label = "Potential",
       .group = "Pair interaction",
       .choices = {"truncated", "shifted", {"force_shifted", "force-shifted"}, "ideal_gas"},
       .help = "How the Lennard-Jones potential ends at the cutoff: three different fluids, which "
               "need different chemical potentials for the same density. ideal_gas: no "
               "interaction, N is Poisson-distributed about z V.",
       .equation =
           "van Meel et al. 2008, eqs. (2) and (3); ideal gas: P(N) = (z V)^N exp(-z V) / N!",
       .touches = all},
      potential);
    v({.key = "cutoff",
       .label = "Cutoff",
       .symbol = "r_c",
       .unit = "sigma",
       .group = "Pair interaction",
       .min = 1,
       .max = 20,
       .help = "Pairs further apart do not interact; at most half the box. Larger: more of the "
               "attraction is kept, and every move looks at more particles.",
       .equation = "u = 0 for r >= r_c",
       .touches = all},
      cutoff);
    v({.key = "tail",
       .label = "Tail correction",
       .group = "Pair interaction",
       .help = "Adds the mean attraction beyond the cutoff to energy, pressure and acceptance, "
               "which makes the truncated fluid stand for the full one. Truncated potential only.",
       .equation = "U_tail = c N^2 / V; c = (8 pi / 3) (r_c^-9 / 3 - r_c^-3) in space, "
                   "pi (2 r_c^-10 / 5 - r_c^-4) in the plane",
       .touches = all},
      tail);
  }

  template <class V>
  void visitMoves(V& v) {
    using T = GcmcTouch;
    const auto share = [](const char* key, const char* label, const char* help) {
      return ParameterInfo{
          .key = key,
          .label = label,
          .group = "Moves",
          .min = 0,
          .max = 1,
          .help = help,
          .equation = "Schwiebert et al. 2014, section 4: 30, 35 and 35 %; the three sum to 1",
          .touches = GcmcTouch::rules};
    };
    v(share("displacements", "Share of displacements",
            "Share of moves that displace a particle. Larger: fewer insertions and deletions; "
            "these two shrink in proportion when only this one is set."),
      displacement);
    v(share("insertions", "Share of insertions",
            "Share of moves that insert a particle. Larger: fewer of the other two. Where it "
            "differs from that of deletions, the acceptance rule makes up for it."),
      insertion);
    v(share("deletions", "Share of deletions",
            "Share of moves that delete a particle. Larger: fewer of the other two. Where it "
            "differs from that of insertions, the acceptance rule makes up for it."),
      deletion);
    v({.key = "max_displacement",
       .label = "Maximum displacement",
       .symbol = "d",
       .unit = "sigma",
       .group = "Moves",
       .min = 0.001,
       .max = 10,
       .logScale = true,
       .help = "Largest displacement along each axis, at most half the box. Larger: bolder trial "
               "moves of which fewer are accepted.",
       .equation = "r' = r + d (2 xi - 1)",
       .touches = T::rules | T::moveSize},
      maxDisplacement);
    v({.key = "tune",
       .label = "Tune the maximum displacement",
       .group = "Moves",
       .help = "Searches for the maximum displacement at which the target acceptance is reached, "
               "then switches itself off: nothing is tuned while sampling.",
       .equation = "accepted / attempted displacements = target",
       .touches = T::tuning,
       .prepares = true},
      tune);
    v({.key = "target_acceptance",
       .label = "Target acceptance",
       .group = "Moves",
       .min = 0.05,
       .max = 0.95,
       .help = "Share of displacements to be accepted, for the search. Larger: a smaller maximum "
               "displacement.",
       .equation = "accepted / attempted displacements",
       .touches = T::tuning},
      targetAcceptance);
    v({.key = "moves_per_step",
       .label = "Moves per step",
       .group = "Moves",
       .min = 1,
       .max = 1000000,
       .logScale = true,
       .help = "Trial moves between two samples, whatever N is at the time: a number that followed "
               "N would sample some states more often than others. Larger: fewer, less correlated "
               "steps.",
       .equation = "Schwiebert et al. 2014, Algorithm 1: moves of the chain"},
      movesPerStep);
    v({.key = "insertion_sign_as_printed",
       .label = "Sign of mu as printed",
       .group = "Experiments",
       .help = "Breaks the sampling on purpose: the chemical potential enters the acceptance of "
               "insertions with the sign that stands in the paper, while deletions are right. "
               "Detailed balance is lost.",
       .equation = "Schwiebert et al. 2014, eq. (4) as printed",
       .touches = T::rules | T::averages | T::isotherm,
       .experiment = true},
      wrongSign);
    v({.key = "insertion_counts_old_number",
       .label = "Insertion divides by the old N",
       .group = "Experiments",
       .help = "Breaks the sampling on purpose: an insertion is accepted with z V / N in place of "
               "z V / (N + 1), a common mistake. The box holds about one particle too many, which "
               "shows in small boxes.",
       .equation = "acc = min(1, z V / N exp(-dU / T))",
       .touches = T::rules | T::averages | T::isotherm,
       .experiment = true},
      oldNumber);
  }

  template <class V>
  void visitExecution(V& v) {
    v({.key = "method",
       .label = "Method",
       .group = "Execution",
       .choices = methodChoices(),
       .help = "How the chain is computed. Every method makes the same decisions for the same "
               "seed, so that it may be changed at any time; auto is serial_cells on the CPU and "
               "half_warps on CUDA, the fastest ones.",
       .equation = "Schwiebert et al. 2014, Algorithms 1 to 7 and section 3.3",
       .touches = GcmcTouch::method},
      method);
    v({.key = "mapping",
       .label = "Mapping of cells",
       .group = "Execution",
       .choices = mappingChoices(),
       .help = "Who visits the neighbour cells with the method cells: blocks x cells at the same "
               "time x cells in turn. More blocks: more threads, and more partial sums to add. In "
               "the plane a layer is all nine cells.",
       .equation = "Schwiebert et al. 2014, Table 2; 32 threads per cell; the product is 27, 9 in "
                   "the plane",
       .touches = GcmcTouch::method},
      mapping);
    v({.key = "skip_beyond_cutoff",
       .label = "Skip distant microcells",
       .group = "Execution",
       .help = "With microcells and microcells_many: cells that lie wholly beyond the cutoff are "
               "not read. Same decisions, less work.",
       .equation =
           "nearest distance of two microcells >= r_c (Schwiebert et al. 2014, future work)",
       .touches = GcmcTouch::method},
      skipBeyond);
    v({.key = "moves_per_launch",
       .label = "Moves per launch",
       .group = "Execution",
       .min = 1,
       .max = 1000000,
       .logScale = true,
       .help = "Moves ordered before the host looks at the chain again, at most those of a step; "
               "all methods but the serial ones. Larger: fewer waits for the host.",
       .equation = "Schwiebert et al. 2014, section 3.3.4: 10,000",
       .touches = GcmcTouch::method},
      movesPerLaunch);
    v({.key = "widom_points",
       .label = "Test points",
       .group = "Execution",
       .min = 1,
       .max = 100000,
       .logScale = true,
       .help = "Points per sample at which the energy of a further particle is measured, which "
               "gives the excess chemical potential. Larger: less noise, more work per sample.",
       .equation = "Widom 1963: mu_ex = -T ln <exp(-dU / T)>; here <N> = z V <exp(-dU / T)>"},
      widomPoints);
  }
};

// Follows edits from `before` to `next`: the reservoir stated in three ways, and the shares of
// moves. Throws InputError when they contradict each other.
void followEdits(GcmcParameters& next, const GcmcParameters& before);

// Throws InputError for what is impossible together.
void checkParameters(const GcmcParameters& p, Backend backend);

// The method that runs: "auto" made concrete.
std::string methodOf(const GcmcParameters& p, Backend backend);

// How it does its work; the row of gcmcMappings() is the one of this dimension.
GcmcOptions optionsOf(const GcmcParameters& p);

// Method and options in words, for the status.
std::string methodInWords(const GcmcParameters& p, Backend backend);

}  // namespace cellscope::gcmc
