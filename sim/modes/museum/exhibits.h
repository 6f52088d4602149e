// What the museum of bugs shows: public bugs of neighbour lists, cell lists and trees, each with
// the box that shows it, the line that is wrong and its mend.
#pragma once
#include <cmath>
#include <vector>

#include "sim/algo/list_check/check.h"
#include "sim/base/vec.h"

namespace cellscope::museum {

enum class Bug {
  thinLastCell,
  cellZero,
  overfullCell,
  shortStencil,
  tilt,
  types,
  imageFlag,
  halfTwice,
  skinSpent,
  mortonTie,
  rope,
  floatBox
};

struct Exhibit {
  Bug bug{};
  const char *key = "", *label = "";
  const char *mistake = "", *mend = "";               // the line of ListBuilder, wrong and right
  list_check::Kind kind = list_check::Kind::missing;  // of the pairs that it has wrong
  bool byTree = false;                                // lists are found by a tree
  double lx = 15, ly = 15, shear = 0;  // vectors of the box: (lx, 0) and (shear, ly), sigma
  double cutoff = 2.5, skin = 0;       // sigma
  double origin = 0;                   // corner of the box, a multiple of lx and ly
  std::uint32_t types = 1;

  // Along vector 0 or 1.
  double edge(int a) const { return a == 0 ? lx : std::hypot(shear, ly); }
  double height(int a) const { return a == 0 ? lx * ly / edge(1) : ly; }  // of opposite faces
  Vec3d vector(double f, double g) const { return {f * lx + g * shear, g * ly, 0}; }
  Vec3d fraction(Vec3d r) const { return {(r.x - r.y / ly * shear) / lx, r.y / ly, 0}; }
  // From a to an image of b, and to the nearest one: right below half of each height.
  Vec3d apart(Vec3d a, Vec3d b, const list_check::Shift& s) const {
    const Vec3d v = vector(s[0], s[1]);
    return {b.x - a.x + v.x, b.y - a.y + v.y, 0};
  }
  Vec3d nearest(Vec3d a, Vec3d b) const {
    const Vec3d f = fraction({b.x - a.x, b.y - a.y, 0});
    return vector(f.x - std::round(f.x), f.y - std::round(f.y));
  }
};

const std::vector<Exhibit>& exhibits();  // in the order of Bug

}  // namespace cellscope::museum
