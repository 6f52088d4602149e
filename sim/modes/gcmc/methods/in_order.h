// Many moves in flight, decided in the order of a serial chain.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/flight_view.h"
#include "sim/api/parameter.h"
#include "sim/modes/gcmc/touch.h"

namespace cellscope::gcmc {

struct InOrderParameters {
  std::int64_t movesInFlight = 0, slotsPerCell = 24;
  bool ignoreConflicts = false;

  void setOptions(GcmcOptions& o) const;
  void visitOptions(auto& v) {
    v({"moves_in_flight", "Moves in flight", "Execution"}, {0, 1048576, 0, 1024},
      {.smallest = "automatic",
       .help = "With in_order: moves that are drawn together, then decided in rounds: a move is "
               "decided when no earlier undecided one lies within its reach; never more than a "
               "turn, which is the power of two from the number of cells on. 0: on a GPU half a "
               "turn and at least 16384; on a CPU no rounds: the threads compute a thirty-second "
               "of a turn ahead, then moves are carried out one after another, those near a change "
               "computed again. 1: one after another on one thread. Larger: more to do at the same "
               "time, and more rounds. The result does not depend on it, bit for bit.",
       .equation =
           "iterations of a serial loop reserve what they touch: Blelloch, Fineman, Gibbons and "
           "Shun, Internally deterministic parallel algorithms can be fast, PPoPP 2012",
       .actsWith = {"method", {"in_order"}}},
      movesInFlight);
    v({"slots_per_cell", "Slots per cell", "Execution"}, {4, 1048576, 8, 128, kLogScale},
      {.help = "With in_order: slots of each cell, of which displacements and deletions draw one. "
               "Larger: more draws of an empty slot, which cost little and count as no move. A "
               "full cell rejects any move into it; these rejections are counted, and the number "
               "of slots then grows automatically, by an eighth.",
       .equation = "share of empty draws = 1 - N / C, C = cells x slots",
       .actsWith = {"method", {"in_order"}}},
      slotsPerCell);
  }
  void visitExperiment(auto& v) {
    v({"ignore_conflicts", "Moves in flight ignore each other", "Experiments"},
      {.help =
           "Breaks the sampling on purpose, with in_order: all moves that are in flight together "
           "decide at once, with the configuration before them. Two particles may be inserted on "
           "top of each other, or a particle may move to where another has just been inserted.",
       .equation = "a move must see all earlier moves within its reach",
       .touches = GcmcTouch::method,
       .actsWith = {"method", {"in_order"}}},
      ignoreConflicts);
  }
};

void addTo(GcmcFlightCounts& sum, const GcmcFlightCounts& more);
// All counts, to be saved; and back: none of impossible numbers.
std::vector<double> numbersOf(const GcmcFlightCounts& counts);
std::optional<GcmcFlightCounts> flightsOf(const std::vector<double>& numbers);

class Method;
std::unique_ptr<const Method> makeInOrderMethod(const GcmcMethod& made);

}  // namespace cellscope::gcmc
