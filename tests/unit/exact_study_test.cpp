// The study of few disks: its exact numbers, its direct sampling, its judgement, and a small run.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "app/reproduce/hard_disks/few_disks.h"
#include "sim/algo/observables/reference_data.h"
#include "sim/io/read_file.h"
#include "tests/support/studies.h"

namespace cellscope::reproduce {
namespace {

constexpr double kPi = std::numbers::pi;

// Tabulated from the same recursion elsewhere; the shares were checked there by random points.
TEST(FewDiskNumbers, AgreeWithTabulatedOnes) {
  EXPECT_NEAR(fewDisks(2, 2.5).free, 0.497345175426, 1e-12);
  EXPECT_NEAR(fewDisks(2, 2.5).pressure, 0.481708157444, 1e-12);
  EXPECT_NEAR(fewDisks(2, 5.6).free, 0.899821662832, 1e-12);
  EXPECT_NEAR(fewDisks(2, 5.6).pressure, 0.067325616202, 1e-12);
  EXPECT_NEAR(fewDisks(4, 4.2).free, 0.279156748291, 1e-11);
  EXPECT_NEAR(fewDisks(4, 4.2).pressure, 0.313418602239, 1e-11);
  for (const PublishedSimulation& s : hardDiskData().exact) {
    const double length = std::sqrt(static_cast<double>(s.disks) * kPi / (4 * s.packing[0]));
    EXPECT_NEAR(fewDisks(static_cast<int>(s.disks), length).pressure, s.pressure[0], 1e-9);
  }
}

TEST(FewDiskNumbers, FollowClosedForms) {
  for (const double length : {2.0, 4.0, 5.9}) {
    const double area = length * length;
    EXPECT_NEAR(fewDisks(1, length).pressure, 1 / area, 1e-14);
    EXPECT_NEAR(fewDisks(2, length).free, 1 - kPi / area, 1e-14);
    EXPECT_NEAR(fewDisks(2, length).pressure, 2 / area * (1 + kPi / (2 * (area - kPi))), 1e-14);
  }
}

// Two roads to the pressure of three disks: cluster integrals, and the density of pairs at contact,
// where P* = rho (1 + (pi / 2) rho g(1+)) and (n - 1) p(1) = 2 pi rho g(1+).
TEST(FewDiskNumbers, PressureFollowsFromPairsAtContact) {
  constexpr double kNarrow = 1e-5;
  for (const int disks : {2, 3})
    for (const double length : {4.0, 4.5, 5.9}) {
      const double density = disks / (length * length);
      const double p = exactBins(disks, length, {1, 1 + kNarrow})[0] / kNarrow;
      const double pressure = density * (1 + (disks - 1) * p / 4);
      EXPECT_NEAR(pressure / fewDisks(disks, length).pressure, 1, kNarrow) << disks << length;
    }
}

TEST(FewDiskNumbers, BinsSumToOne) {
  for (const int disks : {2, 3})
    for (const double length : {4.0, 4.5, 5.9}) {
      double sum = 0;
      for (const double p :
           exactBins(disks, length, {1, 1.3, 1.9, 2, 2.05, length / std::numbers::sqrt2}))
        sum += p;
      EXPECT_NEAR(sum, 1, 1e-9) << disks << " " << length;
    }
}

// Chi-square and F at the points that a normal deviate exceeds as often.
TEST(Hotelling, IsGivenAsANormalDeviate) {
  const std::size_t many = 1000000;
  EXPECT_NEAR((Hotelling{5.3481, 6, many}.normalDeviate()), 0, 0.02);
  EXPECT_NEAR((Hotelling{21.7392, 6, many}.normalDeviate()), 3, 0.03);
  EXPECT_NEAR((Hotelling{1.1926, 6, many}.normalDeviate()), -2, 0.05);
  EXPECT_NEAR((Hotelling{6.0480, 6, 50}.normalDeviate()), 0, 0.03);
  EXPECT_NEAR((Hotelling{29.690, 6, 50}.normalDeviate()), 3, 0.05);
  EXPECT_TRUE(std::isnan((Hotelling{6, 6, 12}.normalDeviate())));
}

Blocks drawn(int disks, double length, const std::vector<double>& edges, std::uint64_t seed) {
  DirectSampler sampler(disks, length, edges, seed);
  Blocks blocks;
  for (int k = 0; k < 200; ++k) blocks.push_back(sampler.block(500));
  const double n = static_cast<double>(sampler.tries());
  const double p = fewDisks(disks, length).free;
  EXPECT_NEAR(static_cast<double>(sampler.kept()) / n, p, 4.5 * std::sqrt(p * (1 - p) / n));
  return blocks;
}

// Random points against exact bins, and against each other; two disks are not three.
TEST(DirectSampler, HasTheExactDistribution) {
  const double length = 4.5;
  const std::vector<double> edges = {1, 1.1, 1.25, 1.5, 2, length / std::numbers::sqrt2};
  const BlockMeans two = meansOf(drawn(2, length, edges, 1)),
                   three = meansOf(drawn(3, length, edges, 2)),
                   four = meansOf(drawn(4, length, edges, 3)),
                   others = meansOf(drawn(4, length, edges, 4));
  const auto exact = [&](int disks) { return BlockMeans{exactBins(disks, length, edges), {}, 0}; };
  EXPECT_LT(std::abs(hotelling(two, exact(2)).normalDeviate()), 4.5);
  EXPECT_LT(std::abs(hotelling(three, exact(3)).normalDeviate()), 4.5);
  EXPECT_LT(std::abs(hotelling(four, others).normalDeviate()), 4.5);
  EXPECT_GT(hotelling(three, exact(2)).normalDeviate(), 6);
  EXPECT_GT(hotelling(four, three).normalDeviate(), 6);
}

TEST(ExactStudy, WritesAllSystems) {
  const std::string folder = testing::TempDir() + "cellscope-exact";
  std::filesystem::remove_all(folder);
  const auto study = test::studyNamed("exact");
  std::string tables[2];
  for (std::string& table : tables) {
    test::runStudy(*study, folder, 3.0 / 60, 2);
    table = io::readFile(folder + "/exact.csv");
    const std::string md = io::readFile(folder + "/exact.md");
    for (const char* row : {"| 2 | 4 | ", "| 2 | 5.6 | ", "| 2 | 5.9 | ", "| 3 | 4.5 | ",
                            "| 4 | 4.2 | ", "| 4 | 5.6 | ", "P*, free paths | ", "T^2 of 5 bins",
                            "free of overlap", "0.313418", "of 26 results", "2 independent copies"})
      EXPECT_NE(md.find(row), std::string::npos) << row << "\n" << md;
    EXPECT_EQ(md.find("nan"), std::string::npos) << md;
    study->options().at("--seeds").set("2");
  }
  EXPECT_NE(tables[0], tables[1]) << "other seeds, other numbers";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cellscope::reproduce
