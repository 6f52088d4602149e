#include "app/common/inside.h"

#include <algorithm>
#include <cmath>

namespace cellscope::common {
namespace {

constexpr double kWhole = 1e-9;         // rounding at the faces of the box
constexpr double kBeforePicked = 0.51;  // sigma from its centre to the plane before it
constexpr double kFlyShare = 1.0 / 7;   // of the picture's height, for a particle flown to

bool hasPicked(const Frame& frame) { return frame.picked.id >= 0 && !frame.picked.deleted; }

constexpr double kEverywhere = 1e9;  // sigma
constexpr double kTouching = 1e-4;   // sigma: cells come in single precision

bool meet(double a, double b) { return std::abs(a - b) <= kTouching; }

// Joins boxes that fill one box together, along one axis after the other: of a cube of cells one is
// left, of a ball of cells a few.
std::vector<render::SelectedBox> joined(std::vector<render::SelectedBox> boxes) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::ranges::sort(boxes, [&](const auto& a, const auto& b) {
      for (const int k : {u, v})
        if (!meet(a.lo[k], b.lo[k])) return a.lo[k] < b.lo[k];
      return a.lo[axis] < b.lo[axis];
    });
    std::vector<render::SelectedBox> rows;
    for (const render::SelectedBox& b : boxes) {
      const bool goesOn = !rows.empty() && meet(rows.back().hi[axis], b.lo[axis]) &&
                          meet(rows.back().lo[u], b.lo[u]) && meet(rows.back().hi[u], b.hi[u]) &&
                          meet(rows.back().lo[v], b.lo[v]) && meet(rows.back().hi[v], b.hi[v]);
      if (goesOn)
        rows.back().hi[axis] = b.hi[axis];
      else
        rows.push_back(b);
    }
    boxes = std::move(rows);
  }
  return boxes;
}

std::vector<render::SelectedBox> blockBoxes(const Frame& frame, int block) {
  std::vector<render::SelectedBox> boxes;
  const bool space = frame.box.dimension == 3;
  for (const BlockCell& c : frame.blockCells) {
    if (c.block != block) continue;
    boxes.push_back({{c.lo[0], c.lo[1], space ? static_cast<double>(c.lo[2]) : -kEverywhere},
                     {c.hi[0], c.hi[1], space ? static_cast<double>(c.hi[2]) : kEverywhere}});
  }
  return joined(std::move(boxes));
}

glm::dvec3 pickedPlace(const Frame& frame) {
  const float* p = frame.picked.position;
  return {p[0], p[1], frame.box.dimension == 3 ? p[2] : 0};
}

}  // namespace

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
  if (state.selection == Selection::all || !whyNoSelection(state, frame).empty()) return view;
  view.rest = state.hideRest ? render::Rest::hidden : render::Rest::dimmed;
  using enum Selection;
  if (state.selection == nearPicked) view.place = pickedPlace(frame), view.radius = state.radius;
  if (state.selection == type) view.types = 1u << std::clamp(state.type, 0, 31);
  if (state.selection == cellLayer)
    view.boxes = layerBoxes(*frame.grid, frame.box, state.axis, state.layer);
  if (state.selection == block) view.boxes = blockBoxes(frame, state.block);
  if (state.selection == treeLevels) view.types = 0;
  return view;
}

std::vector<render::SelectedBox> layerBoxes(const CellGridPlace& grid, const Box& box, int axis,
                                            int layer) {
  axis = std::clamp(axis, 0, box.dimension - 1);
  layer = std::clamp(layer, 0, grid.cells[axis] - 1);
  const double length = box.length[axis], width = grid.width[axis];
  const double lo = std::fmod(grid.origin[axis] + layer * width, length), hi = lo + width;
  std::vector<render::SelectedBox> boxes(1, {glm::dvec3(-kEverywhere), glm::dvec3(kEverywhere)});
  boxes[0].lo[axis] = lo;
  boxes[0].hi[axis] = hi;
  if (hi > length * (1 + kWhole)) {
    boxes.push_back(boxes[0]);
    boxes[0].hi[axis] = kEverywhere;
    boxes[1].lo[axis] = -kEverywhere;
    boxes[1].hi[axis] = hi - length;
  }
  return boxes;
}

std::string whyNoSelection(const InsideState& state, const Frame& frame) {
  if (state.selection == Selection::nearPicked)
    return hasPicked(frame) ? "" : "Click a particle to select it and its neighbours.";
  if (state.selection == Selection::cellLayer)
    return frame.grid ? ""
                      : "No cells are shown: the layer Cell grid must be on, and the method must "
                        "use cells.";
  if (state.selection != Selection::block) return "";
  if (frame.blockCells.empty())
    return "No block reads cells now: switch on the layer Mapping of cells and make a step.";
  const std::size_t cells = blockBoxes(frame, state.block).size();
  if (cells == 0) return "This block read no cell in the last move.";
  return cells <= render::kMostSelectedBoxes
             ? ""
             : "The cells of this block do not fill few enough boxes to be selected: choose "
               "another block or mapping.";
}

