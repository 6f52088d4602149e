// What files of laws have of neighbour lists on CUDA (sim/algo/md/pair_law.h).
#pragma once
#include "sim/algo/verlet/cluster_forces.cuh"
#include "sim/algo/verlet/list_law.cuh"

namespace cellscope {

template <int potential>
void CudaListLaw<potential>::each(exec::CudaLauncher& exec, const char* name, std::size_t n,
                                  const ForcesPass& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.forEach(name, n, pass.with(law)); });
}
template <int potential>
void CudaListLaw<potential>::each(exec::CudaLauncher& exec, const char* name, std::size_t n,
                                  const TermsPass& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.forEach(name, n, pass.with(law)); });
}
template <int potential>
void CudaListLaw<potential>::each(exec::CudaLauncher& exec, const char* name, std::size_t n,
                                  const BothPass& pass, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { exec.forEach(name, n, pass.with(law)); });
}

template <class Law, PassKind kind>
void launchPass(cudaStream_t stream, ListBlocks b, const ListPass<Law, kind>& pass) {
  if (pass.list.clustered())
    clusterPassKernel<<<b.blocks, b.threads, 0, stream>>>(pass, b.n, b.lanes);
  else
    listPassKernel<<<b.blocks, b.threads, 0, stream>>>(pass, b.n, b.lanes);
}
template <int potential>
void CudaListLaw<potential>::pass(cudaStream_t stream, ListBlocks b, const ForcesPass& pass,
                                  const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { launchPass(stream, b, pass.with(law)); });
}
template <int potential>
void CudaListLaw<potential>::pass(cudaStream_t stream, ListBlocks b, const TermsPass& pass,
                                  const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { launchPass(stream, b, pass.with(law)); });
}
template <int potential>
void CudaListLaw<potential>::pass(cudaStream_t stream, ListBlocks b, const BothPass& pass,
                                  const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) { launchPass(stream, b, pass.with(law)); });
}

template <int potential>
void CudaListLaw<potential>::sum(cudaStream_t stream, ListBlocks b, const BothPass& pass,
                                 const SampleSums& sums, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    if (pass.list.clustered())
      clusterSumsKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), sums, b.n, b.lanes);
    else
      listSumsKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), sums, b.n, b.lanes);
  });
}

template <int potential>
void CudaListLaw<potential>::end(cudaStream_t stream, ListBlocks b, const BothPass& pass,
                                 const VerletKick& kick, const SampleSums& sums,
                                 const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    if (pass.list.clustered())
      clusterEndKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), kick, sums, b.n,
                                                           b.lanes);
    else
      sampledEndKernel<<<b.blocks, b.threads, 0, stream>>>(pass.with(law), kick, sums, b.n,
                                                           b.lanes);
  });
}

// Thread block 0 is for the sample of the step before.
template <int potential>
void CudaListLaw<potential>::step(cudaStream_t stream, ListBlocks b, const WholeStep<NoLaw>& whole,
                                  std::uint32_t ahead, const AnyLaw& any) {
  withLawOfFile<potential>(any, [&](const auto& law) {
    if (whole.pass.list.clustered())
      clusterStepKernel<<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes,
                                                                ahead);
    else if (b.parts == 1)
      wholeStepKernel<1>
          <<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes, ahead);
    else
      wholeStepKernel<4>
          <<<1 + b.blocks, b.threads, 0, stream>>>(whole.with(law), b.n, b.lanes, ahead);
  });
}

}  // namespace cellscope
