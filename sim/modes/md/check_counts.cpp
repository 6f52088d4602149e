// Distance checks of the same query under all methods.
#include <algorithm>
#include <numeric>

#include "sim/algo/neighbours/built_list.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/algo/verlet/pair_law.h"
#include "sim/modes/md/list_scene.h"

namespace cellscope::md {
namespace {

// Of each particle: all others in the cells around its own. None where such cells do not fit.
std::vector<std::uint32_t> checksInCells(const std::vector<ParticleRecord>& particles,
                                         const Box& box, const PairSettings& pair) {
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

}  // namespace

void ListScene::countAll(const std::vector<ParticleRecord>& particles, const Box& box,
                         const PairSettings& pair, std::size_t picked) {
  const auto n = static_cast<double>(particles.size());
  const auto add = [&](const std::string& label, double ofPicked, double mean) {
    checked_.method.push_back(label);
    checked_.ofPicked.push_back(ofPicked);
    checked_.mean.push_back(mean);
  };
  const auto addCounts = [&](const std::string& label, const std::vector<std::uint32_t>& counts) {
    add(label, counts[picked], std::accumulate(counts.begin(), counts.end(), 0.0) / n);
  };
  const PairTable table = pairTable(pair.potential, pair.species, pair.buffer);
  add("all pairs", n - 1, n - 1);
  for (const ListMethod& m : listMethods()) {
    const BuiltList built = buildList(exec_, m, particles, box, table, 1, true, pair.search);
    addCounts(m.label, built.checks);
    checked_.listed = static_cast<double>(built.neighbours[picked].size());
  }
  const std::vector<std::uint32_t> inCells = checksInCells(particles, box, pair);
  if (!inCells.empty()) addCounts("placeholder cells", inCells);
}

void ListScene::countChecks(const ListsLent& lent, const ListHistory& history,
                            const PickedSlot& picked, std::uint32_t number,
                            const PairSettings& pair, bool anew) {
  const std::size_t n = lent.input.n;
  if (counted(history.builds, number, anew)) return;
  checked_ = {};
  if (n > kMostCounted) return;
  std::vector<ParticleRecord> particles(n);
  exec::copy(Backend::cpu, particles.data(), exec_->where(), lent.input.particles,
             n * sizeof(ParticleRecord));
  countAll(particles, lent.input.box, pair, picked.slot);
  // A cluster's list holds particles that only another one of the cluster reaches.
  const RecordBox box(lent.input.box);
  checked_.listed = static_cast<double>(
      std::count_if(picked.neighbours.begin(), picked.neighbours.end(), [&](std::uint32_t slot) {
        const ParticleRecord& q = particles[slot];
        return box.distanceSquared(picked.built, q) <=
               lent.input.table.reachSquared(picked.built.type, q.type);
      }));
  checked_.builds = history.builds, checked_.number = number;
}

void ListScene::countChecks(const MdState& state, std::uint64_t version, std::uint32_t number,
                            const PairSettings& pair, bool anew) {
  if (counted(version, number, anew)) return;
  checked_ = {};
  if (state.position.size() > kMostCounted) return;
  const RecordBox box(state.box);
  std::vector<ParticleRecord> particles;
  for (std::size_t i = 0; i < state.position.size(); ++i)
    particles.push_back(box.record(state.position[i], state.type.empty() ? 0u : state.type[i]));
  countAll(particles, state.box, pair, number);
  checked_.builds = version, checked_.number = number;
}

std::optional<Curve> ListScene::checksChart() const {
  if (checked_.method.empty()) return {};
  Curve c;
  c.id = "checks";
  c.label = "Distance checks by method";
  c.x.label = "method";
  c.x.scale = AxisScale::named;
  c.x.names = checked_.method;
  c.y.label = "distances checked for one list";
  c.y.scale = AxisScale::logarithmic;
  c.equation =
      "lists: counted by the kernels themselves, at the positions of the last build (Howard et al. "
      "2016, section 2); placeholder cells: all other particles in the cells around (van Meel et "
      "al. 2008, section 3.1)";
  CurveSeries picked{"picked particle", "", {}, checked_.ofPicked},
      mean{"mean of all particles", "", {}, checked_.mean}, least{"in its list", "", {}, {}};
  for (std::size_t k = 0; k < checked_.method.size(); ++k) {
    for (CurveSeries* s : {&picked, &mean, &least}) s->x.push_back(static_cast<double>(k));
    least.y.push_back(checked_.listed);
  }
  picked.kind = mean.kind = SeriesKind::bars;
  least.kind = SeriesKind::points;
  c.series = {std::move(picked), std::move(mean), std::move(least)};
  return c;
}

}  // namespace cellscope::md
