// Starting states of grand-canonical Monte Carlo.
#pragma once
#include "sim/algo/gcmc/state.h"

namespace cellscope::gcmc {

// n particles on a simple cubic or square lattice, with sites along each axis in proportion to the
// sides of the box and evenly spread vacancies. hard: in space on a face-centred cubic one where
// the spheres would overlap otherwise. Throws InputError where they overlap on that one too.
GcmcState latticeState(const Box& box, std::size_t n, bool hard = false);

}  // namespace cellscope::gcmc
