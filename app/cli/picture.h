// Picture of a batch run.
#pragma once
#include <string>

#include "render/renderer.h"
#include "sim/run/session.h"

namespace cellscope::cli {

// Writes a PNG of the scenario's view with the parameters as metadata. Throws RunError when OpenGL
// or the requested sink is not available or the file cannot be written.
void writePicture(const std::string& path, Session& session, int width, int height,
                  render::SinkChoice sink);

// OpenGL version, renderer and sink, or why there is none; for `cellscope info`.
std::string describeGraphics(Backend backend);

}  // namespace cellscope::cli
