// All pairs (S2, section 2), Verlet lists by each of their builders, and the list of methods.
#include <fmt/format.h>

#include "sim/algo/md/pair_law.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
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

// Particles of each type.
std::array<std::size_t, kMostTypes> countsOf(const MdParameters& p) {
  const auto n = static_cast<double>(p.n);
  const double second = p.what() == System::binary     ? p.fractionB * n
                        : p.what() == System::colloids ? static_cast<double>(p.colloids)
                                                       : 0;
  const auto ofB = static_cast<std::size_t>(std::llround(std::min(second, n)));
  return {static_cast<std::size_t>(p.n) - ofB, ofB};
}

// Distances of all particles to those in the cells around them.
double checksInCells(const MdState& state, const PairSettings& pair) {
  const PairTable table = pairTable(pair.potential, pair.species, pair.buffer);
  const double n = static_cast<double>(state.position.size());
  const double around = std::pow(3.0 * static_cast<double>(table.longest()), state.box.dimension);
  return n * n * std::min(1.0, around / state.box.volume());
}

// Order of storage and what the list was built from.
void listFields(auto& io, auto& s) {
  io.field(s.history.firstStep, "first step with lists");
  io.field(s.history.builds, "builds");
  io.field(s.history.dangerous, "dangerous builds");
  io.field(s.history.lastStep, "last build");
  io.items(s.order, s.position.size(), "the order");
  io.items(s.built, s.position.size(), "the list");
}

class ListsMethod final : public Method {
 public:
  explicit ListsMethod(std::size_t number)  // in listMethods()
      : Method(listMethods()[number].key, listMethods()[number].label, makeVerlet),
        number_(number),
        builder_(listMethods()[number]) {
    perList = builder_.cluster;
  }
  void choose(PairSettings& s) const override { s.method = static_cast<int>(number_); }
  std::size_t bytes(const MdParameters& p, const ExecConfig& config) const override {
    const auto n = static_cast<std::size_t>(p.n);
    const auto count = countsOf(p);
    if (p.what() != System::colloids)
      return verletBytes(n, p.box(), p.pair(), count, config) + rescaled(p, config);
    // Between colloids the solvent has its own density, not the mean of the box. Lists overflow at
    // first, and then have a quarter more.
    const double room = static_cast<double>(count[0]) / p.density;
    const Box solvent = cubicBox(std::cbrt(std::min(room, p.box().volume())));
    return verletBytes(n, solvent, p.pair(), count, config) * 5 / 4 + rescaled(p, config);
  }
  std::optional<std::string> refused(std::size_t n, const Box&, const PairSettings&,
                                     std::int64_t) const override {
    constexpr std::size_t kMost = 1 << 28;  // leafLink()
    if (builder_.key != std::string("tree") || n <= kMost) return std::nullopt;
    return fmt::format(
        "method = tree links at most {} particles, and there are {}; choose method = cells, "
        "stencils or clusters",
        kMost, n);
  }
  std::vector<std::string> phases(bool kept) const override {
    const char* const order = perList > 1 ? "along columns" : "in order";
    std::vector<std::string> all = {kept ? "check displacement: list kept"
                                         : fmt::format("check displacement, take slots {}", order)};
    for (const ListPart& part : builder_.parts) all.push_back(kept ? part.kept : part.words);
    all.emplace_back("forces");
    return all;
  }
  bool races(ListSearch search, const MdState& s, const PairSettings& pair,
             Backend where) const override {
    if (search == ListSearch::fast) return true;
    if (!builder_.differs(search, where)) return false;
    const double most = where == Backend::cuda ? 1e11 : 1e9;  // a build would take seconds
    return !builder_.slowWherePaperIsDense || checksInCells(s, pair) <= most;
  }
  std::vector<ListChoice> tuned(const PairSettings& pair, Backend where) const override {
    std::vector<ListChoice> all;
    for (const ListChoice& c : builder_.tuned)
      if (!c.ofPaperOnGpu || where == Backend::cpu || pair.search.how == ListSearch::paper)
        all.push_back(c);
    return all;
  }
  std::vector<std::uint32_t> distanceChecks(const exec::Shared& exec,
                                            const std::vector<ParticleRecord>& particles,
                                            const Box& box, const PairSettings& pair,
                                            std::size_t picked, double& listed) const override {
    const PairTable table = pairTable(pair.potential, pair.species, pair.buffer);
    BuiltList built = buildList(exec, builder_, particles, box, table, 1, true, pair.search);
    listed = static_cast<double>(built.neighbours[picked].size());
    return std::move(built.checks);
  }

  std::vector<SelfCheck> quickChecks(MdEngine& engine, std::uint64_t steps) const override {
    const ListHistory h = engine.history();
    const std::uint64_t grown = engine.listGrowths();
    return {
        {"neighbour list", true,
         fmt::format("{} built in {} steps{}{}", h.builds, steps,
                     h.dangerous > 0
                         ? fmt::format(", {} of them a step after another one: use a larger buffer",
                                       h.dangerous)
                         : "",
                     grown > 0 ? fmt::format("; its memory grew {} times", grown) : "")}};
  }
  void save(BinaryWriter& w, const MdState& s) const override { listFields(w, s); }
  void load(BinaryReader& r, const MdParameters&, MdState& s) const override {
    const std::size_t n = s.position.size();
    listFields(r, s);
    std::vector<bool> seen(n, false);
    const RecordBox box(s.box);
    for (std::size_t k = 0; k < n; ++k) {
      const ParticleRecord b = s.built[k];
      const std::uint32_t i = s.order[k];
      const bool inside = b.x >= 0 && b.x < box.length[0] && b.y >= 0 && b.y < box.length[1] &&
                          b.z >= 0 && b.z < box.length[2];
      if (i >= n || seen[i] || !inside || b.type != s.typeOf(i))
        throw InputError("checkpoint: entry {} of the neighbour list is impossible", k);
      seen[i] = true;
    }
  }

 private:
  // To rescale velocities each domain takes those of all; verletBytes() has those of the first.
  static std::size_t rescaled(const MdParameters& p, const ExecConfig& config) {
    if (p.bathKind() != Thermostat::bussi || config.allDomains() == 1) return 0;
    const int devices = config.backend == Backend::cpu ? 1 : config.devices;
    const auto onDevice = static_cast<std::size_t>((config.domains + devices - 1) / devices);
    return (onDevice - 1) * static_cast<std::size_t>(p.n) * sizeof(Vec3d);
  }

  const std::size_t number_;
  const ListMethod& builder_;
};

}  // namespace

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> m;
    m.push_back(std::make_unique<AllPairsMethod>());
    for (std::size_t k = 0; k < listMethods().size(); ++k)
      m.push_back(std::make_unique<ListsMethod>(k));
    m.push_back(placeholdersMethod());
    return m;
  }();
  return all;
}

}  // namespace cellscope::md
