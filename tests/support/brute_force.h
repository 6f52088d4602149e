// Measurements on disks by looking at every pair in double precision: the oracle of the tests.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace cellscope::test {

// n disks in a periodic box of side `length` along x.
struct PlainDisks {
  double length = 0;
  std::vector<double> xy;  // 2 n
  double height = 0;       // along y; 0: a square
  double side(std::size_t axis) const { return axis == 1 && height > 0 ? height : length; }
  std::size_t size() const { return xy.size() / 2; }
  // Vector from disk i to the nearest image of disk j.
  std::complex<double> between(std::size_t i, std::size_t j) const {
    return {std::remainder(xy[2 * j] - xy[2 * i], side(0)),
            std::remainder(xy[2 * j + 1] - xy[2 * i + 1], side(1))};
  }
};

namespace brute {

using Point = std::complex<double>;

inline double dot(Point a, Point b) { return a.real() * b.real() + a.imag() * b.imag(); }

inline double cross(Point a, Point b) { return a.real() * b.imag() - a.imag() * b.real(); }

// Corner of a convex polygon and the point whose bisector carries the edge that begins there.
struct Corner {
  Point at, owner;
};

// Keep the side of the bisector of b that holds the origin.
inline std::vector<Corner> cut(const std::vector<Corner>& polygon, Point b) {
  std::vector<Corner> kept;
  const auto outside = [&](Point p) { return dot(p, b) - 0.5 * std::norm(b); };
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Corner& from = polygon[k];
    const Corner& to = polygon[(k + 1) % polygon.size()];
    const double f = outside(from.at), t = outside(to.at);
    if (f <= 0) kept.push_back(from);
    if ((f <= 0) == (t <= 0)) continue;
    kept.push_back({from.at + (to.at - from.at) * (f / (f - t)), f <= 0 ? b : from.owner});
  }
  return kept;
}

inline std::vector<Corner> voronoiPolygon(const PlainDisks& disks, std::size_t i) {
  const double far = 2 * std::max(disks.length, disks.height);
  std::vector<Corner> polygon{
      {{-far, -far}, 0}, {{far, -far}, 0}, {{far, far}, 0}, {{-far, far}, 0}};
  for (std::size_t j = 0; j < disks.size(); ++j)
    for (int ix = -1; ix <= 1; ++ix)
      for (int iy = -1; iy <= 1; ++iy) {
        if (i == j && ix == 0 && iy == 0) continue;
        const Point d = i == j ? Point(0) : disks.between(i, j);
        polygon = cut(polygon, d + Point(ix * disks.side(0), iy * disks.side(1)));
      }
  return polygon;
}

// (h1 + h2) / l of disk i along `axis` (0: x, 1: y); 0 when nothing is in the way.
inline double freePath(const PlainDisks& disks, std::size_t i, std::size_t axis) {
  double path[2] = {1e9, 1e9}, ahead[2] = {0, 0};
  for (std::size_t j = 0; j < disks.size(); ++j) {
    if (j == i) continue;
    const double across = std::remainder(disks.xy[2 * j + 1 - axis] - disks.xy[2 * i + 1 - axis],
                                         disks.side(1 - axis));
    if (!(std::abs(across) < 1)) continue;
    const double h = std::sqrt(1 - across * across);
    double forward = disks.xy[2 * j + axis] - disks.xy[2 * i + axis];
    if (forward < 0) forward += disks.side(axis);
    const double along[2] = {forward, disks.side(axis) - forward};
    for (int way = 0; way < 2; ++way)
      if (along[way] - h < path[way]) path[way] = along[way] - h, ahead[way] = h;
  }
  if (path[0] > 1e8) return 0;
  const double l = path[0] + path[1];
  // Short stretches: cut off at 2e-4, made up for by those below 1e-3.
  return (ahead[0] + ahead[1]) * (std::min(1 / l, 5000.0) + (l < 1e-3 ? 200 : 0));
}

}  // namespace brute

// Ordered pairs per bin [first + k width, first + (k + 1) width).
inline std::vector<std::uint64_t> brutePairs(const PlainDisks& disks, double first, double width,
                                             int count) {
  std::vector<std::uint64_t> bins(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < disks.size(); ++i)
    for (std::size_t j = 0; j < disks.size(); ++j) {
      if (i == j) continue;
      const double b = std::floor((std::abs(disks.between(i, j)) - first) / width);
      if (b >= 0 && b < count) ++bins[static_cast<std::size_t>(b)];
    }
  return bins;
}
// Disks per bin of x = 1 - 1/r, r the distance of the nearest other disk.
inline std::vector<std::uint64_t> bruteScale(const PlainDisks& disks, double width, int count) {
  std::vector<std::uint64_t> bins(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < disks.size(); ++i) {
    double nearest = INFINITY;
    for (std::size_t j = 0; j < disks.size(); ++j)
      if (i != j) nearest = std::min(nearest, std::abs(disks.between(i, j)));
    const double b = std::floor((1 - 1 / nearest) / width);
    if (b >= 0 && b < count) ++bins[static_cast<std::size_t>(b)];
  }
  return bins;
}

// Sum over disks and both axes of (h1 + h2) / l: l the stretch along the axis in which the disk
// touches none, h1 and h2 how far ahead lie the disks at its ends. Below l = 1e-3 as in
// sim/algo/observables/disk_kernels.h.
inline double bruteFreePaths(const PlainDisks& disks) {
  double sum = 0;
  for (std::size_t i = 0; i < disks.size(); ++i)
    sum += brute::freePath(disks, i, 0) + brute::freePath(disks, i, 1);
  return sum;
}

struct BruteBonds {
  std::complex<double> psi6;
  int neighbours = 0;
  double density = 0;
};
// Neighbours at a distance below `radius`.
inline BruteBonds bruteWithinRadius(const PlainDisks& disks, std::size_t i, double radius) {
  BruteBonds bonds;
  for (std::size_t j = 0; j < disks.size(); ++j) {
    if (i == j || std::abs(disks.between(i, j)) >= radius) continue;
    bonds.psi6 += std::polar(1.0, 6 * std::arg(disks.between(i, j)));
    bonds.neighbours += 1;
  }
  if (bonds.neighbours) bonds.psi6 /= bonds.neighbours;
  bonds.density = (bonds.neighbours + 1) / (std::numbers::pi * radius * radius);
  return bonds;
}
// The Voronoi cell of disk i cut from a large square by the bisectors of all disks and images;
// neighbours share an edge longer than 1e-5 of their distance.
inline BruteBonds bruteVoronoi(const PlainDisks& disks, std::size_t i) {
  const std::vector<brute::Corner> polygon = brute::voronoiPolygon(disks, i);
  BruteBonds bonds;
  double area = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const brute::Corner& a = polygon[k];
    const brute::Point b = polygon[(k + 1) % polygon.size()].at;
    area += 0.5 * brute::cross(a.at, b);
    if (std::abs(b - a.at) <= 1e-5 * std::abs(a.owner)) continue;
    bonds.psi6 += std::polar(1.0, 6 * std::arg(a.owner));
    bonds.neighbours += 1;
  }
  bonds.psi6 /= bonds.neighbours;
  bonds.density = 1 / area;
  return bonds;
}

}  // namespace cellscope::test
