// Pressure and energy of a Mie fluid by molecular dynamics and by a grand-canonical chain without
// exchange, at the same number of particles, volume and temperature: no code of the two is shared
// but the law.
#include "tests/support/gcmc_states.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

struct MieAverages {
  BlockAverage energy, pressure;
};

constexpr double kTemperature = 1.5, kDensity = 0.6, kCutoff = 2.5;
constexpr int kParticles = 256;

MieAverages byDynamics(const char* truncation) {
  const auto mode = startedMd(fmt::format(
      "n={} density={} temperature={} bath_temperature={} thermostat=langevin friction=1 "
      "method=cells potential=mie mie_n=14 mie_m=7 cutoff={} truncation={} dt=0.003",
      kParticles, kDensity, kTemperature, kTemperature, kCutoff, truncation));
  mode->advance(5000);
  const auto a = averaged(*mode, {"potential", "pressure"}, 8000, 10);
  return {a[0], a[1]};
}

MieAverages byChain(Truncation truncation) {
  GcmcSettings s = chainSettings(kTemperature, 1);
  s.ratio[0] = 1, s.ratio[1] = s.ratio[2] = 0;
  s.potential = potentialNumber<MieEntry>();
  s.like.whole[0] = 14, s.like.whole[1] = 7, s.like.truncation = truncation;
  s.cutoff = kCutoff, s.maxDisplacement = 0.25;
  const Box box = cubicBox(std::cbrt(kParticles / kDensity));
  auto chain = chainOf("serial_cells", chainState(box, kParticles), s);
  chain->advance(500000);
  MieAverages a;
  for (int k = 0; k < 20000; ++k) {
    chain->advance(500);
    const GcmcSums sums = chain->sums();
    a.energy.add(sums.energy / kParticles);
    a.pressure.add(kDensity * kTemperature + sums.virial / (3 * box.volume()));
  }
  return a;
}

// Five errors of both runs together: one false alarm in 1.7 million seeds for each of the four
// values. Velocity Verlet with dt = 0.003 shifts the averages by (dt omega)^2 / 12 or so, below
// 1e-4 of either.
TEST(Mie, FluidIsTheSameByDynamicsAndByAChain) {
  struct End {
    const char* key;
    Truncation truncation;
  };
  for (const End& end :
       {End{"shifted", Truncation::energy}, End{"force_shifted", Truncation::force}}) {
    const MieAverages md = byDynamics(end.key), mc = byChain(end.truncation);
    const double energy = std::hypot(md.energy.error(), mc.energy.error());
    const double pressure = std::hypot(md.pressure.error(), mc.pressure.error());
    std::printf("%s: U/N %.5f %.5f (%.5f), P %.5f %.5f (%.5f)\n", end.key, md.energy.mean(),
                mc.energy.mean(), energy, md.pressure.mean(), mc.pressure.mean(), pressure);
    EXPECT_NEAR(md.energy.mean(), mc.energy.mean(), 5 * energy + 3e-4) << end.key;
    EXPECT_NEAR(md.pressure.mean(), mc.pressure.mean(), 5 * pressure + 3e-4) << end.key;
    EXPECT_LT(energy, 0.004) << "long enough to tell";
    EXPECT_LT(pressure, 0.02) << "long enough to tell";
  }
}

}  // namespace
}  // namespace cellscope::test
