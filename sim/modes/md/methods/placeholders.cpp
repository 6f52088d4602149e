// Placeholder cells (S2, section 3).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/md/pair_law.h"
#include "sim/algo/placeholders/cells.h"
#include "sim/algo/verlet/list_truth.h"
#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/modes/md/parameters.h"

namespace cellscope::md {
namespace {

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

std::unique_ptr<const Method> placeholdersMethod() {
  return std::make_unique<PlaceholdersMethod>();
}

}  // namespace cellscope::md
