// A picture of a run without a window.
#pragma once
#include <string>

#include "render/renderer.h"
#include "sim/run/session.h"

namespace cellscope::cli {

// PNG of the scenario's view, its parameters in the metadata. Throws RunError when there is no
// OpenGL, not the sink that was demanded, or the file cannot be written.
void writePicture(const std::string& path, Session& session, int width, int height,
                  render::SinkChoice sink);

// "OpenGL 4.5, llvmpipe" and how particles reach it, or why there is none; for `cellscope info`.
std::string describeGraphics(Backend backend);

}  // namespace cellscope::cli
