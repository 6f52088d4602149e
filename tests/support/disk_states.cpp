#include "tests/support/disk_states.h"

#include <cstring>
#include <numeric>

namespace cellscope::test {
namespace {

// Uniform numbers of one test state.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : key_(hashSeed(seed)) {}
  double operator()() {
    const Random4 r = draw(key_, RngPurpose::test, step_++, 0, 0);
    return uniformOpen(r.w[0], r.w[1]);
  }

 private:
  RngKey key_;
  std::uint64_t step_ = 0;
};

bool free(const std::vector<double>& xy, double x, double y, const Box& box) {
  for (std::size_t k = 0; k < xy.size(); k += 2) {
    const double dx = std::remainder(x - xy[k], box.length[0]);
    const double dy = std::remainder(y - xy[k + 1], box.length[1]);
    if (dx * dx + dy * dy < 1.000001) return false;
  }
  return true;
}

DiskCells fill(const GridInfo& grid, const std::vector<double>& xy) {
  std::vector<std::uint32_t> ids(xy.size() / 2);
  std::iota(ids.begin(), ids.end(), 0u);
  return fillCells(grid, xy, ids);
}

// Columns and rows (even) of the loosest triangular lattice with at least `disks` sites.
struct Lattice {
  int columns = 0, rows = 0;
};
Lattice loosestLattice(const Box& box, int disks) {
  Lattice best;
  double largest = 1.000001;
  for (int columns = 1; columns <= box.length[0]; ++columns) {
    const int rows = 2 * ((disks + 2 * columns - 1) / (2 * columns));
    const double a = box.length[0] / columns, h = box.length[1] / rows;
    const double nearest = std::min({a, 2 * h, std::hypot(0.5 * a, h)});
    if (nearest > largest) {
      largest = nearest;
      best = {columns, rows};
    }
  }
  if (best.rows == 0) throw std::runtime_error("no triangular lattice fits these disks");
  return best;
}

}  // namespace

DiskCells randomDisks(const GridInfo& grid, int disks, std::uint64_t seed) {
  const Box box = boxOf(grid);
  Uniform uniform(seed);
  std::vector<double> xy;
  for (int tries = 0; static_cast<int>(xy.size()) < 2 * disks; ++tries) {
    if (tries == 1000000) throw std::runtime_error("random insertion found no room");
    const double x = box.length[0] * uniform(), y = box.length[1] * uniform();
    if (free(xy, x, y, box)) xy.insert(xy.end(), {x, y});
  }
  return fill(grid, xy);
}

DiskCells latticeDisks(const GridInfo& grid, int disks, std::uint64_t seed) {
  const Box box = boxOf(grid);
  const Lattice lattice = loosestLattice(box, disks);
  const auto columns = static_cast<std::size_t>(lattice.columns);
  std::vector<std::size_t> sites(columns * static_cast<std::size_t>(lattice.rows));
  std::iota(sites.begin(), sites.end(), std::size_t{0});
  Uniform uniform(seed);
  for (std::size_t i = sites.size() - 1; i > 0; --i)
    std::swap(sites[i], sites[static_cast<std::size_t>(uniform() * static_cast<double>(i + 1))]);
  std::vector<double> xy;
  for (std::size_t k = 0; k < static_cast<std::size_t>(disks); ++k) {
    const auto column = static_cast<double>(sites[k] % columns);
    const std::size_t row = sites[k] / columns;
    xy.push_back((column + (row % 2 ? 0.75 : 0.25)) * box.length[0] / lattice.columns);
    xy.push_back((static_cast<double>(row) + 0.5) * box.length[1] / lattice.rows);
  }
  return fill(grid, xy);
}

DiskCells someDisks(int disks, double packing, std::uint64_t seed, GridShape shape) {
  const GridInfo grid = chooseGrid(disks, packing, shape).grid;
  return packing < 0.35 ? randomDisks(grid, disks, seed) : latticeDisks(grid, disks, seed);
}

std::vector<TrialRecord> replayedUpdate(const Neighbourhood& before, const CellRule& rule,
                                        std::uint32_t cellId) {
  std::vector<TrialRecord> trials;
  Neighbourhood n = before;
  updateCell(n, rule, cellId, [&](const TrialRecord& t) { trials.push_back(t); });
  return trials;
}

bool identical(const DiskCells& a, const DiskCells& b) {
  const GridInfo &g = a.grid, &h = b.grid;
  if (g.m != h.m || g.taller != h.taller || g.slots != h.slots || g.w != h.w) return false;
  return std::memcmp(a.disk.data(), b.disk.data(), g.slotCount() * sizeof(Vec2)) == 0 &&
         std::memcmp(a.id.data(), b.id.data(), g.slotCount() * sizeof(std::uint32_t)) == 0 &&
         std::memcmp(a.count.data(), b.count.data(), g.cellCount()) == 0;
}

}  // namespace cellscope::test
