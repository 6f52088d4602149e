// Screenshots of the window.
#pragma once
#include <string>

#include "app/gui/shell.h"
#include "render/png.h"

namespace cellscope::gui {

// Metadata of a picture or table of this state: program, scenario, step, all parameters, and a
// warning for every active experiment.
render::Metadata describe(const Publication& now);

// Read a part of the window's framebuffer (pixels, origin upper left; clipped to the window) and
// write it with these notes as metadata. Throws RunError.
void savePicture(const std::string& path, const Publication* now, const render::Metadata& notes,
                 int windowWidth, int windowHeight, int x, int y, int width, int height);

}  // namespace cellscope::gui
