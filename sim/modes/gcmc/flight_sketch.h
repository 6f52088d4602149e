// Drawing of the moves in flight, for the layer of sim/layers/flights.h.
#pragma once
#include "sim/algo/gcmc/flight_view.h"
#include "sim/base/box.h"
#include "sim/layers/structures.h"

namespace cellscope::gcmc {

// The moves of the last batch but the empty draws. Level: the round; of an arrow that of the move
// that waited.
layers::Sketch sketchFlights(const Box& box, const GcmcFlightsView& flights);

}  // namespace cellscope::gcmc
