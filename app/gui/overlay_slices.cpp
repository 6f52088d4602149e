// Outlines of the slices in the picture, with a handle to drag each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/overlays.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNames[] = {"X", "Y", "Z"};

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
  shell.log->write("slice-at", fmt::format("{} {:.3f}", kNames[axis], plane.at));
}

void handle(Shell& shell, const ViewportArea& area, int axis, double place) {
  glm::dvec3 corner[4];
  rectangle(shell.now->frame->box, axis, place, corner);
  ImVec2 at = area.onScreen(corner[2]);
  const float r = shell.px(8);
  at.x = std::clamp(at.x, area.lo().x + 2 * r, area.hi().x - 2 * r);
  at.y = std::clamp(at.y, area.lo().y + 2 * r, area.hi().y - 2 * r);
  ImGui::SetNextWindowPos(ImVec2(at.x - r, at.y - r));
  ImGui::SetNextWindowSize(ImVec2(2 * r, 2 * r));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  const std::string name = fmt::format("slice-handle:{}", kNames[axis]);
  ImGui::Begin(("##" + name).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::InvisibleButton(name.c_str(), ImVec2(2 * r, 2 * r));
  shell.log->item(name);
  const Palette& c = *shell.colours;
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(at, r, c.viewport);
  list->AddCircleFilled(at, r - shell.px(2), hot ? c.text : c.accent);
  const ImVec2 text = textSize(shell.fonts.small, kNames[axis]);
  drawText(list, shell.fonts.small, ImVec2(at.x - text.x / 2, at.y - text.y / 2), c.onAccent,
           kNames[axis]);
  if (ImGui::IsItemActive()) drag(shell, area, axis, at, place);
  ImGui::End();
  ImGui::PopStyleVar(2);
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
    shell.log->write("slice-at", fmt::format("{} {:.3f}", i < 3 ? kNames[i] : "View", plane.at));
    return true;
  }
  return false;
}

}  // namespace cellscope::gui
