// A start at the asked density and temperature is one: no contact is so close that it heats the
// particles, whatever their number, on every lattice, in the plane and in space. With
// CELLSCOPE_LONG_RUN set for every number from 2 to 300.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

#include "sim/modes/md/mode.h"
#include "sim/modes/md/start.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

struct StartCase {
  const char* lattice;
  int dimension;
};

class MdStartTemperature : public testing::TestWithParam<StartCase> {
 protected:
  // The box of a few particles is as large as the shortest cutoff that includes the well needs.
  std::unique_ptr<MdMode> started(std::int64_t n, double wanted, double temperature) const {
    constexpr double kSmallestBox = 3.0;
    const int d = GetParam().dimension;
    const auto particles = static_cast<double>(n);
    const double density = std::min(wanted, particles / std::pow(kSmallestBox, d));
    const double half = 0.5 * std::pow(particles / density, 1.0 / d);
    auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
    test::set(*mode, "dimension", test::word(d == 2 ? "2" : "3"));
    test::set(*mode, "lattice", test::word(GetParam().lattice));
    test::set(*mode, "n", n);
    test::set(*mode, "density", density);
    test::set(*mode, "temperature", temperature);
    test::set(*mode, "cutoff", std::min(2.5, 0.999 * half));
    test::set(*mode, "potential", test::word("force_shifted"));
    mode->restart();
    return mode;
  }
};

std::vector<std::int64_t> numbersOfStarts() {
  std::vector<std::int64_t> all(299);
  std::iota(all.begin(), all.end(), 2);
  if (std::getenv("CELLSCOPE_LONG_RUN")) return all;
  return {2, 3, 7, 28, 65, 81, 84, 109, 125, 129, 150, 257};
}

// The mean temperature of steps 200 to 300 over the asked one. Without a thermostat a lattice takes
// about half of the kinetic energy to vibrate; particles at random have already done so.
TEST_P(MdStartTemperature, IsNotHeatedByContacts) {
  const int d = GetParam().dimension;
  const bool atRandom = std::string(GetParam().lattice) == "random";
  // A full simple cubic lattice collapses into a closer packing, which releases energy.
  const bool cubes = d == 3 && std::string(GetParam().lattice) == "simple";
  const double largest = cubes ? 1.3 : 1.1;
  double least = 100, most = 0;
  for (const std::int64_t n : numbersOfStarts())
    for (const double asked : {0.7, 1.4}) {
      const auto mode = started(n, d == 2 ? 0.8 : 0.8442, asked);
      EXPECT_NEAR(test::sampled(*mode, "temperature"), asked, 1e-6);
      mode->advance(200);
      double sum = 0;
      for (int k = 0; k < 10; ++k) mode->advance(10), sum += test::sampled(*mode, "temperature");
      const double ratio = sum / (10 * asked);
      // At constant energy T fluctuates less than sqrt(2 / (d (n - 1))) of itself.
      const double noise = std::sqrt(2.0 / (d * static_cast<double>(n - 1)));
      EXPECT_LT(ratio, largest + 2 * noise) << n << " at " << asked;
      if (atRandom) {
        EXPECT_GT(ratio, 0.9 - 2 * noise) << n << " at " << asked;
      }
      if (n > 20) least = std::min(least, ratio), most = std::max(most, ratio);
      for (const SelfCheck& c : mode->selfChecks())
        EXPECT_TRUE(c.ok) << n << " at " << asked << " " << c.label << ": " << c.detail;
    }
  std::printf("T over the asked one, n > 20: %.3f to %.3f\n", least, most);
}

// In the box that the density gives, smaller than the cutoff: no lattice of 5 or 6 particles keeps
// them apart, and 5 of them became four times as hot.
TEST(MdStartOfFew, IsNotHeatedByACrowdedLattice) {
  for (const std::int64_t n : {4, 5, 6, 11, 13, 15, 16, 17, 20, 21}) {
    auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 1, 0});
    test::set(*mode, "n", n);
    test::set(*mode, "density", 0.8442), test::set(*mode, "temperature", 1.4);
    test::set(*mode, "potential", test::word("force_shifted"));
    mode->restart();
    EXPECT_NEAR(test::sampled(*mode, "temperature"), 1.4, 1e-6);
    mode->advance(200);
    double sum = 0;
    for (int k = 0; k < 40; ++k) mode->advance(10), sum += test::sampled(*mode, "temperature");
    const double noise = std::sqrt(2.0 / (3 * static_cast<double>(n - 1)));
    EXPECT_LT(sum / (40 * 1.4), 1.1 + 2 * noise) << n;
    for (const SelfCheck& c : mode->selfChecks())
      EXPECT_TRUE(c.ok) << n << " " << c.label << c.detail;
  }
}

TEST(MdStartOfFew, OnlyCrowdedLatticesAreRelaxed) {
  for (std::int64_t n = 2; n <= 120; ++n) {
    const Box box = cubicBox(std::cbrt(static_cast<double>(n) / 0.8442));
    const bool crowded = md::crowdedLattice(md::startLattice(n, box.length[0]), box);
    const bool expected = std::set<std::int64_t>{5, 6, 11, 13, 15, 16, 17, 20}.count(n) > 0;
    EXPECT_EQ(crowded, expected) << n;
    const Box dilute = cubicBox(std::cbrt(static_cast<double>(n) / 0.4));
    EXPECT_FALSE(md::crowdedLattice(md::startLattice(n, dilute.length[0]), dilute)) << n;
  }
}

// The same start again, bit for bit.
TEST(MdStartAtRandom, IsTheSameEveryTime) {
  const auto once = [] {
    auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
    test::set(*mode, "n", std::int64_t{200}), test::set(*mode, "lattice", test::word("random"));
    mode->restart();
    return test::saved(*mode);
  };
  EXPECT_EQ(once(), once());
}

// Lists that go stale, a thermostat: the start does not depend on what the run will do.
TEST(MdStartAtRandom, DoesNotDependOnTheBath) {
  const auto positions = [](const char* thermostat) {
    auto mode = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 2, 0});
    test::set(*mode, "n", std::int64_t{200}), test::set(*mode, "lattice", test::word("random"));
    test::set(*mode, "thermostat", test::word(thermostat));
    mode->restart();
    return mode->configuration().positions;
  };
  EXPECT_EQ(positions("none"), positions("langevin"));
}

INSTANTIATE_TEST_SUITE_P(Starts, MdStartTemperature,
                         testing::Values(StartCase{"close_packed", 2}, StartCase{"close_packed", 3},
                                         StartCase{"simple", 2}, StartCase{"simple", 3},
                                         StartCase{"random", 2}, StartCase{"random", 3}),
                         [](const auto& c) {
                           return std::string(c.param.lattice) + std::to_string(c.param.dimension);
                         });

}  // namespace
}  // namespace cellscope
