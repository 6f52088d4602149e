// Passes over a neighbour list on CUDA, in the files of laws (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/whole_steps.cuh"
#include "sim/exec/cuda_launcher.cuh"

namespace cellscope {

// Threads of a pass. lanes: of a particle, or of a cluster. parts: lanes that each thread of whole
// steps stands for.
struct ListBlocks {
  std::uint32_t n, lanes;
  unsigned threads, blocks;
  unsigned parts = 1;
};

template <int potential>
struct CudaListLaw {
  static void each(exec::CudaLauncher&, const char* name, std::size_t n, const ForcesPass&,
                   const AnyLaw&);
  static void each(exec::CudaLauncher&, const char* name, std::size_t n, const TermsPass&,
                   const AnyLaw&);
  static void each(exec::CudaLauncher&, const char* name, std::size_t n, const BothPass&,
                   const AnyLaw&);
  static void pass(cudaStream_t, ListBlocks, const ForcesPass&, const AnyLaw&);
  static void pass(cudaStream_t, ListBlocks, const TermsPass&, const AnyLaw&);
  static void pass(cudaStream_t, ListBlocks, const BothPass&, const AnyLaw&);
  static void sum(cudaStream_t, ListBlocks, const BothPass&, const SampleSums&, const AnyLaw&);
  static void end(cudaStream_t, ListBlocks, const BothPass&, const VerletKick&, const SampleSums&,
                  const AnyLaw&);
  static void step(cudaStream_t, ListBlocks, const WholeStep<NoLaw>&, std::uint32_t ahead,
                   const AnyLaw&);
};

}  // namespace cellscope
