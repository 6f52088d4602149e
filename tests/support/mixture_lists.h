// Mixtures with very different reaches: what the stencils and the trees are for.
#pragma once
#include <string>
#include <vector>

#include "tests/support/list_states.h"

namespace cellscope::test {

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

inline void expectMixtures(const exec::Shared& exec, const ListMethod& method, bool counted = true,
                           const ListOptions& search = {}) {
  for (const ListState& s : mixtureStates())
    expectList(s, buildList(exec, method, s.particles, s.box, s.table, 2, counted, search));
}

}  // namespace cellscope::test
