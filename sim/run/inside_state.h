// What is shown of a scene so that one sees inside, as scenario files, the window and pictures have
// it: slices, projection, a selection beside which the rest is dimmed or hidden, fading with depth.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>

namespace cellscope {

// One slice: across an axis of the box, or, the last, across the line of sight.
struct SlicePlane {
  bool on = false;
  double at = 0.5;        // of the box's extent along the normal
  double thickness = 2;   // sigma
  bool halfSpace = true;  // all that lies behind it, as seen from the eye, instead
  bool operator==(const SlicePlane&) const = default;
};
inline constexpr std::size_t kViewPlane = 3;

// block: cells of a thread block in the last move; treeLevels: boxes of a hierarchy, no particles.
enum class Selection { all, nearPicked, type, cellLayer, block, treeLevels };

struct InsideState {
  std::array<SlicePlane, 4> planes{};  // x, y, z, view; in space only
  bool cutToPicked = false;            // the view plane stands just before the picked particle
  bool orthographic = false;           // in space only
  Selection selection = Selection::all;
  bool hideRest = false;  // otherwise dimmed
  double radius = 1.5;    // sigma, about the picked particle
  int type = 0;
  int axis = 2, layer = 0;                // of cells: the axis across them, and which one
  int block = 0;                          // of threads
  int lowestLevel = 0, highestLevel = 3;  // of trees; the root has 0
  double depthCue = 0.75;  // in space only: share of the background in the farthest corner
  bool operator==(const InsideState&) const = default;
  bool anySlice() const {
    return std::any_of(planes.begin(), planes.end(), [](const SlicePlane& p) { return p.on; });
  }
};

// Range of a colour map that was set by hand; otherwise the simulation's own.
struct ColourRange {
  double lo = 0, hi = 1;
  bool operator==(const ColourRange&) const = default;
};
using ColourRanges = std::map<std::string, ColourRange>;  // by "LAYER/QUANTITY"

}  // namespace cellscope
