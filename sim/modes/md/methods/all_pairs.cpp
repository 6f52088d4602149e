// All pairs (S2, section 2), and the list of methods.
#include <fmt/format.h>

#include "sim/modes/md/methods/method.h"
#include "sim/modes/md/parameters.h"

namespace cellscope::md {
namespace {

struct AllPairsMethod final : Method {
  AllPairsMethod() : Method("all_pairs", "all pairs", makeAllPairs) {
    rounding = 0;
    workUnit = "pair interactions";
  }
  std::size_t bytes(const MdParameters& p, const ExecConfig& config) const override {
    const PairSettings pair = p.pair();
    return allPairsBytes(config.backend, static_cast<std::size_t>(p.n), pair.tile,
                         pair.species.types);
  }
  std::vector<std::string> phases(bool) const override { return {"forces"}; }
  double workOfStep(double n) const override { return n * (n - 1); }
  std::optional<std::string> refused(std::size_t n, const Box&, const PairSettings&,
                                     std::int64_t) const override {
    constexpr std::size_t kMost = 1 << 24;  // 2.8e14 pairs in every step
    if (n <= kMost) return std::nullopt;
    return fmt::format(
        "method = all_pairs looks at {:.2g} pairs of {} particles in every step; allowed: n <= {}, "
        "or choose method = cells",
        workOfStep(static_cast<double>(n)), n, kMost);
  }
  std::string warning(std::int64_t particles) const override {
    constexpr double kMany = 2e12;  // of which a fast GPU computes some 10^12 in a second
    const auto n = static_cast<double>(particles);
    if (n * n < kMany) return "";
    return fmt::format(
        "method = all_pairs looks at {:.2g} pairs in every step, seconds on a fast GPU and many "
        "minutes on a CPU; method = cells, stencils, tree or clusters look at neighbours only",
        n * n);
  }
  bool races(ListSearch search, const MdState& s, const PairSettings&,
             Backend where) const override {
    const std::size_t most = where == Backend::cuda ? 100000 : 5000;
    return search == ListSearch::fast && s.position.size() <= most;
  }
  std::vector<std::uint32_t> distanceChecks(const exec::Shared&,
                                            const std::vector<ParticleRecord>& particles,
                                            const Box&, const PairSettings&, std::size_t,
                                            double&) const override {
    const std::size_t n = particles.size();
    return std::vector<std::uint32_t>(n, static_cast<std::uint32_t>(n - 1));
  }
};

}  // namespace

std::unique_ptr<const Method> allPairsMethod() { return std::make_unique<AllPairsMethod>(); }

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> m;
    m.push_back(allPairsMethod());
    for (std::size_t k = 0; k < listMethods().size(); ++k) m.push_back(listsMethod(k));
    m.push_back(placeholdersMethod());
    return m;
  }();
  return all;
}

}  // namespace cellscope::md
