#include "render/program.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "render/mark_table.h"
#include "render/shader_table.h"
#include "sim/base/error.h"

namespace cellscope::render {
namespace {

const char* shaderText(const std::string& name) {
  for (const ShaderText* s = kShaders; s->name; ++s)
    if (name == s->name) return s->text;
  throw RunError(fmt::format("this build has no shader named {}", name));
}

bool usesOcclusion(const std::string& name) {
  return name == "occluder.comp" || name == "settle.comp" || name == "hidden.comp" ||
         name == "compact.comp";
}

// Begun; the driver may still be at it.
GlShader begunShader(GLenum stage, const std::string& name, const std::string& head) {
  GlShader shader(glCreateShader(stage));
  const bool instances =
      stage != GL_FRAGMENT_SHADER || head.find("LAYER_IN_FRAGMENTS") != std::string::npos;
  const std::string marks = markBlock();
  const char* parts[] = {head.c_str(),
                         marks.c_str(),
                         shaderText("common.glsl"),
                         shaderText("marks.glsl"),
                         instances ? shaderText("layer.glsl") : "",
                         name == "line.vert" ? shaderText("line.glsl") : "",
                         usesOcclusion(name) ? shaderText("occlusion.glsl") : "",
                         shaderText(name)};
  glShaderSource(shader, static_cast<GLsizei>(std::size(parts)), parts, nullptr);
  glCompileShader(shader);
  return shader;
}

void checkCompiled(const GlShader& shader, const std::string& name) {
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return;
  char log[2048] = {};
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  throw RunError(fmt::format("the graphics driver rejects shader {}; update it. Its message: {}",
                             name, static_cast<const char*>(log)));
}

GlShader compile(GLenum stage, const std::string& name, const std::string& head) {
  GlShader shader = begunShader(stage, name, head);
  checkCompiled(shader, name);
  return shader;
}

std::string headOf(const std::vector<std::string>& defines) {
  std::string head = "#version 450 core\n";
  for (const std::string& d : defines) head += "#define " + d + " 1\n";
  return head;
}

void checkLinked(const GlProgram& program, const std::string& stages) {
  GLint ok = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok) return;
  char log[2048] = {};
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  throw RunError(fmt::format("the graphics driver cannot link {}; update it. Its message: {}",
                             stages, static_cast<const char*>(log)));
}

constexpr GLenum kCompletionStatus = 0x91B1;  // GL_COMPLETION_STATUS_KHR

// The number of its threads is at first the driver's choice.
bool compilesMeanwhile() {
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    const auto* name =
        reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
    if (std::string_view(name ? name : "") == "GL_KHR_parallel_shader_compile") return true;
  }
  return false;
}

}  // namespace

GlProgram makeProgram(const std::string& vertex, const std::string& fragment,
                      const std::vector<std::string>& defines) {
  const std::string head = headOf(defines);
  const GlShader v = compile(GL_VERTEX_SHADER, vertex, head);
  const GlShader f = compile(GL_FRAGMENT_SHADER, fragment, head);
  GlProgram program(glCreateProgram());
  glAttachShader(program, v);
  glAttachShader(program, f);
  glLinkProgram(program);
  checkLinked(program, vertex + " and " + fragment);
  return program;
}

GlProgram makeComputeProgram(const std::string& name, const std::vector<std::string>& defines) {
  return ComputeBuild(name, defines).take();
}

ComputeBuild::ComputeBuild(std::string name, const std::vector<std::string>& defines)
    : name_(std::move(name)),
      shader_(begunShader(GL_COMPUTE_SHADER, name_, headOf(defines))),
      program_(glCreateProgram()) {
  glAttachShader(program_, shader_);
  glLinkProgram(program_);
}

bool ComputeBuild::done() const {
  static const bool says = compilesMeanwhile();
  GLint done = GL_TRUE;
  if (says) glGetProgramiv(program_, kCompletionStatus, &done);
  return done;
}

GlProgram ComputeBuild::take() {
  checkCompiled(shader_, name_);
  checkLinked(program_, name_);
  return std::move(program_);
}

}  // namespace cellscope::render
