// The full potential of Lennard-Jones, of which forms that are cut are checked; configurations of
// NIST's reference calculations (SRSW), and their energies and virials.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>

#include "sim/core/potentials.h"
#include "test_paths.h"

namespace cellscope {

// u_LJ(r) and f_LJ(r) = -u_LJ'(r) of the full potential (S2 eq. (2)).
inline double ljEnergy(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 4.0 * x * (x - 1.0);
}
inline double ljForce(double r) {
  const double x = 1.0 / (r * r * r * r * r * r);
  return 24.0 * x * (2.0 * x - 1.0) / r;
}

}  // namespace cellscope
namespace cellscope::test {

struct NistConfiguration {
  Box box;
  std::vector<Vec3d> position;  // in [0, L)
};

inline NistConfiguration nistConfiguration(int number) {
  std::ifstream in(fmt::format("{}/nist_lj_config_{}.txt", CELLSCOPE_TEST_DATA, number));
  NistConfiguration c;
  double l = 0, same = 0;
  std::size_t n = 0, index = 0;
  in >> l >> same >> same >> n;
  c.box = cubicBox(l);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3d r{};
    in >> index >> r.x >> r.y >> r.z;
    c.position.push_back(c.box.wrap({r.x + l / 2, r.y + l / 2, r.z + l / 2}));
  }
  EXPECT_TRUE(n > 0 && (in.good() || in.eof())) << "data file";
  return c;
}

// Number of the potential of this key.
inline int potentialOf(const std::string& key) {
  const std::vector<std::string> keys = potentialKeys();
  const auto found = std::find(keys.begin(), keys.end(), key);
  EXPECT_NE(found, keys.end()) << "no potential " << key;
  return static_cast<int>(found - keys.begin());
}

struct NistRow {
  int configuration;
  const char* potential;
  double cutoff, energy, virial;
};
// Recomputed to more digits; the 2.5 and 3.5 rows by an independent program.
inline constexpr NistRow kNist[] = {{1, "truncated", 3.0, -4351.54019454, -568.665465318},
                                    {1, "truncated", 4.0, -4467.49572495, -1263.88337187},
                                    {1, "force_shifted", 3.0, -3870.92488578, 317.538346012},
                                    {1, "truncated", 2.5, -4214.08529744, 253.952457170},
                                    {1, "shifted", 2.5, -3874.88976450, 253.952457170},
                                    {1, "truncated", 3.5, -4426.53244147, -1018.19741645},
                                    {4, "truncated", 3.0, -16.790321304625856, -46.2491967463},
                                    {4, "truncated", 4.0, -17.0604532203, -47.8688281911},
                                    {4, "force_shifted", 3.0, -15.0014022869, -43.0960055392},
                                    {4, "truncated", 2.5, -16.2325125600, -42.9117185793},
                                    {4, "shifted", 2.5, -15.0250626159, -42.9117185793},
                                    {4, "force_shifted", 2.5, -13.1828655892, -37.5390122772}};

}  // namespace cellscope::test
