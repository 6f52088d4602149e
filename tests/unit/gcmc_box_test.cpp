// Boxes of three different sides in grand-canonical Monte Carlo: starts, files, checkpoints,
// limits, and averages, which do not depend on the shape.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "sim/algo/observables/block_average.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/formats.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

using test::Assignments;
using test::gcmcMode;
using test::messageOf;
using testing::HasSubstr;

const Assignments kFluid = {{"length", 6.0},    {"length_y", 7.5},
                            {"length_z", 11.0}, {"temperature", 1.5},
                            {"activity", 0.3},  {"density", 0.4},
                            {"cutoff", 2.5},    {"moves_per_step", std::int64_t{500}}};

TEST(GcmcBox, LatticesFollowTheSides) {
  for (const Box& box : {Box{3, {6, 9, 18}}, Box{3, {20, 12, 5}}, Box{2, {8, 24, 1}}})
    for (const double density : {0.2, 0.55, 0.7}) {
      const auto n = static_cast<std::size_t>(density * box.volume());
      const GcmcState s = gcmc::latticeState(box, n);
      ASSERT_EQ(s.point.size(), n);
      double nearest = box.shortest();
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Vec3d a = gcmcPosition(box, s.point[i]), b = gcmcPosition(box, s.point[j]);
          const Vec3d d = box.minimumImage({a.x - b.x, a.y - b.y, a.z - b.z});
          nearest = std::min(nearest, std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
        }
      // A simple lattice of as many sites has neighbours at this distance; one layer more or less
      // along an axis, and vacancies, take their part.
      EXPECT_GT(nearest, 0.75 * std::pow(density, -1.0 / box.dimension)) << density;
    }
}

// Number, energy and pressure of one state in a cube and in boxes of the same volume, by chains of
// every kind. Five errors of both by block averages: one false alarm in 1.7 million seeds for each
// of the 15 comparisons.
TEST(GcmcBox, AveragesDoNotDependOnTheShape) {
  struct Mean {
    double value, error;
  };
  const auto measured = [](const char* method, double x, double y, double z) {
    const auto mode = gcmcMode(kFluid, {{"method", std::string(method)},
                                        {"length", x},
                                        {"length_y", y},
                                        {"length_z", z},
                                        {"cutoff", 2.2},
                                        {"density", 0.2}});
    mode->advance(60);
    BlockAverage of[3];
    for (int k = 0; k < 300; ++k) {
      mode->advance(2);
      const char* const ids[] = {"particles", "energy", "pressure"};
      for (int i = 0; i < 3; ++i) of[i].add(test::sampled(*mode, ids[i]));
    }
    for (const SelfCheck& c : mode->selfChecks()) EXPECT_TRUE(c.ok) << c.label << c.detail;
    return std::array<Mean, 3>{{{of[0].mean(), of[0].error()},
                                {of[1].mean(), of[1].error()},
                                {of[2].mean(), of[2].error()}}};
  };
  const auto cube = measured("serial_cells", 10, 0, 0);
  EXPECT_LT(cube[0].error, 0.05 * cube[0].value);
  const std::tuple<const char*, double, double, double> boxes[] = {
      {"serial", 8, 10, 12.5},
      {"serial_cells", 5.05, 12, 1000 / (5.05 * 12)},
      {"speculative", 16, 12.5, 5},
      {"in_order", 8, 8, 15.625},
      {"checkerboard", 9, 10, 1000 / 90.0}};
  for (const auto& [method, x, y, z] : boxes) {
    const auto other = measured(method, x, y, z);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(other[static_cast<std::size_t>(i)].value, cube[static_cast<std::size_t>(i)].value,
                  5 * std::hypot(other[static_cast<std::size_t>(i)].error,
                                 cube[static_cast<std::size_t>(i)].error))
          << method << ' ' << i;
  }
}

