// Starting states in rows of triangles and on simple lattices.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/modes/md/start.h"

namespace cellscope::md {
namespace {

// Vacancies bring neighbours closer together. A lattice with them is taken where its nearest
// neighbours are at least this far apart, in units of the mean distance (V / n)^(1/d). Simple cubic
// it collapses into a closer packing and gets hotter even if it is full; with vacancies, much
// hotter.
constexpr double kWideRows = 0.97, kWideSquares = 0.98, kWideCubes = 0.995;

std::vector<Vec3d> spread(std::int64_t n, std::int64_t sites,
                          const std::function<Vec3d(std::int64_t)>& site) {
  std::vector<Vec3d> r(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) r[static_cast<std::size_t>(i)] = site(i * sites / n);
  return r;
}

// A lattice of exactly n sites that fits into the periodic rectangle: `rows` of n / rows sites
// each, each row ahead of the one before by `shift` / n of the side.
struct ShiftedRows {
  std::int64_t rows = 1, shift = 0;
  double nearest = 0;  // distance of nearest neighbours over the side x
};

// Squared length, in units of (L_x / n)^2, of its shortest vector: Gauss's reduction of the basis
// (rows, 0), (shift, n / rows), the second coordinate in units of L_y / n, L_y = aspect L_x.
double shortestSquared(std::int64_t n, std::int64_t rows, std::int64_t shift, double aspect) {
  std::int64_t ux = rows, uy = 0, vx = shift, vy = n / rows;
  const auto product = [&](std::int64_t x1, std::int64_t y1, std::int64_t x2, std::int64_t y2) {
    return static_cast<double>(x1 * x2) + aspect * aspect * static_cast<double>(y1 * y2);
  };
  for (;;) {
    double uu = product(ux, uy, ux, uy);
    const double vv = product(vx, vy, vx, vy);
    if (vv < uu) std::swap(ux, vx), std::swap(uy, vy), uu = vv;
    const double overlap = product(ux, uy, vx, vy) / uu;
    const auto times = static_cast<std::int64_t>(std::llround(overlap));
    if (times == 0 || std::abs(overlap) <= 0.5) return uu;
    vx -= times * ux, vy -= times * uy;
  }
}

ShiftedRows widestRows(std::int64_t n, double aspect) {
  ShiftedRows best;
  double farthest = 0;
  for (std::int64_t rows = 1; rows <= n; ++rows) {
    if (n % rows != 0) continue;
    for (std::int64_t shift = 0; shift < rows; ++shift) {
      const double d2 = shortestSquared(n, rows, shift, aspect);
      if (d2 > farthest) farthest = d2, best.rows = rows, best.shift = shift;
    }
  }
  best.nearest = std::sqrt(farthest) / static_cast<double>(n);
  return best;
}

std::vector<Vec3d> inShiftedRows(std::int64_t n, const ShiftedRows& of, const Box& box) {
  const std::int64_t columns = n / of.rows;
  const double unit = box.length[0] / static_cast<double>(n);
  return spread(n, n, [&](std::int64_t site) {
    const std::int64_t row = site / columns, column = site % columns;
    const std::int64_t x = (column * of.rows + row * of.shift) % n;
    return Vec3d{unit * static_cast<double>(x),
                 box.length[1] / static_cast<double>(of.rows) * (static_cast<double>(row) + 0.5),
                 0};
  });
}

}  // namespace

std::vector<Vec3d> startTriangles(std::int64_t n, const Box& box) {
  const double aspect = box.length[1] / box.length[0];
  std::int64_t bestRows = 2, bestColumns = (n + 1) / 2;
  double best = 0;
  const double inSquare = std::sqrt(static_cast<double>(n) * aspect);
  for (std::int64_t rows = 2; rows <= 4 + 2 * static_cast<std::int64_t>(inSquare); rows += 2) {
    const std::int64_t columns = (n + rows - 1) / rows;
    const double across = 1.0 / static_cast<double>(columns);
    const double up = aspect / static_cast<double>(rows);
    const double nearest = std::min({across, std::hypot(0.5 * across, up), 2 * up});
    if (nearest > best) best = nearest, bestRows = rows, bestColumns = columns;
  }
  if (best * std::sqrt(static_cast<double>(n) / aspect) < kWideRows)
    if (const ShiftedRows whole = widestRows(n, aspect); whole.nearest > best)
      return inShiftedRows(n, whole, box);
  const double dx = box.length[0] / static_cast<double>(bestColumns);
  const double dy = box.length[1] / static_cast<double>(bestRows);
  return spread(n, bestRows * bestColumns, [&](std::int64_t site) {
    const std::int64_t row = site / bestColumns, column = site % bestColumns;
    const double shift = row % 2 == 0 ? 0.25 : 0.75;
    return Vec3d{dx * (static_cast<double>(column) + shift), dy * (static_cast<double>(row) + 0.5),
                 0};
  });
}

// Another site along each axis whose sites are furthest apart, as long as there is no room for n.
std::vector<Vec3d> startSimple(std::int64_t n, const Box& box) {
  constexpr double kAlike = 1 + 1e-12;
  const bool space = box.dimension == 3;
  std::int64_t k[3] = {1, 1, 1};
  double side[3] = {1, box.length[1] / box.length[0], space ? box.length[2] / box.length[0] : 0};
  const double shape = side[1] * (space ? side[2] : 1);  // the volume, both in sides x
  const auto apart = [&](int a) { return side[a] / static_cast<double>(k[a]); };
  const auto sites = [&] { return k[0] * k[1] * k[2]; };
  while (sites() < n) {
    const double widest = std::max({apart(0), apart(1), apart(2)});
    for (int a = 0; a < box.dimension; ++a)
      if (apart(a) * kAlike >= widest) ++k[a];
  }
  double densest = 0;  // sites along a side x
  for (int a = 0; a < box.dimension; ++a)
    densest = std::max(densest, static_cast<double>(k[a]) / side[a]);
  const double even = std::pow(static_cast<double>(n) / shape, 1.0 / box.dimension);
  if (even < (space ? kWideCubes : kWideSquares) * densest)
    return space ? startLattice(n, box) : startTriangles(n, box);
  return spread(n, sites(), [&](std::int64_t site) {
    const auto at = [&](std::int64_t c, int a) {
      return box.length[a] / static_cast<double>(k[a]) * (static_cast<double>(c) + 0.5);
    };
    return Vec3d{at(site % k[0], 0), at(site / k[0] % k[1], 1),
                 space ? at(site / (k[0] * k[1]), 2) : 0.0};
  });
}

}  // namespace cellscope::md
