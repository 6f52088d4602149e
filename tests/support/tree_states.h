// Configurations that trees must get right.
#pragma once
#include <string>
#include <vector>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/core/rng.h"

namespace cellscope::test {

struct TreeState {
  std::string name;
  Box box;
  std::uint32_t types;
  std::vector<ParticleRecord> particles;
};

// n particles at random, with types by turns out of `present`.
inline std::vector<ParticleRecord> treeRecords(std::size_t n, const Box& box,
                                               const std::vector<std::uint32_t>& present = {0}) {
  const RngKey key = hashSeed(21);
  const RecordBox rounded(box);
  std::vector<ParticleRecord> all;
  for (std::size_t i = 0; i < n; ++i) {
    const Random4 a = draw(key, RngPurpose::test, 2, static_cast<std::uint32_t>(i), 0);
    const double scale = 1.0 / 4294967296.0;
    all.push_back(rounded.record({a.w[0] * scale * box.length[0], a.w[1] * scale * box.length[1],
                                  a.w[2] * scale * box.length[2]},
                                 present[a.w[3] % present.size()]));
  }
  return all;
}

inline std::vector<TreeState> treeStates() {
  const Box uneven{3, {17, 23, 29}}, plane{2, {19, 31, 1}};
  std::vector<TreeState> all;
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 9, 127, 128, 129, 1023, 4097})
    all.push_back({"random " + std::to_string(n), uneven, 1, treeRecords(n, uneven)});
  all.push_back({"plane", plane, 1, treeRecords(2000, plane)});
  TreeState same{"all in one place", uneven, 1, {}};
  same.particles.assign(1000, {3, 4, 5, 0});
  all.push_back(same);
  TreeState line{"a line", uneven, 1, {}};
  for (int k = 0; k < 500; ++k) line.particles.push_back({0.03f * static_cast<float>(k), 4, 5, 0});
  all.push_back(line);
  TreeState pairs{"pairs of equal codes", uneven, 1, treeRecords(600, uneven)};
  for (std::size_t k = 0; k < 300; ++k) pairs.particles.push_back(pairs.particles[k]);
  all.push_back(pairs);
  TreeState clusters{"clusters", uneven, 1, treeRecords(3000, uneven)};
  for (std::size_t k = 0; k < clusters.particles.size(); ++k) {
    ParticleRecord& p = clusters.particles[k];
    const float s = k % 3 == 0 ? 0.001f : 0.05f, at = static_cast<float>(k % 5);
    p = {s * p.x + 3 * at, s * p.y + 2 * at, s * p.z + 5 * at, 0};
  }
  all.push_back(clusters);
  all.push_back({"three types", uneven, 3, treeRecords(1500, uneven, {0, 1, 2})});
  all.push_back({"some types empty", uneven, 4, treeRecords(700, uneven, {1, 3})});
  all.push_back(
      {"more types than 32 bits hold", uneven, 8, treeRecords(900, uneven, {0, 2, 5, 7})});
  all.push_back({"only the last type", uneven, 8, treeRecords(50, uneven, {7})});
  TreeState rare{"one particle of a type", uneven, 2, treeRecords(300, uneven)};
  rare.particles[123].type = 1;
  all.push_back(rare);
  return all;
}

}  // namespace cellscope::test
