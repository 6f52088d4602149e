#include "sim/algo/list_check/pairs_within.h"

#include <algorithm>
#include <limits>

#include "sim/base/error.h"

namespace cellscope::list_check {

constexpr double kMostLooked = 1e11;  // distances that may be computed: minutes
constexpr double kFurthest = 1e6;     // boxes that a particle may be away from the first one

PairsWithin::PairsWithin(const PairList& list, double reach) : lattice_(list), reach_(reach) {
  wrap(list);
  divide(list);
  sort();
}

void PairsWithin::wrap(const PairList& list) {
  arrays_.at.resize(list.size());
  arrays_.away.assign(list.size(), {});
  for (std::size_t i = 0; i < arrays_.at.size(); ++i) {
    const double* r = &list.position[3 * i];
    const Vec3d f = lattice_.fraction({r[0], r[1], r[2]});
    for (std::size_t a = 0; a < 3; ++a) {
      if (!lattice_.periodic[a]) continue;
      if (!(std::abs(f[a]) < kFurthest))
        throw InputError("'{}': 'positions': particle {} is {:g} boxes away; allowed: up to {:g}",
                         list.file, i, f[a], kFurthest);
      arrays_.away[i][a] = static_cast<std::int32_t>(std::floor(f[a]));
    }
    const Vec3d v = lattice_.vector(arrays_.away[i]);
    arrays_.at[i] = {r[0] - v.x, r[1] - v.y, r[2] - v.z};
  }
}

// Bins as wide as the reach where that makes no more than two for each particle.
void PairsWithin::divide(const PairList& list) {
  double span[3], volume = 1;
  int axes = 0;  // axes of several bins
  for (int a = 0; a < 3; ++a) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < arrays_.at.size() && !lattice_.periodic[a]; ++i) {
      const double x = fraction(i)[a];
      low = std::min(low, x), high = std::max(high, x);
    }
    low_[a] = lattice_.periodic[a] || arrays_.at.empty() ? 0 : low;
    span[a] = lattice_.periodic[a] || arrays_.at.empty() ? 1 : std::max(high - low, 1e-300);
    const double fit = span[a] * lattice_.height[a] / reach_;
    if (fit > 1) volume *= fit, ++axes;
  }
  const double most = 2 * static_cast<double>(arrays_.at.size()) + 1;
  const double wider = volume > most ? std::pow(volume / most, 1.0 / axes) : 1;
  double looked = static_cast<double>(arrays_.at.size());
  for (int a = 0; a < 3; ++a) {
    const double bins = std::floor(span[a] * lattice_.height[a] / (reach_ * wider));
    bins_[a] = static_cast<std::int32_t>(std::clamp(bins, 1.0, 1e4));
    perFraction_[a] = bins_[a] / span[a];
    // Rounding of fractions and of the reach may cross the edge of a bin.
    const double look = std::ceil(reach_ / lattice_.height[a] * perFraction_[a] + 1e-6);
    look_[a] = static_cast<std::int32_t>(std::min(look, 1e8));
    looked *= lattice_.periodic[a] ? (2 * look + 1) / bins_[a] : 1;
  }
  if (looked * static_cast<double>(arrays_.at.size()) > kMostLooked)
    throw InputError(
        "'{}': 'cutoff': with {:g} each of {} particles has {:.1g} images to look at; allowed: "
        "{:g} in all",
        list.file, reach_, arrays_.at.size(), looked, kMostLooked);
}

Shift PairsWithin::binOf(std::size_t i) const {
  const Vec3d f = fraction(i);
  Shift bin;
  for (std::size_t a = 0; a < 3; ++a)
    bin[a] = static_cast<std::int32_t>(
        std::clamp(std::floor((f[a] - low_[a]) * perFraction_[a]), 0.0, bins_[a] - 1.0));
  return bin;
}

void PairsWithin::sort() {
  const auto indexOf = [&](std::size_t i) {
    const Shift b = arrays_.bin[i];
    return static_cast<std::size_t>(b[0]) +
           static_cast<std::size_t>(bins_[0]) *
               (static_cast<std::size_t>(b[1]) +
                static_cast<std::size_t>(bins_[1]) * static_cast<std::size_t>(b[2]));
  };
  const std::size_t bins = static_cast<std::size_t>(bins_[0]) * static_cast<std::size_t>(bins_[1]) *
                           static_cast<std::size_t>(bins_[2]);
  arrays_.first.assign(bins + 1, 0);
  arrays_.bin.resize(arrays_.at.size());
  for (std::size_t i = 0; i < arrays_.at.size(); ++i) {
    arrays_.bin[i] = binOf(i);
    ++arrays_.first[indexOf(i) + 1];
  }
  for (std::size_t b = 0; b < bins; ++b) arrays_.first[b + 1] += arrays_.first[b];
  std::vector<std::uint32_t> next(arrays_.first.begin(), arrays_.first.end() - 1);
  arrays_.order.resize(arrays_.at.size()), arrays_.sorted.resize(arrays_.at.size());
  for (std::size_t i = 0; i < arrays_.at.size(); ++i) {
    const std::uint32_t place = next[indexOf(i)]++;
    arrays_.order[place] = static_cast<std::uint32_t>(i), arrays_.sorted[place] = arrays_.at[i];
  }
}

