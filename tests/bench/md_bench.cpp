// Molecular dynamics with neighbour lists: whole steps of the Lennard-Jones liquid (density 0.8442,
// T 0.7, cutoff 2.5) by numbers of lanes and buffers, building of its list alone, and whole steps
// of the binary mixture of Howard et al. (2016, section 4.1: 192,000 particles in a box of side 72
// at T 1.5, cutoffs 3 and r_BB) with a new list in every step.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>

#include "sim/algo/md/engine.h"
#include "sim/algo/verlet/tuning.h"
#include "sim/core/rng.h"
#include "sim/exec/memory.h"
#include "sim/modes/md/start.h"

namespace cellscope {
namespace {

MdState lattice(std::int64_t n, double length, double temperature) {
  return {cubicBox(length), md::startLattice(n, length), md::maxwellVelocities(n, temperature, 5)};
}

// One engine at a time, melted: rows of one size follow each other.
struct Liquid {
  std::int64_t n = 0;
  ExecConfig config;
  MdState state;
};

const MdState& liquid(const ExecConfig& config, std::int64_t n) {
  static Liquid kept;
  if (kept.n == n && kept.config.backend == config.backend) return kept.state;
  const double length = std::cbrt(static_cast<double>(n) / 0.8442);
  const auto engine = makeVerlet(exec::makeExec(config));
  engine->setPair({});
  engine->upload(lattice(n, length, 1.44));  // half of it melts the lattice: T = 0.7
  engine->forces();
  engine->run(0.005, 0, config.backend == Backend::cpu ? 100 : n > 300000 ? 300 : 1500, {});
  kept = {n, config, engine->download()};
  kept.state.order.clear(), kept.state.built.clear();
  kept.state.history = {};
  return kept.state;
}

struct Prepared {
  exec::Shared exec;
  std::unique_ptr<MdEngine> engine;
};
Prepared prepared(const ExecConfig& config, const MdState& state, const PairSettings& pair) {
  Prepared p{exec::makeExec(config), nullptr};
  p.engine = makeVerlet(p.exec);
  p.engine->setPair(pair);
  p.engine->upload(state);
  p.engine->forces();
  return p;
}

void steps(benchmark::State& out, const ExecConfig& config, std::int64_t n,
           const PairSettings& pair) {
  const Prepared p = prepared(config, liquid(config, n), pair);
  constexpr std::uint64_t kBatch = 64;
  std::uint64_t step = 0;
  p.engine->run(0.005, step, kBatch, {});
  step += kBatch;
  const std::uint64_t builds = p.engine->history().builds, begin = step;
  for (auto _ : out) {
    p.engine->run(0.005, step, kBatch, {});
    p.engine->totals();
    step += kBatch;
  }
  if (p.engine->failure()) out.SkipWithError("a particle moved too far");
  out.SetItemsProcessed(static_cast<std::int64_t>(step - begin));
  const auto built = static_cast<double>(p.engine->history().builds - builds);
  out.counters["steps_a_list"] = static_cast<double>(step - begin) / std::max(built, 1.0);
  out.counters["bytes_a_particle"] =
      static_cast<double>(p.engine->bytes()) / static_cast<double>(n);
}

void builds(benchmark::State& out, const ExecConfig& config, std::int64_t n,
            const PairSettings& pair) {
  const Prepared p = prepared(config, liquid(config, n), pair);
  p.engine->orderPart(TimedPart::built);
  for (auto _ : out) p.engine->orderPart(TimedPart::built);
  for (const KernelTime& k : p.exec->profile().read())  // microseconds of each part
    if (k.launches >= static_cast<std::uint64_t>(out.iterations()))
      out.counters[k.name] = 1e3 * k.milliseconds / static_cast<double>(k.launches);
  out.counters["bytes_a_particle"] =
      static_cast<double>(p.engine->bytes()) / static_cast<double>(n);
}

void forces(benchmark::State& out, const ExecConfig& config, std::int64_t n,
            const PairSettings& pair) {
  const Prepared p = prepared(config, liquid(config, n), pair);
  p.engine->totals();
  for (auto _ : out) {
    for (int k = 0; k < 20; ++k) p.engine->forces();
    p.engine->kinetic();
  }
  out.SetItemsProcessed(20 * static_cast<std::int64_t>(out.iterations()));
}

void mixture(benchmark::State& out, const ExecConfig& config, PairSettings pair, double xB,
             double rBB) {
  constexpr std::int64_t kN = 192000;
  MdState s = lattice(kN, 72, 2.0);
  const RngKey key = hashSeed(17);
  for (std::int64_t i = 0; i < kN; ++i) {
    const Random4 r = draw(key, RngPurpose::test, 2, static_cast<std::uint32_t>(i), 0);
    s.type.push_back(uniformOpen(r.w[0], r.w[1]) < xB);
  }
  pair.potential = 1;  // truncated
  pair.species.types = 2;
  pair.species.cutoff[0] = 3, pair.species.cutoff[1] = rBB;
  const Prepared p = prepared(config, s, pair);
  constexpr std::uint64_t kBatch = 5;
  std::uint64_t step = 0;
  for (; step < 20; step += kBatch) p.engine->run(0.005, step, kBatch, {});
  for (auto _ : out) {
    p.engine->run(0.005, step, kBatch, {});
    p.engine->kinetic();
    step += kBatch;
  }
  if (p.engine->failure()) out.SkipWithError("a particle moved too far");
  out.SetItemsProcessed(static_cast<std::int64_t>(kBatch * out.iterations()));
}

template <class F>
void addRow(const std::string& name, const F& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime()
      ->MinTime(0.1);
}

void addLiquid(const ExecConfig& config, std::int64_t n, const std::vector<int>& lanes) {
  const std::string where =
      std::string("/") + toString(config.backend) + "/" + std::to_string(n) + "/";
  for (const int l : lanes)
    for (const double buffer : {0.3, 0.4}) {
      if (l && buffer > 0.35) continue;
      PairSettings pair;
      pair.lanes = l, pair.buffer = buffer;
      const std::string how =
          (l ? "lanes " + std::to_string(l) : "auto") + (buffer > 0.35 ? " buffer 0.4" : "");
      addRow("md/steps" + where + how, [=](benchmark::State& s) { steps(s, config, n, pair); });
      if (buffer < 0.35)
        addRow("md/forces" + where + how, [=](benchmark::State& s) { forces(s, config, n, pair); });
    }
  for (std::size_t m = 0; m < listMethods().size(); ++m) {
    PairSettings pair;
    pair.method = static_cast<int>(m);
    addRow("md/build" + where + listMethods()[m].key,
           [=](benchmark::State& s) { builds(s, config, n, pair); });
  }
}

// How the buffer shares the time between forces and builds.
void addBuffers(const ExecConfig& config, std::int64_t n) {
  for (const double buffer : {0.3, 0.5, 0.7, 0.9}) {
    PairSettings pair;
    pair.buffer = buffer;
    const std::string how =
        "/" + std::to_string(n) + "/buffer " + std::to_string(buffer).substr(0, 3);
    addRow("md/buffers/steps" + how, [=](benchmark::State& s) { steps(s, config, n, pair); });
    addRow("md/buffers/forces" + how, [=](benchmark::State& s) { forces(s, config, n, pair); });
    addRow("md/buffers/build" + how, [=](benchmark::State& s) { builds(s, config, n, pair); });
  }
}

// Whole steps as the engine may order them.
void addTunings(const ExecConfig& config, std::int64_t n) {
  for (const VerletTuning& t :
       {VerletTuning{3, 128, true}, VerletTuning{6, 128, true}, VerletTuning{2, 256, true},
        VerletTuning{6, 256, true}, VerletTuning{12, 256, true}, VerletTuning{6, 256, false}})
    addRow("md/tuning/cuda/" + std::to_string(n) + "/chain " + std::to_string(t.chain) +
               " threads " + std::to_string(t.threads) + (t.byItself ? "" : " by the host"),
           [=](benchmark::State& s) {
             verletTuning = t;
             steps(s, config, n, {});
             verletTuning = {};
           });
}

// Searches of cells by one or several warps for each.
void addSearches(const ExecConfig& config, std::int64_t n) {
  for (const double buffer : {0.3, 0.9})
    for (const int warps : {1, 2, 3, 4, 8, 16}) {
      VerletTuning t;
      t.warpsPerCell = warps;
      PairSettings pair;
      pair.buffer = buffer;
      addRow("md/build/cuda/" + std::to_string(n) + "/buffer " +
                 std::to_string(buffer).substr(0, 3) + "/warps for a cell " + std::to_string(warps),
             [=](benchmark::State& s) {
               verletTuning = t;
               builds(s, config, n, pair);
               verletTuning = {};
             });
    }
}

void addMixtures(const ExecConfig& config) {
  struct Case {
    double xB, rBB;
  };
  for (const Case& c :
       {Case{0.1, 3}, Case{0.1, 6}, Case{0.1, 12}, Case{0.1, 18}, Case{0.5, 6}, Case{0.5, 12}})
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      PairSettings pair;
      pair.method = static_cast<int>(m), pair.buffer = 0;
      addRow("md/mixture/x_B " + std::to_string(c.xB).substr(0, 3) + " r_BB " +
                 std::to_string(static_cast<int>(c.rBB)) + "/" + listMethods()[m].key,
             [=](benchmark::State& s) { mixture(s, config, pair, c.xB, c.rBB); });
    }
}

const bool kRegistered = [] {
  addLiquid({.backend = Backend::cpu, .threads = 2}, 4000, {0});
  if (exec::cudaStatus().usable) {
    const ExecConfig cuda{.backend = Backend::cuda};
    addLiquid(cuda, 4000, {0, 8, 16, 32});
    addLiquid(cuda, 62500, {0, 4, 8, 16});
    addLiquid(cuda, 256000, {0, 2, 4, 8});
    addLiquid(cuda, 1000188, {0, 2, 4, 8});
    addLiquid(cuda, 4000000, {0});
    for (const std::int64_t n : {4000, 62500, 1000188}) addTunings(cuda, n);
    for (const std::int64_t n : {62500, 1000188}) addBuffers(cuda, n);
    for (const std::int64_t n : {4000, 62500, 256000, 1000188, 4000000}) addSearches(cuda, n);
    addMixtures(cuda);
  }
  return true;
}();

}  // namespace
}  // namespace cellscope
