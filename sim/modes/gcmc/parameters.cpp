#include "sim/modes/gcmc/parameters.h"

#include <fmt/format.h>

#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::gcmc {
namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// The three from the given one.
void convert(GcmcParameters& p) {
  const double t = p.temperature;
  p.activity = p.givenActivity();
  if (static_cast<Reservoir>(p.reservoir.index) != Reservoir::potential)
    p.mu = potentialOfActivity(p.activity, t);
  if (static_cast<Reservoir>(p.reservoir.index) != Reservoir::fugacity)
    p.fugacity = fugacityOfActivity(p.activity, t);
}

void followReservoir(GcmcParameters& next, const GcmcParameters& before) {
  const bool edited[3] = {next.mu != before.mu, next.activity != before.activity,
                          next.fugacity != before.fugacity};
  const bool chosen = next.reservoir != before.reservoir;
  const std::int64_t given = next.reservoir.index;
  if (!chosen && !edited[given]) {
    std::int64_t others = 0, last = given;
    for (std::int64_t k = 0; k < 3; ++k)
      if (edited[k]) ++others, last = k;
    if (others == 1) next.reservoir.index = last;
  }
  const GcmcParameters said = next;
  convert(next);
  const auto agree = [&](std::int64_t k, double a, double b, const char* key) {
    if (!edited[k] || k == next.reservoir.index || near(a, b)) return;
    throw InputError(
        "{} = {:g} contradicts the reservoir, which is given by its {} and makes it {:g}; set only "
        "one of chemical_potential, activity and fugacity, or name it with reservoir = ...",
        key, a,
        next.reservoir.index == 0   ? "chemical potential"
        : next.reservoir.index == 1 ? "activity"
                                    : "fugacity",
        b);
  };
  agree(0, said.mu, next.mu, "chemical_potential");
  agree(1, said.activity, next.activity, "activity");
  agree(2, said.fugacity, next.fugacity, "fugacity");
}

void followShares(GcmcParameters& next, const GcmcParameters& before) {
  double* now[3] = {&next.displacement, &next.insertion, &next.deletion};
  const double old[3] = {before.displacement, before.insertion, before.deletion};
  int edited = 0, which = 0;
  for (int k = 0; k < 3; ++k)
    if (*now[k] != old[k]) ++edited, which = k;
  if (edited != 1) return;
  double* a = now[(which + 1) % 3];
  double* b = now[(which + 2) % 3];
  const double rest = 1 - *now[which], sum = *a + *b;
  if (near(sum, rest)) return;
  const double part = sum > 0 ? *a / sum : 0.5;
  *a = rest * part;
  *b = rest - *a;
}

// Throws InputError where the box is too small for the pairs, or too large for the particles.
void checkBox(const GcmcParameters& p) {
  for (const auto& [key, length] : {std::pair{"length_y", p.lengthY}, {"length_z", p.lengthZ}})
    if (length > 0 && length < 2)
      throw InputError(
          "{} = {:g} is too short; use at least 2, or 0 for a side as long as that along x", key,
          length);
  const Box box = p.box();
  const double start = p.density * box.volume(), most = p.mostParticles();
  if (start > most)
    throw InputError(
        "density = {:g} is {:.3g} particles in this box; allowed: at most {:.3g}{}; use a smaller "
        "box or density",
        p.density, start, most,
        p.ideal() ? " of an ideal gas" : ", for which sums of energies are exact");
  const double half = 0.5 * box.shortest(), mean = p.activity * box.volume();
  const std::string side = shortestSideInWords(p), key = side.substr(0, side.find(' '));
  if (p.ideal() && mean > 4e6)
    throw InputError(
        "an ideal gas of activity {:g} holds {:.3g} particles in this box, at most 4e6 fit; use a "
        "smaller activity or length",
        p.activity, mean);
  if (!p.ideal() && p.hard() && p.reach() > half)
    throw InputError(
        "{} is too small for hard spheres, whose pairs are counted up to {:g}: use at least {:g}",
        side, p.reach(), 2 * p.reach());
  const double largest = std::ranges::max(p.settings().sigma);
  if (!p.ideal() && p.mixed() && p.reach() * largest > half)
    throw InputError(
        "cutoff = {:g}, in units of the sigma of each pair, is {:g} for the largest, sigma = {:g}, "
        "and does not fit into the box of {}: it may be at most half of the shortest side, {:g}; "
        "use a smaller cutoff, sigma_b or sigma_ab, or a {} of at least {:g}",
        p.cutoff, p.reach() * largest, largest, side, half, key, 2 * p.reach() * largest);
  if (!p.ideal() && !p.hard() && p.reach() > half)
    throw InputError(
        "cutoff = {:g} does not fit into the box of {}: it may be at most half of the shortest "
        "side, {:g}; use a smaller cutoff or a {} of at least {:g}",
        p.reach(), side, half, key, 2 * p.reach());
  if (p.maxDisplacement > half)
    throw InputError(
        "max_displacement = {:g} is more than half the box of {}, {:g}; use at most that",
        p.maxDisplacement, side, half);
  if (p.density * box.volume() > 2097152)
    throw InputError(
        "density = {:g} in a box of volume {:g} makes {:.0f} particles, at most 2097152 can be "
        "started; use a smaller density or length",
        p.density, box.volume(), p.density * box.volume());
}

