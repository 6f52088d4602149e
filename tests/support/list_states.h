// Configurations that neighbour lists must get right, and their lists by brute force.
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/neighbours/methods.h"
#include "sim/core/rng.h"

namespace cellscope::test {

struct ListState {
  std::string name;
  Box box;
  std::vector<ParticleRecord> particles;
  PairTable table;
};

inline PairTable oneReach(double cutoff, double buffer) {
  PairTable t;
  t.set(0, 0, cutoff, buffer);
  return t;
}
// Reaches of S1: arithmetic mixing.
inline PairTable twoReaches(double a, double b, double buffer) {
  PairTable t{.types = 2};
  t.set(0, 0, a, buffer);
  t.set(1, 1, b, buffer);
  t.set(0, 1, 0.5 * (a + b), buffer);
  return t;
}

inline std::vector<ParticleRecord> scatteredRecords(std::size_t n, const Box& box,
                                                    std::uint64_t seed, double shareOfTypeOne = 0) {
  const RngKey key = hashSeed(seed);
  const RecordBox rounded(box);
  std::vector<ParticleRecord> all;
  for (std::size_t i = 0; i < n; ++i) {
    const Random4 a = draw(key, RngPurpose::test, 1, static_cast<std::uint32_t>(i), 0);
    const Random4 b = draw(key, RngPurpose::test, 1, static_cast<std::uint32_t>(i), 1);
    const Vec3d r{uniformOpen(a.w[0], a.w[1]) * box.length[0],
                  uniformOpen(a.w[2], a.w[3]) * box.length[1],
                  box.dimension == 3 ? uniformOpen(b.w[0], b.w[1]) * box.length[2] : 0.0};
    all.push_back(rounded.record(r, uniformOpen(b.w[2], b.w[3]) < shareOfTypeOne ? 1 : 0));
  }
  return all;
}

// All coordinates 0, the middle or just below the length: on the edges of box and cells.
inline std::vector<ParticleRecord> edgeRecords(const Box& box) {
  std::vector<ParticleRecord> all;
  const RecordBox rounded(box);
  const int nz = box.dimension == 3 ? 3 : 1;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < nz; ++z) {
        const auto at = [&](int k, int a) {
          const float l = rounded.length[a];
          return k == 0 ? 0.0f : (k == 1 ? 0.5f * l : std::nextafter(l, 0.0f));
        };
        all.push_back({at(x, 0), at(y, 1), nz == 3 ? at(z, 2) : 0.0f, 0});
      }
  return all;
}

inline std::vector<ListState> listStates() {
  std::vector<ListState> all;
  const Box uneven{3, {7.3, 11.1, 9.2}}, plane{2, {13.0, 9.7, 1}};
  all.push_back({"random", uneven, scatteredRecords(600, uneven, 1), oneReach(2.5, 0.3)});
  all.push_back({"random plane", plane, scatteredRecords(300, plane, 2), oneReach(2.5, 0.3)});
  all.push_back({"dense", cubicBox(6), scatteredRecords(900, cubicBox(6), 3), oneReach(1.2, 0.1)});
  all.push_back({"dilute", cubicBox(80), scatteredRecords(300, cubicBox(80), 4), oneReach(2.5, 0)});
  all.push_back(
      {"dilute plane", squareBox(200), scatteredRecords(257, squareBox(200), 5), oneReach(6, 0.5)});
  all.push_back({"two across the edge",
                 cubicBox(9),
                 {{0, 0, 0, 0}, {8.5f, 8.75f, 0.25f, 0}},
                 oneReach(2.5, 0.3)});
  all.push_back({"one", cubicBox(5), {{1, 2, 3, 0}}, oneReach(2.5, 0.3)});
  for (const double side : {2.0, 3.1, 5.0, 5.6, 8.4, 8.5})
    all.push_back({"small cube " + std::to_string(side), cubicBox(side),
                   scatteredRecords(60, cubicBox(side), 6),
                   oneReach(std::min(2.5, side / 2), 0.3)});
  for (const double side : {3.0, 5.7, 8.4})
    all.push_back({"small square " + std::to_string(side), squareBox(side),
                   scatteredRecords(40, squareBox(side), 7),
                   oneReach(std::min(2.5, side / 2), 0.3)});
  all.push_back({"edges", cubicBox(8.4), edgeRecords(cubicBox(8.4)), oneReach(2.5, 0.3)});
  all.push_back({"edges of a plane", plane, edgeRecords(plane), oneReach(2.5, 0.3)});
  ListState same{"same place", cubicBox(10), scatteredRecords(50, cubicBox(10), 8),
                 oneReach(2.5, 0.3)};
  for (int k = 0; k < 30; ++k) same.particles.push_back(same.particles[3]);
  all.push_back(same);
  for (const std::size_t n : {31u, 32u, 33u, 255u, 256u, 257u})
    all.push_back({"n " + std::to_string(n), cubicBox(9), scatteredRecords(n, cubicBox(9), 9),
                   oneReach(2.5, 0.1)});
  all.push_back({"two types", cubicBox(14), scatteredRecords(700, cubicBox(14), 10, 0.2),
                 twoReaches(1.5, 4.5, 0.2)});
  all.push_back({"two types in a plane", squareBox(30),
                 scatteredRecords(400, squareBox(30), 11, 0.3), twoReaches(1.5, 6, 0)});
  ListState blind = all[all.size() - 2];
  blind.name = "pairs that are never listed";
  blind.table.set(0, 1, 0, 0.2);
  all.push_back(blind);
  return all;
}

