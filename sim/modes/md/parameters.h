// Parameters of molecular dynamics, declared once.
#pragma once
#include "sim/algo/md/bath.h"
#include "sim/api/configuration.h"
#include "sim/modes/md/methods/method.h"
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
  void visitPair(auto& v);
  void visitSpecies(auto& v);
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

void MdParameters::visitIntegration(auto& u) {
  auto v = u.with({.touches = MdTouch::bath});
  u({"dt", "Time step", "Integration", "dt", "tau"}, {0.00001, 0.03, 0.001, 0.03, kLogScale},
    {.help = "Time step of velocity Verlet. Larger: faster, but the energy error grows as dt^2. A "
             "liquid drifts visibly above 0.02 and blows up at about 0.03.",
     .equation = "van Meel et al. 2008, section 2: velocity Verlet, r' = r + v dt + f dt^2 / 2, v' "
                 "= v + (f + f') dt / 2 (Swope et al., J. Chem. Phys. 76, 637, 1982)"},
    dt);
  v({"thermostat", "Thermostat", "Integration"},
    {.choices = {{"none", "none"}, {"langevin", "Langevin"}, {"bussi", "velocity rescaling"}},
     .help = "none: the energy is conserved. langevin: every particle feels friction and random "
             "kicks, which hold the temperature; momentum is not conserved. bussi: every ten steps "
             "all velocities are multiplied by one random number that makes the kinetic energy "
             "that of a canonical ensemble; momentum stays, and particles diffuse nearly as "
             "without a thermostat.",
     .equation =
         "BAOAB: v' = a v + b xi between two half drifts, a = exp(-gamma dt), b = sqrt(T (1 - a^2) "
         "/ m) (Leimkuhler and Matthews, Appl. Math. Res. Express 2013, 34); stochastic velocity "
         "rescaling: Bussi, Donadio and Parrinello, J. Chem. Phys. 126, 014101 (2007), eq. (A7)"},
    thermostat);
  v({"bath_temperature", "Bath temperature", "Integration", "T_bath", "epsilon/k_B"},
    {0.001, 20, 0.1, 3},
    {.help = "Temperature that the thermostat holds, or where its ramp begins. Larger: stronger "
             "random kicks.",
     .equation = "b = sqrt(T (1 - exp(-2 gamma dt)) / m)",
     .actsWith = {"thermostat", {"langevin", "bussi"}}},
    bathTemperature);
  v({"friction", "Friction", "Integration", "gamma", "1/tau"}, {0.0001, 100, 0.01, 20, kLogScale},
    {.help = "Friction of the Langevin thermostat. Larger: the temperature is reached sooner, and "
             "particles diffuse more slowly.",
     .equation = "a = exp(-gamma dt)",
     .actsWith = {"thermostat", {"langevin"}}},
    friction);
  v({"noise", "Noise", "Integration"},
    {.choices = {{"philox", "Philox"}, {"rand48", "rand48"}},
     .help = "Where the Langevin thermostat draws its random numbers. philox: a function of seed, "
             "step and particle. rand48: the one sequence of the C library's generator, four "
             "numbers for each particle and step, as in 2008; slower, and its numbers are "
             "correlated: for comparison only.",
     .equation = "van Meel et al. 2008, section 4, eq. (7): x(n + m) = A x(n) + C mod 2^48",
     .actsWith = {"thermostat", {"langevin"}}},
    noise);
  v({"coupling_time", "Coupling time", "Integration", "tau_T", "tau"},
    {0.001, 1000, 0.05, 20, kLogScale},
    {.help = "Time in which velocity rescaling brings the kinetic energy to its mean. Larger: a "
             "gentler thermostat.",
     .equation = "Bussi et al. 2007, eq. (A7): c = exp(-dt / tau_T)",
     .actsWith = {"thermostat", {"bussi"}}},
    couplingTime);
  v({"ramp_steps", "Ramp", "Integration", "n_ramp", "steps"}, {0, 1000000000, 0, 100000},
    {.smallest = "none",
     .help = "Steps, from the start of the run, over which the temperature of the bath goes evenly "
             "to the end temperature. Larger: slower heating or cooling. 0: no ramp.",
     .equation = "T(s) = T_bath + (T_end - T_bath) min(1, s / n_ramp)",
     .actsWith = {"thermostat", {"langevin", "bussi"}}},
    rampSteps);
  v({"end_temperature", "End temperature", "Integration", "T_end", "epsilon/k_B"},
    {0.001, 20, 0.1, 3},
    {.help = "Temperature of the bath after the ramp. Larger than that of the bath: heating; "
             "smaller: cooling.",
     .equation = "T(s) = T_bath + (T_end - T_bath) min(1, s / n_ramp)",
     .actsWith = {"ramp_steps", {}}},
    endTemperature);
}

