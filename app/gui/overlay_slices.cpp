// Outlines of the slices in the picture, with a handle to drag each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/overlays.h"
#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNames[] = {"X", "Y", "Z", "View"};

void logPlace(Shell& shell, std::size_t plane) {
  shell.log->write("slice-at",
                   fmt::format("{} {:.3f}", kNames[plane], shell.inside.planes[plane].at));
}

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
                  withAlpha(shell.colours->accent, opacity), std::max(1.f, shell.px(1.5f)));
  list->PopClipRect();
}

// Moves the plane with the mouse along the picture of its axis.
void drag(Shell& shell, const ViewportArea& area, int axis, ImVec2 at, double place) {
  SlicePlane& plane = shell.inside.planes[static_cast<std::size_t>(axis)];
  const double length = shell.now->frame->box.length[axis];
  glm::dvec3 corner[4];
  rectangle(shell.now->frame->box, axis, place + 0.02 * length, corner);
  const ImVec2 next = area.onScreen(corner[2]);
  const float dx = next.x - at.x, dy = next.y - at.y, d2 = dx * dx + dy * dy;
  if (d2 < 1e-4f) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x == 0 && moved.y == 0) return;
  const double share = 0.02 * static_cast<double>((moved.x * dx + moved.y * dy) / d2);
  plane.at = std::clamp(plane.at + share, 0.0, 1.0);
  logPlace(shell, static_cast<std::size_t>(axis));
}

// A round button with the first letter of the slice's name; true while it is held.
bool handleAt(Shell& shell, std::size_t plane, ImVec2 at) {
  const float r = shell.px(8);
  const std::string name = fmt::format("slice-handle:{}", kNames[plane]);
  const Pane pane(
      name, {.at = ImVec2(at.x - r, at.y - r),
             .size = ImVec2(2 * r, 2 * r),
             .padding = ImVec2(0, 0),
             .more = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus});
  ImGui::InvisibleButton(name.c_str(), ImVec2(2 * r, 2 * r));
  shell.log->item(name);
  const Palette& c = *shell.colours;
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(at, r, c.viewport);
  list->AddCircleFilled(at, r - shell.px(2), hot ? c.text : c.accent);
  const std::string letter(1, kNames[plane][0]);
  const ImVec2 text = textSize(shell.fonts.small, letter);
  drawText(list, shell.fonts.small, ImVec2(at.x - text.x / 2, at.y - text.y / 2), c.onAccent,
           letter);
  return ImGui::IsItemActive();
}

void handle(Shell& shell, const ViewportArea& area, int axis, double place) {
  glm::dvec3 corner[4];
  rectangle(shell.now->frame->box, axis, place, corner);
  ImVec2 at = area.onScreen(corner[2]);
  const float edge = shell.px(16);
  at.x = std::clamp(at.x, area.lo().x + edge, area.hi().x - edge);
  at.y = std::clamp(at.y, area.lo().y + edge, area.hi().y - edge);
  if (handleAt(shell, static_cast<std::size_t>(axis), at)) drag(shell, area, axis, at, place);
}

// The slice across the line of sight is seen from the front: its handle runs on a rail at the right
// edge, from the near side of the box, below, to the far one.
void viewRail(Shell& shell, const ViewportArea& area) {
  SlicePlane& plane = shell.inside.planes[kViewPlane];
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
    list->AddRectFilled(ImVec2(lo.x - pad, lo.y - pad / 2),
                        ImVec2(lo.x + size.x + pad, lo.y + size.y + pad / 2),
                        withAlpha(c.panel, 0.85f), pad);
    drawText(list, shell.fonts.small, lo, c.text, words);
  }
  const ImVec2 at(x, top + std::clamp(share, 0.f, 1.f) * tall);
  const float by = ImGui::GetIO().MouseDelta.y;
  if (!handleAt(shell, kViewPlane, at) || by == 0) return;
  plane.at = std::clamp(static_cast<double>(share + by / tall), 0.0, 1.0);
  shell.inside.cutToPicked = false;
  logPlace(shell, kViewPlane);
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
    handle(shell, area, axis, place);
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
    SlicePlane& plane = shell.inside.planes[i];
    if (!plane.on) continue;
    plane.at = std::clamp(plane.at + 0.02 * static_cast<double>(turn), 0.0, 1.0);
    if (i == kViewPlane) shell.inside.cutToPicked = false;
    logPlace(shell, i);
    return true;
  }
  return false;
}

}  // namespace cellscope::gui
