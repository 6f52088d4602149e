#include <fmt/format.h>

#include "sim/algo/observables/disk_observables.h"
#include "sim/core/assert.h"

namespace cellscope {
namespace {

void addTo(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& values) {
  if (sum.empty()) sum.resize(values.size());
  CELLSCOPE_ASSERT(values.empty() || sum.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

struct Sum {
  double cosines = 0;
  std::uint64_t bonds = 0;
};

// cos(4 theta) = 1 - 8 x^2 y^2 / r^4.
void addBond(Sum& sum, double x, double y, double radius) {
  const double r2 = x * x + y * y;
  if (!(r2 > 0 && r2 < radius * radius)) return;
  sum.cosines += 1 - 8 * x * x * y * y / (r2 * r2);
  ++sum.bonds;
}

// Bonds of cell (x, y) with the cell at (x + dx, y + dy); each bond is visited from both ends.
void addBonds(Sum& sum, const DiskCellsView& c, int x, int y, int dx, int dy, double radius) {
  const GridInfo& g = c.grid;
  const int nx = (x + dx + g.m) % g.m, ny = (y + dy + g.rows()) % g.rows();
  for (int i = 0; i < c.count[g.cell(x, y)]; ++i)
    for (int j = 0; j < c.count[g.cell(nx, ny)]; ++j) {
      const Vec2 a = c.disk[g.slot(x, y, i)], b = c.disk[g.slot(nx, ny, j)];
      addBond(sum, static_cast<double>(b.x) - a.x + static_cast<double>(dx) * g.w,
              static_cast<double>(b.y) - a.y + static_cast<double>(dy) * g.w, radius);
    }
}

}  // namespace

std::string NeighbourChoice::label() const {
  return rule == NeighbourRule::voronoi ? "Voronoi neighbours"
                                        : fmt::format("neighbours within {} sigma", radius);
}

void ContactCounts::clear() {
  pairs.assign(static_cast<std::size_t>(pairBins.count), 0);
  scale.assign(static_cast<std::size_t>(scaleBins.count), 0);
  disks = samples = 0;
}

void ContactCounts::add(const ContactCounts& other) {
  addTo(pairs, other.pairs);
  addTo(scale, other.scale);
  disks += other.disks;
  samples += other.samples;
}

void PairCounts::clear() {
  pairs.assign(static_cast<std::size_t>(bins.count), 0);
  disks = samples = 0;
}

void PairCounts::add(const PairCounts& other) {
  addTo(pairs, other.pairs);
  disks += other.disks;
  samples += other.samples;
}

double axisOrder(const DiskCellsView& cells, double radius) {
  CELLSCOPE_ASSERT(cells.grid.shorter() >= 6 && radius <= 2);
  Sum sum;
  for (int y = 0; y < cells.grid.rows(); ++y)
    for (int x = 0; x < cells.grid.m; ++x)
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) addBonds(sum, cells, x, y, dx, dy, radius);
  return sum.bonds ? sum.cosines / static_cast<double>(sum.bonds) : std::nan("");
}

}  // namespace cellscope
