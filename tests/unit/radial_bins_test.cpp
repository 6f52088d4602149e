// Bins of squared integer distances: every value beside an edge falls on its right side.
#include "sim/core/radial_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cellscope {
namespace {

// Bin by search, the definition.
int searched(std::int64_t d2, const std::vector<std::int64_t>& edge) {
  if (d2 < edge.front() || d2 >= edge.back()) return -1;
  return static_cast<int>(std::upper_bound(edge.begin(), edge.end(), d2) - edge.begin()) - 1;
}

template <class Binning>
void compare(const Binning& binning, const std::vector<std::int64_t>& edge) {
  for (const std::int64_t e : edge)
    for (std::int64_t d2 = std::max<std::int64_t>(0, e - 3); d2 <= e + 3; ++d2)
      ASSERT_EQ(binning.bin(d2, edge.data()), searched(d2, edge)) << d2;
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::int64_t> any(0, edge.back() + edge.back() / 10);
  for (int k = 0; k < 100000; ++k) {
    const std::int64_t d2 = any(random);
    ASSERT_EQ(binning.bin(d2, edge.data()), searched(d2, edge)) << d2;
  }
}

RadialBinning binningOf(const RadialBins& b) {
  return {static_cast<float>(b.first), static_cast<float>(1 / b.width), b.count};
}

TEST(RadialBins, EveryDistanceFindsItsBin) {
  for (const RadialBins& b : {contactBins(), plotBins(), RadialBins{1, 1e-5, 1024},
                              RadialBins{0.9, 0.003, 150}, plotBins(10.24)})
    compare(binningOf(b), squaredEdges(b));
}

TEST(ScaleBins, EveryDistanceFindsItsBin) {
  for (const double width : {1e-4, 1e-5, 2e-3}) {
    const std::vector<std::int64_t> edge = squaredScaleEdges(width, 200);
    compare(ScaleBinning{static_cast<float>(1 / width), 200}, edge);
  }
}

TEST(RadialBins, TouchingDisksFallIntoTheFirstBin) {
  const std::vector<std::int64_t> edge = squaredEdges(contactBins());
  const std::int64_t touching = squaredQuanta(quanta(1.0f), 0);
  EXPECT_EQ(edge[0], touching);
  EXPECT_EQ(binningOf(contactBins()).bin(touching, edge.data()), 0);
  EXPECT_EQ(binningOf(contactBins()).bin(touching - 1, edge.data()), -1);
  EXPECT_EQ(plotBins(4.0).count, 400);
  EXPECT_NEAR(contactBins().last(), 1.02, 1e-15);
}

TEST(RadialBins, QuantaAreExactOnTheCoordinateGrid) {
  for (const std::int32_t n : {0, 1, 4194303, 4194304, 6291455, 16777215})
    EXPECT_EQ(quanta(static_cast<float>(n) * kCoordinateQuantum), n);
  EXPECT_EQ(quanta(-0.25f), -1048576);
}

}  // namespace
}  // namespace cellscope
