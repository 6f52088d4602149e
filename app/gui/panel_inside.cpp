// Seeing inside a scene in space: projection, slices, selection, depth.
#include "app/gui/panels.h"
#include "app/gui/viewport.h"

namespace cellscope::gui {
namespace {

constexpr const char* kPlanes[] = {"X", "Y", "Z", "View"};

void moveSlice(Shell& shell, std::size_t plane, double to) {
  double& at = shell.inside.planes[plane].at;
  at = std::clamp(to, 0.0, 1.0);
  if (plane == kViewPlane) shell.inside.cutToPicked = false;
  shell.log->write("slice-at", fmt::format("{} {:.3f}", kPlanes[plane], at));
}

void projection(Shell& shell) {
  int chosen = shell.inside.orthographic ? 1 : 0;
  if (choiceRow(shell, "projection", {"Perspective", "Orthographic"}, chosen)) {
    shell.inside.orthographic = chosen == 1;
    shell.log->write("projection", chosen == 1 ? "orthographic" : "perspective");
  }
  tooltip(shell, "Projection",
          {"Perspective shows depth; orthographic keeps lengths and right angles comparable."});
}

void switchPlanes(Shell& shell) {
  const float part = ImGui::GetContentRegionAvail().x / 4, gap = ImGui::GetStyle().ItemSpacing.x;
  for (std::size_t i = 0; i < 4; ++i) {
    SlicePlane& plane = shell.inside.planes[i];
    if (i > 0) ImGui::SameLine();
    const std::string id = fmt::format("slice-{}", kPlanes[i]);
    if (button(shell, id, kPlanes[i], Icon::none, part - gap * 0.75f, plane.on)) {
      plane.on = !plane.on;
      if (i == kViewPlane) shell.inside.cutToPicked = false;
      shell.log->write("slice", fmt::format("{} {}", kPlanes[i], plane.on ? "on" : "off"));
    }
    tooltip(shell,
            i == kViewPlane ? "Slice across the line of sight"
                            : fmt::format("Slice across the {} axis", kPlanes[i]),
            {"Hides everything in front of the plane. The round handle in the picture, the slider "
             "and Shift+wheel move it."});
  }
}

void planeRows(Shell& shell, std::size_t i) {
  SlicePlane& plane = shell.inside.planes[i];
  if (!plane.on) return;
  const Box& box = shell.now->frame->box;
  const double whole =
      i < 3 ? box.length[i] : std::max({box.length[0], box.length[1], box.length[2]});
  const std::string name = kPlanes[i];
  const std::string place = i == kViewPlane && shell.inside.cutToPicked ? "at the picked particle"
                            : i < 3 ? number(plane.at * whole, 3) + shell.lengthUnit()
                                    : percent(plane.at);
  double at = plane.at;
  if (optionRow(shell, {"slice-" + name + ".at", name + ", position", place}, at))
    moveSlice(shell, i, at);
  double thick = plane.halfSpace ? whole : std::min(plane.thickness, whole);
  const std::string shown =
      plane.halfSpace ? "all beyond the plane" : number(thick, 3) + shell.lengthUnit();
  if (optionRow(shell, {"slice-" + name + ".thickness", name + ", thickness", shown, 0.1, whole},
                thick)) {
    plane.halfSpace = thick >= 0.99 * whole;
    plane.thickness = thick;
    shell.log->write("slice-thickness",
                     plane.halfSpace ? name + " all" : fmt::format("{} {:.3f}", name, thick));
  }
}

struct SelectionChoice {
  Selection kind;
  const char* label;
  const char* layer;  // the layer of the structure; switched on with the choice
};
constexpr SelectionChoice kChoices[] = {{Selection::all, "All", ""},
                                        {Selection::nearPicked, "Near the picked", ""},
                                        {Selection::type, "One type", ""},
                                        {Selection::cellLayer, "Layer of cells", "cells"},
                                        {Selection::block, "Thread block", "mapping"},
                                        {Selection::treeLevels, "Tree levels", "tree"}};

// What this mode has, in as many lines as it takes.
void choices(Shell& shell, std::size_t types) {
  const std::vector<LayerInfo>& layers = shell.now->mode->layers;
  const float left = ImGui::GetCursorScreenPos().x, gap = shell.px(4);
  const float right = left + ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  bool first = true;
  for (const SelectionChoice& c : kChoices) {
    if (c.kind == Selection::type && types < 2) continue;
    if (*c.layer && std::ranges::find(layers, c.layer, &LayerInfo::key) == layers.end()) continue;
    const float end = std::exchange(first, false) ? 0 : right;
    const std::string id = fmt::format("select:{}", static_cast<int>(c.kind));
    if (!chipInLine(shell, id, c.label, "", end, shell.inside.selection == c.kind, true)) continue;
    shell.inside.selection = c.kind;
    if (*c.layer) shell.setLayer(c.layer, true);
    shell.log->write("selection", c.label);
  }
  ImGui::PopStyleVar();
}

// A whole number up to `last`.
void indexRow(Shell& shell, const char* id, const char* label, int last, int& index) {
  double value = std::clamp(index, 0, last);
  if (optionRow(shell,
                {id, label, fmt::format("{:.0f} of 0 to {}", value, last), 0,
                 static_cast<double>(std::max(1, last)), true},
                value))
    shell.log->write(id, fmt::format("{:.0f}", value));
  index = std::min(static_cast<int>(value), last);
}

void cellLayerRows(Shell& shell, InsideState& s) {
  const Frame& frame = *shell.now->frame;
  if (!frame.grid) return;
  const int axes = frame.box.dimension;
  s.axis = std::clamp(s.axis, 0, axes - 1);
  std::vector<std::string> names = {"Across x", "Across y", "Across z"};
  names.resize(static_cast<std::size_t>(axes));
  choiceRow(shell, "selection-axis", names, s.axis);
  indexRow(shell, "selection-layer", "Layer", frame.grid->cells[s.axis] - 1, s.layer);
}

void levelRows(Shell& shell, InsideState& s) {
  const double deepest = deepestLevel(shell.now->mode->layers, shell.now->frame.get());
  double lo = s.lowestLevel, hi = s.highestLevel;
  const auto shown = [](double level) { return fmt::format("{:.0f}", level); };
  bool changed = optionRow(
      shell, {"selection-lowest", "Levels from (root: 0)", shown(lo), 0, deepest, true}, lo);
  if (changed) hi = std::max(hi, lo);
  if (optionRow(shell, {"selection-highest", "to", shown(hi), 0, deepest, true}, hi)) {
    lo = std::min(lo, hi);
    changed = true;
  }
  if (!changed) return;
  s.lowestLevel = static_cast<int>(lo);
  s.highestLevel = static_cast<int>(hi);
  shell.log->write("selection-levels", fmt::format("{} {}", s.lowestLevel, s.highestLevel));
}

void selection(Shell& shell) {
  InsideState& s = shell.inside;
  std::vector<std::string> types;  // from the options of the first layer that has any
  for (const LayerInfo& layer : shell.now->mode->layers)
    for (const LayerOption& option : layer.options)
      if (types.empty() && option.kind == LayerOption::Kind::types) types = option.names;
  choices(shell, types.size());
  if (s.selection == Selection::all) return;
  const std::string why = common::whyNoSelection(s, *shell.now->frame);
  if (!why.empty()) textSmall(shell, why);
  if (s.selection == Selection::nearPicked)
    optionRow(shell,
              {"selection.radius", "Within", number(s.radius, 3) + shell.lengthUnit(), 0.5, 6},
              s.radius);
  if (s.selection == Selection::type) {
    s.type = std::clamp(s.type, 0, static_cast<int>(types.size()) - 1);
    std::vector<std::string> names;
    for (const std::string& name : types) names.push_back(printed(name));
    if (choiceRow(shell, "type", names, s.type))
      shell.log->write("selection-type", types[static_cast<std::size_t>(s.type)]);
  }
  if (s.selection == Selection::cellLayer) cellLayerRows(shell, s);
  if (s.selection == Selection::block) {
    int last = -1;
    for (const BlockCell& c : shell.now->frame->blockCells) last = std::max(last, c.block);
    if (last >= 0) indexRow(shell, "selection-block", "Block", last, s.block);
  }
  if (s.selection == Selection::treeLevels) levelRows(shell, s);
  if (switchRow(shell, "hide-rest",
                s.selection == Selection::treeLevels ? "Hide the particles" : "Hide the others",
                s.hideRest))
    shell.log->write("hide-rest", s.hideRest ? "on" : "off");
}

}  // namespace

bool isInSpace(const Shell& shell) {
  return shell.now && shell.now->frame && shell.now->frame->box.dimension == 3;
}

void insidePanel(Shell& shell) {
  const bool space = isInSpace(shell);
  if (!section(shell, "inside", space ? "Inside view" : "Selection", "",
               shell.inside != InsideState{}))
    return;
  if (!space) return selection(shell);
  projection(shell);
  textSmall(shell, "Slices");
  switchPlanes(shell);
  for (std::size_t i = 0; i < 4; ++i) planeRows(shell, i);
  textSmall(shell, "Show");
  selection(shell);
  optionRow(shell, {"depth-cue", "Fading with depth", percent(shell.inside.depthCue)},
            shell.inside.depthCue);
  tooltip(shell, "Fading with depth",
          {"Share of the background in the farthest corner of the box. Larger: depth is easier to "
           "judge, distant particles are fainter."});
}

namespace {

// The plane's rectangle in the box, at `place` along its axis.
void rectangle(const Box& box, int axis, double place, glm::dvec3 (&corner)[4]) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int i = 0; i < 4; ++i) {
    corner[i][axis] = place;
    corner[i][u] = i == 1 || i == 2 ? box.length[u] : 0;
    corner[i][v] = i >= 2 ? box.length[v] : 0;
  }
}

