// CUDA engine with Verlet lists.
#include <algorithm>
#include <memory>

#include "sim/algo/clusters/search.h"
#include "sim/algo/neighbours/cell_order.cuh"
#include "sim/algo/verlet/domains.h"
#include "sim/algo/verlet/list_forces.cuh"
#include "sim/algo/verlet/list_law.cuh"
#include "sim/algo/verlet/step_graph.cuh"
#include "sim/exec/cuda_check.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

inline constexpr std::size_t kLarge = 500000;  // particles that fill the GPU many times over
// Threads that a GPU has at once, about. A second wave of them takes as long as the first.
inline constexpr std::size_t kAtOnce = 1 << 17;

// Threads have numbers of 32 bits.
std::uint32_t countable(std::size_t rows, std::uint32_t lanes) {
  while (lanes > 1 && rows * lanes >= std::size_t{1} << 32) lanes /= 2;
  return lanes;
}
// No more threads than a GPU has at once. Where types have very different cutoffs a warp for each
// particle: lists of its neighbours in storage may be a hundred times as long as its own.
std::uint32_t lanesFor(std::size_t n, const PairSettings& settings) {
  if (settings.lanes > 0) return static_cast<std::uint32_t>(settings.lanes);
  const SpeciesTable& s = settings.species;
  const double longest = longestReach(settings.potential, s);
  double shortest = longest;
  for (int t = 0; t < s.types; ++t)
    shortest = std::min(shortest, pairCutoff(settings.potential, s, t, t));
  if (longest > 1.5 * shortest) return 32;
  std::uint32_t lanes = 2;  // one of them integrates
  while (lanes < 16 && 2 * n * lanes <= kAtOnce) lanes *= 2;
  return lanes;
}
// Of a cluster: few where there are many clusters, as their sums have to be added up.
std::uint32_t lanesOfCluster(std::size_t n, const PairSettings& settings) {
  if (settings.lanes > 0)
    return std::clamp(static_cast<std::uint32_t>(settings.lanes), kClusterSize, 32u);
  const std::size_t clusters = (n + kClusterSize - 1) / kClusterSize;
  std::uint32_t lanes = 4;
  while (lanes < 32 && 2 * clusters * lanes <= kAtOnce) lanes *= 2;
  return lanes;
}
// Steps ordered after the end of a list do nothing, but their thread blocks start: 22 us a step at
// a million particles, about as much as one more look at the list.
std::uint32_t chainFor(std::size_t n) { return n < 20000 ? 12 : n < kLarge ? 6 : 3; }
// own: of n slots; whole blocks, but for the last.
ListBlocks blocksFor(std::size_t n, const PairSettings& settings, bool clustered,
                     const OwnSlots& own = {}) {
  const std::uint32_t lanes = clustered ? countable(n / kClusterSize, lanesOfCluster(n, settings))
                                        : countable(n, lanesFor(n, settings));
  const unsigned threads = clustered ? kPassThreads / 2 : kPassThreads;
  const std::size_t rows = clustered ? (n + kClusterSize - 1) / kClusterSize : own.of(n);
  return {static_cast<std::uint32_t>(own.end(n)), lanes, threads,
          static_cast<unsigned>((rows * lanes + threads - 1) / threads)};
}

