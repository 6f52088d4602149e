// Reference values of the Lennard-Jones fluid, from assets/reference/grand_canonical.toml,
// grand_canonical_speed.toml and lennard_jones.toml.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

// --- Published grand-canonical averages. ---

struct GrandCanonicalState {
  double temperature, lnActivity, length, cutoff;
  bool tail;
};

struct GrandCanonicalAverages {
  GrandCanonicalState at;
  double particles, energy, pressure;  // energy: total
};

// Data of the current asset folder; read once. Throws InputError naming what is wrong.
const std::vector<GrandCanonicalAverages>& grandCanonicalData();

// "particles", "density", "energy", "total_energy" and "pressure" of this very state; empty where
// nothing is published.
std::vector<ReferenceValue> gcmcReferences(const GrandCanonicalState& state);
// Of the same fluid in a larger box: density, energy per particle and pressure, which do not depend
// on its side away from the critical point.
std::vector<ReferenceValue> gcmcReferencesOfLarger(const GrandCanonicalState& state);

// Vapour and liquid in equilibrium in a box of this size, without published errors.
struct PublishedCoexistence {
  double temperature, vapour, liquid, pressure, lnActivity;  // densities
  std::string source;
  double vapourEnergy, liquidEnergy;  // potential, per particle
};
// By rising temperature, of the truncated potential with this cutoff; empty: none is published.
std::vector<PublishedCoexistence> publishedCoexistences(double cutoff, bool tail);
// Of this very fluid, box and temperature; lnActivity is not asked for.
std::optional<PublishedCoexistence> publishedCoexistence(const GrandCanonicalState& state);

// Where vapour and liquid of the full potential become one.
struct PublishedCritical {
  double temperature, density;
  std::string source;
};
const PublishedCritical& publishedCritical();

// ln P(N), N = 0, 1, ..., of this very fluid and box, reweighted to the activity and normalised
// over the N from `first` to `last`, with the published error of a point.
struct PublishedLnNumber {
  std::vector<double> lnP;
  double error = 0;
  std::string source;
};
std::optional<PublishedLnNumber> publishedLnNumber(const GrandCanonicalState& state,
                                                   std::size_t first, std::size_t last);

// --- Published speeds of grand-canonical Monte Carlo. ---

struct GcmcSpeedData {
  std::string source, serialHardware, cudaHardware;  // of the times
  double cutoff = 0;
  std::vector<double> particles, serial, cuda;  // seconds for a million moves

  std::string mappingSource, mappingHardware;
  std::vector<std::string> mappings;
  std::vector<double> mappingParticles;
  std::vector<std::vector<double>> speedup;  // [number of particles][mapping], over `cuda`

  struct Range {
    double least, most;  // NaN: not given
  };
  // Speed-up of the optimised microcells at cutoff 2.5, on two cards.
  std::string figureSource;
  Range gtxOverNoCells, gtxOverCells, gtxOverMicrocells;
  Range k40OverNoCells, k40OverCells;
  Range k40OverMicrocells(double n) const;  // n: particles
  // The same over each of the three other codes at all cutoffs of `cutoffs`.
  std::string cutoffSource;
  double cutoffParticles = 0, cutoffVolume = 0;
  Range cutoffs, overOthers;

  Range k40OverMicrocellsBelow{};  // a million particles
  double k40OverMicrocellsMillion = 0;
};

// Data of the current asset folder; read once. Throws InputError naming what is wrong.
const GcmcSpeedData& gcmcSpeedData();

// Trial moves per second at the published number of particles nearest to n: `what` is "serial",
// "all_particles" or a mapping. None where nothing was published within a factor of sqrt(2) of n.
struct PublishedSpeed {
  double movesPerSecond, particles;
};
std::optional<PublishedSpeed> publishedGcmcSpeed(const std::string& what, double n);

// --- States and equations of state of the fluid. ---

// Equilibrium states of a fluid at one density, by rising temperature.
struct LennardJonesStates {
  std::string potential;  // key in sim/core/potentials.h
  double cutoff = 0, density = 0;
  std::uint64_t particles = 0, leastParticles = 0;  // simulated; least number they apply to
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
