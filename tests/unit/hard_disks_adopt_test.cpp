// Hard disks from loaded configurations; experiments, restart parameters and curves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/layers/layers.h"
#include "tests/support/hard_disks.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

TEST(Adopt, TakesItsOwnConfigurationBack) {
  const auto mode = started({{"n", "200"}, {"packing", "0.68"}});
  mode->advance(25);
  const Configuration c = mode->configuration();
  const auto other = started({{"n", "64"}, {"packing", "0.1"}});
  other->adopt(c);
  EXPECT_EQ(other->step(), 0u);
  EXPECT_EQ(other->configuration().positions, c.positions);
  EXPECT_EQ(std::get<std::int64_t>(other->parameters().at("n").get()), 200);
  EXPECT_NEAR(std::get<double>(other->parameters().at("packing").get()), 0.68, 1e-6);
  other->advance(3);
  expectHealthy(*other);
}

TEST(Adopt, RefusesWhatCannotBeAndNamesIt) {
  const auto mode = started({{"n", "60"}, {"packing", "0.4"}});
  const std::string before = saved(*mode);
  const Configuration good = mode->configuration();
  const std::pair<std::function<void(Configuration&)>, const char*> cases[] = {
      {[](auto& c) { c.positions[3 * 7] = std::nan(""); }, "particle 7"},
      {[](auto& c) { c.positions[3 * 9 + 1] = -0.1; }, "particle 9"},
      {[](auto& c) { c.box.length[0] = c.box.length[1] = 1e9; },
       "packing fraction is 4.712e-17; allowed: 0.001 to 0.9068"},
      {[](auto& c) { c.species[0].diameter = 1e-9; }, "packing fraction is"},
      {[](auto& c) { std::copy_n(&c.positions[3 * 4], 2, &c.positions[3 * 5]); },
       "disks 4 and 5 overlap"},
      {[](auto& c) { c.box.length[1] *= 1.0371; }, "L_y / L_x, is 1.0371"},
      {[](auto& c) { c.box.dimension = 3; }, "three dimensions"},
      {[](auto& c) { c.ids[3] = 4; }, "id 4 appears twice"},
  };
  for (const auto& [spoil, named] : cases) {
    Configuration bad = good;
    spoil(bad);
    expectWords(messageOf<InputError>([&] { mode->adopt(bad); }), {named});
  }
  EXPECT_EQ(saved(*mode), before) << "the state is kept";
}

// Disks that touch exactly, as in a file with rounded digits, are not taken for overlaps.
TEST(Adopt, TakesTouchingDisks) {
  Configuration c;
  c.box.length[0] = c.box.length[1] = 8;
  for (std::uint32_t k = 0; k < 64; ++k) {
    c.positions.insert(c.positions.end(), {k % 8 + 0.1, k / 8 + 0.3, 0.0});
    c.ids.push_back(k);
  }
  const auto mode = started({{"n", "60"}, {"packing", "0.4"}});
  mode->adopt(c);
  expectHealthy(*mode);
  EXPECT_NEAR(packingOf(*mode), M_PI / 4, 1e-5);
}

TEST(Experiments, AreListedAndOffByDefault) {
  const auto mode = started({{"n", "60"}, {"packing", "0.4"}});
  std::vector<std::string> experiments;
  for (const Parameter& p : mode->parameters().items())
    if (p.info.experiment) {
      experiments.push_back(p.info.key);
      EXPECT_EQ(p.get(), p.fallback);
      EXPECT_EQ(p.info.effect, Effect::live);
    }
  EXPECT_EQ(experiments,
            (std::vector<std::string>{"no_particle_shuffle", "no_set_shuffle", "leave_cell",
                                      "no_cell_shift", "move_once", "shift_bits", "stale_halo"}));
  for (const std::string& e : experiments) {
    change(*mode, e, e == "shift_bits" ? "21" : "true");
    mode->advance(20);
    expectHealthy(*mode);
  }
}

TEST(Parameters, OfTheStateActOnlyAtRestart) {
  const auto a = started({{"n", "100"}, {"packing", "0.6"}, {"seed", "3"}});
  const auto b = started({{"n", "100"}, {"packing", "0.6"}, {"seed", "3"}});
  change(*b, "seed=4 n=200 d=0.2"), change(*a, "d=0.2");
  a->advance(10), b->advance(10);
  EXPECT_EQ(saved(*a), saved(*b));
}

TEST(Curves, KeepTheMeansOfEarlierPackings) {
  const auto mode = started({{"n", "256"}, {"packing", "0.3"}});
  for (const char* packing : {"0.4", "0.5"}) {
    for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
    change(*mode, "packing", packing);
    while (mode->preparation()) mode->advance(1);
  }
  for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
  const auto own = [&] { return curveOf(*mode, "eos").series.back(); };
  const CurveSeries first = own();
  EXPECT_TRUE(first.provisional) << "nobody has said that it is in equilibrium";
  ASSERT_EQ(first.x.size(), 3u);
  // P* of the virial series: rho Z = (4 phi / pi) Z with Z = 2.063, 2.829, 4.106.
  const double expected[] = {0.7881, 1.4409, 2.6142};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(first.x[i], 0.3 + 0.1 * static_cast<double>(i), 1e-5);
    EXPECT_NEAR(first.y[i], expected[i], 0.15 * expected[i]);
    EXPECT_GT(first.error[i], 0);
    EXPECT_LT(first.error[i], 0.5 * expected[i]);
  }
  // A packing that is visited again replaces its earlier point.
  for (const char* packing : {"0.4", "0.35"}) {
    change(*mode, "packing", packing);
    while (mode->preparation()) mode->advance(1);
    for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
  }
  const std::vector<double> x = own().x;
  EXPECT_EQ(x.size(), 4u);
  EXPECT_EQ(std::count_if(x.begin(), x.end(), [](double v) { return std::abs(v - 0.4) < 1e-4; }),
            1);
}

// Every pair is counted from both its ends: n counts are n / 2 events.
TEST(Curves, PointsNearContactHaveTheErrorOfTheirPairs) {
  const auto mode = started({{"n", "256"}, {"packing", "0.5"}});
  for (int i = 0; i < 20; ++i) mode->advance(5), mode->sample();
  const CurveSeries points = curveOf(*mode, "g_contact").series.at(0);
  const double density = packingOf(*mode) * 4 / M_PI;
  const double width = std::get<double>(mode->parameters().at("dr").get());
  int with = 0;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double counts = points.y[i] * 256 * 20 * density * 2 * M_PI * points.x[i] * width;
    if (counts < 1) continue;
    ++with;
    EXPECT_NEAR(counts, std::round(counts), 1e-3);
    EXPECT_NEAR(points.error[i], points.y[i] * std::sqrt(2 / counts), 1e-6 * points.y[i]);
  }
  EXPECT_GT(with, 20);
}

TEST(Parameters, TheRadiusOfNeighboursMatters) {
  const auto near = started({{"n", "256"}, {"packing", "0.5"}, {"neighbours", "radius"}});
  const auto far = started({{"n", "256"}, {"packing", "0.5"}, {"neighbours", "radius"}});
  change(*near, "neighbour_radius", "1.2"), change(*far, "neighbour_radius", "1.9");
  EXPECT_GT(sampled(*near, "psi6_local"), 1.3 * sampled(*far, "psi6_local"));
}

}  // namespace
}  // namespace cellscope::test
