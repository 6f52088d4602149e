// Parameters of molecular dynamics, declared once.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/algo/md/bath.h"
#include "sim/api/configuration.h"
#include "sim/api/parameter.h"
#include "sim/modes/md/methods/method.h"
#include "sim/modes/md/methods/parameters.h"
#include "sim/modes/potential_parameters.h"

namespace cellscope::md {

enum class System { pure, binary, colloids };
enum class StartLattice { closePacked, simple, random };
enum class Thermostat { none, langevin, bussi };
enum class Tune { off, lists, all };

std::vector<ChoiceInfo> methodChoices();  // in the order of methods()

struct MdParameters : AllPairsParameters, ListParameters, PlaceholderParameters {
  Choice dimension{1};
  Choice system{0};
  std::int64_t n = 2048;
  double density = 0.8442;
  double aspectY = 1, aspectZ = 1;  // sides over that along x
  double temperature = 1.4;
  Choice lattice{0};
  double dt = 0.004;
  Choice potential{0};
  double cutoff = 2.5;
  bool tail = false;
  double fractionB = 0.1;
  double cutoffB = 6;
  double sigmaB = 1;
  double epsilonB = 1;
  Choice mixing{0};
  double sigmaAB = 0, epsilonAB = 0, cutoffAB = 0;  // 0: not given
  OwnValues own;
  std::int64_t colloids = 10;
  double colloidDiameter = 5;
  double colloidFraction = 0.1;
  Choice method{0};
  Choice thermostat{0};
  double bathTemperature = 1.0;
  double friction = 1.0;
  Choice noise{0};
  double couplingTime = 0.5;
  std::int64_t rampSteps = 0;
  double endTemperature = 1.0;
  Choice barostat{0};
  double targetPressure = 1.0;
  double barostatTime = 1.0;
  double compressibility = 0.1;
  std::int64_t barostatInterval = 20;
  std::int64_t seed = 1;
  bool removeDrift = false;
  bool minimise = false;
  Choice tune{0};
  bool race = false;
  bool raceParts = false;

  int dimensions() const { return dimension.index == 0 ? 2 : 3; }
  System what() const { return static_cast<System>(system.index); }
  double length() const;  // along x
  Box box() const {
    const double x = length();
    return dimensions() == 3 ? Box{3, {x, aspectY * x, aspectZ * x}} : Box{2, {x, aspectY * x, 1}};
  }
  // The same in this box: density, and with colloids their volume fraction, as they are there.
  MdParameters in(const Box& box) const;
  const Method& by() const { return *methods()[static_cast<std::size_t>(method.index)]; }
  // Why lists are wrong on purpose; "": they are not.
  std::string wrongLists() const {
    if (staleLists && by().hasLists()) return "as lists are stale";
    return hasFault() ? "as lists have a fault" : "";
  }
  bool hasFault() const { return fault.index > 0 && by().perList == 1; }
  void rightLists() { staleLists = false, fault.index = 0; }
  bool givesPairs() const {
    return what() == System::binary && mixing.index == static_cast<int>(Mixing::given);
  }
  Thermostat bathKind() const { return static_cast<Thermostat>(thermostat.index); }
  Tune toTune() const { return static_cast<Tune>(tune.index); }
  bool bathOn() const { return bathKind() != Thermostat::none; }
  bool heats() const { return bathOn() && rampSteps > 0; }
  bool barostatOn() const { return barostat.index == 1; }
  // Colloids have a law of their own.
  int law() const;
  SpeciesTable species() const;
  double largestCutoff() const;  // of all pairs of species, as the law reaches
  PairSettings pair() const;
  BathSettings bath() const;
  // Names, diameters and masses of the species, in the order of their types.
  std::vector<Species> speciesList() const;

  void visit(auto& v) {
    visitState(v);
    visitPair(v);
    visitSpecies(v);
    own.visit(v.with({.touches = MdTouch::pairLaw | MdTouch::forces}), 2);
    visitIntegration(v);
    visitBarostat(v);
    visitMethod(v);
  }

  void visitState(auto& v);
  void visitShape(auto& v);
  void visitPair(auto& v);
  void visitSpecies(auto& v);
  void visitUnlike(auto& v);
  void visitIntegration(auto& v);
  void visitBarostat(auto& v);
  void visitMethod(auto& v);
};

// Throws InputError for what is impossible together.
void checkParameters(const MdParameters& p);
// What several domains cannot do.
void checkDomains(const MdParameters& p, const ExecConfig& config);
// Density, or with colloids their volume fraction, where it is not within its range; none: it is.
std::string outOfRange(const MdParameters& p);
// Throws InputError where the cutoff or the cells do not fit into this box.
void requireFit(const MdParameters& p, const Box& box);
// The same for the method with so many particles in this box.
void requireRoom(const MdParameters& p, std::size_t n, const Box& box);

}  // namespace cellscope::md

#include "sim/modes/md/parameters_integration.h"
#include "sim/modes/md/parameters_state.h"