// A block for each multiprocessor but one, which adds up samples. No blocks, and chains of launches
// instead: for other lists than of clusters, beside other runs, under MPS and for large systems.
ResidentBlocks residentFor(const exec::CudaExec& exec, std::size_t n, const PairSettings& settings,
                           const ListReader& list) {
  const auto has = [&](cudaDeviceAttr a) {
    return static_cast<std::uint32_t>(exec::deviceAttribute(a, exec.config().device));
  };
  if (!list.clustered() || exec.config().together > 1) return {};
  if (has(cudaDevAttrMpsEnabled)) return {};  // graphs with conditions cannot launch together there
  const ListBlocks sample = blocksFor(n, settings, true);
  const std::uint32_t others = has(cudaDevAttrMultiProcessorCount) - 1;
  const auto rows = static_cast<std::uint32_t>(list.rows(n));
  const std::uint32_t ofWarp = 32 / sample.lanes, warps = (rows + ofWarp - 1) / ofWarp;
  if (others == 0) return {};
  const std::uint32_t each = (warps + others - 1) / others;
  ResidentBlocks b{sample.n, sample.lanes,   32 * each,    (warps + each - 1) / each, 0,
                   0,        sample.threads, sample.blocks};
  // Rows of the clusters of a warp begin in different banks.
  b.room = list.head.even;
  while (b.room % 32 != sample.lanes % 32) ++b.room;
  b.bytes = ResidentParticles::bytes(each * ofWarp, b.room);
  constexpr std::size_t kOfKernel = 1024;  // what it has beside
  if (b.threads <= kResidentThreads &&
      b.bytes + kOfKernel <= has(cudaDevAttrMaxSharedMemoryPerBlockOptin))
    return b;
  // Warps that do not wait for each other lose more in the caches than they gain.
  if (sample.lanes != kClusterSize || n >= kLarge) return {};
  const std::uint32_t most = kResidentThreads / 32, rounds = (each + most - 1) / most;
  b.threads = 32 * ((each + rounds - 1) / rounds), b.blocks = others, b.bytes = 0;
  return b;
}

template <class Work>
void orderListWork(exec::CudaExec& exec, const char* name, const PairSettings& settings,
                   const Work& work) {
  withSomeLaw(settings,
              [&](const AnyLaw& law) { exec.launch(name, [&] { runWithLaw(work, law); }); });
}

class RecordedSteps {
 public:
  // Where other runs fill the GPU too, with a quarter of the threads.
  static void step(exec::CudaExec& exec, const WholeStep<NoLaw>& whole, std::uint32_t ahead,
                   std::size_t n, const OwnSlots& own, const PairSettings& settings) {
    const bool clustered = whole.pass.list.clustered();
    ListBlocks blocks = blocksFor(n, settings, clustered, own);
    if (exec.config().together > 1 && !clustered && blocks.lanes >= 8 && blocks.threads >= 128)
      blocks.lanes /= 4, blocks.threads /= 4, blocks.parts = 4;
    orderListWork(exec, "whole step", settings, CudaListStep{exec.stream(), blocks, whole, ahead});
  }
  bool works() const { return works_; }
  bool recorded(double dt) const { return graph_ && dt == dt_; }
  void forget() { graph_.reset(); }
  void launch(exec::CudaExec& exec, std::uint64_t steps) const {
    exec.launch(
        "whole steps", [&] { graph_->launch(exec.stream()); }, steps);
  }
  template <class Rebuild>
  void record(exec::CudaExec& exec, double dt, std::size_t n, const PairSettings& settings,
              StepControl* control, ListOverflow* overflow, const WholeStep<NoLaw>& whole,
              const Rebuild& rebuild) {
    graph_.reset();
    dt_ = dt;
    const bool clustered = whole.pass.list.clustered();
    const ResidentBlocks stay = residentFor(exec, n, settings, whole.pass.list);
    const std::uint32_t chain = stay.blocks > 0 ? 1 : chainFor(n);
    const auto steps = [&](std::uint32_t ahead) {
      if (stay.blocks > 0)
        withSomeLaw(settings, [&](const AnyLaw& law) {
          runWithLaw(CudaResidentSteps{exec, stay, whole, control}, law);
        });
      else
        step(exec, whole, ahead, n, {}, settings);
      if (clustered && ahead + 1 == chain)
        orderListWork(
            exec, "whole step, sampled", settings,
            CudaListStep{exec.stream(), blocksFor(n, settings, true), whole, chain, true});
    };
    try {
      graph_ = std::make_unique<StepGraph>(
          exec, StepPlace{control, whole.drift.stop, overflow, clustered}, chain, rebuild, steps);
    } catch (const RunError&) {  // a driver without conditional nodes: the host orders every step
      cudaGetLastError();
      works_ = false;
    }
  }

