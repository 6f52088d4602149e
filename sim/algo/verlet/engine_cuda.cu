// CUDA engine with Verlet lists.
#include <algorithm>
#include <memory>
#include <optional>

#include "sim/algo/verlet/cell_order.cuh"
#include "sim/algo/verlet/cluster_steps.cuh"
#include "sim/algo/verlet/engine_impl.h"
#include "sim/algo/verlet/step_graph.cuh"
#include "sim/algo/verlet/timed_parts.cuh"
#include "sim/algo/verlet/tuning.h"
#include "sim/algo/verlet/whole_steps.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

inline constexpr std::size_t kLarge = 500000;  // particles that fill the GPU many times over

// About as many threads as the GPU can hold at once, at least; no more lanes than neighbours. Where
// types have very different cutoffs a warp for each particle: lists of its neighbours in storage
// may be a hundred times as long as its own.
std::uint32_t lanesFor(std::size_t n, const PairSettings& settings) {
  if (settings.lanes > 0) return static_cast<std::uint32_t>(settings.lanes);
  const SpeciesTable& s = settings.species;
  const double longest = longestReach(settings.potential, s);
  double shortest = longest;
  for (int t = 0; t < s.types; ++t)
    shortest = std::min(shortest, pairCutoff(settings.potential, s, t, t));
  if (longest > 1.5 * shortest) return 32;
  std::uint32_t lanes = n < kLarge ? 4 : 2;  // one lane of each particle integrates
  while (lanes < 16 && n * lanes < (std::size_t{1} << 18)) lanes *= 2;
  return lanes;
}
// Of a cluster: few where there are many clusters, as their sums have to be added up.
std::uint32_t lanesOfCluster(std::size_t n, const PairSettings& settings) {
  if (settings.lanes > 0)
    return std::clamp(static_cast<std::uint32_t>(settings.lanes), kClusterSize, 32u);
  const std::size_t clusters = (n + kClusterSize - 1) / kClusterSize;
  std::uint32_t lanes = 4;
  while (lanes < 32 && clusters * lanes < (std::size_t{1} << 17)) lanes *= 2;
  return lanes;
}
// Steps ordered after the end of a list do nothing, but their thread blocks start: 22 us a step at
// a million particles, about as much as one more look at the list.
int chainFor(std::size_t n) {
  if (verletTuning.chain > 0) return verletTuning.chain;
  return n < 20000 ? 12 : n < kLarge ? 6 : 3;
}
// At least eight particles a block: VerletStore::sums() has room for these.
unsigned passThreads(std::uint32_t lanes) {
  return std::min(std::max(static_cast<unsigned>(verletTuning.threads), 8 * lanes), kPassThreads);
}
struct ClusterBlocks {
  std::uint32_t lanes;
  unsigned threads, blocks;
  ClusterBlocks(std::size_t n, const PairSettings& settings)
      : lanes(lanesOfCluster(n, settings)), threads(std::min(passThreads(lanes), 128u)) {
    const std::size_t clusters = (n + kClusterSize - 1) / kClusterSize;
    blocks = static_cast<unsigned>((clusters * lanes + threads - 1) / threads);
  }
};
unsigned blocksFor(std::size_t n, std::uint32_t lanes) {
  const unsigned threads = passThreads(lanes);
  return static_cast<unsigned>((n * lanes + threads - 1) / threads);
}

