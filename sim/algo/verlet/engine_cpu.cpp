// CPU engine with Verlet lists.
#include "sim/algo/verlet/engine_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

// The order of summation of a number of lanes, as on CUDA.
template <class Law, PassKind kind>
struct ByLanes {
  ListPass<Law, kind> pass;
  std::uint32_t lanes;
  void operator()(std::size_t i) const {
    RunningSums<float> s[32];
    for (std::uint32_t l = 0; l < lanes; ++l) s[l] = pass.sumsOf(i, l, lanes);
    for (std::uint32_t d = lanes / 2; d > 0; d /= 2)
      for (std::uint32_t l = 0; l < d; ++l) {
        s[l].fx += s[l + d].fx, s[l].fy += s[l + d].fy, s[l].fz += s[l + d].fz;
        s[l].energy += s[l + d].energy, s[l].virial += s[l + d].virial;
      }
    pass.store(i, s[0]);
  }
};

struct CpuListPass {
  template <class Exec, class Law, PassKind kind>
  void run(Exec& exec, const char* name, const ListPass<Law, kind>& pass, std::size_t n,
           const PairSettings& settings) const {
    constexpr std::size_t kGrain = 256;
    if (settings.kernel != PairKernel::tuned || settings.lanes <= 1 || pass.stopped())
      exec.forEach(name, n, pass, kGrain);
    else
      exec.forEach(name, n, ByLanes<Law, kind>{pass, static_cast<std::uint32_t>(settings.lanes)},
                   kGrain);
  }
};

}  // namespace

std::unique_ptr<AllPairsEngine> makeVerletCpu(const exec::Shared& exec) {
  return std::make_unique<VerletEngine<exec::CpuExec, CpuListPass>>(exec);
}

std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings) {
  ListInput in;
  in.n = n;
  in.box = box;
  in.table = pairTable(settings.potential, settings.species, settings.buffer);
  in.countOfType[0] = n;  // of a mixture: as if all were of the first type
  return VerletStore::layout(n).bytes() + NeighbourList::bytesFor(in) +
         listMethods()[static_cast<std::size_t>(settings.method)].bytesFor(in);
}

}  // namespace cellscope
