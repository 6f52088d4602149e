#include "sim/modes/hard_disks/initial_states.h"

#include "sim/core/rng.h"
#include "sim/modes/points.h"

namespace cellscope {
namespace {

constexpr double kSmallestLength = 4;  // four cells of width 1 per side

LatticeShape hexagonalShape(std::int64_t n, double aspect) {
  // Columns c and rows r with c r >= n and r / c near 2 L_y / (sqrt 3 L_x); try rows about the
  // ideal.
  const double ideal = std::sqrt(2 * static_cast<double>(n) * aspect / std::sqrt(3.0));
  LatticeShape best;
  const auto middle = static_cast<std::int64_t>(ideal / 2) * 2;
  const auto reach = std::max<std::int64_t>(8, static_cast<std::int64_t>(0.2 * ideal) / 2 * 2);
  for (std::int64_t rows = std::max<std::int64_t>(2, middle - reach); rows <= middle + reach;
       rows += 2) {
    const LatticeShape shape{(n + rows - 1) / rows, rows, true, aspect};
    if (best.rows == 0 || shape.smallestLength() < best.smallestLength()) best = shape;
  }
  return best;
}

void refuseLattice(std::int64_t n, double packing, DiskStart start, double aspect) {
  const LatticeShape shape = latticeShape(start, n, aspect);
  const double largest = shape.largestPacking(n);
  if (packing <= largest) return;
  const char* name = start == DiskStart::square ? "square" : "hexagonal";
  throw InputError(
      "parameter 'packing': {} is too dense for a {} lattice of {} disks in a {} box ({} x {} "
      "sites): at most {:.5f}; lower 'packing', set start = random, or use {} disks (up to {:.5f})",
      packing, name, n, aspect == 1 ? "square" : "rectangular", shape.columns, shape.rows,
      std::floor(largest * 1e5) / 1e5, shape.columns * shape.rows,
      shape.largestPacking(shape.columns * shape.rows));
}

using std::numbers::pi;

Points placedDisks(const Box& box) { return {box, 1 + kPlacementGap, 1 << 20}; }

// `n` of the disks, the others removed evenly.
std::vector<double> thinned(const std::vector<Vec3d>& disks, std::int64_t n) {
  const auto all = static_cast<std::int64_t>(disks.size());
  if (all < n)
    throw RunError(
        "the two phases have room for {} disks, not for {}; choose another 'seed' or start = "
        "random",
        all, n);
  std::vector<double> kept;
  kept.reserve(static_cast<std::size_t>(2 * n));
  std::int64_t credit = 0;  // Bresenham: a disk stays whenever the credit reaches `all`
  for (const Vec3d& r : disks) {
    credit += n;
    if (credit < all) continue;
    credit -= all;
    kept.insert(kept.end(), {r.x, r.y});
  }
  return kept;
}

}  // namespace

double LatticeShape::smallestLength() const {
  const auto c = static_cast<double>(columns), r = static_cast<double>(rows);
  if (!hexagonal) return std::max(c, r / aspect);
  // Neighbours in a row: L / c >= 1. In the next row: (L / 2c)^2 + (a L / r)^2 >= 1. In the row
  // after that: 2 a L / r >= 1.
  return std::max({c, 1 / std::sqrt(1 / (4 * c * c) + aspect * aspect / (r * r)), r / 2 / aspect});
}

double LatticeShape::largestPacking(std::int64_t n) const {
  const double side = smallestLength() * (1 + 1e-6);  // room for the coordinate grid
  return packingOf(n, side) / aspect;
}

LatticeShape latticeShape(DiskStart start, std::int64_t n, double aspect) {
  if (start == DiskStart::hexagonal) return hexagonalShape(n, aspect);
  auto columns = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n) / aspect)));
  while (static_cast<double>(columns * columns) * aspect < static_cast<double>(n)) ++columns;
  return {columns, (n + columns - 1) / columns, false, aspect};
}

std::vector<double> latticePositions(const LatticeShape& shape, std::int64_t n, double length) {
  const std::int64_t sites = shape.columns * shape.rows, vacancies = sites - n;
  const double a = length / static_cast<double>(shape.columns);
  const double b = length * shape.aspect / static_cast<double>(shape.rows);
  std::vector<double> positions;
  positions.reserve(static_cast<std::size_t>(2 * n));
  std::int64_t debt = 0;  // Bresenham: one site is left out whenever the debt reaches `sites`
  for (std::int64_t s = 0; s < sites; ++s) {
    debt += vacancies;
    if (debt >= sites) {
      debt -= sites;
      continue;
    }
    const std::int64_t row = s / shape.columns, column = s % shape.columns;
    const double lead = shape.hexagonal && row % 2 ? 0.75 : 0.25;
    positions.push_back((static_cast<double>(column) + lead) * a);
    positions.push_back((static_cast<double>(row) + 0.25) * b);
  }
  return positions;
}

