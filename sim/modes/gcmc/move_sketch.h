// Drawings of a move and of the reach of a particle, for the layers of sim/layers/gcmc_work.h.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/gcmc/flight_view.h"
#include "sim/layers/structures.h"
#include "sim/modes/gcmc/move_trace.h"

namespace cellscope::gcmc {

// Which threads read which cell around `at`. filled: particles by cell.
layers::Sketch sketchWork(const Box& box, const GcmcShare& share, const GcmcPair& pair,
                          GcmcPoint at, const std::vector<std::uint32_t>& filled);
// The same as recorded. blocksOnly: without threads, which another layer shows.
layers::Sketch sketchWork(const TracedMove& m, bool blocksOnly);

// A recorded move up to a stage.
layers::Sketch sketchMove(const TracedMove& m, MoveStage stage);

// Cutoff and cells around a particle.
layers::Sketch sketchReach(const Box& box, const GcmcShare& share, const GcmcPair& pair,
                           GcmcPoint at);

// The moves of the last batch but the empty draws. Level: the round; of an arrow that of the move
// that waited.
layers::Sketch sketchFlights(const Box& box, const GcmcFlightsView& flights);

}  // namespace cellscope::gcmc
