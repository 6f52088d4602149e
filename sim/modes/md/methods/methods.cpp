// All pairs (S2, section 2), Verlet lists by each of their builders, placeholder cells (S2, section
// 3), and the list of methods.
#include <fmt/format.h>

#include "sim/algo/md/pair_law.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/verlet/list_truth.h"
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

// Slots of the cells, and the forces.
void cellFields(auto& io, auto& s) {
  io.field(s.history.firstStep, "first step with cells");
  io.field(s.history.builds, "refreshes");
  io.field(s.slots, "slots");
  io.items(s.order, s.position.size(), "the order");
  io.items(s.cellOf, s.position.size(), "the cells");
  io.items(s.force, s.position.size(), "the forces");
}

constexpr std::size_t kMostJudged = 10'000;  // particles all pairs of which are looked at

SelfCheck pairCheck(const CellGrid& grid, const MdState& s, const PairSettings& pair) {
  const std::vector<ParticleRecord> particles = s.records();
  std::vector<std::int32_t> cellOf(particles.size());
  for (std::size_t k = 0; k < s.order.size(); ++k)
    cellOf[s.order[k]] = static_cast<std::int32_t>(s.cellOf[k]);
  const auto touch = [&](std::int32_t a, std::int32_t b) {
    for (const std::int32_t cells : grid.cells) {
      const std::int32_t apart = std::abs(a % cells - b % cells);
      if (std::min(apart, cells - apart) > 1) return false;
      a /= cells, b /= cells;
    }
    return true;
  };
  const PairTable cutoffs = pairTable(pair.potential, pair.species, 0);
  const double rounding = pairRounding(s.box, static_cast<double>(cutoffs.longest()));
  std::uint64_t within = 0, missing = 0;
  forEachPairWithin(particles, s.box, cutoffs, std::nullopt,
                    [&](std::uint32_t i, std::uint32_t j, double r) {
                      const float cutoff = cutoffs.reach(particles[i].type, particles[j].type);
                      if (r >= static_cast<double>(cutoff) - rounding) return;
                      ++within;
                      missing += touch(cellOf[i], cellOf[j]) ? 0 : 1;
                    });
  return {"pairs", missing == 0,
          fmt::format("{} of {} within the cutoff are in cells that do not touch each other",
                      missing, within)};
}

PlaceholderShape shapeOf(MdEngine& engine) {
  Lent lent;
  engine.lend(lent, false);
  return lent.find<CellsLent>()->shape;
}

