// Pictures of the window, as it is on the screen.
#pragma once
#include <string>

#include "app/gui/shell.h"

namespace cellscope::gui {

// Read a part of the window's framebuffer (pixels, origin upper left; clipped to the window) and
// write it with the scenario, the step and every parameter as metadata. Throws RunError.
void savePicture(const std::string& path, const Publication* now, int windowWidth, int windowHeight,
                 int x, int y, int width, int height);

}  // namespace cellscope::gui
