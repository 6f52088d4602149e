// Which corner of the picture a card stands in, so that it does not lie over what it is about.
#pragma once
#include <imgui.h>

namespace cellscope::gui {

enum class Corner { upperRight, upperLeft, lowerRight, lowerLeft };

// Upper left corner of a card of `size` in a corner of the rectangle [lo, hi].
ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size);

// `now`, unless the card would come nearer than `margin` to `subject` there: then the first corner
// where it does not. If there is none, the one farthest from it.
Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin);

}  // namespace cellscope::gui
