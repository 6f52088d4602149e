// Start with two phases in contact: a triangular lattice, which soon becomes hexatic, and
// compressed liquid. Starting from one phase, the other takes 10^7 sweeps or more to form one
// domain.
//
// Hard disks: liquid and hexatic coexist between packing 0.700 and 0.716 (Bernard and Krauth, Phys.
// Rev. Lett. 107, 155704 (2011)). The lever rule gives their area fractions.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/box.h"

namespace cellscope {

inline constexpr double kLiquidPacking = 0.700, kHexaticPacking = 0.716;
inline constexpr std::int64_t kFewestCoexisting = 1024;  // below this, interfaces fill the box

// The region of the hexatic phase in a periodic box, at least as high as wide. The shape with the
// shortest boundary at the given area fraction: in a square a disc below 1 / pi, a stripe along x,
// and above 1 - 1 / pi the complement of a disc.
class HexaticRegion {
 public:
  HexaticRegion(double packing, const Box& box);

  // Rounds a stripe to whole rows of a lattice with `rows` rows.
  void holdWholeRows(std::int64_t rows);
  bool contains(double x, double y) const;  // of a point in the box
  double boundary() const;                  // length of the boundary

  // Area fraction by the lever rule, 0 to 1.
  static double shareAt(double packing);

 private:
  enum class Shape { disc, stripe, allButDisc };
  Shape shape_;
  Box box_;
  double extent_;  // radius of the disc, width of the stripe
};

// Packing at which each phase is prepared. Disks removed at the boundary leave a gap, so that both
// phases start slightly denser than at equilibrium.
struct PhasePackings {
  double liquid, hexatic;
};
PhasePackings packingsFor(const HexaticRegion& region, const Box& box);

// Lattice sites inside the region, and liquid disks outside that do not overlap them; disks in
// excess of n are removed evenly. Coordinates x0, y0, x1, y1, ... Throws RunError
// when there are fewer than n.
std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n, const Box& box);

// Throws InputError outside the coexistence region, for too few disks or in a box that is wider
// than high.
void refuseOnePhase(std::int64_t n, double packing, double aspect = 1);

}  // namespace cellscope
