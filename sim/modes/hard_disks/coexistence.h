// Start with two phases in contact: a triangular lattice, which soon becomes hexatic, and
// compressed liquid. Starting from one phase, the other takes 10^7 sweeps or more to form one
// domain.
//
// Hard disks: liquid and hexatic coexist between packing 0.700 and 0.716 (Bernard and Krauth, Phys.
// Rev. Lett. 107, 155704 (2011)). The lever rule gives their area fractions.
#pragma once
#include <cstdint>
#include <vector>

namespace cellscope {

inline constexpr double kLiquidPacking = 0.700, kHexaticPacking = 0.716;
inline constexpr std::int64_t kFewestCoexisting = 1024;  // below this, interfaces fill the box

// The region of the hexatic phase in a periodic square box. The shape with the shortest boundary at
// the given area fraction: a disc below 1 / pi, a stripe, and above 1 - 1 / pi the complement of a
// disc.
class HexaticRegion {
 public:
  HexaticRegion(double packing, double length);

  // Rounds a stripe to whole rows of a lattice with `rows` rows.
  void holdWholeRows(std::int64_t rows);
  bool contains(double x, double y) const;  // 0 <= x, y < length
  double boundary() const;                  // length of the boundary

  // Area fraction by the lever rule, 0 to 1.
  static double shareAt(double packing);

 private:
  enum class Shape { disc, stripe, allButDisc };
  Shape shape_;
  double length_, extent_;  // radius of the disc, width of the stripe
};

// Packing at which each phase is prepared. Disks removed at the boundary leave a gap, so that both
// phases start slightly denser than at equilibrium.
struct PhasePackings {
  double liquid, hexatic;
};
PhasePackings packingsFor(const HexaticRegion& region, double length);

// Lattice sites inside the region, and liquid disks outside that do not overlap them; disks in
// excess of n are removed evenly. Coordinates x0, y0, x1, y1, ... in [0, length). Throws RunError
// when there are fewer than n.
std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n, double length);

// Throws InputError outside the coexistence region or for too few disks.
void refuseOnePhase(std::int64_t n, double packing);

}  // namespace cellscope
