// Small grand-canonical chains for tests.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/support/gcmc_states.h"

namespace cellscope::test {

inline GcmcSettings chainSettings(double temperature, double activity) {
  GcmcSettings s = gcmcFluid(temperature, activity);
  s.seed = 12345, s.maxDisplacement = 0.3;
  return s;
}

// n particles on a simple cubic or square lattice.
inline GcmcState chainState(const Box& box, int n) {
  GcmcState s;
  s.box = box;
  int side = 1;
  while (std::pow(side, box.dimension) < n) ++side;
  const double a = box.length[0] / side;
  for (int i = 0; i < n; ++i) {
    s.point.push_back(gcmcPointAt(box, {a * (i % side + 0.5), a * (i / side % side + 0.5),
                                        box.dimension == 3 ? a * (i / side / side + 0.5) : 0.0}));
    s.id.push_back(i);
  }
  s.idBase = n;
  return s;
}

inline std::unique_ptr<GcmcEngine> chainOf(const char* method, const GcmcState& state,
                                           const GcmcSettings& settings) {
  auto engine = makeGcmcEngine(method, nullptr);
  engine->upload(state, makeGcmcRules(settings, state.box));
  return engine;
}

// P(N) over moves, of which one in `every` is counted.
inline std::vector<double> numberHistogram(GcmcEngine& engine, int samples, int every) {
  std::vector<double> counts;
  for (int k = 0; k < samples; ++k) {
    engine.advance(static_cast<std::uint64_t>(every));
    const std::size_t n = engine.count();
    if (n >= counts.size()) counts.resize(n + 1, 0.0);
    counts[n]++;
  }
  return counts;
}

}  // namespace cellscope::test
