// Neighbour lists of small random systems by brute force, to be damaged.
#pragma once
#include <algorithm>
#include <random>

#include "sim/algo/list_check/pairs_within.h"

namespace cellscope::test {

struct BoxCase {
  std::string name;
  std::array<double, 9> cell;
  std::array<bool, 3> periodic;
  double cutoff;
  int n;
  // Along each vector, to hold all images within the cutoff of particles up to two boxes apart.
  std::array<int, 3> images = {4, 4, 4};
  int dimension = 3;
};

// Cubic, thin, tilted, tiny (cutoff beyond the box), in the plane, with open sides.
inline std::vector<BoxCase> boxCases() {
  constexpr std::array<bool, 3> all{true, true, true}, plane{true, true, false};
  return {{"cubic", {6, 0, 0, 0, 6, 0, 0, 0, 6}, all, 1.4, 120},
          {"thin", {9, 0, 0, 0, 7, 0, 0, 0, 1.1}, all, 1.3, 70, {4, 4, 5}},
          {"tilted", {5, 0, 0, 2.1, 5, 0, -1.7, 2.3, 5}, all, 1.5, 90, {5, 5, 4}},
          {"far tilted", {3, 0, 0, 7, 3, 0, 0, -8, 3}, all, 1.2, 30, {26, 5, 5}},
          {"tiny", {1.1, 0, 0, 0.3, 1.2, 0, 0.2, 0.4, 1.3}, all, 2.6, 7, {7, 7, 6}},
          {"one particle", {1, 0, 0, 0, 1, 0, 0, 0, 1}, all, 1.9, 1},
          {"plane", {8, 0, 0, 0, 6, 0, 0, 0, 0}, plane, 1.2, 90, {4, 4, 0}, 2},
          {"tilted plane", {5, 0, 0, 3, 5, 0, 0, 0, 0}, plane, 3.1, 40, {9, 5, 0}, 2},
          {"slab", {5, 0, 0, 0, 5, 0, 0, 0, 9}, plane, 1.5, 90},
          {"left-handed", {0, 5, 0, 5, 0, 0, 0, 0, 5}, all, 1.4, 90},
          {"wire", {0, 0, 0, 0, 0, 0, 0, 0, 4}, {false, false, true}, 1.5, 50}};
}

// Uniform in the cell, some of them boxes away; outside of open sides, too.
inline PairList scattered(const BoxCase& c, unsigned seed = 1) {
  PairList l{.file = c.name, .dimension = c.dimension, .cutoff = c.cutoff};
  std::copy(c.cell.begin(), c.cell.end(), l.cell);
  std::copy(c.periodic.begin(), c.periodic.end(), l.periodic);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < c.n; ++i) {
    double r[3] = {0, 0, 0};
    for (std::size_t a = 0; a < 3; ++a) {
      const double away = c.periodic[a] ? static_cast<int>(random() % 5) / 2 - 1 : 0;
      const double f = unit(random) * (c.periodic[a] ? 1 : 1.3) + away;
      for (std::size_t k = 0; k < 3; ++k) r[k] += f * c.cell[3 * a + k];
    }
    if (c.name == "wire") r[0] = 2 * unit(random), r[1] = 2 * unit(random);
    l.position.insert(l.position.end(), {r[0], r[1], r[2]});
  }
  return l;
}

// The cell of each particle, as files give them; numbered with x fastest, or with z.
inline void putIntoCells(PairList& l, const std::array<std::int64_t, 3>& dims, bool xFirst = true) {
  std::copy(dims.begin(), dims.end(), l.cells.dims);
  l.cells.of.clear();
  const list_check::Lattice box(l);
  for (std::size_t i = 0; i < l.size(); ++i) {
    const Vec3d f = box.fraction({l.position[3 * i], l.position[3 * i + 1], l.position[3 * i + 2]});
    const double x[3] = {f.x, f.y, f.z};
    std::int64_t at[3] = {0, 0, 0};
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = std::min(dims[a] - 1, static_cast<std::int64_t>((x[a] - std::floor(x[a])) *
                                                              static_cast<double>(dims[a])));
    l.cells.of.push_back(xFirst ? at[0] + dims[0] * (at[1] + dims[1] * at[2])
                                : (at[0] * dims[1] + at[1]) * dims[2] + at[2]);
  }
}

