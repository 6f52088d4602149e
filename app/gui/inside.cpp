#include "app/gui/inside.h"

#include <algorithm>
#include <cmath>

namespace cellscope::gui {
namespace {

constexpr double kWhole = 1e-9;         // rounding at the faces of the box
constexpr double kBeforePicked = 0.51;  // sigma from its centre to the plane before it
constexpr double kFlyShare = 1.0 / 7;   // of the picture's height, for a particle flown to

bool hasPicked(const Frame& frame) { return frame.picked.id >= 0 && !frame.picked.deleted; }

glm::dvec3 pickedPlace(const Frame& frame) {
  const float* p = frame.picked.position;
  return {p[0], p[1], frame.box.dimension == 3 ? p[2] : 0};
}

}  // namespace

bool InsideState::anySlice() const {
  return std::any_of(planes.begin(), planes.end(), [](const SlicePlane& p) { return p.on; });
}

InsideState insideOf(const Scenario& scenario) {
  InsideState state;
  state.orthographic = scenario.orthographic;
  for (const SliceEntry& slice : scenario.slices) {
    SlicePlane& plane = state.planes[static_cast<std::size_t>(slice.plane)];
    plane = {true, slice.at, slice.thickness, slice.thickness <= 0};
    if (plane.halfSpace) plane.thickness = SlicePlane{}.thickness;
  }
  return state;
}

SliceAxis sliceAxis(std::size_t plane, const render::Camera& camera, const Box& box) {
  SliceAxis axis;
  const glm::dvec3 back = camera.towardsEye();
  if (plane == kViewPlane) {
    axis.normal = back;
  } else {
    const auto k = static_cast<int>(plane);
    axis.normal[k] = back[k] < 0 ? -1 : 1;
  }
  axis.lo = axis.hi = 0;  // of the corners, from the origin
  for (int k = 0; k < 3; ++k) {
    const double far = axis.normal[k] * box.length[k];
    (far < 0 ? axis.lo : axis.hi) += far;
  }
  return axis;
}

render::InsideView insideView(const InsideState& state, const render::Camera& camera,
                              const Frame& frame) {
  render::InsideView view;
  view.depthCue = state.depthCue;
  if (camera.dimension == 3)
    for (std::size_t i = 0; i < state.planes.size(); ++i) {
      const SlicePlane& plane = state.planes[i];
      if (!plane.on) continue;
      const SliceAxis axis = sliceAxis(i, camera, frame.box);
      const double whole = axis.hi - axis.lo, margin = whole * (1 + kWhole);
      // The position counts from the origin, whichever side the eye is on.
      const bool turned = i != kViewPlane && axis.lo < 0;
      double at = axis.lo + (turned ? 1 - plane.at : plane.at) * whole;
      if (i == kViewPlane && state.cutToPicked && hasPicked(frame))
        at = glm::dot(axis.normal, pickedPlace(frame)) + kBeforePicked;
      render::Slab& slab = view.slabs[i];
      slab.normal = axis.normal;
      slab.half = plane.halfSpace ? margin : plane.thickness / 2;
      slab.middle = plane.halfSpace ? at - margin : at;
    }
  const bool near = state.selection == Selection::nearPicked;
  if (state.selection == Selection::all || (near && !hasPicked(frame))) return view;
  view.rest = state.hideRest ? render::Rest::hidden : render::Rest::dimmed;
  if (near) {
    view.place = pickedPlace(frame);
    view.radius = state.radius;
  } else {
    view.types = 1u << std::clamp(state.type, 0, 31);
  }
  return view;
}

double flyDistance(double diameter, const render::Camera& camera) {
  const double height = std::max(diameter, 1e-6) / kFlyShare;
  return height / 2 / std::tan(glm::radians(camera.fieldOfView) / 2);
}

}  // namespace cellscope::gui
