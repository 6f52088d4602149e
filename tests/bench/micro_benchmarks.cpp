// What single steps cost on one CPU thread. Disks: packing 0.698 (S3, section 5), on random sites
// of a lattice and moved by 200 sweeps.
#include <benchmark/benchmark.h>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/core/rng.h"
#include "sim/io/container.h"
#include "tests/support/disk_states.h"

namespace cellscope {
namespace {

constexpr double kPacking = 0.698;

MpmcParameters moves() { return {.seed = 1, .d = 0.16f, .nMoves = 4}; }

// side^2 disks; set up once for all benchmarks of a size.
MpmcEngine& engineOf(std::int64_t side) {
  static std::map<std::int64_t, std::unique_ptr<MpmcEngine>> known;
  std::unique_ptr<MpmcEngine>& engine = known[side];
  if (!engine) {
    engine = makeMpmcEngineCpu(1, "");
    engine->upload(test::someDisks(static_cast<int>(side * side), kPacking, 1));
    engine->sweeps(moves(), 0, 200);
  }
  return *engine;
}

// Items per second are then disks per second.
void countDisks(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0) * state.range(0));
}

// Blocks of four words, with the key schedule of every draw.
void philox(benchmark::State& state) {
  const RngKey key = hashSeed(1);
  std::uint32_t id = 0;
  for (auto _ : state) benchmark::DoNotOptimize(draw(key, RngPurpose::test, 1, id++, 0));
  state.SetItemsProcessed(4 * state.iterations());
}
BENCHMARK(philox);

// The sequence of the C library, serially and in leaps (van Meel et al. 2008, section 4).
void rand48Serial(benchmark::State& state) {
  srand48(1);
  for (auto _ : state) benchmark::DoNotOptimize(lrand48());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(rand48Serial);

void rand48InLeaps(benchmark::State& state) {
  constexpr std::size_t kStreams = 192, kCount = 192 * 100;
  std::vector<std::uint32_t> out(kCount);
  const Rand48Streams streams{rand48Seed(1), kStreams, kCount, out.data(), rand48Leap(kStreams)};
  for (auto _ : state) {
    for (std::size_t i = 0; i < kStreams; ++i) streams(i);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK(rand48InLeaps);

// Items: trial moves.
void sweep(benchmark::State& state) {
  MpmcEngine& engine = engineOf(state.range(0));
  engine.resetCounters();
  std::uint64_t number = 200;
  for (auto _ : state) engine.sweeps(moves(), number++, 1);
  const MpmcCounters c = engine.counters();
  std::int64_t tried = 0;
  for (const std::uint64_t of : c.attempted) tried += static_cast<std::int64_t>(of);
  state.SetItemsProcessed(tried);
  if (engine.check().overlaps > 0) state.SkipWithError("disks overlap");
}
BENCHMARK(sweep)->Arg(64)->Arg(256)->Unit(benchmark::kMicrosecond);

void overlapCheck(benchmark::State& state) {
  const MpmcEngine& engine = engineOf(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(engine.check());
  countDisks(state);
}
BENCHMARK(overlapCheck)->Arg(64)->Unit(benchmark::kMicrosecond);

// Neighbours and psi6 of every disk: Voronoi cells (0) or all within 1.5 (1).
void bondOrder(benchmark::State& state) {
  const DiskCellsView cells = engineOf(state.range(0)).view();
  const auto observables = test::observablesOn({Backend::cpu, 1});
  NeighbourChoice choice;
  choice.rule = state.range(1) == 0 ? NeighbourRule::voronoi : NeighbourRule::withinRadius;
  for (auto _ : state) {
    const BondOrderSummary s = observables->bondOrder(cells, choice, {});
    if (s.disks != static_cast<std::uint64_t>(state.range(0) * state.range(0)))
      state.SkipWithError("a disk is missing");
  }
  countDisks(state);
}
BENCHMARK(bondOrder)->Args({64, 0})->Args({64, 1})->Unit(benchmark::kMicrosecond);

// A sample of the counts near contact, and the fit to them.
void contactPressure(benchmark::State& state) {
  const DiskCellsView cells = engineOf(state.range(0)).view();
  const auto observables = test::observablesOn({Backend::cpu, 1});
  ContactCounts counts;
  const ContactFit fit(counts.pairBins, 5);
  for (auto _ : state) {
    counts.clear();
    observables->contact(cells, counts);
    benchmark::DoNotOptimize(fit.pressure(counts, densityOfPacking(kPacking)));
  }
  countDisks(state);
}
BENCHMARK(contactPressure)->Arg(64)->Unit(benchmark::kMicrosecond);

void blockAverageAdd(benchmark::State& state) {
  BlockAverage average;
  double value = 0;
  for (auto _ : state) average.add(value = 1 - value);
  benchmark::DoNotOptimize(average.error());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(blockAverageAdd);

void chooseGridOf(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(chooseGrid(state.range(0), kPacking));
}
BENCHMARK(chooseGridOf)->Arg(870)->Arg(1 << 20);

// The checksum of a checkpoint.
void crc64(benchmark::State& state) {
  const std::string bytes(1 << 20, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(io::crc64(bytes));
  state.SetBytesProcessed(state.iterations() * (1 << 20));
}
BENCHMARK(crc64)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cellscope