double flyDistance(double diameter, const render::Camera& camera) {
  const double height = std::max(diameter, 1e-6) / kFlyShare;
  return height / 2 / std::tan(glm::radians(camera.fieldOfView) / 2);
}

LayerLooks withSelectedLevels(LayerLooks looks, const InsideState& state, const ModeWords& mode) {
  if (state.selection != Selection::treeLevels) return looks;
  for (const LayerInfo& layer : mode.layers) {
    const bool levels = std::ranges::any_of(
        layer.options, [](const LayerOption& o) { return o.kind == LayerOption::Kind::levels; });
    if (layer.group != LayerGroup::trees || !levels) continue;
    LayerLook& look = looks[layer.key];
    look.lowest = std::max(look.lowest, state.lowestLevel);
    look.highest = std::min(look.highest, state.highestLevel);
  }
  return looks;
}

bool applyLooks(render::Renderer& renderer, const LayerLooks& looks, const ModeWords& mode) {
  bool changed = false;
  for (const LayerInfo& layer : mode.layers) {
    const auto at = looks.find(layer.key);
    const LayerLook look = at == looks.end() ? LayerLook{} : at->second;
    changed |= renderer.setLook(layer.key, look);
    LayerLook faded;
    faded.opacity = look.opacity;
    for (const LayerPart& part : layer.parts) changed |= renderer.setLook(part.key, faded);
  }
  return changed;
}

bool applyRanges(render::Renderer& renderer, const Frame& frame, const ColourRanges& wanted) {
  bool changed = false;
  for (const LayerData& layer : frame.layers) {
    const auto asked = wanted.find(rangeKey(layer));
    const ColourRange range = asked == wanted.end() ? ColourRange{0, 0} : asked->second;
    changed |=
        renderer.setRange(layer.key, static_cast<float>(range.lo), static_cast<float>(range.hi));
  }
  return changed;
}

// Of a layer coloured by the types that it can leave out.
static void forgetHiddenTypes(LayerData& layer, const LayerLook& look, const ModeWords& mode) {
  std::vector<std::string>& names = layer.scale.categories;
  const auto info = std::ranges::find(mode.layers, layer.key, &LayerInfo::key);
  if (info == mode.layers.end()) return;
  const bool byType = std::ranges::any_of(info->options, [&](const LayerOption& option) {
    return option.kind == LayerOption::Kind::types && option.names == names;
  });
  for (std::size_t i = 0; byType && i < std::min<std::size_t>(names.size(), 32); ++i)
    if ((look.types >> i & 1u) == 0) names[i].clear();
}

std::vector<LayerData> shownLayers(const Frame& frame, const ColourRanges& ranges,
                                   const LayerLooks& looks, const ModeWords& mode) {
  std::vector<LayerData> layers = frame.layers;
  for (LayerData& layer : layers) {
    if (const auto range = ranges.find(rangeKey(layer)); range != ranges.end())
      layer.scale.lo = static_cast<float>(range->second.lo),
      layer.scale.hi = static_cast<float>(range->second.hi);
    if (const auto look = looks.find(layer.key); look != looks.end())
      forgetHiddenTypes(layer, look->second, mode);
  }
  return layers;
}

PickQuery clickAlong(const render::Camera& camera, const glm::dvec3& origin,
                     const glm::dvec3& direction, const render::InsideView& inside,
                     const Box& box) {
  glm::dvec3 start = origin;
  if (camera.orthographic) {
    const glm::dvec3 diagonal(box.length[0], box.length[1], box.length[2]);
    const double before = glm::dot(camera.target - origin, direction) - glm::length(diagonal);
    start += std::min(0.0, before) * direction;
  }
  PickQuery query;
  query.from = 0;
  for (const render::Slab& s : inside.slabs) {
    const double along = glm::dot(s.normal, direction);
    if (s.half < 0 || std::abs(along) < 1e-9) continue;
    const double middle = (s.middle - glm::dot(s.normal, start)) / along;
    const double half = s.half / std::abs(along);
    query.from = std::max(query.from, middle - half);
    query.to = std::min(query.to, middle + half);
  }
  for (int k = 0; k < 3; ++k) {
    query.origin[k] = start[k];
    query.direction[k] = direction[k];
  }
  return query;
}

}  // namespace cellscope::common