// z V of an ideal gas in any box, Poisson-distributed: 5 errors, one false alarm in 1.7 million.
TEST(GcmcBox, IdealGasHasItsExactNumber) {
  const auto mode = gcmcMode({{"potential", std::string("ideal_gas")},
                              {"length", 4.0},
                              {"length_y", 5.0},
                              {"length_z", 20.0},
                              {"activity", 0.25},
                              {"moves_per_step", std::int64_t{2000}}});
  BlockAverage n;
  for (int k = 0; k < 1000; ++k) mode->advance(1), n.add(test::sampled(*mode, "particles"));
  EXPECT_NEAR(n.mean(), 100, 5 * n.error());
  EXPECT_LT(n.error(), 1);
}

TEST(GcmcBox, LimitsNameTheShortestSide) {
  const auto refusal = [](const Assignments& more) {
    return messageOf<InputError>([&] { gcmcMode(kFluid, more); });
  };
  EXPECT_THAT(refusal({{"cutoff", 3.1}}), HasSubstr("the box of length = 6: "));
  EXPECT_THAT(refusal({{"length_z", 4.0}}),
              HasSubstr("the box of length_z = 4: it may be at most half of the shortest side, 2; "
                        "use a smaller cutoff or a length_z of at least 5"));
  EXPECT_THAT(refusal({{"length_y", 1.0}}), HasSubstr("length_y = 1 is too short"));
  EXPECT_THAT(refusal({{"potential", std::string("hard_spheres")},
                       {"tail", false},
                       {"length_y", 2.0},
                       {"max_displacement", 0.1}}),
              HasSubstr("length_y = 2 is too small for hard spheres"));
  EXPECT_THAT(refusal({{"max_displacement", 3.5}}), HasSubstr("half the box of length = 6, 3;"));
  EXPECT_THAT(refusal({{"method", std::string("checkerboard")}, {"length", 11.0}}),
              HasSubstr("a box of 7.5 along y with a cutoff of 2.5"));
  // Exactly half the shortest side is allowed.
  EXPECT_EQ(refusal({{"length_y", 5.0}}), "");
  // In the plane there is no third side.
  EXPECT_EQ(refusal({{"dimension", std::string("2")}, {"length_z", 2.0}}), "");
}

class GcmcBoxFiles : public test::Formats {};

TEST_F(GcmcBoxFiles, EveryFormatKeepsTheSides) {
  const auto mode = gcmcMode(kFluid);
  mode->advance(4);
  const Configuration c = mode->configuration();
  for (const char* suffix : {".xyz", ".h5", ".gsd", ".dump", ".data", ".npz"}) {
    const std::string path = file(std::string("box") + suffix);
    const auto sink = io::formatToWrite(path).create(path, "test 1.0", false);
    sink->append(c, {4, 4, "", false, {}});
    sink->close();
    const auto other = gcmcMode({{"temperature", 1.5}, {"activity", 0.3}, {"cutoff", 2.5}});
    other->adopt(io::readConfiguration(path).configuration);
    EXPECT_EQ(other->configuration().box, c.box) << path;
    EXPECT_EQ(other->configuration().size(), c.size());
    other->advance(4);
    for (const SelfCheck& s : other->selfChecks()) EXPECT_TRUE(s.ok) << s.label << s.detail;
  }
}

TEST_F(GcmcBoxFiles, AForeignBoxOfThreeSidesRuns) {
  const std::string out = file("out.xyz");
  const test::Result r = test::cellscope(
      "run gcmc_liquid --backend cpu --set cutoff=2.5 --steps 1 --load-configuration " +
      test::foreign("xyz_box_12_8_9.xyz") + " --trajectory " + out);
  EXPECT_EQ(r.code, 0) << r.output;
  EXPECT_EQ(test::textOf(io::readConfiguration(out)).find("3D 12 8 9 |"), 0u);
}

TEST(GcmcBox, ResumesBitForBit) {
  for (const char* method : {"serial", "serial_cells", "speculative", "in_order"}) {
    const auto a = gcmcMode(kFluid, {{"method", std::string(method)}});
    a->advance(3);
    std::istringstream in(test::saved(*a));
    const auto b = gcmcMode(kFluid, {{"method", std::string(method)}});
    b->load(in);
    a->advance(3), b->advance(3);
    EXPECT_EQ(test::saved(*a), test::saved(*b)) << method;
  }
}

}  // namespace
}  // namespace cellscope
