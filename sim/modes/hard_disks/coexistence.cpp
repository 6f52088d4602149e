#include "sim/modes/hard_disks/coexistence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/error.h"
#include "sim/modes/hard_disks/placement_grid.h"

namespace cellscope {
namespace {

using std::numbers::pi;

// Liquid disks closer than one diameter to a lattice site are removed. That leaves a gap of at most
// this width along the boundary, in sigma, and around a nucleus of one site at most this area, in
// sigma^2.
constexpr double kSeam = 0.8, kNucleus = 10;

// `n` of the disks, the others removed evenly.
std::vector<double> thinned(const std::vector<double>& xy, std::int64_t n) {
  const auto all = static_cast<std::int64_t>(xy.size() / 2);
  if (all < n)
    throw RunError(
        fmt::format("the two phases have room for {} disks, not for {}; choose another 'seed' or "
                    "start = random",
                    all, n));
  std::vector<double> kept;
  kept.reserve(static_cast<std::size_t>(2 * n));
  std::int64_t credit = 0;  // Bresenham: a disk stays whenever the credit reaches `all`
  for (std::size_t k = 0; k < xy.size(); k += 2) {
    credit += n;
    if (credit < all) continue;
    credit -= all;
    kept.insert(kept.end(), {xy[k], xy[k + 1]});
  }
  return kept;
}

}  // namespace

double HexaticRegion::shareAt(double packing) {
  return std::clamp((packing - kLiquidPacking) / (kHexaticPacking - kLiquidPacking), 0.0, 1.0);
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

void HexaticRegion::holdWholeRows(std::int64_t rows) {
  const double height = box_.length[1] / static_cast<double>(rows);
  if (shape_ == Shape::stripe) extent_ = height * std::round(extent_ / height);
}

bool HexaticRegion::contains(double x, double y) const {
  if (shape_ == Shape::stripe) return y < extent_;
  const bool inDisc = std::hypot(x - box_.length[0] / 2, y - box_.length[1] / 2) < extent_;
  return inDisc == (shape_ == Shape::disc);
}

double HexaticRegion::boundary() const {
  return shape_ == Shape::stripe ? 2 * box_.length[0] : 2 * pi * extent_;
}

PhasePackings packingsFor(const HexaticRegion& region, const Box& box) {
  const double more = 1 + (kNucleus + kSeam * region.boundary()) / box.volume();
  return {more * kLiquidPacking, more * kHexaticPacking};
}

std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n,
                                 const Box& box) {
  PlacementGrid grid(box);
  std::vector<double> xy;
  const auto place = [&](const std::vector<double>& from, bool inside) {
    for (std::size_t k = 0; k < from.size(); k += 2) {
      const double x = from[k], y = from[k + 1];
      if (region.contains(x, y) == inside &&
          grid.tryAdd(x, y, static_cast<std::int64_t>(xy.size() / 2), xy))
        xy.insert(xy.end(), {x, y});
    }
  };
  place(lattice, true);
  place(liquid, false);
  return thinned(xy, n);
}

void refuseOnePhase(std::int64_t n, double packing, double aspect) {
  if (aspect < 1)
    throw InputError(
        fmt::format("start = coexistence: stripes of the phases lie along x, so that the "
                    "box must be at least as high as wide; use aspect_y = {:g}",
                    1 / aspect));
  if (packing < kLiquidPacking || packing > kHexaticPacking)
    throw InputError(
        fmt::format("parameter 'packing': hard disks at {} form a single phase, but start = "
                    "coexistence needs two; allowed: {:.3f} to {:.3f}, or another 'start'",
                    packing, kLiquidPacking, kHexaticPacking));
  if (n < kFewestCoexisting)
    throw InputError(
        fmt::format("parameter 'n': {} disks are too few for two phases (start = coexistence); use "
                    "at least {}, or another 'start'",
                    n, kFewestCoexisting));
}

}  // namespace cellscope
