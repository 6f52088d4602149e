// Tools of a hand in the picture: a palette, the brush under the mouse, and what is held.
#pragma once
#include <imgui.h>

#include <cstdint>

#include "sim/base/vec.h"

namespace cellscope::gui {

struct Shell;
class ViewportArea;

enum class HandTool { select, grab, add, remove, heat, cool };
inline constexpr int kHandTools = 6;

struct HandState {
  HandTool tool = HandTool::select;
  double radius[kHandTools] = {1, 0.5, 1.5, 1.5, 2.5, 2.5};  // sigma
  bool stroke = false;                                       // the mouse is held down
  HandTool strokeTool = HandTool::select;                    // with which it began
  ImVec2 pressedAt, sentFrom;                                // of the mouse
  Vec3d sent{0, 0, 0};                                       // of the last pull
  std::uint64_t sentAt = 0, strokes = 0;                     // publication; strokes known
};

// The tool that acts now; the mode may not have the one that was chosen.
HandTool toolNow(const Shell& shell);
void nextTool(Shell& shell);
// Ctrl and the wheel; true when the brush has another radius.
bool wheelSizesBrush(Shell& shell);
// The left button belongs to a tool: it acts on the picture, and true is returned.
bool handInput(Shell& shell, ViewportArea& area, bool inside);
// At the left edge below `top`, or in a row there, where the mode lets a hand do something.
void handPalette(Shell& shell, const ViewportArea& area, float top, bool inRow);
// Chips of Select and of the tool that the scenario names.
void promotedTool(Shell& shell);
void handOverlay(Shell& shell, const ViewportArea& area);

}  // namespace cellscope::gui
