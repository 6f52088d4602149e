// What became of the candidates of speculative moves.
#pragma once
#include "sim/algo/gcmc/state.h"
#include "sim/api/observable.h"

namespace cellscope::gcmc {

void addTo(GcmcSpeculation& sum, const GcmcSpeculation& more);

// Rounds by the number of moves that counted; empty before the first round.
Curve speculationChart(const GcmcSpeculation& s);

}  // namespace cellscope::gcmc
