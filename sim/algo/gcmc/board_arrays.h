// What chains whose particles lie by cell store: the checkerboard, twice, and moves in flight.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/flight.h"
#include "sim/exec/layout.h"

namespace cellscope {

// Entries per cell come in as many as a vector has lanes, at most.
constexpr std::uint32_t gcmcWholeVectors(std::uint32_t entries) { return (entries + 15) / 16 * 16; }
// For this number in the fullest cell: room for two turns of insertions.
constexpr std::uint32_t gcmcBoardEntries(std::uint32_t fullest, std::uint32_t attempts) {
  return gcmcWholeVectors(fullest + fullest / 4 + 2 * attempts);
}

struct GcmcBoardArrays {
  exec::Array<std::uint32_t> filled, word;
  exec::Array<ParticleId> id;
  static exec::Layout<GcmcBoardArrays> layout(std::size_t cells, std::size_t entries) {
    return {{"particles in each cell", &GcmcBoardArrays::filled, cells},
            {"positions", &GcmcBoardArrays::word, 3 * entries},
            {"ids", &GcmcBoardArrays::id, entries}};
  }
  GcmcBoardCells view() const { return {filled.data(), word.data(), id.data()}; }
};

struct GcmcFlightCells {
  GcmcBoardArrays cells;
  exec::Array<std::uint32_t> edge;
  exec::Array<std::uint64_t> first;
  static exec::Layout<GcmcFlightCells> layout(std::size_t cells, std::size_t entries,
                                              std::size_t edges) {
    return {{"cells", &GcmcFlightCells::cells, GcmcBoardArrays::layout(cells, entries)},
            {"edges of cells", &GcmcFlightCells::edge, edges},
            {"moves of and into each cell", &GcmcFlightCells::first, 2 * cells}};
  }
};

struct GcmcFlightArrays {
  exec::Array<GcmcFlight> flight;
  exec::Array<GcmcVerdict> verdict;
  exec::Array<std::uint32_t> nextKnown, nextPossible, list, other;
  exec::Array<std::uint8_t> decided;
  static exec::Layout<GcmcFlightArrays> layout(std::size_t turn, std::size_t most) {
    return {{"moves of a turn", &GcmcFlightArrays::flight, turn},
            {"verdicts", &GcmcFlightArrays::verdict, most},
            {"lists of moves", &GcmcFlightArrays::nextKnown, most},
            {"lists of displacements", &GcmcFlightArrays::nextPossible, kBoxCells * most},
            {"undecided moves", &GcmcFlightArrays::list, most},
            {"undecided moves", &GcmcFlightArrays::other, most},
            {"which moves are decided", &GcmcFlightArrays::decided, most}};
  }
};

}  // namespace cellscope
