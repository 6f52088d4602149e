// Pairs of boxes on the CPU: a thread each, with vectorised sums. Their starting states.
#include "sim/algo/gibbs/pairs_impl.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

std::unique_ptr<GibbsPairs> makeGibbsPairsCpu(const exec::Shared& exec, int threads) {
  const bool plain = threads > 0;  // emulated teams: the oracle
  return std::make_unique<GibbsOn<exec::CpuExec>>(
      exec, plain ? threads : 1, plain ? GcmcCellFunctions{} : gcmcCellFunctionsFor());
}

std::size_t gibbsBytes(std::size_t pairs, std::uint32_t n) {
  return pairs * ((3 * std::size_t{gibbsStride(n)} + n) * sizeof(std::uint32_t) +
                  sizeof(GibbsHead) + sizeof(GibbsRules) + 2 * sizeof(GcmcEnergyVirial));
}

GibbsStates gibbsLattices(const std::vector<GibbsRules>& rules, std::uint32_t n1,
                          std::uint32_t share) {
  const std::uint32_t n = rules.front().n, stride = gibbsStride(n);
  const int dimension = rules.front().dimension;
  GibbsStates s;
  for (std::size_t k = 0; k < rules.size(); ++k) {
    GibbsHead head{};
    head.n1 = n1, head.share = share;
    s.head.push_back(head);
    s.word.resize((k + 1) * 3 * stride);
    const GibbsPoints points{s.word.data() + k * 3 * stride, stride};
    for (int box = 0; box < 2; ++box) {
      const std::uint32_t count = head.count(rules[k], box), first = head.first(box);
      std::uint32_t along = 1;
      while (std::pow(along, dimension) < count) ++along;
      const std::uint64_t sites = std::uint64_t{along} * along * (dimension == 3 ? along : 1);
      const auto word = [&](std::uint64_t cell) {
        return static_cast<std::uint32_t>(((2 * (cell % along) + 1) << 31) / along);
      };
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t site = i * sites / count;
        points.set(first + i, {word(site), word(site / along),
                               dimension == 3 ? word(site / along / along) : 0u});
      }
    }
    for (std::uint32_t i = 0; i < n; ++i) s.id.push_back(i);
  }
  return s;
}

}  // namespace cellscope
