// States and rules of grand-canonical chains for tests, and comparisons of chains.
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/gcmc/engine.h"

namespace cellscope::test {

// Methods whose particles lie in the memory of a backend, and those of them with the decisions of
// the serial chain.
inline std::vector<const GcmcMethod*> gcmcMethodsOn(Backend where) {
  std::vector<const GcmcMethod*> all;
  for (const GcmcMethod& m : gcmcMethods())
    if (m.runsOn(where) && !(m.onHost && where == Backend::cuda)) all.push_back(&m);
  return all;
}
inline std::vector<const GcmcMethod*> gcmcExactMethodsOn(Backend where) {
  std::vector<const GcmcMethod*> all = gcmcMethodsOn(where);
  std::erase_if(all, [](const GcmcMethod* m) { return !m->exact; });
  return all;
}

// About `density` times the volume particles on a shaken simple lattice, no two closer than the
// lattice allows.
inline GcmcState gcmcLattice(const Box& box, double density, std::uint64_t seed = 1) {
  GcmcState s{.box = box};
  const double spacing = std::pow(density, -1.0 / box.dimension);
  int count[3] = {1, 1, 1};
  for (int k = 0; k < box.dimension; ++k)
    count[k] = std::max(1, static_cast<int>(box.length[k] / spacing));
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) {
        const auto number = static_cast<std::uint32_t>(s.point.size());
        const Random4 r = draw(hashSeed(seed), RngPurpose::test, 0, number, 0);
        const int at[3] = {x, y, z};
        double position[3] = {0, 0, 0};
        for (int k = 0; k < box.dimension; ++k)
          position[k] =
              box.length[k] / count[k] * (at[k] + 0.5 + 0.1 * (r.w[k] / 4294967296.0 - 0.5));
        s.point.push_back(gcmcPointAt(box, {position[0], position[1], position[2]}));
        s.id.push_back(number);
      }
  s.idBase = static_cast<ParticleId>(s.point.size());
  return s;
}

inline GcmcSettings gcmcFluid(double temperature = 1.5, double activity = 0.3) {
  return {.seed = 7,
          .temperature = temperature,
          .activity = activity,
          .ratio = {0.3, 0.35, 0.35},
          .maxDisplacement = 0.4,
          .cutoff = 2.5};
}

// Of two types, with exchanges and without tail. sigmaB, epsilonB: of pairs BB; AB by Lorentz and
// Berthelot.
inline GcmcSettings gcmcMixture(GcmcSettings s, double sigmaB = 1.2, double epsilonB = 0.6) {
  s.ratio[3] = 0.5 * s.ratio[0], s.ratio[0] *= 0.5;
  s.mixed = true, s.shareB = 0.4, s.tail = false;
  s.sigma[1] = 0.5 * (1 + sigmaB), s.sigma[2] = sigmaB;
  s.epsilon[1] = std::sqrt(epsilonB), s.epsilon[2] = epsilonB;
  return s;
}
inline std::uint32_t countOfB(const GcmcState& s) {
  std::uint32_t n = 0;
  for (const GcmcPoint& p : s.point) n += gcmcTypeOf(p);
  return n;
}

// --- Small chains. ---

inline GcmcSettings chainSettings(double temperature, double activity) {
  GcmcSettings s = gcmcFluid(temperature, activity);
  s.seed = 12345, s.maxDisplacement = 0.3;
  return s;
}

// n particles on a simple cubic or square lattice.
inline GcmcState chainState(const Box& box, int n) {
  GcmcState s{.box = box};
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

// The engine with this state, after so many moves.
inline std::unique_ptr<GcmcEngine> holding(std::unique_ptr<GcmcEngine> engine,
                                           const GcmcState& state, const GcmcRules& rules,
                                           std::uint64_t moves = 0) {
  engine->upload(state, rules);
  if (moves > 0) engine->advance(moves);
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

// Particles in each cell.
inline std::vector<std::uint32_t> filledOf(const GcmcEngine& e) {
  const GcmcCellsView v = e.cells();
  GcmcCube cube;
  for (int k = 0; k < 3; ++k) cube.count[k] = std::max(1, v.count[k]);
  std::vector<std::uint32_t> all(cube.allCells());
  exec::copy(Backend::cpu, all.data(), e.memory(), v.filled, all.size() * sizeof(std::uint32_t));
  return all;
}

// --- Chains compared bit for bit. ---

inline void expectSameState(const GcmcState& a, const GcmcState& b) {
  EXPECT_EQ(a.move, b.move);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.point, b.point);
}

inline void expectSameCounters(const GcmcCounters& a, const GcmcCounters& b) {
  for (int k = 0; k < kGcmcKinds; ++k) {
    EXPECT_EQ(a.attempted[k], b.attempted[k]) << k;
    EXPECT_EQ(a.accepted[k], b.accepted[k]) << k;
  }
}

// State, energy and counters.
inline void expectSameRun(const GcmcEngine& a, const GcmcEngine& b) {
  expectSameState(a.state(), b.state());
  EXPECT_EQ(a.energy(), b.energy());
  expectSameCounters(a.counters(), b.counters());
}

// Decision by decision.
inline void expectSameEvents(const std::vector<GcmcEvent>& a, const std::vector<GcmcEvent>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(a[k].move, b[k].move);
    ASSERT_EQ(a[k].kind, b[k].kind) << "move " << a[k].move;
    ASSERT_EQ(a[k].id, b[k].id) << "move " << a[k].move;
    ASSERT_TRUE(a[k].before == b[k].before && a[k].after == b[k].after) << "move " << a[k].move;
    ASSERT_EQ(a[k].change, b[k].change) << "move " << a[k].move;
    ASSERT_EQ(a[k].accepted, b[k].accepted) << "move " << a[k].move;
  }
}

}  // namespace cellscope::test
