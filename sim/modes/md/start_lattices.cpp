// Starting states in rows of triangles and on simple lattices.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/modes/md/start.h"

namespace cellscope::md {
namespace {

// Vacancies bring neighbours closer together. A lattice with them is taken where its nearest
// neighbours are at least this far apart, in units of the mean distance n^(-1/d) L. Simple cubic it
// collapses into a closer packing and gets hotter even if it is full; with vacancies, much hotter.
constexpr double kWideRows = 0.97, kWideSquares = 0.98, kWideCubes = 0.995;

std::vector<Vec3d> spread(std::int64_t n, std::int64_t sites,
                          const std::function<Vec3d(std::int64_t)>& site) {
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = site(i * sites / n);
  return r;
}

// A lattice of exactly n sites that fits into the periodic square: `rows` of n / rows sites each,
// each row ahead of the one before by `shift` / n of the side.
struct ShiftedRows {
  std::int64_t rows = 1, shift = 0;
  double nearest = 0;  // distance of nearest neighbours over the side
};

// Squared length, in units of (side / n)^2, of its shortest vector: Gauss's reduction of the basis
// (rows, 0), (shift, n / rows).
std::int64_t shortestSquared(std::int64_t n, std::int64_t rows, std::int64_t shift) {
  std::int64_t ux = rows, uy = 0, vx = shift, vy = n / rows;
  for (;;) {
    std::int64_t uu = ux * ux + uy * uy;
    const std::int64_t vv = vx * vx + vy * vy;
    if (vv < uu) std::swap(ux, vx), std::swap(uy, vy), uu = vv;
    const double overlap = static_cast<double>(ux * vx + uy * vy) / static_cast<double>(uu);
    const auto times = static_cast<std::int64_t>(std::llround(overlap));
    if (times == 0 || std::abs(overlap) <= 0.5) return uu;
    vx -= times * ux, vy -= times * uy;
  }
}

ShiftedRows widestRows(std::int64_t n) {
  ShiftedRows best;
  std::int64_t farthest = 0;
  for (std::int64_t rows = 1; rows <= n; ++rows) {
    if (n % rows != 0) continue;
    for (std::int64_t shift = 0; shift < rows; ++shift) {
      const std::int64_t d2 = shortestSquared(n, rows, shift);
      if (d2 > farthest) farthest = d2, best.rows = rows, best.shift = shift;
    }
  }
  best.nearest = std::sqrt(static_cast<double>(farthest)) / static_cast<double>(n);
  return best;
}

std::vector<Vec3d> inShiftedRows(std::int64_t n, const ShiftedRows& of, double length) {
  const std::int64_t columns = n / of.rows;
  const double unit = length / static_cast<double>(n);
  return spread(n, n, [&](std::int64_t site) {
    const std::int64_t row = site / columns, column = site % columns;
    const std::int64_t x = (column * of.rows + row * of.shift) % n;
    return Vec3d{unit * static_cast<double>(x),
                 length / static_cast<double>(of.rows) * (static_cast<double>(row) + 0.5), 0};
  });
}

}  // namespace

std::vector<Vec3d> startTriangles(std::int64_t n, double length) {
  std::int64_t bestRows = 2, bestColumns = (n + 1) / 2;
  double best = 0;
  const double side = std::sqrt(static_cast<double>(n));
  for (std::int64_t rows = 2; rows <= 4 + 2 * static_cast<std::int64_t>(side); rows += 2) {
    const std::int64_t columns = (n + rows - 1) / rows;
    const double across = 1.0 / static_cast<double>(columns), up = 1.0 / static_cast<double>(rows);
    const double nearest = std::min({across, std::hypot(0.5 * across, up), 2 * up});
    if (nearest > best) best = nearest, bestRows = rows, bestColumns = columns;
  }
  if (best * side < kWideRows)
    if (const ShiftedRows whole = widestRows(n); whole.nearest > best)
      return inShiftedRows(n, whole, length);
  const double dx = length / static_cast<double>(bestColumns);
  const double dy = length / static_cast<double>(bestRows);
  return spread(n, bestRows * bestColumns, [&](std::int64_t site) {
    const std::int64_t row = site / bestColumns, column = site % bestColumns;
    const double shift = row % 2 == 0 ? 0.25 : 0.75;
    return Vec3d{dx * (static_cast<double>(column) + shift), dy * (static_cast<double>(row) + 0.5),
                 0};
  });
}

std::vector<Vec3d> startSimple(std::int64_t n, const Box& box) {
  const bool space = box.dimension == 3;
  std::int64_t k = 1;
  const auto sites = [&] { return space ? k * k * k : k * k; };
  while (sites() < n) ++k;
  const double side = std::pow(static_cast<double>(n), 1.0 / box.dimension);
  if (side < (space ? kWideCubes : kWideSquares) * static_cast<double>(k))
    return space ? startLattice(n, box.length[0]) : startTriangles(n, box.length[0]);
  const double a = box.length[0] / static_cast<double>(k);
  return spread(n, sites(), [&](std::int64_t site) {
    const auto at = [&](std::int64_t c) { return a * (static_cast<double>(c) + 0.5); };
    return Vec3d{at(site % k), at(site / k % k), space ? at(site / (k * k)) : 0.0};
  });
}

}  // namespace cellscope::md
