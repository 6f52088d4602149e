// Reference values of the Lennard-Jones fluid, from assets/reference/lennard_jones.toml.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

// Equilibrium states of a fluid at one density, by rising temperature.
struct LennardJonesStates {
  std::string potential;  // key in sim/core/potentials.h
  double cutoff = 0, density = 0;
  std::uint64_t particles = 0,
                leastParticles = 0;  // of the simulations; least number they apply to
  std::string source;
  std::vector<double> temperature, potentialEnergy, pressure;  // energy per particle
  std::vector<double> temperatureError, potentialEnergyError, pressureError;
  std::vector<double> interpolationError;  // of temperature, potential energy, pressure
};

// Throws InputError naming the file and the error.
std::vector<LennardJonesStates> loadLennardJonesData(const std::string& path);

// Data of the current asset folder; read once.
const std::vector<LennardJonesStates>& lennardJonesData();

// "temperature", "potential" and "pressure" of `n` particles of this fluid in equilibrium at a
// total energy per particle: linear between the states, and up to a quarter of their distance
// beyond. Empty where no data are available.
std::vector<ReferenceValue> lennardJonesReferences(const std::string& potential, double cutoff,
                                                   double density, std::uint64_t n,
                                                   double totalEnergy);

// "density" and "pressure" of that of these states, within three errors, which has this temperature
// and pressure.
std::vector<ReferenceValue> lennardJonesAtPressure(const std::string& potential, double cutoff,
                                                   std::uint64_t n, double temperature,
                                                   double pressure);

// "potential" and "pressure" of the fluid in three dimensions at a temperature, from published
// equations of state: Thol et al. (2016) for the truncated potential, with its tail correction or,
// in mean field, without; PeTS (2018) for the one that is shifted at 2.5. Empty for others, and
// where liquid and vapour coexist.
std::vector<ReferenceValue> equationOfState(const std::string& potential, double cutoff, bool tail,
                                            double temperature, double density);

}  // namespace cellscope
