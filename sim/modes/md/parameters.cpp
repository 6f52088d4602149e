#include "sim/modes/md/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/algo/md/pair_law.h"
#include "sim/algo/verlet/domain_parts.h"
#include "sim/base/error.h"

namespace cellscope::md {

// Throws InputError where a value of the unlike pair is missing or too small.
static void requirePairValues(const MdParameters& p) {
  if (!p.givesPairs()) return;
  struct Value {
    const char* key;
    double value, least;
  };
  std::vector<std::string> missing;
  for (const Value& v : {Value{"sigma_ab", p.sigmaAB, 0.2}, Value{"epsilon_ab", p.epsilonAB, 0},
                         Value{"cutoff_ab", p.cutoffAB, 0.5}}) {
    if (v.value == 0)
      missing.emplace_back(v.key);
    else if (v.value < v.least)
      throw InputError("{} = {:g} is too small; use at least {:g}", v.key, v.value, v.least);
  }
  if (!missing.empty())
    throw InputError(
        "missing pair parameters: mixing = given takes sigma, epsilon and cutoff between A and B "
        "as they are given, but {} {} 0, which stands for none; set {}, or use mixing = arithmetic "
        "or lorentz_berthelot, which make them from those of A and B",
        fmt::join(missing, " and "), missing.size() > 1 ? "are" : "is",
        missing.size() > 1 ? "them" : "it");
}

std::vector<ChoiceInfo> methodChoices() {
  return each(methods(), [](const auto& m) { return ChoiceInfo(m->key, m->label); });
}

double MdParameters::length() const {
  const double shape = dimensions() == 3 ? aspectY * aspectZ : aspectY;
  if (what() == System::colloids)
    return colloidDiameter * std::cbrt(std::numbers::pi / 6.0 * static_cast<double>(colloids) /
                                       colloidFraction / shape);
  const double volume = static_cast<double>(n) / density / shape;
  return dimensions() == 3 ? std::cbrt(volume) : std::sqrt(volume);
}

MdParameters MdParameters::in(const Box& of) const {
  MdParameters p = *this;
  if (of == box()) return p;
  const double denser = box().volume() / of.volume();
  p.density *= denser;
  if (what() == System::colloids) p.colloidFraction *= denser;
  return p;
}

int MdParameters::law() const {
  return what() == System::colloids ? potentialNumber<ColloidEntry>()
                                    : static_cast<int>(potential.index);
}

SpeciesTable MdParameters::species() const {
  SpeciesTable s;
  s.cutoff[0] = cutoff;
  for (int k = 0; k < kMostOwn; ++k)
    for (int type = 0; type < 2; ++type) s.own[k][type] = own.of[law()][k][type];
  std::copy(std::begin(own.whole[law()]), std::end(own.whole[law()]), s.whole);
  s.truncation = own.end();
  if (what() == System::binary) {
    s.types = 2;
    s.sigma[1] = sigmaB, s.epsilon[1] = epsilonB, s.cutoff[1] = cutoffB;
    s.mixing = static_cast<Mixing>(mixing.index);
    if (givesPairs()) s.given[SpeciesTable::at(0, 1)] = {sigmaAB, epsilonAB, cutoffAB};
  } else if (what() == System::colloids) {
    s.types = 2;
    s.radius[1] = 0.5 * colloidDiameter;
    s.mass[1] = std::numbers::pi / 6.0 * std::pow(colloidDiameter, 3);
  }
  return s;
}

std::vector<Species> MdParameters::speciesList() const {
  const SpeciesTable s = species();
  if (what() == System::pure) return std::vector<Species>(1);
  const bool colloidal = what() == System::colloids;
  return {{colloidal ? "S" : "A", s.diameter(0), s.mass[0]},
          {colloidal ? "C" : "B", s.diameter(1), s.mass[1]}};
}

double MdParameters::largestCutoff() const { return longestReach(law(), species()); }

PairSettings MdParameters::pair() const {
  PairSettings s;
  s.potential = law();
  s.cutoff = cutoff;
  AllPairsParameters::choose(s), ListParameters::choose(s), PlaceholderParameters::choose(s);
  by().choose(s);
  if (hasFault())
    s.fault = static_cast<ListFault>(fault.index),
    s.faultParticle = static_cast<std::uint32_t>(faultParticle);
  s.species = species();
  return s;
}

BathSettings MdParameters::bath() const {
  BathSettings b;
  b.on = bathKind() == Thermostat::langevin;
  b.temperature = bathTemperature, b.friction = friction;
  b.seed = static_cast<std::uint64_t>(seed);
  b.rand48 = noise.index == 1, b.particles = static_cast<std::uint64_t>(n);
  b.endTemperature = endTemperature, b.rampSteps = static_cast<std::uint64_t>(rampSteps);
  return b;
}

std::string outOfRange(const MdParameters& p) {
  constexpr double kRounding = 1e-9;
  static ParameterSet declared = ParameterSet::defaults<MdParameters>();
  static const ParameterInfo density = declared.at("density").info;
  static const ParameterInfo fraction = declared.at("colloid_fraction").info;
  const bool colloids = p.what() == System::colloids;
  const ParameterInfo& info = colloids ? fraction : density;
  const double value = colloids ? p.colloidFraction : p.density;
  if (value >= info.min * (1 - kRounding) && value <= info.max * (1 + kRounding)) return "";
  return fmt::format("{} = {:g} would be outside its range, {:g} to {:g}", info.key, value,
                     info.min, info.max);
}

void checkParameters(const MdParameters& p) {
  requirePairValues(p);
  if (p.barostatOn() && !p.bathOn())
    throw InputError(
        "barostat = cell_rescaling needs a thermostat: the volume fluctuates with the temperature "
        "of the bath, and at constant energy there is none; use thermostat = langevin or bussi, or "
        "barostat = none");
  if (p.toTune() == Tune::lists && !p.by().hasLists())
    throw InputError(
        "tune = lists looks for the buffer of neighbour lists, and the method has none; use tune = "
        "all, or method = cells, stencils, tree or clusters");
  if (p.hasFault() && p.fault.index < 3 && p.faultParticle >= p.n)
    throw InputError("fault_particle = {} is none of the particles; allowed: 0 to {}",
                     p.faultParticle, p.n - 1);
  if (p.what() == System::colloids && p.dimensions() == 2)
    throw InputError(
        "system = colloids needs dimension = 3: the integrated potentials are those of spheres; "
        "use dimension = 3, or system = pure or binary");
  bool scales = true, tail = false, exact = true;
  std::string refused;
  withPotentialEntry(p.law(), [&](auto entry) {
    const PairOfTypes pair = pairOfTypes(p.species(), 0, 0);
    scales = entry.kScales, tail = entry.tail(pair, p.dimensions()).has_value();
    exact = entry.kExact;
    refused = entry.refused(pair);
  });
  if (!refused.empty()) throw InputError(refused);
  const std::string key = potentialKeys()[static_cast<std::size_t>(p.law())];
  if (p.givesPairs() && !scales && (p.sigmaAB != 1 || p.epsilonAB != 1))
    throw InputError(
        "potential = {} has sigma = epsilon = 1 for all points, but sigma_ab = {:g} and epsilon_ab "
        "= {:g}; set both to 1, or use potential = shifted",
        key, p.sigmaAB, p.epsilonAB);
  if (p.what() == System::binary && !scales && (p.sigmaB != 1 || p.epsilonB != 1))
    throw InputError(
        "potential = {} has sigma = epsilon = 1 for all points, but sigma_b = {:g} and epsilon_b = "
        "{:g}; set both to 1, or use potential = shifted",
        key, p.sigmaB, p.epsilonB);
  if (p.pair().kernel == PairKernel::exact && !(exact && p.by().hasLists() && !p.bathOn()))
    throw InputError(
        "kernel = exact needs what all processors round alike: {}; change it, or use kernel = "
        "tuned",
        !exact               ? "a potential without logarithms, not that of colloids"
        : !p.by().hasLists() ? "method = cells, stencils, tree or clusters"
                             : "thermostat = none");
  if (p.tail && !tail)
    throw InputError(
        "tail = true needs potential = truncated, or mie with truncation = cut: with {} no tail "
        "correction leads to the full potential; use one of them or tail = false",
        p.what() == System::colloids ? "system = colloids" : "potential = " + key);
}

void checkDomains(const MdParameters& p, const ExecConfig& config) {
  const int domains = config.allDomains();
  if (domains == 1) return;
  const auto refuse = [&](const std::string& why) {
    throw InputError("{} domains: {}, or leave out --domains, --gpus and mpirun", domains, why);
  };
  if (domains > kMostDomains) refuse(fmt::format("mode 'md' has at most {}", kMostDomains));
  if (p.by().perList != 1 || !(p.buffer > 0))
    refuse(fmt::format(
        "{} has only one; choose method = cells, stencils or tree with a buffer greater than 0",
        p.by().perList == 1 ? "buffer = 0" : "method = " + p.by().key));
  if (p.toTune() == Tune::all) refuse("tune = all compares methods of one; choose tune = lists");
  if (p.hasFault()) refuse("list_fault is put into the lists of one; set list_fault = none");
  if (p.race) refuse("race = true compares methods of one; set race = false");
  if (p.n < domains * kLeastOfDomain)
    refuse(fmt::format("each needs {} particles, and n = {}; allowed: n >= {}", kLeastOfDomain, p.n,
                       domains * kLeastOfDomain));
}

void requireRoom(const MdParameters& p, std::size_t n, const Box& box) {
  const std::int64_t colloids = p.what() == System::colloids ? p.colloids : 0;
  if (const auto why = p.by().refused(n, box, p.pair(), colloids)) throw InputError(*why);
}

}  // namespace cellscope::md
