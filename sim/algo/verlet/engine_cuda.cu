// CUDA engine with Verlet lists.
#include "sim/algo/verlet/engine_impl.h"
#include "sim/algo/verlet/list_forces.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {
namespace {

// About as many threads as the GPU can hold at once, at least; no more lanes than neighbours.
std::uint32_t lanesFor(std::size_t n, int asked) {
  if (asked > 0) return static_cast<std::uint32_t>(asked);
  std::uint32_t lanes = 4;
  while (lanes < 16 && n * lanes < (std::size_t{1} << 18)) lanes *= 2;
  return lanes;
}

struct CudaListPass {
  template <class Exec, class Law, PassKind kind>
  void run(Exec& exec, const char* name, const ListPass<Law, kind>& pass, std::size_t n,
           const PairSettings& settings) const {
    if (settings.kernel != PairKernel::tuned) {
      exec.forEach(name, n, pass);
      return;
    }
    const std::uint32_t lanes = lanesFor(n, settings.lanes);
    constexpr std::size_t kThreads = 128;
    const std::size_t blocks = (n * lanes + kThreads - 1) / kThreads;
    exec.launch(name, [&] {
      listPassKernel<<<static_cast<unsigned>(blocks), kThreads, 0, exec.stream()>>>(
          pass, static_cast<std::uint32_t>(n), lanes);
    });
  }
};

}  // namespace

std::unique_ptr<AllPairsEngine> makeVerletCuda(const exec::Shared& exec) {
  return std::make_unique<VerletEngine<exec::CudaExec, CudaListPass>>(exec);
}

}  // namespace cellscope
