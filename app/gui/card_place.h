// Chooses the corner of the picture for a card, so that it does not cover its subject.
#pragma once
#include <imgui.h>

namespace cellscope::gui {

enum class Corner { upperRight, upperLeft, lowerRight, lowerLeft };

// Upper left corner of a card of `size` in a corner of the rectangle [lo, hi].
ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size);

// `now`, unless the card would be closer than `margin` to `subject` there: then the first corner
// where it is not, or else the farthest one.
Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin);

}  // namespace cellscope::gui
