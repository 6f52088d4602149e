// Energy, virial and number of particles are added up where the particles are: a sample is that of
// the state, for every method, and brings a few kilobytes to the host for any number of particles.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/api/mode.h"
#include "sim/core/gcmc_tail.h"
#include "sim/exec/memory.h"
#include "tests/support/acting.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

struct Sides {
  double length, cutoff;
};

class GcmcSamples : public BackendTest {
 protected:
  static std::vector<std::string> methods() {
    std::vector<std::string> keys;
    for (const GcmcMethod* m : gcmcMethodsOn(GetParam())) keys.emplace_back(m->key);
    return keys;
  }
  static std::unique_ptr<Mode> mode(const std::string& method, Sides s) {
    auto m = makeMode("gcmc", {GetParam(), 2, 0});
    const Assignments values = {{"method", method},
                                {"length", s.length},
                                {"cutoff", s.cutoff},
                                {"density", 0.6},
                                {"temperature", 1.2},
                                {"chemical_potential", -3.0},
                                {"moves_per_step", std::int64_t{500}}};
    for (const auto& [key, value] : values) m->parameters().at(key).set(value);
    m->restart();
    m->advance(2);
    return m;
  }
};

double valueOf(const Mode& m, const std::vector<double>& sample, const char* id) {
  return sample.at(columnOf(m.info().observables, id));
}

TEST_P(GcmcSamples, AreThoseOfTheState) {
  for (const std::string& method : methods()) {
    SCOPED_TRACE(method);
    const Sides at{10.1, 2.5};
    const auto m = mode(method, at);
    const std::vector<double> sample = m->sample();
    const Configuration c = m->configuration();
    const Box box = cubicBox(at.length);
    std::vector<GcmcPoint> points;
    for (std::size_t i = 0; i < c.size(); ++i)
      points.push_back(
          gcmcPointAt(box, {c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2]}));
    const GcmcSums sums = gcmcBruteForce(
        makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = at.cutoff}, 3, box.length),
        points);
    const double n = static_cast<double>(c.size()), v = box.volume(), rho = n / v;
    EXPECT_EQ(valueOf(*m, sample, "particles"), n);
    EXPECT_EQ(valueOf(*m, sample, "energy_drift"), 0);
    const double energy = sums.energy + tailEnergy(3, at.cutoff) * n * n / v;
    EXPECT_NEAR(valueOf(*m, sample, "total_energy"), energy, 1e-9 * std::abs(energy));
    const double pressure =
        rho * 1.2 + sums.virial / (3 * v) + tailPressure(3, at.cutoff) * rho * rho;
    EXPECT_NEAR(valueOf(*m, sample, "pressure"), pressure, 1e-9);
  }
}

// On a GPU: what does not depend on N, where the state is 20 bytes of each particle.
TEST_P(GcmcSamples, LeaveTheStateWhereItIs) {
  constexpr std::size_t kMost = 4096;
  for (const std::string& method : methods()) {
    SCOPED_TRACE(method);
    std::size_t copied[2] = {0, 0};
    for (const int size : {0, 1}) {
      const auto m = mode(method, {size == 0 ? 10.1 : 15.2, 2.5});
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
