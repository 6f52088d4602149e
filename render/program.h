// Shader programs from the table of built-in texts.
#pragma once
#include <string>
#include <vector>

#include "render/gl_object.h"

namespace cellscope::render {

// common.glsl precedes every stage, layer.glsl the vertex and compute stages, line.glsl line.vert,
// and occlusion.glsl the shaders of Occlusion; `defines` become "#define NAME 1". Throws RunError
// with the driver's log when a stage does not compile or the program does not link.
GlProgram makeProgram(const std::string& vertex, const std::string& fragment,
                      const std::vector<std::string>& defines = {});
GlProgram makeComputeProgram(const std::string& name, const std::vector<std::string>& defines = {});

// The same, compiled meanwhile by the driver's threads, where it has some
// (GL_KHR_parallel_shader_compile).
class ComputeBuild {
 public:
  ComputeBuild(std::string name, const std::vector<std::string>& defines);
  bool done() const;  // whether take() does not wait; true where the driver does not say
  GlProgram take();   // throws as makeComputeProgram()

 private:
  std::string name_;
  GlShader shader_;
  GlProgram program_;
};

}  // namespace cellscope::render