// Throws InputError for what a mixture cannot have.
void checkMixture(const GcmcParameters& p) {
  if (!p.mixed()) return;
  if (p.tail)
    throw InputError(
        "tail = true with system = binary: tail corrections are for one species; set tail = false");
  if (p.hard())
    throw InputError(
        "potential = hard_spheres with system = binary: their pressure is measured at the contacts "
        "of spheres of one diameter; use a potential with a cutoff, or system = pure");
  if (p.mixing.index != static_cast<std::int64_t>(Mixing::given)) return;
  for (const auto& [key, value, least, most] : {std::tuple{"sigma_ab", p.sigmaAB, 0.5, 2.0},
                                                {"epsilon_ab", p.epsilonAB, 0.05, kGcmcDeepest}})
    if (value < least)
      throw InputError(
          "{} = {:g}: mixing = given takes a value of {:g} to {:g}; set it, or use mixing = "
          "arithmetic or lorentz_berthelot",
          key, value, least, most);
}

}  // namespace

std::vector<ChoiceInfo> gcmcPotentials() {
  std::vector<ChoiceInfo> all = potentialChoices(true);
  all.insert(all.end(), {{"ideal_gas", "ideal gas"}, {"hard_spheres", "hard spheres"}});
  return all;
}

Choice gcmcPotential(const std::string& key) {
  static const std::vector<ChoiceInfo> all = gcmcPotentials();
  const auto at = std::ranges::find(all, key, &ChoiceInfo::key);
  CELLSCOPE_ASSERT(at != all.end());
  return {at - all.begin()};
}

PairOfTypes GcmcParameters::pair() const {
  PairOfTypes p = own.ofFirst(law());
  p.cutoff = cutoff;
  return p;
}

SpeciesTable GcmcParameters::species() const {
  SpeciesTable s;
  s.types = 2, s.mixing = static_cast<Mixing>(mixing.index);
  s.sigma[1] = sigmaB, s.epsilon[1] = epsilonB;
  s.given[SpeciesTable::at(0, 1)] = {sigmaAB, epsilonAB, cutoff};
  return s;
}

double GcmcParameters::givenActivity() const {
  const auto given = static_cast<Reservoir>(reservoir.index);
  return given == Reservoir::potential  ? activityOfPotential(mu, temperature)
         : given == Reservoir::fugacity ? activityOfFugacity(fugacity, temperature)
                                        : activity;
}

double GcmcParameters::reach() const {
  double end = hard() ? kContactReach : 0;
  withPotentialEntry(law(), [&](auto entry) { end = entry.end(pair()); });
  return end;
}

double GcmcParameters::side() const {
  const Box b = box();
  const bool even = b == cubicBox(length) || b == squareBox(length);
  return even && !mixed() ? length : std::numeric_limits<double>::quiet_NaN();
}

std::string shortestSideInWords(const GcmcParameters& p) {
  const Box box = p.box();
  const double least = box.shortest();
  const char* const key = box.length[0] == least   ? "length"
                          : box.length[1] == least ? "length_y"
                                                   : "length_z";
  return fmt::format("{} = {:g}", key, least);
}

