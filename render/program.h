// Shader programs from the table of built-in texts.
#pragma once
#include <string>
#include <vector>

#include "render/gl.h"

namespace cellscope::render {

// The table of marks as the shaders read it.

// GLSL: struct Mark and the uniform block that holds kMarks, indexed by cellscope::Mark. A constant
// array would be compiled into every shader that reads one of them, which takes software renderers
// most of their time.
std::string markBlock();

// The block's content, to be bound to kMarkBinding.
inline constexpr unsigned kMarkBinding = 1;
GlBuffer markBuffer();

// common.glsl precedes every stage, layer.glsl the vertex and compute stages and line.glsl
// line.vert; `defines` become "#define NAME 1". Throws RunError with the driver's log when a stage
// does not compile or the program does not link.
GlProgram makeProgram(const std::string& vertex, const std::string& fragment,
                      const std::vector<std::string>& defines = {});
GlProgram makeComputeProgram(const std::string& name, const std::vector<std::string>& defines = {});

// Text of every file in shaders/, built into the program. Ends with a row of null pointers.
struct ShaderText {
  const char* name;
  const char* text;
};
extern const ShaderText kShaders[];

}  // namespace cellscope::render
