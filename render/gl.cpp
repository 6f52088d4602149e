#include "render/gl.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace cellscope::render {
namespace {

const char* text(GLenum name) {
  const GLubyte* s = glGetString(name);
  return s ? reinterpret_cast<const char*>(s) : "unknown";
}

}  // namespace

void loadGl(GLADloadfunc load) {
  const int version = gladLoadGL(load);
  if (version == 0)
    throw RunError(
        "no OpenGL functions could be loaded: no OpenGL context is current on this thread, or the "
        "graphics driver is missing; install the driver of the graphics card or Mesa "
        "(libgl1-mesa-dri)");
  const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
  if (major * 10 + minor < 45)
    throw RunError(fmt::format(
        "OpenGL {}.{} found, 4.5 needed ({}); update the graphics driver, or run without a "
        "picture in batch mode",
        major, minor, text(GL_RENDERER)));
}

void requireGl() {
  if (!glad_glGetString || !glGetString(GL_VERSION))
    throw RunError("the renderer needs a current OpenGL 4.5 context with its functions loaded");
}

bool drawnOnProcessor() {
  const std::string renderer = text(GL_RENDERER);
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Basic Render"})
    if (renderer.find(name) != std::string::npos) return true;
  return false;
}

std::string glDescriptionOfContext() {
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  std::string renderer = text(GL_RENDERER);
  // "NVIDIA H200/PCIe/SSE2" and "llvmpipe (LLVM 15.0.6, 256 bits)": the tail is not useful.
  renderer = renderer.substr(0, renderer.find("/PCIe"));
  if (const auto paren = renderer.find(" (LLVM"); paren != std::string::npos)
    renderer = renderer.substr(0, paren) + " (software)";
  return fmt::format("OpenGL {}.{}, {}", major, minor, renderer);
}

}  // namespace cellscope::render
