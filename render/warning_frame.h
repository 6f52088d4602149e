// A mark for pictures that leave the program, and with it the words that say what is wrong in them.
#pragma once
#include "render/renderer.h"

namespace cellscope::render {

// Paints a red border over the edges: a hundred and fiftieth of the shorter side, at least 3
// pixels.
void paintWarningFrame(Image& image);

}  // namespace cellscope::render
