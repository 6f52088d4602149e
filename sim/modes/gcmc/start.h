// Starting states of grand-canonical Monte Carlo.
#pragma once
#include "sim/algo/gcmc/state.h"

namespace cellscope::gcmc {

// n particles on a simple cubic or square lattice with evenly spread vacancies.
GcmcState latticeState(const Box& box, std::size_t n);

}  // namespace cellscope::gcmc
