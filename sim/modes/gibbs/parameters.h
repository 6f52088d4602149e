// Parameters of the Gibbs ensemble, declared once.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/api/parameter.h"
#include "sim/core/gibbs_rules.h"
#include "sim/modes/potential_parameters.h"

namespace cellscope::gibbs {

// What a change of a parameter touches.
struct GibbsTouch {
  enum : std::uint32_t {
    rules = 1,     // acceptance or energies
    averages = 2,  // another ensemble
    sizes = 4,     // of moves
    tuning = 8,
    shown = 16,  // the pair that is seen
    team = 32
  };
};

// Exact potentials of the list, and the ideal gas.
std::vector<ChoiceInfo> gibbsPotentials();

// Largest moves of a pair: of each box, and of both.
struct MoveSizes {
  double reach[2];  // sigma
  double volume;    // share of V_1 + V_2
};

struct GibbsParameters {
  Choice dimension{1};
  std::int64_t n = 512;
  double density = 0.2, firstParticles = 0.5, firstVolume = 0.5;
  std::int64_t seed = 1;
  double temperature = 0.9, lastTemperature = 1.2;
  Choice potential{1};
  double cutoff = 3;
  bool tail = true;
  OwnValues own;
  double transfers = 0.4, exchanges = 0.002;
  double maxDisplacement = 0.2, maxExchange = 0.01;
  bool tune = false;
  double targetAcceptance = 0.4;
  std::int64_t movesPerStep = 1000;
  std::int64_t pairs = 1, temperatures = 1, shown = 1;
  Choice teamThreads{2};

  int dimensions() const { return dimension.index == 0 ? 2 : 3; }
  double volume() const { return static_cast<double>(n) / density; }
  GcmcSettings settings() const;  // of the law
  // Volume of a box.
  double smallest() const { return std::pow(2 * settings().cutoff, dimensions()); }
  MoveSizes sizes() const { return {{maxDisplacement, maxDisplacement}, maxExchange}; }
  std::size_t temperaturesMade() const { return static_cast<std::size_t>(temperatures); }
  double temperatureAt(std::size_t t) const {
    const double last = std::max(1.0, static_cast<double>(temperatures) - 1);
    return temperature + (lastTemperature - temperature) * static_cast<double>(t) / last;
  }
  double temperatureOf(std::size_t pair) const { return temperatureAt(pair % temperaturesMade()); }
  // Particles in box 1 at the start.
  std::uint32_t firstN() const {
    return static_cast<std::uint32_t>(std::llround(firstParticles * static_cast<double>(n)));
  }
  std::uint32_t firstShare() const;  // its volume, GibbsHead::share
  GibbsRules rules(std::size_t pair, const MoveSizes& sizes) const;
  // The full potential by a tail, which published states are of.
  bool published() const {
    return dimensions() == 3 && tail &&
           exactPotential(potential.index) == lennardJones(Truncation::plain);
  }
  int threads() const { return 64 << teamThreads.index; }  // of a GPU

