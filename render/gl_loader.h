// OpenGL functions of the current context, through GLAD.
#pragma once
#include <glad/gl.h>

#include <string>

namespace cellscope::render {

// Load every function through `load` (glfwGetProcAddress, eglGetProcAddress). Throws RunError when
// no context is current or its version is below 4.5: "OpenGL 3.3 found, 4.5 needed".
void loadGl(GLADloadfunc load);

// Throws RunError unless loadGl succeeded for the current context.
void requireGl();

std::string glDescriptionOfContext();  // "OpenGL 4.5, NVIDIA H200"
bool drawnOnProcessor();               // by a program, without a GPU

}  // namespace cellscope::render
