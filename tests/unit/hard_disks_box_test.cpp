// Hard disks in rectangles: grids, starts, compression, files, checkpoints, and the pressure, which
// does not depend on the shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/observables/block_average.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "tests/support/formats.h"
#include "tests/support/hard_disks.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

using testing::HasSubstr;

TEST(DiskBox, GridsHaveTheShapeAndCellsThatSuffice) {
  for (const GridShape shape : {GridShape{1, 2}, {2, 1}, {3, 2}, {5, 7}, {20, 19}, {1, 20}})
    for (int k = 0; k < 260; ++k) {
      const double least = 2.0 * columnStep(shape);
      const double length = least * (1 + 1e-6) * std::pow(1.02, k);
      const double area = length * length * shape.aspect();
      const auto disks = static_cast<std::int64_t>(std::ceil(area * 0.5 * 4 / M_PI));
      const GridChoice c = chooseGrid(disks, packingOf(disks, length, shape), shape);
      ASSERT_EQ(shapeOf(c.grid), shape);
      ASSERT_TRUE(possibleGrid(c.grid)) << length;
      ASSERT_TRUE(c.grid.slots == 4 ? c.grid.w < M_SQRT2 : c.grid.w <= 1.5) << c.grid.w;
      ASSERT_NEAR(boxOf(c.grid).volume() / area, 1, 1e-6);
    }
  EXPECT_EQ(shapeOfAspect(2, 1e-3, "it"), (GridShape{1, 2}));
  EXPECT_EQ(shapeOfAspect(0.6667, 1e-3, "it"), (GridShape{3, 2}));
  EXPECT_THAT(messageOf<InputError>([] { shapeOfAspect(0.8573, 1e-6, "it"); }),
              HasSubstr("the nearest are 6/7 = 0.857143 and"));
  EXPECT_THAT(messageOf<InputError>([] {
                chooseGrid(20, 0.6, {2, 1});
              }),
              HasSubstr("smaller than 8 x 4 cells of width 1; use at least 25 disks"));
}

TEST(DiskBox, StartsKeepTheSides) {
  for (const char* start : {"random", "square", "hexagonal"})
    for (const char* aspect : {"2", "0.75", "0.3333"}) {
      const auto mode =
          started({{"n", "600"}, {"packing", "0.66"}, {"start", start}, {"aspect_y", aspect}});
      const Box box = mode->configuration().box;
      EXPECT_NEAR(box.length[1] / box.length[0], std::stod(aspect), 1e-4) << start;
      EXPECT_NEAR(packingOf(*mode), 0.66, 1e-6) << start;
      mode->advance(20);
      expectHealthy(*mode);
      change(*mode, "packing", "0.6");
      for (int k = 0; k < 500 && mode->preparation(); ++k) mode->advance(1);
      change(*mode, "packing", "0.69");
      for (int k = 0; k < 3000 && mode->preparation(); ++k) mode->advance(1);
      EXPECT_NEAR(packingOf(*mode), 0.69, 1e-5) << start << aspect;
      const Box after = mode->configuration().box;
      EXPECT_EQ(after.length[1] / after.length[0], box.length[1] / box.length[0]);
      expectHealthy(*mode);
    }
}

// Of a triangular lattice that fits a rectangle of sides 7 : 6 nearly without strain.
TEST(DiskBox, TriangularLatticesFitRectangles) {
  const LatticeShape shape = latticeShape(DiskStart::hexagonal, 42 * 42, 6.0 / 7);
  EXPECT_GT(shape.largestPacking(42 * 42), 0.88);
  const auto mode = started(
      {{"n", "1764"}, {"packing", "0.87"}, {"start", "hexagonal"}, {"aspect_y", "0.857142857"}});
  mode->advance(2);
  expectHealthy(*mode);
}

TEST(DiskBox, TwoPhasesLieAcrossTheLongerSide) {
  const auto mode =
      started({{"n", "2000"}, {"packing", "0.708"}, {"start", "coexistence"}, {"aspect_y", "2"}});
  expectHealthy(*mode);
  EXPECT_THAT(
      messageOf<InputError>([] {
        started(
            {{"n", "2000"}, {"packing", "0.708"}, {"start", "coexistence"}, {"aspect_y", "0.5"}});
      }),
      HasSubstr("use aspect_y = 2"));
}

// From free paths and by extrapolation to contact. Five errors of both by block averages: one false
// alarm in 1.7 million seeds for each of the four comparisons.
TEST(DiskBox, PressureDoesNotDependOnTheShape) {
  const auto measured = [](const char* aspect, const char* observable) {
    const auto mode =
        started({{"n", "500"}, {"packing", "0.5"}, {"aspect_y", aspect}, {"free_paths", "on"}});
    mode->advance(300);
    BlockAverage pressure;
    for (int k = 0; k < 600; ++k) mode->advance(5), pressure.add(sampled(*mode, observable));
    return std::pair{pressure.mean(), pressure.error()};
  };
  for (const char* observable : {"pressure_paths", "pressure_sdf"}) {
    const auto square = measured("1", observable);
    EXPECT_LT(square.second, 0.03 * square.first);
    for (const char* aspect : {"3", "0.4"}) {
      const auto other = measured(aspect, observable);
      EXPECT_NEAR(other.first, square.first, 5 * std::hypot(other.second, square.second))
          << observable << ' ' << aspect;
    }
  }
}

TEST(DiskBox, GoesThroughCheckpoints) {
  const auto a = started({{"n", "400"}, {"packing", "0.65"}, {"aspect_y", "1.5"}});
  a->advance(11);
  a->advancePhase();
  for (const char* packing : {"0.65", "0.68"}) {  // as it is, and while it is compressed
    change(*a, "packing", packing);
    a->advance(1);
    std::istringstream in(saved(*a));
    HardDisksMode b({Backend::cpu, 1, 0});
    b.load(in);
    EXPECT_EQ(saved(b), saved(*a));
    for (Mode* mode : {static_cast<Mode*>(a.get()), static_cast<Mode*>(&b)}) {
      for (int k = 0; k < 3000 && mode->preparation(); ++k) mode->advance(1);
      mode->advance(10);
    }
    EXPECT_EQ(saved(b), saved(*a));
  }
}

class DiskBoxFiles : public Formats {};

TEST_F(DiskBoxFiles, ConfigurationsKeepTheSides) {
  const auto a = started({{"n", "300"}, {"packing", "0.66"}, {"aspect_y", "0.6"}});
  a->advance(9);
  const Configuration c = a->configuration();
  for (const char* suffix : {".xyz", ".h5", ".dump", ".npz"}) {
    const std::string path = file(std::string("box") + suffix);
    const auto sink = io::formatToWrite(path).create(path, "test 1.0", false);
    sink->append(c, {9, 9, "", false, {}});
    sink->close();
    const auto b = started({{"n", "64"}, {"packing", "0.1"}});
    b->adopt(io::readConfiguration(path).configuration);
    EXPECT_EQ(b->configuration().box, c.box) << path;
    EXPECT_EQ(b->configuration().positions, c.positions) << path;
    EXPECT_EQ(std::get<double>(b->parameters().at("aspect_y").get()), 0.6);
    b->advance(3);
    expectHealthy(*b);
  }
}

}  // namespace
}  // namespace cellscope::test