  void visit(auto& v) {
    visitState(v.with({.effect = Effect::restart}));
    visitFluid(v.with({.touches = GibbsTouch::rules | GibbsTouch::averages}));
    visitMoves(v);
    visitPairs(v);
  }
  void visitState(auto v);
  void visitFluid(auto v);
  void visitMoves(auto& v);
  void visitPairs(auto& v);
};

// Throws InputError for what is impossible together.
void checkParameters(const GibbsParameters& p);
void checkStart(const GibbsParameters& p);  // of a new state

void GibbsParameters::visitState(auto v) {
  constexpr const char* kPaper = "Panagiotopoulos, Mol. Phys. 61, 813 (1987)";
  v({"dimension", "Dimension", "State"},
    {.choices = {{"2", "two"}, {"3", "three"}},
     .help = "Both boxes are squares in the plane or cubes in space.",
     .equation = "V = L^d"},
    dimension);
  v({"n", "Particles of a pair", "State", "N"}, {2, 8192, 100, 1000, kLogScale},
    {.help = "Particles of both boxes together, which a run conserves. Larger: smaller "
             "fluctuations and effects of finite size, and every move looks at more particles.",
     .equation = "N = n_1 + n_2"},
    n);
  v({"density", "Mean density", "State", "rho", "sigma^-d"}, {0.0001, 1.2, 0.1, 0.5, kLogScale},
    {.help = "Particles over the volume of both boxes. Between the densities of vapour and liquid "
             "it decides how much there is of each, not how dense they are. Larger: more liquid.",
     .equation = "rho = N / (V_1 + V_2)"},
    density);
  v({"first_particles", "Particles of box 1 at the start", "State", "n_1/N"}, {0, 1, 0.1, 0.9},
    {.help =
         "Share of all particles in box 1 at the start. Larger than its share of the volume: box 1 "
         "begins as the denser one. Both the same: the two phases have to find their boxes.",
     .equation = kPaper},
    firstParticles);
  v({"first_volume", "Volume of box 1 at the start", "State", "V_1/V"}, {0.001, 0.999, 0.1, 0.9},
    {.help = "Share of the volume of both in box 1 at the start. Larger: a more dilute box 1.",
     .equation = kPaper},
    firstVolume);
  v({"seed", "Seed", "State"}, {0, 4294967295.0},
    {.help = "Number from which all moves are drawn, of each pair its own. The same seed gives the "
             "same decisions on every machine.",
     .equation = "Philox 4x32-10, key = hash(seed), counter = pair and move"},
    seed);
}

void GibbsParameters::visitFluid(auto v) {
  v({"temperature", "Temperature", "Fluid", "T*", "epsilon/k_B"}, {0.1, 100, 0.7, 1.3, kLogScale},
    {.help = "Temperature of both boxes; of several pairs that of the first. Larger: vapour and "
             "liquid become more alike; above the critical temperature, 1.31 of the full potential "
             "in space, both boxes are the same.",
     .equation = "exp(-dU / T)"},
    temperature);
  v({"potential", "Potential", "Fluid"},
    {.choices = gibbsPotentials(),
     .help = "The pair potential and how it ends at the cutoff: different fluids, with different "
             "vapours and liquids. " +
             potentialHelp(true) +
             "ideal_gas: no interaction; n_1 and V_1 are then uniformly distributed.",
     .equation = "van Meel et al. 2008, eqs. (2) and (3); Mie (1903)"},
    potential);
  v({"cutoff", "Cutoff", "Fluid", "r_c", "sigma"}, {1, 20, 2, 5},
    {.help = "Pairs further apart do not interact. No box gets smaller than two cutoffs: such an "
             "exchange of volume is rejected and counted. Larger: more of the attraction is kept, "
             "and more volume or particles are needed.",
     .equation = "u = 0 for r >= r_c; V_1, V_2 >= (2 r_c)^d"},
    cutoff);
  v({"tail", "Tail correction", "Fluid"},
    {.help = "Adds the mean attraction beyond the cutoff to energy, pressure and acceptance, in "
             "each box by its own density. With potential = truncated, or mie with truncation = "
             "cut; without effect for the others.",
     .equation = "U_tail = c n^2 / V of each box; c = (8 pi / 3) (r_c^-9 / 3 - r_c^-3) in space, "
                 "pi (2 r_c^-10 / 5 - r_c^-4) in the plane"},
    tail);
  own.visit(v, 1);
}

void GibbsParameters::visitMoves(auto& v) {
  using T = GibbsTouch;
  v({"transfers", "Share of transfers", "Moves"}, {0, 1, 0.1, 0.6},
    {.help = "Share of moves that take a particle out of one box and put it anywhere in the other. "
             "Larger: the chemical potentials become equal sooner; displacements, which are the "
             "rest, are fewer.",
     .equation = "acc = min(1, n_1 V_2 / ((n_2 + 1) V_1) exp(-dU / T))",
     .touches = T::rules},
    transfers);
  v({"volume_exchanges", "Share of exchanges of volume", "Moves"}, {0, 0.5, 0.0005, 0.02},
    {.help = "Share of moves that give volume of one box to the other, with all positions scaled. "
             "Each looks at all pairs, so that 1 of N is usual. Larger: pressures become equal "
             "sooner, at more work.",
     .equation = "acc = min(1, exp(-dU / T) (V_1' / V_1)^n_1 (V_2' / V_2)^n_2)",
     .touches = T::rules},
    exchanges);
  v({"max_displacement", "Maximum displacement", "Moves", "d", "sigma"},
    {0.001, 10, 0.05, 2, kLogScale},
    {.help = "Largest displacement along each axis, in both boxes until it is tuned. Larger: "
             "bolder moves; fewer are accepted.",
     .equation = "r' = r + d (2 xi - 1)",
     .touches = T::rules | T::sizes},
    maxDisplacement);
  v({"max_volume_exchange", "Maximum exchange of volume", "Moves", "dV/V"},
    {0.00001, 0.5, 0.001, 0.05, kLogScale},
    {.help = "Largest exchange of volume, as a share of the volume of both boxes, until it is "
             "tuned. Larger: bolder moves; fewer are accepted.",
     .equation = "V_1' = V_1 + dV (2 xi - 1), V_2' = V - V_1'",
     .touches = T::rules | T::sizes},
    maxExchange);
  v({"tune", "Tune the move sizes", "Moves"},
    {.help = "Searches, for each box of each pair, for the sizes at which the target acceptance is "
             "reached, then freezes them and switches itself off: nothing is tuned while sampling.",
     .equation = "accepted / attempted = target",
     .touches = T::tuning,
     .prepares = true},
    tune);
  v({"target_acceptance", "Target acceptance", "Moves"}, {0.05, 0.95, 0.2, 0.6},
    {.help = "Share of displacements and of exchanges of volume to be accepted, for the search. "
             "Larger: smaller moves.",
     .equation = "accepted / attempted",
     .touches = T::tuning,
     .actsWith = {"tune", {}}},
    targetAcceptance);
  v({"moves_per_step", "Moves per step", "Moves"}, {1, 100000, 100, 10000, kLogScale},
    {.help = "Moves of each pair in a step. Larger: fewer, less correlated steps.",
     .equation = "a fixed number of moves between two samples"},
    movesPerStep);
}

void GibbsParameters::visitPairs(auto& v) {
  v({"pairs", "Pairs of boxes", "Pairs"}, {1, 1024, 1, 132},
    {.help = "Independent pairs, each with random numbers of its own: one per core at a time on a "
             "CPU, a block of threads each on a GPU. Larger: smaller errors, or more temperatures.",
     .equation = "errors fall as 1 / sqrt(pairs of the same temperature)",
     .effect = Effect::restart},
    pairs);
  v({"temperatures", "Temperatures", "Pairs"}, {1, 64, 1, 11},
    {.help = "How many temperatures the pairs have, evenly from the temperature to the last one. "
             "Larger: more points of the coexistence curve, with fewer pairs for each.",
     .equation = "pair k: T_1 + (T_last - T_1) (k mod m) / (m - 1)",
     .effect = Effect::restart},
    temperatures);
  v({"last_temperature", "Last temperature", "Pairs", "T_last", "epsilon/k_B"},
    {0.1, 100, 0.7, 1.3, kLogScale},
    {.help =
         "The last of several temperatures. Larger: the curve ends closer to the critical point.",
     .equation = "pair k: T_1 + (T_last - T_1) (k mod m) / (m - 1)",
     .touches = GibbsTouch::rules | GibbsTouch::averages},
    lastTemperature);
  v({"shown_pair", "Pair that is shown", "Pairs"}, {1, 1024, 1, 132},
    {.help = "Which pair the picture and the plots over time show; charts over the temperature "
             "have all. Larger: the next one, which has the next temperature.",
     .equation = "1 .. pairs",
     .touches = GibbsTouch::shown},
    shown);
  v({"team_threads", "Threads of a pair", "Pairs"},
    {.choices = {"64", "128", "256", "512"},
     .help = "Threads that share the work of a pair on a GPU. More wait less for each particle and "
             "more for each other. Results do not depend on it.",
     .equation = "one block of threads per pair",
     .touches = GibbsTouch::team,
     .gpuOnly = true},
    teamThreads);
}

}  // namespace cellscope::gibbs