void outline(Shell& shell, const ViewportArea& area, int axis, double place, float opacity) {
  glm::dvec3 corner[4];
  rectangle(shell.now->frame->box, axis, place, corner);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->PushClipRect(area.lo(), area.hi(), true);
  for (int i = 0; i < 4; ++i)
    list->AddLine(area.onScreen(corner[i]), area.onScreen(corner[(i + 1) % 4]),
                  withAlpha(shell.colours->accent, opacity), shell.stroke(1.5f));
  list->PopClipRect();
}

// Moves the plane with the mouse along the picture of its axis.
void drag(Shell& shell, const ViewportArea& area, int axis, ImVec2 at, double place) {
  const auto plane = static_cast<std::size_t>(axis);
  const Box& box = shell.now->frame->box;
  glm::dvec3 corner[4];
  rectangle(box, axis, place + 0.02 * box.length[axis], corner);
  const ImVec2 next = area.onScreen(corner[2]);
  const float dx = next.x - at.x, dy = next.y - at.y, d2 = dx * dx + dy * dy;
  if (d2 < 1e-4f) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x == 0 && moved.y == 0) return;
  const double share = 0.02 * static_cast<double>((moved.x * dx + moved.y * dy) / d2);
  moveSlice(shell, plane, shell.inside.planes[plane].at + share);
}

