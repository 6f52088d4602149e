// Forces and energies over neighbour lists on the CPU, vectorised over the neighbours of a
// particle: one entry point per instruction set.
#pragma once
#include <cstddef>

#include "sim/algo/md/pair_law.h"
#include "sim/algo/neighbours/list.h"
#include "sim/exec/machine.h"

namespace cellscope {

struct ListRows {
  const ParticleRecord* record;
  ListReader list;
  RecordBox box;
  Vec4* force;  // written where not null
  Vec2* terms;  // likewise: half of the energy and virial of each pair
};

// Particles [begin, end).
using ListRowsFunction = void(const ListRows&, const AnyLaw&, std::size_t begin, std::size_t end);

CELLSCOPE_FOR_SETS(ListRowsFunction, listRows);

}  // namespace cellscope