GcmcSettings GcmcParameters::settings() const {
  GcmcSettings s;
  s.seed = static_cast<std::uint64_t>(seed);
  s.temperature = temperature;
  s.activity = activity;
  s.ratio[0] = displacement, s.ratio[1] = insertion, s.ratio[2] = deletion;
  s.mixed = mixed();
  if (s.mixed) {
    const SpeciesTable table = species();
    for (int k = 0; k < 3; ++k)  // AA, AB, BB
      s.sigma[k] = table.sigmaOf(k / 2, (k + 1) / 2),
      s.epsilon[k] = table.epsilonOf(k / 2, (k + 1) / 2);
    s.shareB = shareB;
    s.ratio[3] = displacement * exchange, s.ratio[0] -= s.ratio[3];
  }
  s.maxDisplacement = maxDisplacement;
  s.anywhere = anywhere();
  if (law() >= 0) s.potential = law(), s.like = pair();
  s.cutoff = reach();
  s.hard = hard();
  s.tail = tail && !ideal() && !hard();
  s.signAsPrinted = wrongSign;
  s.oldNumber = oldNumber;
  return s;
}

void followEdits(GcmcParameters& next, const GcmcParameters& before) {
  followReservoir(next, before);
  followShares(next, before);
}

std::uint64_t movesOfStep(const GcmcParameters& p) {
  const std::uint64_t whole = methodOf(p, Backend::cpu).turn(p).movesOfSweep();
  return (static_cast<std::uint64_t>(p.movesPerStep) + whole - 1) / whole * whole;
}

GcmcOptions optionsOf(const GcmcParameters& p) {
  return {.mapping = gcmcMappingRow(p.mapping, p.dimensions()),
          .blockSize = static_cast<int>(p.blockSize),
          .skipBeyond = p.skipBeyond,
          .movesPerLaunch = static_cast<int>(p.movesPerLaunch),
          .attempts = static_cast<int>(p.attempts),
          .experiment = static_cast<int>(p.boardExperiment.index),
          .movesInFlight = static_cast<int>(p.movesInFlight),
          .slotsPerCell = static_cast<int>(p.slotsPerCell),
          .ignoreConflicts = p.ignoreConflicts,
          .candidates = static_cast<int>(p.candidates),
          .speculativeExperiment = static_cast<int>(p.speculativeBatch.index),
          .mixed = p.mixed()};
}

void checkParameters(const GcmcParameters& p, const ExecConfig& config) {
  const double sum = p.displacement + p.insertion + p.deletion;
  if (std::abs(sum - 1) > 1e-6)
    throw InputError(
        "displacements, insertions and deletions sum to {:g} ({:g} + {:g} + {:g}); they must sum "
        "to 1. Set only one of them, and the others follow",
        sum, p.displacement, p.insertion, p.deletion);
  if ((p.insertion > 0) != (p.deletion > 0))
    throw InputError(
        "insertions = {:g} and deletions = {:g}: both must be above 0, or both 0 (no exchange with "
        "the reservoir)",
        p.insertion, p.deletion);
  const double lnZ = p.mu / p.temperature;
  if (!(p.activity >= 1e-22 && p.activity <= 1e22) || std::abs(p.mu) > 100 ||
      !(p.fugacity >= 1e-23 && p.fugacity <= 1e24))
    throw InputError(
        "chemical_potential = {:g} at temperature = {:g} makes the activity exp({:g}) = {:g}; "
        "allowed are a chemical potential of -100 to 100 and an activity of 1e-22 to 1e22: move "
        "one of them",
        p.mu, p.temperature, lnZ, p.activity);
  checkMixture(p);
  checkBox(p);
  withPotentialEntry(p.law(), [&](auto entry) {
    if (const std::string why = entry.refused(p.pair()); !why.empty()) throw InputError(why);
    if (p.tail && !entry.tail(p.pair(), p.dimensions()))
      throw InputError(
          "tail = true belongs to potential = truncated, and to mie with truncation = cut: {} is a "
          "fluid of its own, without attraction beyond the cutoff. Set tail = false first",
          entry.kKey);
  });
  if (p.anywhere() && p.tune)
    throw InputError(
        "tune = true: with displacement_range = box there is no maximum displacement to tune; set "
        "tune = false, or displacement_range = maximum");
  checkReplicas(p);
  const Method& method = methodOf(p, config.backend);
  method.check(p);
  if (!method.made().runsOn(config.backend))
    throw InputError("method = {} does not run on the {} backend; use auto", method.made().key,
                     config.backend == Backend::cuda ? "CUDA" : "CPU");
  if (config.allDomains() > 1 && (!method.made().inDomains || p.replicas > 0))
    throw InputError(
        "{} domains: {} = {} has only one; choose method = checkerboard without replicas, or leave "
        "out --domains, --gpus and mpirun",
        config.allDomains(), p.replicas > 0 ? "replicas" : "method",
        p.replicas > 0 ? std::to_string(p.replicas) : method.made().key);
}

}  // namespace cellscope::gcmc