// A round button with the first letter of the slice's name; true while it is held.
bool handleAt(Shell& shell, std::size_t plane, ImVec2 at) {
  const float r = shell.px(8);
  const std::string name = fmt::format("slice-handle:{}", kPlanes[plane]);
  const Pane pane(name, bareLook(at - ImVec2(r, r), ImVec2(2 * r, 2 * r),
                                 ImGuiWindowFlags_NoBringToFrontOnFocus));
  clickable(shell, name, ImVec2(2 * r, 2 * r));
  const Palette& c = *shell.colours;
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(at, r, c.viewport);
  list->AddCircleFilled(at, r - shell.px(2), hot ? c.text : c.accent);
  const std::string letter(1, kPlanes[plane][0]);
  const ImVec2 text = textSize(shell.fonts.small, letter);
  drawText(shell.fonts.small, at - ImVec2(text.x / 2, text.y / 2), c.onAccent, letter);
  return ImGui::IsItemActive();
}

// The slice across the line of sight is seen from the front: its handle runs on a rail at the right
// edge, from the near side of the box, below, to the far one.
void viewRail(Shell& shell, const ViewportArea& area) {
  const SlicePlane& plane = shell.inside.planes[kViewPlane];
  const Frame& frame = *shell.now->frame;
  const common::SliceAxis axis = common::sliceAxis(kViewPlane, area.camera(), frame.box);
  const render::Slab slab =
      common::insideView(shell.inside, area.camera(), frame).slabs[kViewPlane];
  const double place = plane.halfSpace ? slab.middle + slab.half : slab.middle;
  const auto share = static_cast<float>((place - axis.lo) / (axis.hi - axis.lo));
  const float tall = std::min(shell.px(200), 0.4f * (area.hi().y - area.lo().y));
  const float x = area.hi().x - shell.px(28), top = (area.lo().y + area.hi().y - tall) / 2;
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  const Palette& c = *shell.colours;
  list->AddLine(ImVec2(x, top), ImVec2(x, top + tall), c.viewport, shell.px(6));
  list->AddLine(ImVec2(x, top), ImVec2(x, top + tall), c.accent, shell.px(2));
  const float pad = shell.px(3), gap = shell.px(6);
  for (const std::string words : {"far", "near"}) {
    const ImVec2 size = textSize(shell.fonts.small, words);
    const ImVec2 lo(x - size.x / 2, words == "far" ? top - size.y - gap : top + tall + gap);
    list->AddRectFilled(lo - ImVec2(pad, pad / 2), lo + size + ImVec2(pad, pad / 2),
                        withAlpha(c.panel, 0.85f), pad);
    drawText(list, shell.fonts.small, lo, c.text, words);
  }
  const ImVec2 at(x, top + std::clamp(share, 0.f, 1.f) * tall);
  const float by = ImGui::GetIO().MouseDelta.y;
  if (handleAt(shell, kViewPlane, at) && by != 0)
    moveSlice(shell, kViewPlane, static_cast<double>(share + by / tall));
}

}  // namespace