inline double lengthOfPair(const PairList& l, std::size_t i, std::size_t j,
                           const std::array<int, 3>& s) {
  double d2 = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double d = l.position[3 * j + k] - l.position[3 * i + k];
    for (std::size_t a = 0; a < 3; ++a) d += s[a] * l.cell[3 * a + k];
    d2 += d * d;
  }
  return std::sqrt(d2);
}

// The full list with images, from all of a cube of images.
inline void listAll(PairList& l, const BoxCase& c) {
  l.half = false;
  l.i.clear(), l.j.clear(), l.shift.clear();
  int m[3];
  for (std::size_t a = 0; a < 3; ++a) m[a] = l.periodic[a] ? c.images[a] : 0;
  for (std::size_t i = 0; i < l.size(); ++i)
    for (std::size_t j = 0; j < l.size(); ++j)
      for (int x = -m[0]; x <= m[0]; ++x)
        for (int y = -m[1]; y <= m[1]; ++y)
          for (int z = -m[2]; z <= m[2]; ++z) {
            if (i == j && x == 0 && y == 0 && z == 0) continue;
            if (lengthOfPair(l, i, j, {x, y, z}) >= l.reach(i, j)) continue;
            l.i.push_back(static_cast<std::int64_t>(i));
            l.j.push_back(static_cast<std::int64_t>(j));
            l.shift.insert(l.shift.end(), {x, y, z});
          }
}

// Uniform positions and their full list.
inline PairList listed(const BoxCase& c, unsigned seed = 1) {
  PairList l = scattered(c, seed);
  listAll(l, c);
  return l;
}

// The first particle that has no pair with particle 0 in the list.
inline std::int64_t apartFromFirst(const PairList& l) {
  std::vector<bool> near(l.size() + 1, false);
  for (std::size_t k = 0; k < l.i.size(); ++k)
    if (l.i[k] == 0 && l.j[k] >= 0 && static_cast<std::size_t>(l.j[k]) < l.size())
      near[static_cast<std::size_t>(l.j[k])] = true;
  return std::find(near.begin() + 1, near.end(), false) - near.begin();
}

inline std::array<int, 3> shiftOf(const PairList& l, std::size_t k) {
  return {l.shift[3 * k], l.shift[3 * k + 1], l.shift[3 * k + 2]};
}

inline void erasePair(PairList& l, std::size_t k) {
  const auto at = static_cast<std::ptrdiff_t>(k);
  l.i.erase(l.i.begin() + at), l.j.erase(l.j.begin() + at);
  if (!l.shift.empty()) l.shift.erase(l.shift.begin() + 3 * at, l.shift.begin() + 3 * at + 3);
}

inline void addPair(PairList& l, std::int64_t i, std::int64_t j, std::array<int, 3> s = {}) {
  l.i.push_back(i), l.j.push_back(j);
  if (!l.shift.empty() || s != std::array<int, 3>{})
    l.shift.insert(l.shift.end(), {s[0], s[1], s[2]});
}

// Number of the entry for the other direction.
inline std::size_t reverseOf(const PairList& l, std::size_t k) {
  const auto [x, y, z] = shiftOf(l, k);
  for (std::size_t q = 0; q < l.i.size(); ++q)
    if (l.i[q] == l.j[k] && l.j[q] == l.i[k] && shiftOf(l, q) == std::array{-x, -y, -z}) return q;
  return l.i.size();
}

// In both directions.
inline void eraseBoth(PairList& l, std::size_t k) {
  const std::size_t other = reverseOf(l, k);
  erasePair(l, std::max(k, other)), erasePair(l, std::min(k, other));
}

// One of both directions of each pair; which one is drawn.
inline PairList halfOf(const PairList& full) {
  PairList half = full;
  half.half = true;
  half.i.clear(), half.j.clear(), half.shift.clear();
  std::mt19937 random(3);
  for (std::size_t k = 0; k < full.i.size(); ++k) {
    const std::array<int, 3> s = shiftOf(full, k);
    const bool first =
        full.i[k] < full.j[k] || (full.i[k] == full.j[k] && s > std::array<int, 3>{0, 0, 0});
    if (!first) continue;
    const bool turned = random() % 2 == 0;
    half.i.push_back(turned ? full.j[k] : full.i[k]);
    half.j.push_back(turned ? full.i[k] : full.j[k]);
    for (const int x : s) half.shift.push_back(turned ? -x : x);
  }
  return half;
}

}  // namespace cellscope::test