// Mixtures with very different reaches: what the stencils and the trees are for.
// S1, section 4.1, at a tenth to a thousandth of its size: reaches 3 and r_BB with arithmetic
// mixing, x_B of them large, in the smallest box allowed and in larger ones.
inline std::vector<ListState> mixtureStates() {
  std::vector<ListState> all;
  for (const double rBB : {3.0, 4.5, 6.0, 12.0, 18.0})
    for (const double xB : {0.0, 0.1, 0.5})
      for (const double side : {2 * rBB, 2.3 * rBB}) {
        const Box box{3, {side, side * 1.05, side * 1.2}};
        const auto n = static_cast<std::size_t>(std::min(900.0, 0.5 * box.volume()));
        all.push_back({"r_BB " + std::to_string(rBB) + ", x_B " + std::to_string(xB) + ", L " +
                           std::to_string(side),
                       box, scatteredRecords(n, box, 31, xB), twoReaches(3, rBB, 0)});
      }
  const Box plane{2, {36, 60, 1}};
  all.push_back({"mixture in a plane", plane, scatteredRecords(1500, plane, 32, 0.1),
                 twoReaches(2, 17, 0.3)});
  ListState colloids{"colloids among solvent", cubicBox(40),
                     scatteredRecords(3000, cubicBox(40), 33, 0.004), twoReaches(1.5, 19, 0.4)};
  all.push_back(colloids);
  ListState many{
      "eight types, some empty", cubicBox(24), scatteredRecords(900, cubicBox(24), 34), {}};
  many.table.types = 8;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b <= a; ++b)
      if (a + b != 9) many.table.set(a, b, 0.4 * (a + b + 1), 0.2);
  for (std::size_t k = 0; k < many.particles.size(); ++k)
    many.particles[k].type = static_cast<std::uint32_t>(3 * k % 8) & ~2u;
  all.push_back(many);
  return all;
}

inline const ListMethod& listMethod(const std::string& key) {
  for (const ListMethod& m : listMethods())
    if (m.key == key) return m;
  throw std::runtime_error("no list method " + key);
}

inline ListInput inputOf(const ListState& s) {
  ListInput in{.n = s.particles.size(), .box = s.box, .table = s.table};
  for (const ParticleRecord& p : s.particles) ++in.countOfType[p.type];
  return in;
}
// Once, by a builder that is at hand.
inline BuiltList builtBy(ListBuilder& builder, const exec::Shared& exec, const ListState& s,
                         bool counted) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda)
      return buildListCuda(exec, builder, s.particles, inputOf(s), 1, counted);
  return buildListCpu(exec, builder, s.particles, inputOf(s), 1, counted);
}

