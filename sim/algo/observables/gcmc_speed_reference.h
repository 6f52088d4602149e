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
    double least, most;
  };
  std::string figureSource;
  Range gtxOverNoCells, gtxOverCells, gtxOverMicrocells;
  Range k40OverNoCells, k40OverCells, k40OverMicrocells;
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