 private:
  std::unique_ptr<StepGraph> graph_;
  bool works_ = true;
  double dt_ = 0;
};

struct CudaListPass {
  static constexpr bool kOwnOrder = true;
  static constexpr bool kWholeSteps = true;
  using WholeSteps = RecordedSteps;
  using Step = WholeStep<NoLaw>;
  struct Signal {
    void record(exec::CudaExec& exec) { done.record(exec.stream()); }
    void makeWait(exec::CudaExec& exec) const { done.makeWait(exec.stream()); }
    exec::Event done;
  };
  static void copy(exec::CudaExec& exec, const char* name, void* to, const void* from,
                   std::size_t bytes) {
    exec.launch(name, [&] {
      exec::checkCuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, exec.stream()), name);
    });
  }
  static std::size_t slotsOfBlock(std::size_t n, const PairSettings& settings) {
    const ListBlocks b = blocksFor(n, settings, false);
    return b.threads / b.lanes;
  }

  template <PassKind kind>
  void run(exec::CudaExec& exec, const char* name, const ListPass<NoLaw, kind>& pass, std::size_t n,
           const OwnSlots& own, const PairSettings& settings) const {
    using Pass = ListPass<NoLaw, kind>;
    if (settings.kernel != PairKernel::tuned || pass.images.several())
      return withSomeLaw(settings, [&](const AnyLaw& law) {
        runWithLaw(CudaListEach<Pass>{exec, name, own.of(n), pass}, law);
      });
    const ListBlocks blocks = blocksFor(n, settings, pass.list.clustered(), own);
    orderListWork(exec, name, settings, CudaListLaunch<Pass>{exec.stream(), blocks, pass});
  }
  void sortByCells(exec::CudaExec& exec, const auto& order, std::size_t n) const {
    cellscope::sortByCells(exec, order, n);
  }
  static bool sumsItself(const PairSettings& settings, const PairImages& images) {
    return settings.kernel == PairKernel::tuned && !images.several();
  }
  // A sample. ends: with the forces and half a kick at the end of a run.
  template <bool ends>
  void sum(exec::CudaExec& exec, const BothPass& pass, const VerletKick& kick,
           const SampleSums& sums, std::size_t n, const OwnSlots& own,
           const PairSettings& settings) const {
    const ListBlocks blocks = blocksFor(n, settings, pass.list.clustered(), own);
    orderListWork(exec, ends ? "forces, half kick and sample" : "sample", settings,
                  CudaListSample<ends>{exec.stream(), blocks, pass, kick, sums});
  }
  // Of a sample taken by the last of the whole steps ordered so far.
  void addUp(exec::CudaExec& exec, const SampleSums& sums, std::size_t n,
             const PairSettings& settings, bool clustered) const {
    const ListBlocks b = blocksFor(n, settings, clustered);
    exec.launch("sample: add up",
                [&] { addUpLast<0><<<1, b.threads, 0, exec.stream()>>>(sums, b.blocks); });
  }
  // Of a sample whose sums thread blocks of all domains have left.
  void addUpAll(exec::CudaExec& exec, const SampleSums& sums, std::size_t n,
                const PairSettings& settings) const {
    const ListBlocks b = blocksFor(n, settings, false);
    exec.launch("sample: add up", [&] {
      cellscope::addUpAll<0><<<1, b.threads, 0, exec.stream()>>>(sums, b.blocks);
    });
  }
  // With as many lanes as the forces.
  template <bool records>
  void walk(exec::CudaExec& exec, const char* name, const ListWalk<records>& walk, std::size_t n,
            const PairSettings& settings) const {
    const ListBlocks b = blocksFor(n, settings, false);
    exec.launch(name, [&] {
      listWalkKernel<<<b.blocks, b.threads, 0, exec.stream()>>>(walk, b.n, b.lanes);
    });
  }
};

}  // namespace

std::unique_ptr<MdEngine> makeVerletCuda(const exec::Shared& exec) {
  return makeVerletOn<exec::CudaExec, CudaListPass>(exec);
}

}  // namespace cellscope
