// Boxes of three different sides in grand-canonical Monte Carlo: starts, files, checkpoints,
// limits, and averages, which do not depend on the shape.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "sim/algo/observables/block_average.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/formats.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::gcmcMode;
using test::messageOf;
using testing::HasSubstr;

const std::string kFluid =
    "length=6 length_y=7.5 length_z=11 temperature=1.5 activity=0.3 density=0.4 cutoff=2.5 "
    "moves_per_step=500";

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
  const auto measured = [](const char* method, double x, double y, double z) {
    const auto mode = gcmcMode(
        kFluid + fmt::format(" method={} length={} length_y={} length_z={} cutoff=2.2 density=0.2",
                             method, x, y, z));
    mode->advance(60);
    std::map<std::string, BlockAverage> of;
    for (int k = 0; k < 300; ++k) {
      mode->advance(2);
      for (const char* id : {"particles", "energy", "pressure"})
        of[id].add(test::sampled(*mode, id));
    }
    test::expectHealthy(*mode);
    return of;
  };
  const auto cube = measured("serial_cells", 10, 0, 0);
  EXPECT_LT(cube.at("particles").error(), 0.05 * cube.at("particles").mean());
  const std::tuple<const char*, double, double, double> boxes[] = {
      {"serial", 8, 10, 12.5},
      {"serial_cells", 5.05, 12, 1000 / (5.05 * 12)},
      {"speculative", 16, 12.5, 5},
      {"in_order", 8, 8, 15.625},
      {"checkerboard", 9, 10, 1000 / 90.0}};
  for (const auto& [method, x, y, z] : boxes) {
    for (const auto& [id, other] : measured(method, x, y, z))
      EXPECT_NEAR(other.mean(), cube.at(id).mean(),
                  5 * std::hypot(other.error(), cube.at(id).error()))
          << method << ' ' << id;
  }
}

// z V of an ideal gas in any box, Poisson-distributed: 5 errors, one false alarm in 1.7 million.
TEST(GcmcBox, IdealGasHasItsExactNumber) {
  const auto mode = gcmcMode(
      "potential=ideal_gas length=4 length_y=5 length_z=20 activity=0.25 moves_per_step=2000");
  BlockAverage n;
  for (int k = 0; k < 1000; ++k) mode->advance(1), n.add(test::sampled(*mode, "particles"));
  EXPECT_NEAR(n.mean(), 100, 5 * n.error());
  EXPECT_LT(n.error(), 1);
}

TEST(GcmcBox, LimitsNameTheShortestSide) {
  const auto refusal = [](const std::string& more) {
    return messageOf<InputError>([&] { gcmcMode(kFluid + " " + more); });
  };
  EXPECT_THAT(refusal("cutoff=3.1"), HasSubstr("the box of length = 6: "));
  EXPECT_THAT(refusal("length_z=4"),
              HasSubstr("the box of length_z = 4: it may be at most half of the shortest side, 2; "
                        "use a smaller cutoff or a length_z of at least 5"));
  EXPECT_THAT(refusal("length_y=1"), HasSubstr("length_y = 1 is too short"));
  EXPECT_THAT(refusal("potential=hard_spheres tail=false length_y=2 max_displacement=0.1"),
              HasSubstr("length_y = 2 is too small for hard spheres"));
  EXPECT_THAT(refusal("max_displacement=3.5"), HasSubstr("half the box of length = 6, 3;"));
  EXPECT_THAT(refusal("method=checkerboard length=11"),
              HasSubstr("a box of 7.5 along y with a cutoff of 2.5"));
  // Exactly half the shortest side is allowed.
  EXPECT_EQ(refusal("length_y=5"), "");
  // In the plane there is no third side.
  EXPECT_EQ(refusal("dimension=2 length_z=2"), "");
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
    const auto other = gcmcMode("temperature=1.5 activity=0.3 cutoff=2.5");
    other->adopt(io::readConfiguration(path).configuration);
    EXPECT_EQ(other->configuration().box, c.box) << path;
    EXPECT_EQ(other->configuration().size(), c.size());
    other->advance(4);
    test::expectHealthy(*other);
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
    SCOPED_TRACE(method);
    const std::string settings = fmt::format("{} method={}", kFluid, method);
    const auto a = gcmcMode(settings), b = gcmcMode(settings);
    a->advance(3);
    test::expectResumes(*a, *b, 3);
  }
}

}  // namespace
}  // namespace cellscope
