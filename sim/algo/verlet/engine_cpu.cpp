// CPU engine with Verlet lists.
#include "sim/algo/verlet/domains.h"
#include "sim/algo/verlet/list_law_cpu.h"
#include "sim/algo/verlet/list_rows_simd.h"

namespace cellscope {

CELLSCOPE_CHOICE_OF_SETS(ListRowsFunction, listRows)

namespace {

class CpuListPass {
 public:
  static constexpr bool kWholeSteps = false;
  static constexpr bool kOwnOrder = false;
  struct WholeSteps {
    void forget() {}
  };
  struct Step {};
  struct Signal {  // what is ordered is done
    void record(exec::CpuExec&) {}
    void makeWait(exec::CpuExec&) const {}
  };
  static void copy(exec::CpuExec& exec, const char* name, void* to, const void* from,
                   std::size_t bytes) {
    exec.forRanges(name, bytes, 1 << 16, [&](std::size_t b, std::size_t e) {
      std::memcpy(static_cast<char*>(to) + b, static_cast<const char*>(from) + b, e - b);
    });
  }
  static std::size_t slotsOfBlock(std::size_t, const PairSettings&) { return 1; }
  template <PassKind kind>
  void run(exec::CpuExec& exec, const char* name, const ListPass<NoLaw, kind>& pass,
           std::size_t all, const OwnSlots& own, const PairSettings& settings) const {
    const std::size_t n = own.of(all);
    const bool plain =
        settings.kernel != PairKernel::tuned || pass.stopped() || pass.images.several();
    const auto lanes = static_cast<std::uint32_t>(plain ? 1 : settings.lanes);
    withSomeLaw(settings, [&](const AnyLaw& law) {
      if (plain || settings.lanes > 0)
        return runWithLaw(CpuListWork<ListPass<NoLaw, kind>>{exec, name, n, pass, lanes}, law);
      const ListRows rows{pass.record, pass.list, pass.box,
                          kind != PassKind::terms ? pass.force : nullptr,
                          kind != PassKind::forces ? pass.terms : nullptr};
      exec.forRanges(name, n, kListGrain, [&](std::size_t b, std::size_t e) {
        rows_(rows, law, own.begin + b, own.begin + e);
      });
    });
  }

  template <bool records>
  void walk(exec::CpuExec& exec, const char* name, const ListWalk<records>& walk, std::size_t n,
            const PairSettings&) const {
    exec.forEach(name, n, walk, 256);
  }

 private:
  ListRowsFunction& rows_ = listRowsFor();
};

}  // namespace

std::unique_ptr<MdEngine> makeVerletCpu(const exec::Shared& exec) {
  return makeVerletOn<exec::CpuExec, CpuListPass>(exec);
}

std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings,
                        const std::array<std::size_t, kMostTypes>& countOfType,
                        const ExecConfig& config) {
  const auto domains = static_cast<std::size_t>(config.domains),
             devices =
                 static_cast<std::size_t>(config.backend == Backend::cpu ? 1 : config.devices),
             onDevice = (domains + devices - 1) / devices;
  ListInput in;
  in.n = n;
  in.box = box;
  in.table = pairTable(settings.potential, settings.species, settings.buffer);
  const ListMethod& method = listMethods()[static_cast<std::size_t>(settings.method)];
  in.cluster = method.cluster;
  in.ordered = settings.buffer > 0 || method.cluster > 1;
  in.countOfType = countOfType;
  if (domains > 1) in.own = {0, std::min(n, n / domains + kLeastOfDomain)};
  const std::size_t counts = domains > 1 ? n * sizeof(std::uint32_t) : 0,
                    collected = 2 * (n - in.own.of(n)) * sizeof(Vec3d);  // by the first
  const std::size_t each = VerletStore::layout(n, in.own.of(n)).bytes() +
                           Displacements::bytesFor(n) +
                           NeighbourList::bytesFor(in, SortedParticles::bytes(n, in.own)) +
                           method.bytesFor(in, settings.search) + counts;
  return onDevice * each + collected;
}

std::function<void(const void*)> verletDomainService() {
  return exec::rankService<VerletCall>(
      [](const VerletCall& call) { return makeVerlet(exec::makeExec(call.config)); },
      [](MdEngine& engine, const VerletCall& call) {
        dynamic_cast<VerletPart&>(engine).obey(call);
      });
}

}  // namespace cellscope
