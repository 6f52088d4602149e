// Mean and variance of the number of particles of a grand-canonical chain, with block errors.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/algo/gcmc/engine.h"

namespace cellscope::test {

struct Estimated {
  double mean = 0, error = 0;
};
inline Estimated ofBlocks(const std::vector<double>& blocks) {
  Estimated e;
  const double n = static_cast<double>(blocks.size());
  for (double b : blocks) e.mean += b / n;
  for (double b : blocks) e.error += (b - e.mean) * (b - e.mean);
  e.error = std::sqrt(e.error / (n * (n - 1)));
  return e;
}
// Mean and variance of N after every `moves` moves, in 40 blocks.
struct NumberStatistics {
  Estimated mean, variance;
};
inline NumberStatistics numbersOf(GcmcEngine& e, std::uint64_t moves, int samples) {
  constexpr int kBlocks = 40;
  e.advance(moves * static_cast<std::uint64_t>(samples));
  std::vector<double> all, mean(kBlocks, 0), variance(kBlocks, 0);
  for (int k = 0; k < kBlocks * samples; ++k) {
    e.advance(moves);
    all.push_back(e.count());
    mean[static_cast<std::size_t>(k / samples)] += all.back() / samples;
  }
  NumberStatistics s;
  s.mean = ofBlocks(mean);
  for (std::size_t k = 0; k < all.size(); ++k)
    variance[k / static_cast<std::size_t>(samples)] +=
        (all[k] - s.mean.mean) * (all[k] - s.mean.mean) / samples;
  s.variance = ofBlocks(variance);
  return s;
}
inline void expectNearTo(const Estimated& e, double exact, double exactError = 0) {
  EXPECT_NEAR(e.mean, exact, 5 * std::hypot(e.error, exactError)) << "error " << e.error;
}

}  // namespace cellscope::test
