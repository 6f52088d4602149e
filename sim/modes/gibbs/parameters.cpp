#include "sim/modes/gibbs/parameters.h"

namespace cellscope::gibbs {
namespace {

constexpr double kWhole = 4294967296.0;
constexpr double kDensest = 1.2;  // of a box at the start

void requireBox(const GibbsParameters& p, const char* name, double particles, double volume) {
  const double least = p.smallest();
  if (volume < least)
    throw InputError(
        "cutoff = {:g}: {} has a volume of {:.4g} at the start, and no box is smaller than two "
        "cutoffs, {:.4g}; use a smaller cutoff or density, more particles or another first_volume",
        p.cutoff, name, volume, least);
  if (particles / volume > kDensest)
    throw InputError(
        "first_particles = {:g}, first_volume = {:g}: {} has a density of {:.3g} at the start; "
        "allowed: up to {:g}",
        p.firstParticles, p.firstVolume, name, particles / volume, kDensest);
}

}  // namespace

std::vector<ChoiceInfo> gibbsPotentials() {
  std::vector<ChoiceInfo> all = potentialChoices(true);
  all.emplace_back("ideal_gas", "ideal gas");
  return all;
}

GcmcSettings GibbsParameters::settings() const {
  GcmcSettings s;
  const int law = exactPotential(potential.index);
  s.cutoff = 0;
  if (law < 0) return s;
  s.potential = law, s.like = own.ofFirst(law), s.like.cutoff = cutoff;
  withPotentialEntry(law, [&](auto entry) { s.cutoff = entry.end(s.like); });
  s.tail = tail;
  return s;
}

std::uint32_t GibbsParameters::firstShare() const {
  return static_cast<std::uint32_t>(firstVolume * kWhole);
}

GibbsRules GibbsParameters::rules(std::size_t pair, const MoveSizes& sizes) const {
  GibbsRules r{};
  const GcmcSettings s = settings();
  r.dimension = dimensions();
  r.key = hashSeed(static_cast<std::uint64_t>(seed));
  r.pair = static_cast<std::uint32_t>(pair);
  r.n = static_cast<std::uint32_t>(n);
  r.displacementBelow =
      static_cast<std::uint64_t>(std::llround((1 - transfers - exchanges) * kWhole));
  r.transferBelow = static_cast<std::uint64_t>(std::llround((1 - exchanges) * kWhole));
  r.beta = 1 / temperatureOf(pair);
  r.volume = volume();
  r.tail = tailOf(s, r.dimension).energy;
  for (int box = 0; box < 2; ++box) r.reach[box] = sizes.reach[box];
  r.volumeReach = static_cast<std::uint32_t>(std::clamp(sizes.volume, 0.0, 0.5) * kWhole);
  r.least = static_cast<std::uint32_t>(
      std::clamp(std::ceil(smallest() / volume() * kWhole), 1.0, kWhole / 2));
  r.law = makeGcmcPair(s, Box{r.dimension, {1, 1, 1}});
  return r;
}

void checkParameters(const GibbsParameters& p) {
  if (p.transfers + p.exchanges > 1)
    throw InputError(
        "transfers = {:g} and volume_exchanges = {:g} are more than all moves; their sum is at "
        "most 1, and the rest are displacements",
        p.transfers, p.exchanges);
  if (p.temperatures > p.pairs)
    throw InputError("temperatures = {}: allowed: 1 to pairs = {}", p.temperatures, p.pairs);
  if (p.shown > p.pairs)
    throw InputError("shown_pair = {}: allowed: 1 to pairs = {}", p.shown, p.pairs);
  withPotentialEntry(exactPotential(p.potential.index), [&](auto entry) {
    if (const std::string why = entry.refused(p.settings().like); !why.empty())
      throw InputError(why);
  });
  if (2 * p.smallest() > p.volume())
    throw InputError(
        "cutoff = {:g}: two boxes of two cutoffs need a volume of {:.4g}, there is {:.4g} (n / "
        "density); use a smaller cutoff or density, or more particles",
        p.cutoff, 2 * p.smallest(), p.volume());
}

void checkStart(const GibbsParameters& p) {
  const double in = p.firstN(), volume = p.volume() * p.firstShare() / kWhole;
  requireBox(p, "box 1", in, volume);
  requireBox(p, "box 2", static_cast<double>(p.n) - in, p.volume() - volume);
}

}  // namespace cellscope::gibbs
