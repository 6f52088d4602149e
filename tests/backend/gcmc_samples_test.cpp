// Energy, virial and number of particles are added up where the particles are: a sample is that of
// the state, for every method, and brings a few kilobytes to the host for any number of particles.
#include "sim/core/gcmc_tail.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

class GcmcSamples : public BackendTest {
 protected:
  static std::unique_ptr<Mode> mode(const GcmcMethod& method, double length) {
    auto m = gcmcMode(config(), fmt::format("method={} length={} cutoff={} density=0.6 "
                                            "temperature=1.2 chemical_potential=-3 "
                                            "moves_per_step=500",
                                            method.key, length, kCutoff));
    m->advance(2);
    return m;
  }
  static constexpr double kCutoff = 2.5;
};

TEST_P(GcmcSamples, AreThoseOfTheState) {
  for (const GcmcMethod* method : gcmcMethodsOn(GetParam())) {
    SCOPED_TRACE(method->key);
    const auto m = mode(*method, 10.1);
    const std::vector<double> sample = m->sample();
    const auto measured = [&](const char* id) {
      return sample.at(columnOf(m->info().observables, id));
    };
    const Configuration c = m->configuration();
    const Box box = cubicBox(10.1);
    std::vector<GcmcPoint> points;
    for (std::size_t i = 0; i < c.size(); ++i) points.push_back(gcmcPointAt(box, c.place(i)));
    const GcmcSums sums = gcmcBruteForce(
        makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = kCutoff}, 3, box.length), points);
    const double n = static_cast<double>(c.size()), v = box.volume(), rho = n / v;
    EXPECT_EQ(measured("particles"), n);
    EXPECT_EQ(measured("energy_drift"), 0);
    const double energy = sums.energy + tailEnergy(3, kCutoff) * n * n / v;
    EXPECT_NEAR(measured("total_energy"), energy, 1e-9 * std::abs(energy));
    const double pressure =
        rho * 1.2 + sums.virial / (3 * v) + tailPressure(3, kCutoff) * rho * rho;
    EXPECT_NEAR(measured("pressure"), pressure, 1e-9);
  }
}

// On a GPU: what does not depend on N, where the state is 20 bytes of each particle.
TEST_P(GcmcSamples, LeaveTheStateWhereItIs) {
  constexpr std::size_t kMost = 4096;
  for (const GcmcMethod* method : gcmcMethodsOn(GetParam())) {
    SCOPED_TRACE(method->key);
    std::size_t copied[2] = {0, 0};
    for (const int size : {0, 1}) {
      const auto m = mode(*method, size == 0 ? 10.1 : 15.2);
      m->advance(1);
      const std::size_t before = exec::copiedToHost();
      m->sample();
      copied[size] = exec::copiedToHost() - before;
      if (size == 1) {
        EXPECT_GT(20 * m->configuration().size(), 4 * kMost);
      }
    }
    EXPECT_LT(copied[0], kMost);
    EXPECT_EQ(copied[0], copied[1]);
    EXPECT_EQ(copied[0] == 0, GetParam() == Backend::cpu);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcSamples, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
