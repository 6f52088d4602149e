// The state of a new run of hard disks, and the memory it needs; positions in a periodic box, sigma
// = 1.
#pragma once
#include "sim/api/mode.h"
#include "sim/base/backend.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/parameters.h"
#include "sim/modes/mode_core.h"

namespace cellscope {

// columns x rows lattice sites, strained to fit the box; sites - n of them stay empty.
struct LatticeShape {
  std::int64_t columns = 0, rows = 0;
  bool hexagonal = false;
  double aspect = 1;  // side y over side x
  // Smallest side x without overlap.
  double smallestLength() const;
  double largestPacking(std::int64_t n) const;
};

// Shape for n disks: the nearest square, or the triangular lattice (even rows, odd rows moved by
// half a spacing) that can be packed most densely in a box of that ratio of sides.
LatticeShape latticeShape(DiskStart start, std::int64_t n, double aspect = 1);

// Positions x0, y0, x1, y1, ... of n disks in a box of side x `length`; vacancies are spread
// evenly.
std::vector<double> latticePositions(const LatticeShape& shape, std::int64_t n, double length);

// Distance of disks that are inserted, above 1 by far more than the coordinate quantum, so that
// rounding makes no overlap.
inline constexpr double kPlacementGap = 1e-5;

// Random sequential insertion: draws candidates for each disk until one does not overlap. Serial,
// hence independent of the thread count. Throws InputError when a disk cannot be inserted. `placed`
// is called with the number of disks every few thousand.
std::vector<double> randomPositions(std::int64_t n, const Box& box, std::uint64_t seed,
                                    const std::function<void(std::int64_t)>& placed = {});

// Checks the parameters before anything is allocated. Throws InputError, naming what to change.
void checkPossible(std::int64_t n, double packing, DiskStart start, GridShape shape = {});

// Start with two phases in contact: a triangular lattice, which soon becomes hexatic, and
// compressed liquid. Starting from one phase, the other takes 10^7 sweeps or more to form one
// domain.
//
// Hard disks: liquid and hexatic coexist between packing 0.700 and 0.716 (Bernard and Krauth, Phys.
// Rev. Lett. 107, 155704 (2011)). The lever rule gives their area fractions.
inline constexpr double kLiquidPacking = 0.700, kHexaticPacking = 0.716;
inline constexpr std::int64_t kFewestCoexisting = 1024;  // below this, interfaces fill the box

// The region of the hexatic phase in a periodic box, at least as high as wide. The shape with the
// shortest boundary at the given area fraction: in a square a disc below 1 / pi, a stripe along x,
// and above 1 - 1 / pi the complement of a disc.
class HexaticRegion {
 public:
  HexaticRegion(double packing, const Box& box);

  // Rounds a stripe to whole rows of a lattice with `rows` rows.
  void holdWholeRows(std::int64_t rows) {
    const double height = box_.length[1] / static_cast<double>(rows);
    if (shape_ == Shape::stripe) extent_ = height * std::round(extent_ / height);
  }
  bool contains(double x, double y) const;  // of a point in the box
  double boundary() const {                 // its length
    return shape_ == Shape::stripe ? 2 * box_.length[0] : 2 * std::numbers::pi * extent_;
  }

  // Area fraction by the lever rule, 0 to 1.
  static double shareAt(double packing) {
    return std::clamp((packing - kLiquidPacking) / (kHexaticPacking - kLiquidPacking), 0.0, 1.0);
  }

 private:
  enum class Shape { disc, stripe, allButDisc };
  Shape shape_;
  Box box_;
  double extent_;  // radius of the disc, width of the stripe
};

// Lattice sites inside the region, and liquid disks outside that do not overlap them; disks in
// excess of n are removed evenly. Coordinates x0, y0, x1, y1, ... Throws RunError
// when there are fewer than n.
std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n, const Box& box);

// Throws InputError outside the coexistence region, for too few disks or in a box that is wider
// than high.
void refuseOnePhase(std::int64_t n, double packing, double aspect = 1);

struct NewState {
  DiskSystem system;
  CompressionState compression;  // inactive; its sweeps are used up
};

// The initial state given by the parameters, compressed to the target packing; `report` is the
// progress callback. Throws InputError (impossible or unreachable states), RunError (memory), or
// what `report` throws.
NewState newState(const HardDiskParameters& p, const exec::Shared& exec,
                  const WorkReport& report = {});

// The state of a loaded configuration, which determines the number of disks and the packing. Throws
// InputError naming the offending disk or pair.
NewState adoptedState(const Configuration& c, const exec::Shared& exec,
                      const WorkReport& report = {});

// How a state is built: directly, or through boxes of other sizes, where old and new cells exist
// together.
enum class BoxHistory { constant, changing };

// For n disks in cells of this grid.
MemoryNeed diskMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                      BoxHistory history);

// Throws RunError when they do not fit.
inline void checkMemory(std::int64_t n, const GridInfo& grid, const ExecConfig& config,
                        BoxHistory history) {
  requireMemory(n, "disks at this packing", diskMemory(n, grid, config, history), config,
                "; a larger 'packing' needs fewer cells");
}

}  // namespace cellscope
