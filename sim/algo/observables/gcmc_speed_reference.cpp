#include "sim/algo/observables/gcmc_speed_reference.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sim/algo/observables/reference_file.h"

namespace cellscope {
namespace {

constexpr double kMoves = 1e6;

GcmcSpeedData::Range rangeOf(const ReferenceTable& table, const char* key) {
  const std::vector<double> two = table.numbers(key);
  table.requireEqual(key, two.size(), 2);
  return {two[0], two[1]};
}

void readFigures(const ReferenceTable& figures, GcmcSpeedData& d) {
  d.figureSource = figures.text("source");
  d.gtxOverNoCells = rangeOf(figures, "gtx_550_over_no_cells");
  d.gtxOverCells = rangeOf(figures, "gtx_550_over_cells");
  d.gtxOverMicrocells = rangeOf(figures, "gtx_550_over_microcells");
  d.k40OverNoCells = rangeOf(figures, "k40_over_no_cells");
  d.k40OverCells = rangeOf(figures, "k40_over_cells");
  d.k40OverMicrocellsBelow = rangeOf(figures, "k40_over_microcells");
  d.k40OverMicrocellsMillion = figures.real("k40_over_microcells_million");
}

void readCutoffs(const ReferenceTable& cutoffs, GcmcSpeedData& d) {
  d.cutoffSource = cutoffs.text("source");
  d.cutoffParticles = cutoffs.real("particles");
  d.cutoffVolume = cutoffs.real("volume");
  d.cutoffs = rangeOf(cutoffs, "cutoffs");
  d.overOthers = rangeOf(cutoffs, "over_others");
}

GcmcSpeedData readSpeeds() {
  const std::string path = referencePath("grand_canonical_speed.toml");
  const toml::table file = parseReferenceFile(path);
  GcmcSpeedData d;
  const ReferenceTable times = referenceTable(path, file, "times");
  d.source = times.text("source");
  d.serialHardware = times.text("serial_hardware");
  d.cudaHardware = times.text("cuda_hardware");
  d.cutoff = times.real("cutoff");
  d.particles = times.numbers("particles");
  d.serial = times.numbersLike("serial", d.particles);
  d.cuda = times.numbersLike("cuda", d.particles);
  const ReferenceTable mappings = referenceTable(path, file, "mappings");
  d.mappingSource = mappings.text("source");
  d.mappingHardware = mappings.text("hardware");
  std::istringstream names(mappings.text("names"));
  for (std::string name; names >> name;) d.mappings.push_back(name);
  d.mappingParticles = mappings.numbers("particles");
  mappings.requireEqual("speedup", mappings.rows("speedup"), d.mappingParticles.size());
  for (std::size_t k = 0; k < d.mappingParticles.size(); ++k) {
    d.speedup.push_back(mappings.numbers("speedup", k));
    mappings.requireEqual("speedup", d.speedup.back().size(), d.mappings.size());
  }
  readFigures(referenceTable(path, file, "figures"), d);
  readCutoffs(referenceTable(path, file, "cutoffs"), d);
  return d;
}

// Index of the value nearest to n by ratio, within a factor of sqrt(2).
std::optional<std::size_t> nearest(const std::vector<double>& all, double n) {
  std::optional<std::size_t> best;
  double least = 0.5 * std::log(2.0) + 1e-9;
  for (std::size_t k = 0; k < all.size() && n > 0; ++k) {
    const double far = std::fabs(std::log(all[k] / n));
    if (far < least) best = k, least = far;
  }
  return best;
}

}  // namespace

GcmcSpeedData::Range GcmcSpeedData::k40OverMicrocells(double n) const {
  if (n <= 1e6) return k40OverMicrocellsBelow;
  return {k40OverMicrocellsMillion, k40OverMicrocellsMillion};
}

const GcmcSpeedData& gcmcSpeedData() {
  static const GcmcSpeedData data = readSpeeds();
  return data;
}

std::optional<PublishedSpeed> publishedGcmcSpeed(const std::string& what, double n) {
  const GcmcSpeedData& d = gcmcSpeedData();
  const auto time = nearest(d.particles, n);
  if (!time) return std::nullopt;
  if (what == "serial") return PublishedSpeed{kMoves / d.serial[*time], d.particles[*time]};
  const double without = kMoves / d.cuda[*time];
  if (what == "all_particles") return PublishedSpeed{without, d.particles[*time]};
  const auto column = std::find(d.mappings.begin(), d.mappings.end(), what);
  const auto row = nearest(d.mappingParticles, n);
  if (column == d.mappings.end() || !row) return std::nullopt;
  const auto k = static_cast<std::size_t>(column - d.mappings.begin());
  return PublishedSpeed{d.speedup[*row][k] * without, d.mappingParticles[*row]};
}

}  // namespace cellscope
