// Start with two phases in contact: a triangular lattice, which soon becomes hexatic, and
// compressed liquid. Grown from one phase, the other takes 10^7 sweeps and more to gather in one
// piece.
//
// Hard disks: liquid and hexatic coexist between packing 0.700 and 0.716 (Bernard and Krauth, Phys.
// Rev. Lett. 107, 155704 (2011)). Of the area, the lever rule gives each its share.
#pragma once
#include <cstdint>
#include <vector>

namespace cellscope {

inline constexpr double kLiquidPacking = 0.700, kHexaticPacking = 0.716;
inline constexpr std::int64_t kFewestCoexisting = 1024;  // below, boundaries fill the box

// The region of the hexatic phase in a periodic square box. Of the shapes with its area it has the
// shortest boundary: a disc below a share of 1 / pi, a stripe, and from 1 - 1 / pi on all but a
// disc.
class HexaticRegion {
 public:
  HexaticRegion(double packing, double length);

  // Let a stripe hold whole rows of a lattice with `rows` rows.
  void holdWholeRows(std::int64_t rows);
  bool contains(double x, double y) const;  // 0 <= x, y < length
  double boundary() const;                  // length of the boundary

  // Share of the area by the lever rule, 0 to 1.
  static double shareAt(double packing);

 private:
  enum class Shape { disc, stripe, allButDisc };
  Shape shape_;
  double length_, extent_;  // radius of the disc, width of the stripe
};

// What each phase is prepared at. Nothing overlaps across the boundary, which costs room: both are
// a little denser than they will be.
struct PhasePackings {
  double liquid, hexatic;
};
PhasePackings packingsFor(const HexaticRegion& region, double length);

// Lattice sites inside the region and the liquid's disks outside of it that overlap none of them;
// what exceeds n is left out evenly. Coordinates x0, y0, x1, y1, ... in [0, length). Throws
// RunError when there are fewer than n.
std::vector<double> joinedPhases(const HexaticRegion& region, const std::vector<double>& lattice,
                                 const std::vector<double>& liquid, std::int64_t n, double length);

// Throws InputError where there are not two phases, or no room for them.
void refuseOnePhase(std::int64_t n, double packing);

}  // namespace cellscope
