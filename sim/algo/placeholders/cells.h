// Cells with a fixed number of slots each (S2, section 3.1): a slot holds a particle or a
// placeholder, a virtual particle that interacts with nothing.
//
// Cells are at least r_c + lambda wide, r_c the longest cutoff and lambda the skin, and there are
// three or more along every axis, so that the 27 cells (9 in the plane) around one are different.
//
// Deviation: S2 takes for lambda the largest displacement of one particle in a time step. Two
// particles may approach each other by twice as much, so that here a particle may be outside its
// cell by at most half of what the cell is wider than r_c.
#pragma once
#include "sim/algo/md/state.h"
#include "sim/algo/neighbours/cell_grid.h"

namespace cellscope {

inline constexpr std::uint32_t kMostSlots = 512;  // of a cell: threads of a team

// What the placeholder cells of a state are to be.
struct PlaceholderShape {
  CellGrid grid;
  std::uint32_t slots = 32;  // of each cell
  double cutoff = 0;         // the longest one
  std::size_t slotsInAll() const { return static_cast<std::size_t>(grid.count()) * slots; }
  // Whether a position is in this cell or in one that touches it.
  bool nextTo(std::uint32_t cell, const ParticleRecord& place) const;
};

// As many cells as fit, but not many more than particles. As many slots as asked for, and a quarter
// more than a uniform fluid needs if that is more.
PlaceholderShape placeholderShape(std::size_t n, const Box& box, const PairSettings& settings);

// Why n particles in this box cannot have such cells, with the limit and the way out. colloids: of
// these, where their number is what the size of the box follows from.
std::optional<std::string> placeholdersRefused(std::size_t n, const Box& box,
                                               const PairSettings& settings,
                                               std::int64_t colloids = 0);

// Contents of all cells: real particles come first in each.
struct PlaceholderContents {
  std::vector<SlotRecord> slot;       // cells x slots
  std::vector<std::uint32_t> filled;  // particles in each cell
  bool grown = false;                 // there were too few slots
};

// Puts the particles of these records, each with its number and in this order, into cells: those
// given, or, without any, the cells of their positions. Slots are grown where they are too few.
PlaceholderContents placeInCells(PlaceholderShape& shape,
                                 const std::vector<ParticleRecord>& records,
                                 const std::vector<std::uint32_t>& order,
                                 const std::vector<std::uint32_t>& cellOf);

// What an engine with placeholder cells lends to its readers: arrays in the memory of
// its backend, valid until the engine is used again.
struct CellsLent {
  PlaceholderShape shape;
  const SlotRecord* slot = nullptr;
  const std::uint32_t* filled = nullptr;
};

// Data shared by the parts of a step with placeholder cells and the host, in the memory
// of the backend. Several steps are ordered at once; parts after the moment `stop` do nothing, so
// that the host can make room and go on from there.

// Moments of step s: 2 s with its drift and, before its forces, the refresh of the cells; 2 s + 1
// with its forces, the update of the cells and the last kick.
HOST_DEVICE std::uint64_t beforeForces(std::uint64_t step) { return 2 * step; }
HOST_DEVICE std::uint64_t withForces(std::uint64_t step) { return 2 * step + 1; }
inline constexpr std::uint64_t kNeverStop = ~std::uint64_t{0};

struct PlaceholderControl {
  std::uint64_t stop = kNeverStop;  // moment at which some cell had too few slots
  std::uint64_t left = 0;           // 1 + the last step that took a particle too far from its cell
  std::uint64_t refreshes = 0;      // of the cells, beside the updates with the forces
  std::uint32_t needed = 0;         // particles of the cell with too few slots

  HOST_DEVICE bool reaches(std::uint64_t moment) const { return moment <= stop; }
  HOST_DEVICE bool refreshDue(std::uint64_t step) const {
    return left == step + 1 && reaches(beforeForces(step));
  }
};

// The last kick of a step is due.
struct ForcesAreThere {
  const PlaceholderControl* control;
  std::uint64_t step;
  HOST_DEVICE bool operator()() const { return control->reaches(withForces(step)); }
};

// For samples (sim/algo/md/samples.h).
struct RefreshesOf {
  const PlaceholderControl* control;
  HOST_DEVICE std::uint64_t builds() const { return control->refreshes; }
  HOST_DEVICE std::uint64_t dangerous() const { return 0; }
};

}  // namespace cellscope
