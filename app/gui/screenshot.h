// Pictures of the window, as it is on the screen.
#pragma once
#include <string>

#include "app/gui/shell.h"
#include "render/png.h"

namespace cellscope::gui {

// What goes with a picture or a table of this state: program, scenario, step, every parameter, and
// a warning for every experiment that is on.
render::Metadata describe(const Publication& now);

// Read a part of the window's framebuffer (pixels, origin upper left; clipped to the window) and
// write it with the scenario, the step and every parameter as metadata. Throws RunError.
void savePicture(const std::string& path, const Publication* now, int windowWidth, int windowHeight,
                 int x, int y, int width, int height);

}  // namespace cellscope::gui