class RecordedSteps {
 public:
  bool works() const { return kConditionalNodes && works_ && verletTuning.byItself; }
  bool recorded(double dt) const { return graph_ && dt == dt_; }
  void forget() { graph_.reset(); }
  void launch(exec::CudaExec& exec, std::uint64_t steps) const {
    exec.launch(
        "whole steps", [&] { graph_->launch(exec.stream()); }, steps);
  }
  template <class Law, class Rebuild>
  void record(exec::CudaExec& exec, double dt, std::size_t n, const PairSettings& settings,
              StepControl* control, ListOverflow* overflow,
              const ListPass<Law, PassKind::forces>& pass, const VerletDrift& drift,
              const SampleSums& sample, std::array<ParticleRecord*, 2> buffers,
              const Rebuild& rebuild) {
    const std::uint32_t lanes = lanesFor(n, settings);
    const ClusterBlocks clusters(n, settings);
    const WholeStep<Law> whole{pass, drift, sample, control, {buffers[0], buffers[1]}};
    graph_.reset();
    dt_ = dt;
    try {
      graph_ = std::make_unique<StepGraph>(
          exec, StepPlace{control, drift.stop, overflow}, static_cast<std::uint32_t>(chainFor(n)),
          rebuild, [&](std::uint32_t ahead) {
            exec.launch("whole step", [&] {
              if (pass.list.clustered())
                return clusterStepKernel<<<1 + clusters.blocks, clusters.threads, 0,
                                           exec.stream()>>>(whole, static_cast<std::uint32_t>(n),
                                                            clusters.lanes, ahead);
              wholeStepKernel<<<1 + blocksFor(n, lanes), passThreads(lanes), 0, exec.stream()>>>(
                  whole, static_cast<std::uint32_t>(n), lanes, ahead);
            });
          });
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
  static constexpr bool kSumsItself = true;
  static constexpr bool kWholeSteps = true;
  using WholeSteps = RecordedSteps;

  template <class Exec, class Law, PassKind kind>
  void run(Exec& exec, const char* name, const ListPass<Law, kind>& pass, std::size_t n,
           const PairSettings& settings) const {
    if (settings.kernel != PairKernel::tuned || pass.images.several()) {
      exec.forEach(name, n, pass);
      return;
    }
    const std::uint32_t lanes = lanesFor(n, settings);
    const ClusterBlocks clusters(n, settings);
    exec.launch(name, [&] {
      if (pass.list.clustered())
        return clusterPassKernel<<<clusters.blocks, clusters.threads, 0, exec.stream()>>>(
            pass, static_cast<std::uint32_t>(n), clusters.lanes);
      listPassKernel<<<blocksFor(n, lanes), passThreads(lanes), 0, exec.stream()>>>(
          pass, static_cast<std::uint32_t>(n), lanes);
    });
  }
  template <class Exec>
  void sortByCells(Exec& exec, const CellOrder& order, std::size_t n) const {
    cellscope::sortByCells(exec, order, n);
  }
  static bool sumsItself(const PairSettings& settings, const PairImages& images) {
    return settings.kernel == PairKernel::tuned && !images.several();
  }
  template <class Exec, class Law>
  void sum(Exec& exec, const ListPass<Law, PassKind::both>& pass, const SampleSums& sums,
           std::size_t n, const PairSettings& settings) const {
    const std::uint32_t lanes = lanesFor(n, settings);
    const ClusterBlocks clusters(n, settings);
    exec.launch("sample", [&] {
      if (pass.list.clustered())
        return clusterSumsKernel<<<clusters.blocks, clusters.threads, 0, exec.stream()>>>(
            pass, sums, static_cast<std::uint32_t>(n), clusters.lanes);
      listSumsKernel<<<blocksFor(n, lanes), passThreads(lanes), 0, exec.stream()>>>(
          pass, sums, static_cast<std::uint32_t>(n), lanes);
    });
  }
  // Forces, half a kick and a sample, at the end of a run.
  template <class Exec, class Law>
  void sampledEnd(Exec& exec, const ListPass<Law, PassKind::both>& pass, const VerletKick& kick,
                  const SampleSums& sums, std::size_t n, const PairSettings& settings) const {
    const std::uint32_t lanes = lanesFor(n, settings);
    const ClusterBlocks clusters(n, settings);
    exec.launch("forces, half kick and sample", [&] {
      if (pass.list.clustered())
        return clusterEndKernel<<<clusters.blocks, clusters.threads, 0, exec.stream()>>>(
            pass, kick, sums, static_cast<std::uint32_t>(n), clusters.lanes);
      sampledEndKernel<<<blocksFor(n, lanes), passThreads(lanes), 0, exec.stream()>>>(
          pass, kick, sums, static_cast<std::uint32_t>(n), lanes);
    });
  }
  // Of a sample taken by the last of the whole steps ordered so far.
  template <class Exec>
  void addUp(Exec& exec, const SampleSums& sums, std::size_t n, const PairSettings& settings,
             bool clustered) const {
    const std::uint32_t lanes = lanesFor(n, settings);
    const ClusterBlocks clusters(n, settings);
    exec.launch("sample: add up", [&] {
      if (clustered)
        return addUpLast<0><<<1, clusters.threads, 0, exec.stream()>>>(sums, clusters.blocks);
      addUpLast<0><<<1, passThreads(lanes), 0, exec.stream()>>>(sums, blocksFor(n, lanes));
    });
  }
  // With as many lanes as the forces.
  template <class Exec, bool records>
  void walk(Exec& exec, const char* name, const ListWalk<records>& walk, std::size_t n,
            const PairSettings& settings) const {
    const std::uint32_t lanes = lanesFor(n, settings);
    exec.launch(name, [&] {
      listWalkKernel<<<blocksFor(n, lanes), passThreads(lanes), 0, exec.stream()>>>(
          walk, static_cast<std::uint32_t>(n), lanes);
    });
  }
};

}  // namespace

std::unique_ptr<MdEngine> makeVerletCuda(const exec::Shared& exec) {
  return std::make_unique<VerletEngine<exec::CudaExec, CudaListPass>>(exec);
}

}  // namespace cellscope
