#include <algorithm>
#include <cmath>

#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

void bars(ImDrawList* list, ImVec2 c, float r, ImU32 colour, bool second) {
  const float w = r * 0.5f;
  list->AddRectFilled(ImVec2(c.x - r * 0.7f, c.y - r), ImVec2(c.x - r * 0.7f + w, c.y + r), colour);
  if (second) {
    list->AddRectFilled(ImVec2(c.x + r * 0.7f - w, c.y - r), ImVec2(c.x + r * 0.7f, c.y + r),
                        colour);
  }
}

void triangle(ImDrawList* list, ImVec2 c, float left, float right, float r, ImU32 colour) {
  list->AddTriangleFilled(ImVec2(c.x + left, c.y - r), ImVec2(c.x + right, c.y),
                          ImVec2(c.x + left, c.y + r), colour);
}

// Open circle with an arrow head: clockwise for reset, anticlockwise for undo.
void turn(ImDrawList* list, ImVec2 c, float r, ImU32 colour, bool clockwise) {
  const float side = clockwise ? 1.f : -1.f, pi = 3.14159265f, w = std::max(1.2f, r * 0.28f);
  const float from = clockwise ? -0.15f * pi : -0.85f * pi;
  list->PathArcTo(c, r * 0.85f, from, from + side * 1.6f * pi, 24);
  list->PathStroke(colour, 0, w);
  const ImVec2 tip(c.x + r * 0.85f * std::cos(from), c.y + r * 0.85f * std::sin(from));
  const float h = r * 0.55f;
  list->AddTriangleFilled(ImVec2(tip.x - h, tip.y), ImVec2(tip.x + h, tip.y),
                          ImVec2(tip.x, tip.y - h * 1.2f), colour);
}

}  // namespace

void drawIcon(ImDrawList* list, Icon icon, ImVec2 c, float size, ImU32 colour) {
  const float r = size / 2, w = std::max(1.2f, size * 0.14f);
  switch (icon) {
    case Icon::none:
      break;
    case Icon::play:
      triangle(list, c, -r * 0.7f, r * 0.9f, r, colour);
      break;
    case Icon::pause:
      bars(list, c, r, colour, true);
      break;
    case Icon::step:
      bars(list, c, r, colour, false);
      triangle(list, c, -r * 0.05f, r * 1.1f, r, colour);
      break;
    case Icon::back:
      list->AddRectFilled(ImVec2(c.x + r * 0.55f, c.y - r), ImVec2(c.x + r, c.y + r), colour);
      list->AddTriangleFilled(ImVec2(c.x + r * 0.3f, c.y + r), ImVec2(c.x - r * 0.9f, c.y),
                              ImVec2(c.x + r * 0.3f, c.y - r), colour);
      break;
    case Icon::end:
      list->AddRectFilled(ImVec2(c.x + r * 0.6f, c.y - r), ImVec2(c.x + r, c.y + r), colour);
      triangle(list, c, -r * 0.9f, r * 0.5f, r, colour);
      break;
    case Icon::phase:
      list->AddCircle(c, r * 0.9f, withAlpha(colour, 0.5f), 20, w);
      list->PathArcTo(c, r * 0.9f, -1.5708f, 0.2f, 10);
      list->PathStroke(colour, 0, w * 1.6f);
      break;
    case Icon::reset:
      turn(list, c, r, colour, true);
      break;
    case Icon::undo:
      turn(list, c, r, colour, false);
      break;
    case Icon::close:
      list->AddLine(ImVec2(c.x - r * 0.7f, c.y - r * 0.7f), ImVec2(c.x + r * 0.7f, c.y + r * 0.7f),
                    colour, w);
      list->AddLine(ImVec2(c.x + r * 0.7f, c.y - r * 0.7f), ImVec2(c.x - r * 0.7f, c.y + r * 0.7f),
                    colour, w);
      break;
    case Icon::more:
      for (float k : {-0.7f, 0.f, 0.7f})
        list->AddCircleFilled(ImVec2(c.x, c.y + k * r), r * 0.2f, colour);
      break;
    case Icon::enlarge:  // two arrows away from the middle
      for (const float side : {-1.f, 1.f}) {
        const ImVec2 tip(c.x + side * r * 0.9f, c.y - side * r * 0.9f);
        list->AddLine(ImVec2(c.x + side * r * 0.15f, c.y - side * r * 0.15f), tip, colour, w);
        list->AddLine(tip, ImVec2(tip.x - side * r * 0.7f, tip.y), colour, w);
        list->AddLine(tip, ImVec2(tip.x, tip.y + side * r * 0.7f), colour, w);
      }
      break;
    case Icon::camera:
      list->AddRect(ImVec2(c.x - r, c.y - r * 0.6f), ImVec2(c.x + r, c.y + r * 0.7f), colour,
                    r * 0.25f, 0, w);
      list->AddCircle(c, r * 0.35f, colour, 12, w);
      break;
    case Icon::fit:  // four corners
      for (const float x : {-r, r})
        for (const float y : {-r, r}) {
          const ImVec2 corner(c.x + x * 0.9f, c.y + y * 0.9f);
          list->AddLine(corner, ImVec2(c.x + x * 0.3f, corner.y), colour, w);
          list->AddLine(corner, ImVec2(corner.x, c.y + y * 0.3f), colour, w);
        }
      break;
    case Icon::present:  // a screen on its stand
      list->AddRect(ImVec2(c.x - r, c.y - r * 0.8f), ImVec2(c.x + r, c.y + r * 0.4f), colour, 0, 0,
                    w);
      list->AddLine(ImVec2(c.x, c.y + r * 0.4f), ImVec2(c.x, c.y + r), colour, w);
      list->AddLine(ImVec2(c.x - r * 0.5f, c.y + r), ImVec2(c.x + r * 0.5f, c.y + r), colour, w);
      break;
    case Icon::theme:  // half dark
      list->AddCircle(c, r * 0.9f, colour, 20, w);
      list->PathArcTo(c, r * 0.9f, -1.5708f, 1.5708f, 12);
      list->PathFillConvex(colour);
      break;
    case Icon::help: {  // a question mark
      const float bow = r * 0.5f;
      list->PathArcTo(ImVec2(c.x, c.y - r * 0.45f), bow, -3.14159f, 1.5708f, 14);
      list->PathLineTo(ImVec2(c.x, c.y + r * 0.45f));
      list->PathStroke(colour, 0, w);
      list->AddCircleFilled(ImVec2(c.x, c.y + r * 0.85f), w * 0.7f, colour);
      break;
    }
  }
}

bool iconButton(Shell& shell, const std::string& id, Icon icon, ImVec2 at, float side, float size,
                ImU32 ink, ImU32 hot) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id.c_str(), ImVec2(side, side));
  shell.log->item(id);
  drawIcon(ImGui::GetWindowDrawList(), icon, ImVec2(at.x + side / 2, at.y + side / 2), size,
           ImGui::IsItemHovered() ? hot : ink);
  return pressed;
}

bool wordButton(Shell& shell, const std::string& id, const std::string& words, ImVec2 at, ImU32 ink,
                ImU32 hot, float height) {
  const ImVec2 size = textSize(shell.fonts.small, words);
  height = std::max(height, size.y);
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id.c_str(), ImVec2(size.x, height));
  shell.log->item(id);
  drawText(ImGui::GetWindowDrawList(), shell.fonts.small,
           ImVec2(at.x, at.y + (height - size.y) / 2), ImGui::IsItemHovered() ? hot : ink, words);
  return pressed;
}

}  // namespace cellscope::gui
