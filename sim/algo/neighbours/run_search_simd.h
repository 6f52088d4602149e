// The search of runs of sorted particles for the neighbours of all particles of a cell, vectorised:
// one entry point per instruction set.
#pragma once
#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/machine.h"

namespace cellscope {

// Sorted particles [begin, end), and what is added along each axis to their differences to those of
// the cell.
struct SearchRun {
  std::uint32_t begin, end;
  float shift[3];
};

// How the nearest image of a difference is found. The bits are those of RecordBox::difference() in
// each case that applies.
enum class RunImages {
  none,   // it is the difference itself
  byRun,  // it is the difference, shifted by the shift of the run
  each    // by comparisons, pair by pair
};

// One type of particles.
struct CellSearch {
  const ParticleRecord* sorted;
  const std::uint32_t* slot;  // of sorted particles; null: 0, 1, 2 ...
  RecordBox box;
  float reachSquared;
  RunImages images;
  const SearchRun* run;
  std::size_t runs;
  // List of slot i: at items + (i - first) * room; what has no room is counted and not written.
  std::uint32_t* items;
  std::uint32_t room;
  std::size_t first;
};

// Neighbours of the sorted particles [begin, end) among those of the runs, in their order. found:
// how many, for each of them (end - begin).
using CellSearchFunction = void(const CellSearch&, std::uint32_t begin, std::uint32_t end,
                                std::uint32_t* found);

CELLSCOPE_FOR_SETS(CellSearchFunction, searchCell);

}  // namespace cellscope