void MdParameters::visitBarostat(auto& u) {
  auto v = u.with({.actsWith = {"barostat", {"cell_rescaling"}}});
  u({"barostat", "Barostat", "Pressure"},
    {.choices = {{"none", "none"}, {"cell_rescaling", "stochastic cell rescaling"}},
     .help = "none: the volume is constant. cell_rescaling: the box, and with it all positions, is "
             "scaled every few steps by a random factor such that the volume fluctuates as at the "
             "target pressure; velocities are scaled by the inverse. Needs a thermostat. A change "
             "of the box costs new lists or cells, two passes for the pressure, and forces; a GPU "
             "waits for the processor meanwhile.",
     .equation = "Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020), for lambda = sqrt(V): "
                 "lambda' = lambda - beta lambda h / (2 tau_p) (P_0 - P - T / (2 V)) + sqrt(T beta "
                 "h / (2 tau_p)) xi; weight of V: Z_N(V) exp(-P_0 V / T) dV / V"},
    barostat);
  v({"target_pressure", "Target pressure", "Pressure", "P_0", "epsilon/sigma^d"},
    {-1, 100, 0.02, 12},
    {.help = "Pressure that the barostat holds, with the tail correction where it is on. Larger: a "
             "smaller box. At or below zero a liquid is stretched, and boils sooner or later: then "
             "the box grows until the run ends.",
     .equation = "<P> = P_0"},
    targetPressure);
  v({"barostat_time", "Relaxation time", "Pressure", "tau_p", "tau"},
    {0.01, 10000, 0.2, 50, kLogScale},
    {.help = "Time in which the pressure comes to its target, if the compressibility is that of "
             "the fluid. Larger: a gentler barostat. Averages do not depend on it.",
     .equation = "d ln V = -(beta / tau_p) (P_0 - P) dt + noise"},
    barostatTime);
  v({"compressibility", "Compressibility", "Pressure", "beta", "sigma^d/epsilon"},
    {0.0001, 10000, 0.01, 10, kLogScale},
    {.help = "About that of the fluid: 0.05 of a dense liquid, 1 / P of a gas. Larger than it is: "
             "the volume relaxes sooner than in the relaxation time. Averages do not depend on it, "
             "only on the fluid.",
     .equation = "beta = -(dV / dP) / V; only beta / tau_p enters"},
    compressibility);
  v({"barostat_interval", "Barostat interval", "Pressure", "n_p", "steps"},
    {1, 10000, 5, 200, kLogScale},
    {.help = "Steps from one change of the box to the next. Larger: less work, but the volume "
             "fluctuates too much where the time between comes near the relaxation time.",
     .equation = "h = n_p dt; var(V) too large by 1 / (1 - h / (2 tau_p))"},
    barostatInterval);
}

void MdParameters::visitMethod(auto& v) {
  auto forces = v.with({.touches = MdTouch::forces});
  v({"method", "Method", "Execution"},
    {.choices = methodChoices(),
     .help = "How the pairs within the cutoff are found. all_pairs: every pair is looked at in "
             "every step. cells, stencils, tree: each particle has a list of its neighbours within "
             "cutoff and buffer; they differ in how they build it. clusters: four particles next "
             "to each other share one list; every list has the room that the longest cutoff of all "
             "species needs, so that where cutoffs are very unlike, as with colloids, clusters "
             "take many times the memory of the other methods and are refused where there is less. "
             "placeholder_cells: forces directly from cells with a fixed number of slots, one "
             "thread per slot, in a box of at least three cells a side. All but placeholder_cells "
             "add up all images where the cutoff is more than half the box.",
     .equation =
         "van Meel et al. 2008, sections 2 and 3; Verlet lists: Howard et al. 2016, section 2",
     .touches = MdTouch::engine},
    method);
  ListParameters::visit(forces);
  PlaceholderParameters::visit(forces.with({.actsWith = {"method", {"placeholder_cells"}}}));
  v({"tune", "Tune", "Execution"},
    {.choices = {"off", {"lists", "buffer and threads"}, {"all", "method, too"}},
     .help = "Times steps on a copy of the current state and sets the fastest values. lists: the "
             "buffer from 0.08 to 1.2, then the bin width of stencils or the particles per leaf of "
             "trees and, on a GPU, the threads per particle in a force pass. all: the method as "
             "well. Then it switches itself off: the values are set as if by hand, and a repeated "
             "run uses them without searching.",
     .equation = "Howard et al. 2016, section 3.1: parameters tuned at run time",
     .touches = MdTouch::tuning,
     .prepares = true},
    tune);
  v({"race", "Race of the methods", "Execution"},
    {.help = "Times list build and forces of every method in turn, on copies of the state as it "
             "is: bars in the plot of the race as they come in, the shortest of the rounds so far; "
             "the fastest is marked once all rounds are complete, if all others take longer than "
             "it mostly does. Then the race begins again at the state as it is by then, and the "
             "shortest times of the last eight races count. The run continues unchanged, but more "
             "slowly, and the copies need memory.",
     .equation = "Howard et al. 2016, section 4"},
    race);
  v({"race_parts", "Race of the parts", "Execution"},
    {.help = "Shows where the time of the chosen method goes: times list build and forces with "
             "something left out (the search; the distances; all arithmetic) beside the whole "
             "ones, on a copy of the state: bars in a plot as they come in. For timing only: "
             "nothing of it enters the run, which goes on as without it, only slower.",
     .equation = "Howard et al. 2016, section 3: search and memory access apart from each other"},
    raceParts);
  ListParameters::visitExperiment(forces);
  AllPairsParameters::visit(forces);
}

}  // namespace cellscope::md

#include "sim/modes/md/parameters_state.h"
