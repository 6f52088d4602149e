// Seeing inside a scene in space: what a scenario or the window's controls say, and the renderer's
// view of it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/inside.h"
#include "sim/api/frame.h"

namespace cellscope::common {

// One slice: across an axis of the box, or, the last, across the line of sight.
struct SlicePlane {
  bool on = false;
  double at = 0.5;        // of the box's extent along the normal
  double thickness = 2;   // sigma
  bool halfSpace = true;  // all that lies behind it, as seen from the eye, instead
  bool operator==(const SlicePlane&) const = default;
};

// block: cells of a thread block in the last move; treeLevels: boxes of a hierarchy, no particles.
enum class Selection { all, nearPicked, type, cellLayer, block, treeLevels };

struct InsideState {
  std::array<SlicePlane, 4> planes{};  // x, y, z, view
  bool cutToPicked = false;            // the view plane stands just before the picked particle
  bool orthographic = false;
  Selection selection = Selection::all;
  bool hideRest = false;  // otherwise dimmed
  double radius = 1.5;    // sigma, about the picked particle
  int type = 0;
  int axis = 2, layer = 0;                // of cells: the axis across them, and which one
  int block = 0;                          // of threads
  int lowestLevel = 0, highestLevel = 3;  // of trees; the root has 0
  double depthCue = render::InsideView{}.depthCue;
  bool operator==(const InsideState&) const = default;
  bool anySlice() const;
};

inline constexpr std::size_t kViewPlane = 3;

// Normal of a slice, towards the eye, and the range of its place along that.
struct SliceAxis {
  glm::dvec3 normal{0};
  double lo = 0, hi = 1;
};
SliceAxis sliceAxis(std::size_t plane, const render::Camera& camera, const Box& box);

// `frame`: for the box and the picked particle.
render::InsideView insideView(const InsideState& state, const render::Camera& camera,
                              const Frame& frame);
// Cells of one layer of a grid across an axis: one box, or two where it crosses the box's border.
std::vector<render::SelectedBox> layerBoxes(const CellGridPlace& grid, const Box& box, int axis,
                                            int layer);
// Why a selection acts on nothing at present, in words for the panel; "": it acts.
std::string whyNoSelection(const InsideState& state, const Frame& frame);
// Distance from which a picked particle of this diameter is looked at.
double flyDistance(double diameter, const render::Camera& camera);

}  // namespace cellscope::common
