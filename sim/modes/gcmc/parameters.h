// Parameters of grand-canonical Monte Carlo, declared once.
#pragma once
#include "sim/algo/md/species.h"
#include "sim/api/configuration.h"
#include "sim/core/equations_of_state.h"
#include "sim/modes/gcmc/methods/parameters.h"
#include "sim/modes/potential_parameters.h"

namespace cellscope::gcmc {

// Choices of the parameter `potential`: the exact ones of sim/core/potentials.h; the ideal gas;
// hard spheres.
std::vector<ChoiceInfo> gcmcPotentials();
Choice gcmcPotential(const std::string& key);

// Sums of energies are exact below 8.6e9: up to some 6e8 particles of a liquid; with more, their
// last digits may differ between backends. Only this keeps an ideal gas from growing beyond any
// memory.
inline constexpr double kMostParticles = 1e9, kMostOfIdealGas = 4194304;
inline constexpr double kLongestSide = 2000;  // cells of a cutoff of 2: at most 2^10 along an axis

// Which of the three ways to state the reservoir is kept when the temperature changes.
enum class Reservoir { potential, activity, fugacity };

std::vector<ChoiceInfo> methodChoices();  // "auto", gcmcMethods()

// Those of the methods are theirs (methods/).
struct GcmcParameters : BlocksParameters,
                        BoardParameters,
                        InOrderParameters,
                        SpeculativeParameters {
  Choice dimension{1}, system{0};
  double length = 8, lengthY = 0, lengthZ = 0;  // 0: as along x
  double density = 0.3;
  std::int64_t seed = 1;

  double temperature = 1.2;
  Choice reservoir{0};
  double mu = -3;
  double activity = activityOfPotential(mu, temperature);
  double shareB = 0.5;  // of the activity
  double fugacity = fugacityOfActivity(activity, temperature);

  Choice potential = gcmcPotential("truncated");
  double cutoff = 3;
  bool tail = true;
  OwnValues own;
  double sigmaB = 1, epsilonB = 1, sigmaAB = 0, epsilonAB = 0;  // 0: not given
  Choice mixing{1};

  double displacement = 0.3, insertion = 0.35, deletion = 0.35;
  double exchange = 0.3;  // of displacements
  Choice displacementRange{0};
  double maxDisplacement = 0.2;
  bool tune = false;
  double targetAcceptance = 0.4;
  std::int64_t movesPerStep = 1000;

  Choice method{0};

  std::int64_t replicas = 0;
  Choice replicaKind{0};
  double replicaFrom = -4, replicaTo = -2;
  double replicaColdest = 1.35, replicaHottest = 3;
  Choice replicaSpacing{0};
  std::int64_t replicaMost = 380, replicaWindows = 0;
  std::int64_t widomPoints = 64;
  bool race = false, keepFastest = false;

  bool wrongSign = false;
  bool oldNumber = false;

  int dimensions() const { return dimension.index == 0 ? 2 : 3; }
  Box box() const {
    const double y = lengthY > 0 ? lengthY : length, z = lengthZ > 0 ? lengthZ : length;
    return dimensions() == 3 ? Box{3, {length, y, z}} : Box{2, {length, y, 1}};
  }
  // Of a cube or square; NaN of other boxes and of mixtures, for which nothing is published.
  double side() const;
  bool has(const char* key) const { return potential == gcmcPotential(key); }
  bool ideal() const { return has("ideal_gas"); }
  bool hard() const { return has("hard_spheres"); }
  double mostParticles() const { return ideal() ? kMostOfIdealGas : kMostParticles; }
  // Index in sim/core/potentials.h; -1: ideal gas or hard spheres.
  int law() const { return exactPotential(potential.index); }
  PairOfTypes pair() const;
  bool mixed() const { return system.index == 1; }
  SpeciesTable species() const;  // of a mixture: sigma and epsilon of A and B
  // sigma^d of the smaller type.
  double leastVolume() const {
    return mixed() ? std::pow(std::min(1.0, sigmaB), dimensions()) : 1.0;
  }
  // Two of a mixture.
  std::vector<Species> speciesList() const {
    return mixed() ? std::vector<Species>{{"A"}, {"B", sigmaB}} : std::vector<Species>(1);
  }
  // Beyond which no pair is looked at, in units of its sigma.
  double reach() const;
  bool anywhere() const { return displacementRange.index == 1; }
  double lnActivity() const { return std::log(activity); }
  double givenActivity() const;  // by the one of the three that states the reservoir
  GcmcSettings settings() const;

  void visit(auto& v) {
    using T = GcmcTouch;
    auto fluid = v.with({.touches = T::rules | T::averages | T::isotherm});
    visitState(v.with({.effect = Effect::restart}));
    visitReservoir(v);
    visitPair(fluid);
    visitSpecies(fluid.with({.later = true}));
    visitMoves(v);
    visitExperiments(v.with({.touches = T::averages | T::isotherm, .experiment = true}));
    visitExecution(v);
    visitReplicas(v.with({.touches = T::replicas}));
  }

  void visitState(auto v);
  void visitReservoir(auto& v);
  void visitPair(auto v);
  void visitSpecies(auto v);
  void visitMoves(auto& v);
  void visitExperiments(auto v);
  void visitExecution(auto& v);
  void visitReplicas(auto v);
};

// Follows edits from `before` to `next`: the reservoir stated in three ways, and the shares of
// moves. Throws InputError when they contradict each other.
void followEdits(GcmcParameters& next, const GcmcParameters& before);

// "length = 8" of a cube or square; the shortest side of others: "length_y = 8".
std::string shortestSideInWords(const GcmcParameters& p);

// Throws InputError for what is impossible together.
void checkParameters(const GcmcParameters& p, const ExecConfig& config);

// Moves of a step, at least moves_per_step: whole sweeps of turns where a method makes many moves
// together.
std::uint64_t movesOfStep(const GcmcParameters& p);

// How a method does its work; the row of gcmcMappings() is the one of this dimension.
GcmcOptions optionsOf(const GcmcParameters& p);
// The same without the experiments of methods.
inline GcmcParameters soundOf(GcmcParameters p) {
  p.boardExperiment = p.speculativeBatch = Choice{0}, p.ignoreConflicts = false;
  return p;
}

void GcmcParameters::visitState(auto v) {
  v({"dimension", "Dimension", "State"},
    {.choices = {{"2", "two"}, {"3", "three"}},
     .help = "The fluid in the plane or in space. In the plane density, activity and pressure are "
             "per area, and the tail correction is that of the plane.",
     .equation = "V = L_x L_y (L_z)"},
    dimension);
  v({"system", "System", "State"},
    {.choices = {{"pure", "pure fluid"}, {"binary", "binary mixture"}},
     .help = "pure: one species. binary: two, A and B, with a reservoir of both, sigma and epsilon "
             "of their own and moves that exchange the type of a particle; without tail correction "
             "and hard spheres.",
     .equation = "B is drawn with y = z_B / (z_A + z_B); z = z_A + z_B and N = N_A + N_B are those "
                 "of one species",
     .later = true},
    system);
  v({"length", "Box side", "State", "L", "sigma"}, {2, kLongestSide, 5, 40, kLogScale},
    {.help = "Side of the periodic cube or square, or of another box that along x. Larger: more "
             "particles, smaller fluctuations of the density.",
     .equation = "V = L_x L_y (L_z)"},
    length);
  const auto other = [&](const char* key, const char* label, const char* symbol, const char* help,
                         ChoicesOf with, double& field) {
    v({key, label, "State", symbol, "sigma"}, {0, kLongestSide, 0, 40},
      {.smallest = "as along x",
       .help = help,
       .equation = "V = L_x L_y (L_z)",
       .later = true,
       .actsWith = std::move(with)},
      field);
  };
  other("length_y", "Box side along y", "L_y",
        "Side of the box along y, at least 2; 0: as along x. Larger: more particles, a longer box. "
        "The shortest side limits the cutoff.",
        {}, lengthY);
  other("length_z", "Box side along z", "L_z",
        "The same along z, in space. Larger: more particles; much longer than the others: liquid "
        "and vapour lie side by side.",
        {"dimension", {"3"}}, lengthZ);
  v({"density", "Starting density", "State", "rho_0", "sigma^-d"}, {0, 1.2, 0, 0.9},
    {.help = "Particles per volume at the start, on a lattice. Larger: starts as a liquid; where "
             "liquid and vapour are both stable this decides which one is seen first. The "
             "reservoir then fills or empties the box.",
     .equation = "N_0 = rho_0 V"},
    density);
  v({"seed", "Seed", "State"}, {0, 4294967295.0},
    {.help = "Number from which all moves are drawn. The same seed gives the same decisions with "
             "every method and on every machine.",
     .equation = "Philox 4x32-10, key = hash(seed), counter = number of the move"},
    seed);
}

void GcmcParameters::visitReservoir(auto& u) {
  using T = GcmcTouch;
  auto v = u.with({.touches = T::rules | T::averages | T::reservoir});
  v({"temperature", "Temperature", "Reservoir", "T*", "epsilon/k_B"}, {0.1, 100, 0.7, 2, kLogScale},
    {.help = "Temperature of the reservoir. Larger: energies matter less; at the same chemical "
             "potential below zero the activity rises. Liquid and vapour are distinct below 1.31 "
             "(full potential, three dimensions).",
     .equation = "acc = min(1, ... exp(-dU / T)) (Schwiebert et al. 2014, eqs. 3 to 5)",
     .touches = T::isotherm},
    temperature);
  u({"reservoir", "Reservoir given by", "Reservoir"},
    {.choices = {{"potential", "chemical potential"}, "activity", "fugacity"},
     .help = "Which of the three is kept when the temperature changes; the other two follow and "
             "are shown converted. Setting one of the others makes it the given one.",
     .equation = "z = exp(mu / T) / Lambda^d, f = z T; Lambda = 1",
     .touches = T::reservoir},
    reservoir);
  v({"chemical_potential", "Chemical potential", "Reservoir", "mu*", "epsilon"}, {-100, 100, -8, 0},
    {.help = "Chemical potential of the reservoir, for a thermal de Broglie length of 1. Larger: a "
             "denser fluid.",
     .equation = "mu = T ln z (Lambda = 1)"},
    mu);
  v({"activity", "Activity", "Reservoir", "z", "sigma^-d"}, {1e-22, 1e22, 0.001, 10, kLogScale},
    {.help = "Density that an ideal gas would have in equilibrium with the reservoir; of a "
             "mixture, of both types together. Larger: a denser fluid.",
     .equation = "z = exp(mu / T) (Lambda = 1)"},
    activity);
  v({"fugacity", "Fugacity", "Reservoir", "f", "epsilon/sigma^d"},
    {1e-23, 1e24, 0.001, 10, kLogScale},
    {.help = "Pressure that an ideal gas would have in equilibrium with the reservoir. Larger: a "
             "denser fluid.",
     .equation = "f = z T"},
    fugacity);
}

void GcmcParameters::visitPair(auto v) {
  v({"potential", "Potential", "Pair interaction"},
    {.choices = gcmcPotentials(),
     .help = "The pair potential and how it ends at the cutoff: different fluids, which need "
             "different chemical potentials for the same density. " +
             potentialHelp(true) +
             "ideal_gas: no interaction, N is Poisson-distributed about z V. hard_spheres: spheres "
             "of diameter sigma (disks in the plane) that must not overlap, without cutoff and "
             "tail; the temperature only sets the unit of the pressure.",
     .equation =
         "van Meel et al. 2008, eqs. (2) and (3); ideal gas: P(N) = (z V)^N exp(-z V) / N!; hard "
         "spheres: u = infinite for r < 1 (Anderson et al. 2013, section 5.2); Mie (1903)"},
    potential);
  v({"cutoff", "Cutoff", "Pair interaction", "r_c", "sigma"}, {1, 100, 2, 5},
    {.help = "Pairs further apart do not interact; at most half the shortest side. In a mixture in "
             "units of the sigma of each pair. Larger: more of the attraction is kept, and every "
             "move looks at more particles.",
     .equation = "u = 0 for r >= r_c"},
    cutoff);
  v({"tail", "Tail correction", "Pair interaction"},
    {.help = "Adds the mean attraction beyond the cutoff to energy, pressure and acceptance, which "
             "makes the truncated fluid stand for the full one. With potential = truncated, or mie "
             "with truncation = cut.",
     .equation = "U_tail = c N^2 / V; c = (8 pi / 3) (r_c^-9 / 3 - r_c^-3) in space, pi (2 r_c^-10 "
                 "/ 5 - r_c^-4) in the plane; mie: the same integral of its powers"},
    tail);
  own.visit(v, 1);
}

// The two types of a mixture, and what a pair of unlike ones has.
void GcmcParameters::visitSpecies(auto v) {
  const auto binary = [&](const char* key, const char* label, const char* symbol, const char* unit,
                          ParameterRange range, const char* help, const char* equation,
                          ChoicesOf with, double& field) {
    v({key, label, "Species", symbol, unit}, range,
      {.help = help, .equation = equation, .actsWith = std::move(with)}, field);
  };
  const ChoicesOf mixture{"system", {"binary"}}, given{"mixing", {"given"}};
  binary("share_b", "Activity fraction of B", "y", "", {0, 1, 0, 1},
         "Share of B in the activity of the reservoir: the fraction of B in an ideal gas. Larger: "
         "more B in the box, though seldom the same fraction. Particles of the start, and those "
         "added by hand, are B with the same probability.",
         "y = z_B / (z_A + z_B); mu_A = T ln((1 - y) z), mu_B = T ln(y z)", mixture, shareB);
  binary("sigma_b", "Diameter of B", "sigma_B", "sigma", {0.5, 2, 0.8, 1.5},
         "Diameter of B; between A and B see mixing. The cutoff is in units of the sigma of each "
         "pair. Larger: B takes more room, and less of it is taken up.",
         "sigma_AB = (sigma_A + sigma_B) / 2", mixture, sigmaB);
  binary("epsilon_b", "Depth of B", "epsilon_B", "epsilon", {0.05, kGcmcDeepest, 0.2, 2},
         "Depth of the potential between two particles of B; between A and B see mixing. Larger: "
         "particles of B attract each other more, and a liquid takes up more of them.",
         "epsilon_BB = epsilon_B", mixture, epsilonB);
  v({"mixing", "Mixing", "Species"},
    {.choices = {{"arithmetic", "arithmetic"},
                 {"lorentz_berthelot", "Lorentz-Berthelot"},
                 {"given", "given values"}},
     .help = "Diameter and depth between A and B. arithmetic: means of those of A and B. "
             "lorentz_berthelot: the same, but the geometric mean of the depths. given: sigma_ab "
             "and epsilon_ab as they are set.",
     .equation = "Lorentz-Berthelot: epsilon_AB = sqrt(epsilon_A epsilon_B)",
     .actsWith = mixture},
    mixing);
  binary("sigma_ab", "Diameter of A with B", "sigma_AB", "sigma", {0, 2, 0, 1.5},
         "With mixing = given: at least 0.5; 0 stands for no value, which is refused. Larger: "
         "unlike particles keep further apart than like ones.",
         "mixing = given: sigma_AB as it is set", given, sigmaAB);
  binary("epsilon_ab", "Depth of A with B", "epsilon_AB", "epsilon", {0, kGcmcDeepest, 0, 2},
         "With mixing = given: at least 0.05; 0 stands for no value, which is refused. Larger: "
         "unlike particles attract each other more, and mix; much less than between like ones: "
         "they separate.",
         "mixing = given: epsilon_AB as it is set", given, epsilonAB);
}

}  // namespace cellscope::gcmc

#include "sim/modes/gcmc/parameters_moves.h"