std::vector<double> randomPositions(std::int64_t n, const Box& box, std::uint64_t seed,
                                    const std::function<void(std::int64_t)>& placed) {
  constexpr std::int64_t kBetweenReports = 4096;
  constexpr std::uint64_t kAttempts = 20000000;
  const RngKey key = hashSeed(seed);
  Points disks = placedDisks(box);
  disks.reserve(static_cast<std::size_t>(n));
  const double scaleX = box.length[0] / 4294967296.0, scaleY = box.length[1] / 4294967296.0;
  for (std::int64_t disk = 0; disk < n; ++disk) {
    if (placed && disk % kBetweenReports == 0) placed(disk);
    bool found = false;
    for (std::uint64_t attempt = 0; !found; ++attempt) {
      if (attempt == kAttempts)
        throw InputError(
            "parameter 'packing': disk {} of {} could not be inserted at random in a box of {:.4f} "
            "x {:.4f}; lower 'packing' or choose another 'seed' or start = square",
            disk, n, box.length[0], box.length[1]);
      const Random4 r =
          draw(key, RngPurpose::initialPositions, attempt, static_cast<std::uint32_t>(disk), 0);
      for (int half = 0; half < 4 && !found; half += 2) {
        const Vec3d at{(r.w[half] + 0.5) * scaleX, (r.w[half + 1] + 0.5) * scaleY, 0};
        found = !disks.anyWithin(at);
        if (found) disks.add(at);
      }
    }
  }
  return thinned(disks.points(), n);
}

void checkPossible(std::int64_t n, double packing, DiskStart start, GridShape shape) {
  if (shape != GridShape{}) chooseGrid(n, packing, shape);
  const double length = lengthOf(n, packing);
  if (shape == GridShape{} && length < kSmallestLength * (1 + 1e-6)) {
    const double largest = packingOf(n, kSmallestLength * (1 + 1e-5));
    const auto fewest = static_cast<std::int64_t>(
        std::ceil(packing * 4 * kSmallestLength * kSmallestLength * 1.00001 / std::numbers::pi));
    throw InputError(
        "the box is too small: {} disks at packing {} need a box of {:.4f} sigma, and the "
        "checkerboard needs at least 4 cells of width 1 per side (4 sigma); use 'n' = {} or more, "
        "or 'packing' up to {:.5f}",
        n, packing, length, fewest, std::floor(largest * 1e5) / 1e5);
  }
  if (start == DiskStart::coexistence) return refuseOnePhase(n, packing, shape.aspect());
  if (start != DiskStart::random) refuseLattice(n, packing, start, shape.aspect());
}

// A disc of the share s of the area is shorter around than both sides of a stripe where
// s < L_x / (pi L_y).
HexaticRegion::HexaticRegion(double packing, const Box& box) : box_(box) {
  const double share = shareAt(packing), x = box.length[0], y = box.length[1];
  const auto radius = [&](double part) { return std::sqrt(x * y) * std::sqrt(part / pi); };
  const double small = x / y / pi;
  if (share < small) {
    shape_ = Shape::disc;
    extent_ = radius(share);
  } else if (share <= 1 - small) {
    shape_ = Shape::stripe;
    extent_ = share * y;
  } else {
    shape_ = Shape::allButDisc;
    extent_ = radius(1 - share);
  }
}

bool HexaticRegion::contains(double x, double y) const {
  if (shape_ == Shape::stripe) return y < extent_;
  const bool inDisc = std::hypot(x - box_.length[0] / 2, y - box_.length[1] / 2) < extent_;
  return inDisc == (shape_ == Shape::disc);
}

std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n,
                                 const Box& box) {
  Points disks = placedDisks(box);
  const auto place = [&](const std::vector<double>& from, bool inside) {
    for (std::size_t k = 0; k < from.size(); k += 2) {
      const Vec3d at{from[k], from[k + 1], 0};
      if (region.contains(at.x, at.y) == inside && !disks.anyWithin(at)) disks.add(at);
    }
  };
  place(lattice, true);
  place(liquid, false);
  return thinned(disks.points(), n);
}

void refuseOnePhase(std::int64_t n, double packing, double aspect) {
  if (aspect < 1)
    throw InputError(
        "start = coexistence: stripes of the phases lie along x, so that the box must be at least "
        "as high as wide; use aspect_y = {:g}",
        1 / aspect);
  if (packing < kLiquidPacking || packing > kHexaticPacking)
    throw InputError(
        "parameter 'packing': hard disks at {} form a single phase, but start = coexistence needs "
        "two; allowed: {:.3f} to {:.3f}, or another 'start'",
        packing, kLiquidPacking, kHexaticPacking);
  if (n < kFewestCoexisting)
    throw InputError(
        "parameter 'n': {} disks are too few for two phases (start = coexistence); use at least "
        "{}, or another 'start'",
        n, kFewestCoexisting);
}

}  // namespace cellscope