void sliceOverlay(Shell& shell, const ViewportArea& area) {
  if (!isInSpace(shell)) return;
  for (int axis = 0; axis < 3; ++axis) {
    const SlicePlane& plane = shell.inside.planes[static_cast<std::size_t>(axis)];
    if (!plane.on) continue;
    const double place = plane.at * shell.now->frame->box.length[axis];
    if (!plane.halfSpace) {
      outline(shell, area, axis, place - plane.thickness / 2, 0.5f);
      outline(shell, area, axis, place + plane.thickness / 2, 0.5f);
    }
    outline(shell, area, axis, place, 0.9f);
    glm::dvec3 corner[4];
    rectangle(shell.now->frame->box, axis, place, corner);
    ImVec2 at = area.onScreen(corner[2]);
    const float edge = shell.px(16);
    at.x = std::clamp(at.x, area.lo().x + edge, area.hi().x - edge);
    at.y = std::clamp(at.y, area.lo().y + edge, area.hi().y - edge);
    if (handleAt(shell, static_cast<std::size_t>(axis), at)) drag(shell, area, axis, at, place);
  }
  if (shell.inside.planes[kViewPlane].on) viewRail(shell, area);
}

// Shift and the wheel move the plane that was switched on, or the first of several.
bool wheelMovesSlice(Shell& shell) {
  const ImGuiIO& io = ImGui::GetIO();
  // With Shift held, wheels of some systems turn sideways.
  const float turn = io.MouseWheel != 0 ? io.MouseWheel : io.MouseWheelH;
  if (!io.KeyShift || turn == 0) return false;
  for (std::size_t i = 0; i < 4; ++i) {
    const SlicePlane& plane = shell.inside.planes[i];
    if (!plane.on) continue;
    moveSlice(shell, i, plane.at + 0.02 * static_cast<double>(turn));
    return true;
  }
  return false;
}

}  // namespace cellscope::gui