PairsView PairsWithin::view() const {
  PairsView v{};
  for (int a = 0; a < 3; ++a) {
    std::copy_n(lattice_.row[a], 3, v.row[a]);
    v.periodic[a] = lattice_.periodic[a];
    v.bins[a] = bins_[a], v.look[a] = look_[a];
  }
  v.most = reach_ * reach_;
  v.at = arrays_.at.data(), v.sorted = arrays_.sorted.data();
  v.away = arrays_.away.data(), v.bin = arrays_.bin.data();
  v.first = arrays_.first.data(), v.order = arrays_.order.data();
  return v;
}

// Two images are a vector of the lattice apart, which is no shorter than the least height.
bool PairsWithin::oneImage() const {
  for (int a = 0; a < 3; ++a)
    if (lattice_.periodic[a] && !(2 * reach_ < (1 - 1e-9) * lattice_.height[a])) return false;
  return true;
}

double PairsWithin::distance(std::size_t i, std::size_t j, const Shift& s) const {
  const Vec3d v = lattice_.vector(inBox(i, j, s)), a = arrays_.at[i], b = arrays_.at[j];
  return std::hypot(b.x - a.x + v.x, b.y - a.y + v.y, b.z - a.z + v.z);
}

// Among the images next to the one whose fractions are nearest, which has the shortest distance in
// boxes that are not tilted by more than half.
Shift PairsWithin::nearest(std::size_t i, std::size_t j) const {
  const Vec3d d = fraction(j) - fraction(i);
  Shift middle{}, best{};
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k)
    if (lattice_.periodic[k])
      middle[k] =
          static_cast<std::int32_t>(-std::round(d[k])) + arrays_.away[i][k] - arrays_.away[j][k];
  for (std::int32_t c = 0; c < 27; ++c) {
    const Shift step{c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
    Shift s = middle;
    bool allowed = true;
    for (std::size_t k = 0; k < 3; ++k)
      s[k] += step[k], allowed = allowed && (step[k] == 0 || lattice_.periodic[k]);
    if (!allowed) continue;
    const double r = distance(i, j, s);
    if (r < shortest) shortest = r, best = s;
  }
  return best;
}

namespace {

constexpr double kFlat = 1e-10;  // volume of a cell, in products of the lengths of its vectors

double lengthOf(const double* v) { return std::hypot(v[0], v[1], v[2]); }
void cross(const double* a, const double* b, double* to) {
  for (int k = 0; k < 3; ++k)
    to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// A unit vector normal to those that are not zero.
void complete(double (&row)[3][3], int axis) {
  double* const to = row[axis];
  cross(row[(axis + 1) % 3], row[(axis + 2) % 3], to);
  for (int k = 0; k < 3 && !(lengthOf(to) > 0); ++k) {
    const double unit[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    const double* other =
        lengthOf(row[(axis + 1) % 3]) > 0 ? row[(axis + 1) % 3] : row[(axis + 2) % 3];
    if (lengthOf(other) > 0)
      cross(other, unit, to);
    else
      std::copy(unit, unit + 3, to);
  }
  const double length = lengthOf(to);
  for (int k = 0; k < 3; ++k) to[k] /= length;
}

}  // namespace

Lattice::Lattice(const PairList& list) {
  for (int a = 0; a < 3; ++a) {
    periodic[a] = list.periodic[a];
    for (int k = 0; k < 3; ++k) row[a][k] = list.cell[3 * a + k];
  }
  for (int a = 0; a < 3; ++a)
    if (!periodic[a] && lengthOf(row[a]) == 0) complete(row, a);
  double normal[3][3];
  for (int a = 0; a < 3; ++a) cross(row[(a + 1) % 3], row[(a + 2) % 3], normal[a]);
  const double volume =
      row[0][0] * normal[0][0] + row[0][1] * normal[0][1] + row[0][2] * normal[0][2];
  const double most = lengthOf(row[0]) * lengthOf(row[1]) * lengthOf(row[2]);
  if (!(std::abs(volume) > kFlat * most) || !std::isfinite(most))
    throw InputError(
        "'{}': 'cell' spans no volume ({:g}); allowed: three rows that lie in no plane, or rows of "
        "zeros along which pbc is false",
        list.file, volume);
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < 3; ++k) inverse[k][a] = normal[a][k] / volume;
    height[a] = std::abs(volume) / lengthOf(normal[a]);
    tilted[a] = height[a] < lengthOf(row[a]) * (1 - 1e-9);
  }
}

double Lattice::toPlane(Vec3d fraction, const std::int64_t (&cells)[3]) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double at = fraction[a] * static_cast<double>(cells[a]);
    if (periodic[a])
      nearest = std::min(nearest,
                         std::abs(at - std::round(at)) * height[a] / static_cast<double>(cells[a]));
  }
  return nearest;
}

}  // namespace cellscope::list_check
