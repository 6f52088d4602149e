// Moves per second of grand-canonical chains at density 0.67, cutoff 2.5, 30/35/35 % of moves (S0,
// section 4), from a shaken lattice that has been moved for a while.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/gcmc/work.h"
#include "sim/exec/memory.h"
#include "tests/support/gcmc_states.h"

namespace cellscope {
namespace {

using MakeEngine = std::function<std::unique_ptr<GcmcEngine>(const exec::Shared&)>;

void run(benchmark::State& state, const MakeEngine& make, const ExecConfig& config, std::int64_t n,
         std::uint64_t moves) {
  const Box box = cubicBox(std::cbrt(static_cast<double>(n) / 0.67));
  GcmcSettings s = test::gcmcFluid(1.2, std::exp(-1.9));
  const auto engine = make(exec::makeExec(config));
  engine->upload(test::gcmcLattice(box, 0.67), makeGcmcRules(s, box));
  engine->advance(2 * moves);
  engine->clearCounters();
  for (auto _ : state) engine->advance(moves);
  const GcmcCounters c = engine->counters();
  double attempted = 0, accepted = 0;
  for (int k = 0; k < kGcmcKinds; ++k) {
    attempted += static_cast<double>(c.attempted[k]);
    accepted += static_cast<double>(c.accepted[k]);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(attempted));
  state.counters["accepted"] = accepted / attempted;
  state.counters["N"] = engine->count();
}

void addRow(const std::string& name, const MakeEngine& make, const ExecConfig& config,
            std::int64_t n, std::uint64_t moves) {
  benchmark::RegisterBenchmark(
      (name + "/" + toString(config.backend) + "/" + std::to_string(n)).c_str(),
      [=](benchmark::State& state) { run(state, make, config, n, moves); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void addMethods(const ExecConfig& config, std::int64_t n, std::uint64_t moves) {
  for (const GcmcMethod* m : test::gcmcExactMethodsOn(config.backend)) {
    const std::string key = m->key;
    // All particles for every move: fewer moves.
    const bool all = key == "serial" || key == "all_particles";
    if (all && n > 300000) continue;
    const std::size_t mappings = key == "cells" ? gcmcMappings(3).size() : 1;
    for (std::size_t row = 0; row < mappings; ++row)
      addRow(
          "gcmc/" + key + (mappings > 1 ? std::string("/") + gcmcMappings(3)[row].key : ""),
          [=](const exec::Shared& exec) {
            return makeGcmcEngine(key, exec, {.mapping = static_cast<int>(row)});
          },
          config, n, all ? moves / 10 : moves);
  }
}

// Chains of n particles each, all together.
void runReplicas(benchmark::State& state, const ExecConfig& config, int chains, std::int64_t n,
                 std::uint64_t moves) {
  const Box box = cubicBox(std::cbrt(static_cast<double>(n) / 0.67));
  const auto replicas = makeGcmcReplicas(exec::makeExec(config), {});
  std::vector<GcmcReplica> all;
  for (int k = 0; k < chains; ++k) {
    GcmcSettings s = test::gcmcFluid(1.2, std::exp(-1.9));
    s.chain = static_cast<std::uint32_t>(k);
    all.push_back({test::gcmcLattice(box, 0.67), makeGcmcRules(s, box)});
  }
  replicas->upload(all);
  replicas->advance(moves);
  for (auto _ : state) replicas->advance(moves);
  state.SetItemsProcessed(static_cast<std::int64_t>(moves) * chains * state.iterations());
  state.counters["N"] = replicas->chain(0).count();
}

void addReplicas(const ExecConfig& config, int chains, std::int64_t n, std::uint64_t moves) {
  const std::string name = "gcmc/replicas/" + std::string(toString(config.backend)) + "/" +
                           std::to_string(chains) + " of " + std::to_string(n);
  benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { runReplicas(state, config, chains, n, moves); })
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

const bool kRegistered = [] {
  for (const std::int64_t n : {512, 4096})
    addMethods({.backend = Backend::cpu, .threads = 1}, n, 1000);
  const auto checkerboard = [](int attempts) {
    return [=](const exec::Shared& exec) {
      return makeGcmcEngine("checkerboard", exec, {.attempts = attempts});
    };
  };
  const auto named = [](int attempts) {
    return "gcmc/checkerboard/" + std::to_string(attempts) + " attempts";
  };
  const ExecConfig cores{.backend = Backend::cpu, .threads = 2};
  for (const int attempts : {8, 16, 32})
    addRow(named(attempts), checkerboard(attempts), cores, 100000, 200000);
  addReplicas(cores, 8, 4096, 2000);
  if (exec::cudaStatus().usable) {
    for (const std::int64_t n : {512, 4096, 8192, 32768, 262144, 1048576})
      addMethods({.backend = Backend::cuda}, n, 10000);
    for (const std::int64_t n : {100000, 1000000})
      for (const int attempts : {8, 16, 32, 64})
        addRow(named(attempts), checkerboard(attempts), {.backend = Backend::cuda}, n, 30000000);
    for (const int chains : {132, 264, 528, 1056})
      addReplicas({.backend = Backend::cuda}, chains, 4096, 10000);
    addReplicas({.backend = Backend::cuda}, 1056, 345, 10000);
  }
  return true;
}();

}  // namespace
}  // namespace cellscope
