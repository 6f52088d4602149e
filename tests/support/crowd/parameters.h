// Parameters of a crowd.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/parameter.h"
#include "tests/support/crowd/engine.h"

namespace cellscope::test {

struct CrowdTouch {
  static constexpr std::uint32_t dimension = 1;
};

struct CrowdParameters {
  std::int64_t n = 200;
  std::int64_t seed = 1;
  double side = 60;
  Choice space{0};
  double large = 0.1;
  double size = 0.5;
  std::int64_t births = 16;
  double death = 0.02;
  std::int64_t lifetime = 100;
  Choice order{0};
  bool sorted = false;

  int dimension() const { return space.index == 0 ? 2 : 3; }
  Box box() const { return dimension() == 2 ? squareBox(side) : cubicBox(side); }
  std::vector<CrowdPhase> phases() const {
    std::vector<CrowdPhase> all = {CrowdPhase::move, CrowdPhase::deaths, CrowdPhase::births};
    if (order.index == 1) std::swap(all[1], all[2]);
    if (sorted) all.push_back(CrowdPhase::sort);
    return all;
  }

  template <class V>
  void visit(V& v) {
    v({.key = "n",
       .label = "Walkers",
       .symbol = "N",
       .group = "System",
       .min = 0,
       .max = 1 << 24,
       .help = "Number of walkers at the start. Larger: more to begin with.",
       .equation = "N(0)",
       .effect = Effect::restart},
      n);
    v({.key = "seed",
       .label = "Seed",
       .group = "System",
       .min = 0,
       .max = 1e15,
       .help = "Names the sequence of random numbers of the run.",
       .equation = "Philox 4x32-10",
       .effect = Effect::restart},
      seed);
    v({.key = "side",
       .label = "Box side",
       .symbol = "L",
       .unit = "sigma",
       .group = "System",
       .min = 20,
       .max = 10000,
       .help = "Side of the periodic box. Larger: more room.",
       .equation = "V = L^d",
       .effect = Effect::restart},
      side);
    v({.key = "space",
       .label = "Space",
       .symbol = "d",
       .group = "System",
       .choices = {"plane", "space"},
       .help = "Whether walkers move in the plane or in space.",
       .equation = "d = 2 or 3",
       .effect = Effect::rebuild,
       .touches = CrowdTouch::dimension},
      space);
    v({.key = "large",
       .label = "Share of large walkers",
       .symbol = "x",
       .group = "Births",
       .min = 0,
       .max = 1,
       .help = "Share of large walkers among those that come. Larger: more of them.",
       .equation = "x = p(diameter 10)"},
      large);
    v({.key = "births",
       .label = "Births tried",
       .group = "Births",
       .min = 0,
       .max = kMostAttempts,
       .help = "Births tried in a step, half of which succeed. Larger: more walkers.",
       .equation = "<births> = k / 2"},
      births);
    v({.key = "size",
       .label = "Maximum displacement",
       .symbol = "d",
       .unit = "sigma",
       .group = "Moves",
       .min = 0.01,
       .max = 5,
       .help = "Largest displacement along an axis. Larger: faster diffusion.",
       .equation = "x' = x + d (2 u - 1)"},
      size);
    v({.key = "death",
       .label = "Death rate",
       .group = "Deaths",
       .min = 0,
       .max = 1,
       .help = "Probability that a walker is deleted in a step. Larger: fewer walkers.",
       .equation = "p = 1 - exp(-rate)"},
      death);
    v({.key = "lifetime",
       .label = "Lifetime",
       .unit = "steps",
       .group = "Deaths",
       .min = 1,
       .max = 1e9,
       .help = "Age at which a walker is deleted. Larger: longer lives.",
       .equation = "age < lifetime"},
      lifetime);
    v({.key = "order",
       .label = "Order",
       .group = "Steps",
       .choices = {"deaths_first", "births_first"},
       .help = "Whether deaths or births come first in a step.",
       .equation = "order of the phases"},
      order);
    v({.key = "sorted",
       .label = "Sort by species",
       .group = "Steps",
       .help = "Whether slots are sorted by species at the end of a step.",
       .equation = "one more phase"},
      sorted);
  }
};

}  // namespace cellscope::test
