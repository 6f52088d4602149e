// Seeing inside a scene in space: what a scenario or the window's controls say, and the renderer's
// view of it.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/inside.h"
#include "sim/api/frame.h"
#include "sim/run/inside_state.h"

namespace cellscope::common {

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
