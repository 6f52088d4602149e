// Passes over a neighbour list on CUDA, in the files of laws (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/resident_steps.cuh"
#include "sim/exec/cuda_launcher.cuh"

namespace cellscope {

// Threads of a pass. lanes: of a particle, or of a cluster. parts: lanes that each thread of whole
// steps stands for.
struct ListBlocks {
  std::uint32_t n, lanes;
  unsigned threads, blocks;
  unsigned parts = 1;
};

// One thread for each particle.
template <class Pass>
struct CudaListEach {
  using Real = float;
  exec::CudaLauncher& on;
  const char* name;
  std::size_t n;
  const Pass& pass;
  void operator()(const auto& law) const { on.forEach(name, n, pass.with(law)); }
};

template <class Pass>
struct CudaListLaunch {
  using Real = float;
  cudaStream_t stream;
  ListBlocks b;
  const Pass& pass;
  void operator()(const auto& law) const {
    if (pass.list.clustered())
      clusterPassKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), b.n, b.lanes);
    else
      listPassKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), b.n, b.lanes);
  }
};

template <bool ends>
struct CudaListSample {
  using Real = float;
  cudaStream_t stream;
  ListBlocks b;
  const BothPass& pass;
  const VerletKick& kick;
  const SampleSums& sums;
  void operator()(const auto& law) const {
    if (pass.list.clustered())
      clusterSampleKernel<ends>
          <<<b.blocks, b.threads, 0, stream>>>(pass.with(law), kick, sums, b.n, b.lanes);
    else
      listSampleKernel<ends>
          <<<b.blocks, b.threads, 0, stream>>>(pass.with(law), kick, sums, b.n, b.lanes);
  }
};

// Thread block 0 is for the sample of the step before. sampled: of clusters, the one of `ahead`
// steps that is; it has no such block.
struct CudaListStep {
  using Real = float;
  cudaStream_t stream;
  ListBlocks b;
  const WholeStep<NoLaw>& whole;
  std::uint32_t ahead;
  bool sampled = false;
  void operator()(const auto& law) const {
    const unsigned few = b.blocks < 512 ? b.blocks : 512;
    if (sampled)
      sampledStepKernel<<<few, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes, b.blocks,
                                                       ahead);
    else if (whole.pass.list.clustered())
      clusterStepKernel<<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes,
                                                                ahead);
    else if (b.parts == 1)
      wholeStepKernel<1>
          <<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes, ahead);
    else
      wholeStepKernel<4>
          <<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes, ahead);
  }
};

// Steps up to the next sample.
struct CudaResidentSteps {
  using Real = float;
  exec::CudaLauncher& on;
  ResidentBlocks b;
  const WholeStep<NoLaw>& whole;
  StepControl* control;
  template <class Law>
  void operator()(const Law& law) const {
    constexpr const char* kName = "whole steps, resident";
    const auto kernel = b.bytes > 0 ? residentStepsKernel<Law> : roundStepsKernel<Law>;
    if (b.bytes > 0) exec::allowAllShared(kernel, kName);
    on.launchResident(kName, 1 + b.blocks, b.threads, b.bytes, 1, kernel, whole.with(law), b,
                      control);
  }
};

}  // namespace cellscope
