// Published speeds of grand-canonical Monte Carlo, from
// assets/reference/grand_canonical_speed.toml.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace cellscope {

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

}  // namespace cellscope