struct PlaceholdersMethod final : Method {
  PlaceholdersMethod() : Method("placeholder_cells", "placeholder cells", makePlaceholders) {
    sides = 0.5;
    sidesInWords = "half";
    longerCutoffs =
        ", or method = cells, stencils, tree, clusters or all_pairs, which add up images";
  }
  std::size_t bytes(const MdParameters& p, const ExecConfig&) const override {
    return placeholderBytes(static_cast<std::size_t>(p.n), p.box(), p.pair());
  }
  std::vector<std::string> phases(bool) const override {
    return {"refresh of the cells, where it is due", "forces and update of the cells"};
  }
  std::optional<std::string> refused(std::size_t n, const Box& box, const PairSettings& pair,
                                     std::int64_t colloids) const override {
    if (n >= kNumberMask)
      return fmt::format(
          "method = placeholder_cells numbers particles with {} bits: {} are too many; allowed: n "
          "< {}, or choose method = cells",
          kTypeShift, n, kNumberMask);
    return placeholdersRefused(n, box, pair, colloids);
  }
  bool races(ListSearch search, const MdState& s, const PairSettings& pair,
             Backend) const override {
    return search == ListSearch::fast && !placeholdersRefused(s.position.size(), s.box, pair);
  }
  // All others in the cells around its own.
  std::vector<std::uint32_t> distanceChecks(const exec::Shared&,
                                            const std::vector<ParticleRecord>& particles,
                                            const Box& box, const PairSettings& pair, std::size_t,
                                            double&) const override {
    if (placeholdersRefused(particles.size(), box, pair)) return {};
    const CellGrid grid = placeholderShape(particles.size(), box, pair).grid;
    std::vector<std::uint32_t> filled(static_cast<std::size_t>(grid.count()), 0), around, checks;
    const auto cellOf = [&](const ParticleRecord& p) {
      return static_cast<std::size_t>(grid.indexOf(p));
    };
    for (const ParticleRecord& p : particles) ++filled[cellOf(p)];
    const std::int32_t deep = box.dimension == 3 ? 1 : 0;
    const auto sumAround = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
      std::uint32_t sum = 0;
      for (std::int32_t k = -deep; k <= deep; ++k)
        for (std::int32_t j = -1; j <= 1; ++j)
          for (std::int32_t i = -1; i <= 1; ++i)
            sum += filled[static_cast<std::size_t>(grid.index(wrappedCell(x + i, grid.cells[0]),
                                                              wrappedCell(y + j, grid.cells[1]),
                                                              wrappedCell(z + k, grid.cells[2])))];
      return sum;
    };
    for (std::int32_t z = 0; z < grid.cells[2]; ++z)
      for (std::int32_t y = 0; y < grid.cells[1]; ++y)
        for (std::int32_t x = 0; x < grid.cells[0]; ++x) around.push_back(sumAround(x, y, z));
    for (const ParticleRecord& p : particles) checks.push_back(around[cellOf(p)] - 1);
    return checks;
  }

  std::vector<SelfCheck> quickChecks(MdEngine& engine, std::uint64_t steps) const override {
    const PlaceholderShape shape = shapeOf(engine);
    const std::int32_t* const cells = shape.grid.cells;
    const std::string deep = cells[2] > 1 ? fmt::format(" x {}", cells[2]) : "";
    return {{"cells", true,
             fmt::format("{} x {}{} of {} slots, refreshed {} times in {} steps{}", cells[0],
                         cells[1], deep, shape.slots, engine.history().builds, steps,
                         engine.listGrowths() > 0 ? "; their slots have grown" : "")}};
  }
  // Every particle in one slot, and none too far from its cell; and, beside the truth, every pair
  // within the cutoff in cells that touch each other.
  std::vector<SelfCheck> checks(MdEngine& engine, const MdState& s,
                                const PairSettings& pair) const override {
    const PlaceholderShape shape = shapeOf(engine);
    const std::size_t n = s.position.size();
    std::vector<std::uint32_t> filled(static_cast<std::size_t>(shape.grid.count()), 0);
    std::vector<bool> seen(n, false);
    const RecordBox box(s.box);
    std::size_t valid = 0;
    for (std::size_t k = 0; k < s.order.size(); ++k) {
      const std::uint32_t i = s.order[k];
      ++filled[s.cellOf[k]];
      valid += !seen[i] && shape.nextTo(s.cellOf[k], box.record(s.position[i], 0));
      seen[i] = true;
    }
    const std::uint32_t fullest = *std::max_element(filled.begin(), filled.end());
    std::vector<SelfCheck> all = {
        {"slots", valid == n && s.order.size() == n,
         fmt::format("{} of {} particles in one slot each, at most {} of {} in a cell", valid, n,
                     fullest, shape.slots)}};
    if (valid == n && n <= kMostJudged) all.push_back(pairCheck(shape.grid, s, pair));
    return all;
  }
  void save(BinaryWriter& w, const MdState& s) const override { cellFields(w, s); }
  // A particle is in its cell or in one next to it: forces that miss pairs would not be seen.
  void load(BinaryReader& r, const MdParameters& p, MdState& s) const override {
    const std::size_t n = s.position.size();
    cellFields(r, s);
    requireRoom(p, n, s.box);
    if (s.slots < 1 || s.slots > kMostSlots)
      throw InputError("checkpoint: {} slots in a cell are impossible", s.slots);
    const PlaceholderShape shape = placeholderShape(n, s.box, p.pair());
    const RecordBox rounded(s.box);
    std::vector<bool> seen(n, false);
    std::vector<std::uint32_t> filled(static_cast<std::size_t>(shape.grid.count()), 0);
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t i = s.order[k], cell = s.cellOf[k];
      const bool known = i < n && !seen[i] && cell < filled.size();
      const Vec4 f = s.force[k];
      const bool finite = std::isfinite(f.x) && std::isfinite(f.y) && std::isfinite(f.z);
      if (!known || !finite || ++filled[cell] > s.slots ||
          !shape.nextTo(cell, rounded.record(s.position[i], 0)))
        throw InputError("checkpoint: entry {} of the cells is impossible", k);
      seen[i] = true;
    }
  }
};

}  // namespace

const std::vector<std::unique_ptr<const Method>>& methods() {
  static const auto all = [] {
    std::vector<std::unique_ptr<const Method>> m;
    m.push_back(std::make_unique<AllPairsMethod>());
    for (std::size_t k = 0; k < listMethods().size(); ++k)
      m.push_back(std::make_unique<ListsMethod>(k));
    m.push_back(std::make_unique<PlaceholdersMethod>());
    return m;
  }();
  return all;
}

}  // namespace cellscope::md
