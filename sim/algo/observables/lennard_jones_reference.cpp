#include "sim/algo/observables/lennard_jones_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/observables/reference_file.h"
#include "sim/base/error.h"
#include "sim/core/equations_of_state.h"

namespace cellscope {
namespace {

constexpr double kSame = 1e-6;         // of densities and cutoffs
constexpr double kExtrapolate = 0.25;  // of the distance between two states

double totalEnergy(const LennardJonesStates& s, std::size_t i) {
  return 1.5 * s.temperature[i] + s.potentialEnergy[i];
}

LennardJonesStates states(const std::string& path, const ReferenceTable& r) {
  LennardJonesStates s;
  s.potential = r.text("potential");
  s.cutoff = r.real("cutoff");
  s.density = r.real("density");
  s.particles = r.number("particles");
  s.leastParticles = r.number("least_particles");
  s.source = r.text("source");
  s.temperature = r.numbers("temperature");
  s.temperatureError = r.numbersLike("temperature_error", s.temperature);
  s.potentialEnergy = r.numbersLike("potential_energy", s.temperature);
  s.potentialEnergyError = r.numbersLike("potential_energy_error", s.temperature);
  s.pressure = r.numbersLike("pressure", s.temperature);
  s.pressureError = r.numbersLike("pressure_error", s.temperature);
  s.interpolationError = r.numbers("interpolation_error");
  r.requireEqual("interpolation_error", s.interpolationError.size(), 3);
  for (std::size_t i = 1; i < s.temperature.size(); ++i)
    if (!(totalEnergy(s, i) > totalEnergy(s, i - 1)))
      throw InputError("{}: the states of {} at density {} do not rise in energy", path,
                       s.potential, s.density);
  return s;
}

// Between the states i and i + 1; w = 0 at the first, 1 at the second.
struct Place {
  std::size_t i = 0;
  double w = 0;

  double of(const std::vector<double>& v) const { return v[i] + w * (v[i + 1] - v[i]); }
};

ReferenceValue value(const char* observable, const Place& at, const std::vector<double>& values,
                     const std::vector<double>& errors, double interpolation,
                     const std::string& source) {
  const double statistical = std::max(errors[at.i], errors[at.i + 1]);
  return {observable, at.of(values), std::hypot(statistical, interpolation), source};
}

std::vector<ReferenceValue> valuesAt(const LennardJonesStates& s, double energy) {
  if (s.temperature.size() < 2) return {};
  Place at;
  while (at.i + 2 < s.temperature.size() && energy > totalEnergy(s, at.i + 1)) ++at.i;
  const double low = totalEnergy(s, at.i), high = totalEnergy(s, at.i + 1);
  at.w = (energy - low) / (high - low);
  if (!(at.w >= -kExtrapolate && at.w <= 1 + kExtrapolate)) return {};
  const std::string source =
      fmt::format("{}, N = {}, interpolated in the total energy", s.source, s.particles);
  const std::vector<double>& more = s.interpolationError;
  return {value("temperature", at, s.temperature, s.temperatureError, more[0], source),
          value("potential", at, s.potentialEnergy, s.potentialEnergyError, more[1], source),
          value("pressure", at, s.pressure, s.pressureError, more[2], source)};
}

}  // namespace

std::vector<ReferenceValue> equationOfState(const std::string& potential, double cutoff, bool tail,
                                            double temperature, double density) {
  const bool full = potential == "truncated" && cutoff >= 2.5;
  const bool shifted = potential == "shifted" && std::abs(cutoff - 2.5) <= kSame;
  // Critical temperatures and pressures: 1.32 and 0.13, 1.09 and 0.10. What is denser than the
  // critical fluid and at a higher pressure is beyond the liquid.
  const double critical = full ? 1.32 : 1.09, highest = full ? 0.13 : 0.10;
  if (!(full || shifted) || temperature < 0.7 || density > 1.0) return {};
  FluidState s = full ? tholEquation(temperature, density) : petsEquation(temperature, density);
  const bool vapour = density < 0.002 && temperature >= 0.75;
  const bool liquid = density > 0.5 && s.pressure > highest;
  if (!(temperature > 1.03 * critical || vapour || liquid)) return {};
  std::string source = full ? "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)"
                            : "Heier et al., Mol. Phys. 116, 2083 (2018), cut and shifted at 2.5";
  if (full && !tail) {
    s.energy -= density * tailEnergy(3, cutoff);
    s.pressure -= density * density * tailPressure(3, cutoff);
    source += ", less the tail beyond the cutoff";
  }
  // How far the equations are from simulations of liquids.
  const double energyError = full ? 0.003 + (tail ? 0 : 0.02 * density) : 0.01 * std::abs(s.energy);
  const double pressureError =
      full ? 0.003 + (tail ? 0 : 0.02 * density) : 0.02 * s.pressure + 0.002;
  return {{"potential", s.energy, energyError, source},
          {"pressure", s.pressure, pressureError, source}};
}

std::vector<LennardJonesStates> loadLennardJonesData(const std::string& path) {
  const toml::table file = parseReferenceFile(path);
  std::vector<LennardJonesStates> all;
  for (const ReferenceTable& r : referenceTables(path, file, "fluid"))
    all.push_back(states(path, r));
  return all;
}

const std::vector<LennardJonesStates>& lennardJonesData() {
  static const auto data = loadLennardJonesData(referencePath("lennard_jones.toml"));
  return data;
}

std::vector<ReferenceValue> lennardJonesReferences(const std::string& potential, double cutoff,
                                                   double density, std::uint64_t n,
                                                   double totalEnergy) {
  for (const LennardJonesStates& s : lennardJonesData())
    if (s.potential == potential && std::abs(s.cutoff - cutoff) <= kSame &&
        std::abs(s.density - density) <= kSame && n >= s.leastParticles)
      return valuesAt(s, totalEnergy);
  return {};
}

std::vector<ReferenceValue> lennardJonesAtPressure(const std::string& potential, double cutoff,
                                                   std::uint64_t n, double temperature,
                                                   double pressure) {
  for (const LennardJonesStates& s : lennardJonesData())
    for (std::size_t i = 0; i < s.temperature.size(); ++i)
      if (s.potential == potential && std::abs(s.cutoff - cutoff) <= kSame &&
          n >= s.leastParticles &&
          std::abs(s.temperature[i] - temperature) <= 3 * s.temperatureError[i] &&
          std::abs(s.pressure[i] - pressure) <= 3 * s.pressureError[i])
        return {{"density", s.density, 0, s.source + ", at this pressure"},
                {"pressure", s.pressure[i], s.pressureError[i], s.source}};
  return {};
}

}  // namespace cellscope
