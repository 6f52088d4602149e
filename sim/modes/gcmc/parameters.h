// Parameters of grand-canonical Monte Carlo, declared once.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/md/species.h"
#include "sim/api/configuration.h"
#include "sim/api/parameter.h"
#include "sim/core/gcmc_tail.h"
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
  void visitReplicaTemperatures(auto v);
  void visitReplicaWindows(auto v);
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

}  // namespace cellscope::gcmc

#include "sim/modes/gcmc/parameters_fluid.h"
#include "sim/modes/gcmc/parameters_moves.h"
#include "sim/modes/gcmc/parameters_replicas.h"