// Neighbours of every slot, in ascending order.
inline std::vector<std::vector<std::uint32_t>> listsByBruteForce(const ListState& s) {
  const RecordBox box(s.box);
  std::vector<std::vector<std::uint32_t>> all(s.particles.size());
  for (std::uint32_t i = 0; i < s.particles.size(); ++i)
    for (std::uint32_t j = 0; j < s.particles.size(); ++j) {
      const ParticleRecord &a = s.particles[i], &b = s.particles[j];
      if (i != j && s.table.reach(a.type, b.type) > 0 &&
          box.distanceSquared(a, b) <= s.table.reachSquared(a.type, b.type))
        all[i].push_back(j);
    }
  return all;
}

// Pairs so close to the reach that rounding may put them on either side.
inline bool onTheEdge(const ListState& s, std::uint32_t i, std::uint32_t j) {
  const ParticleRecord &a = s.particles[i], &b = s.particles[j];
  const double r2 = RecordBox(s.box).distanceSquared(a, b);
  const double reach2 = s.table.reachSquared(a.type, b.type);
  return std::abs(r2 - reach2) <= 1e-5 * reach2;
}

// Each neighbour once, none missing, none too many.
inline void expectList(const ListState& s, const BuiltList& built) {
  const auto right = listsByBruteForce(s);
  ASSERT_EQ(built.neighbours.size(), right.size()) << s.name;
  for (std::uint32_t i = 0; i < right.size(); ++i) {
    std::vector<std::uint32_t> found = built.neighbours[i], differ;
    std::sort(found.begin(), found.end());
    ASSERT_EQ(std::adjacent_find(found.begin(), found.end()), found.end())
        << s.name << ": a neighbour of " << i << " is listed twice";
    std::set_symmetric_difference(found.begin(), found.end(), right[i].begin(), right[i].end(),
                                  std::back_inserter(differ));
    for (const std::uint32_t j : differ)
      ASSERT_TRUE(j < right.size() && j != i && onTheEdge(s, i, j))
          << s.name << ": " << i << " and " << j << ", " << found.size() << " listed, "
          << right[i].size() << " right; r^2 "
          << RecordBox(s.box).distanceSquared(s.particles[i], s.particles[j]);
    if (built.checks.empty()) continue;  // not counted
    ASSERT_GE(built.checks[i], found.size()) << s.name;
  }
}

// Every state, twice with one builder. counted: with the numbers of distance checks.
inline void expectMethodIsRight(const exec::Shared& exec, const ListMethod& method,
                                bool counted = true, const ListOptions& search = {}) {
  for (const ListState& s : listStates())
    expectList(s, buildList(exec, method, s.particles, s.box, s.table, 2, counted, search));
}

inline void expectMixtures(const exec::Shared& exec, const ListMethod& method, bool counted = true,
                           const ListOptions& search = {}) {
  for (const ListState& s : mixtureStates())
    expectList(s, buildList(exec, method, s.particles, s.box, s.table, 2, counted, search));
}

// One crowded place: the guessed room is too small, it grows, and the list is the same.
inline void expectRoomGrows(const exec::Shared& exec, const ListMethod& method, bool counted = true,
                            const ListOptions& search = {}) {
  ListState s{"crowd", cubicBox(30), scatteredRecords(200, cubicBox(30), 12),
              twoReaches(2.5, 3, 0.3)};
  for (std::size_t k = 0; k < 100; ++k) {
    ParticleRecord& p = s.particles[k];
    p = {0.05f * p.x, 0.05f * p.y, 0.05f * p.z, static_cast<std::uint32_t>(k % 2)};
  }
  const BuiltList built = buildList(exec, method, s.particles, s.box, s.table, 3, counted, search);
  expectList(s, built);
  EXPECT_EQ(built.growths, 1u);
  EXPECT_EQ(built.roomOf[0] % 8, 0u);
  EXPECT_GE(built.roomOf[0], 99u);
}

}  // namespace cellscope::test
