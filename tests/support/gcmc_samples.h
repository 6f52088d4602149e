// Averages of N of grand-canonical chains, with errors from blocks.
#pragma once

#include "tests/support/gcmc_states.h"

namespace cellscope::test {

struct Estimate {
  double mean = 0, error = 0;
};

// Of block averages.
inline Estimate estimate(const std::vector<double>& blocks) {
  Estimate e;
  const double n = static_cast<double>(blocks.size());
  for (double b : blocks) e.mean += b / n;
  for (double b : blocks) e.error += (b - e.mean) * (b - e.mean);
  e.error = std::sqrt(e.error / (n * (n - 1)));
  return e;
}

struct Sampled {
  Estimate n, variance;
};

// N after every `moves` moves, `samples` samples in each of 40 blocks.
inline Sampled sample(GcmcEngine& e, std::uint64_t moves, int samples) {
  constexpr int kBlocks = 40;
  e.advance(moves * static_cast<std::uint64_t>(samples));
  std::vector<double> all, mean(kBlocks, 0), variance(kBlocks, 0);
  for (int k = 0; k < kBlocks * samples; ++k) {
    e.advance(moves);
    all.push_back(e.count());
    mean[static_cast<std::size_t>(k / samples)] += all.back() / samples;
  }
  Sampled s;
  s.n = estimate(mean);
  for (std::size_t k = 0; k < all.size(); ++k)
    variance[k / static_cast<std::size_t>(samples)] +=
        (all[k] - s.n.mean) * (all[k] - s.n.mean) / samples;
  s.variance = estimate(variance);
  return s;
}

inline void expectNear(const Estimate& e, double exact, double exactError = 0) {
  EXPECT_NEAR(e.mean, exact, 5 * std::hypot(e.error, exactError)) << "error " << e.error;
}

inline std::unique_ptr<GcmcEngine> checkerboardOn(const ExecConfig& config,
                                                  const GcmcOptions& options = {}) {
  return makeGcmcEngine("checkerboard", exec::makeExec(config), options);
}

inline GcmcState emptyBox(const Box& box) { return {.box = box}; }

inline GcmcSettings idealGas(double activity) {
  GcmcSettings s = gcmcFluid(1, activity);
  s.cutoff = 0;
  return s;
}

// An ideal gas of any density: Poisson with mean z V.
inline void expectPoissonian(GcmcEngine& e, const Box& box, std::uint64_t moves, int samples) {
  e.upload(emptyBox(box), makeGcmcRules(idealGas(0.5), box));
  const Sampled found = sample(e, moves, samples);
  expectNear(found.n, 0.5 * box.volume());
  expectNear(found.variance, 0.5 * box.volume());
}

// In an empty cube of side 4 an ideal gas with z V = 20 and a tail correction exp(a N^2) on top of
// it, a = 0.005.
inline Sampled idealGasWithTail(GcmcEngine& e, std::uint64_t moves, int samples) {
  GcmcRules rules = makeGcmcRules(idealGas(20.0 / 64), cubicBox(4));
  rules.tail = -0.005;
  e.upload(emptyBox(cubicBox(4)), rules);
  return sample(e, moves, samples);
}
// Sum over N in closed form.
inline void expectExactTail(const Sampled& found) {
  expectNear(found.n, 26.15606);
  expectNear(found.variance, 35.53823);
}

}  // namespace cellscope::test
