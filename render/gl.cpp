#include "render/gl.h"

#include <fmt/format.h>

#include "sim/api/marks.h"
#include "sim/base/error.h"

namespace cellscope::render {

static const char* text(GLenum name) {
  const GLubyte* s = glGetString(name);
  return s ? reinterpret_cast<const char*>(s) : "unknown";
}

void loadGl(GLADloadfunc load) {
  const int version = gladLoadGL(load);
  if (version == 0)
    throw RunError(
        "no OpenGL functions could be loaded: no OpenGL context is current on this thread, or the "
        "graphics driver is missing; install the driver of the graphics card or Mesa "
        "(libgl1-mesa-dri)");
  const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
  if (major * 10 + minor < 45)
    throw RunError(
        "OpenGL {}.{} found, 4.5 needed ({}); update the graphics driver, or run without a picture "
        "in batch mode",
        major, minor, text(GL_RENDERER));
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

GlTexture makeTexture(GLenum format, int width, int height, GLint filter) {
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  glTextureStorage2D(name, 1, format, width, height);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, filter);
  return GlTexture(name);
}

namespace {

// std140
struct alignas(16) ShaderMark {
  std::int32_t shape, hatching;
  float width, dash, head, leastLength, leastRadius, faces, hollow;
  std::uint32_t ink, cased;
};

}  // namespace

// GLSL: struct Mark and the uniform block that holds kMarks, indexed by cellscope::Mark. A constant
// array would be compiled into every shader that reads one of them, which takes software renderers
// most of their time.
static std::string markBlock() {
  return fmt::format(
      "struct Mark {{ int shape, hatching; float width, dash, head, leastLength, leastRadius, "
      "faces, hollow; bool ink, cased; }};\n"
      "layout(std140, binding = {}) uniform Marks {{ Mark kMarks[{}]; }};\n",
      kMarkBinding, kMarkCount);
}

GlBuffer markBuffer() {
  std::array<ShaderMark, kMarkCount> table{};
  for (std::size_t i = 0; i < kMarkCount; ++i) {
    const MarkLook& m = kMarks[i];
    table[i] = {static_cast<std::int32_t>(m.shape), static_cast<std::int32_t>(m.hatching)};
    ShaderMark& s = table[i];
    s.width = m.width, s.dash = m.dash, s.head = m.head;
    s.leastLength = m.leastLength, s.leastRadius = m.leastRadius, s.faces = m.faces;
    s.hollow = m.hollow;
    s.ink = m.role == ColourRole::ink, s.cased = m.cased;
  }
  GlBuffer buffer = makeBuffer();
  glNamedBufferStorage(buffer, sizeof table, table.data(), 0);
  return buffer;
}

static const char* shaderText(const std::string& name) {
  for (const ShaderText* s = kShaders; s->name; ++s)
    if (name == s->name) return s->text;
  throw RunError("this build has no shader named {}", name);
}

struct Stage {
  GLenum kind;
  const char *suffix, *head;
};
constexpr Stage kVertex{GL_VERTEX_SHADER, ".vert", "#define VERTEX 1\n#define VARYING out\n"},
    kFragment{GL_FRAGMENT_SHADER, ".frag", "#define VARYING in\n"},
    kCompute{GL_COMPUTE_SHADER, ".comp", ""};

static GlShader compile(const Stage& stage, const std::string& name, const std::string& head) {
  GlShader shader(glCreateShader(stage.kind));
  const bool instances =
      stage.kind != GL_FRAGMENT_SHADER || head.find("LAYER_IN_FRAGMENTS") != std::string::npos;
  const std::string marks = markBlock();
  const char* parts[] = {head.c_str(),
                         stage.head,
                         marks.c_str(),
                         shaderText("common.glsl"),
                         shaderText("marks.glsl"),
                         instances ? shaderText("layer.glsl") : "",
                         shaderText(name + ".glsl")};
  glShaderSource(shader, static_cast<GLsizei>(std::size(parts)), parts, nullptr);
  glCompileShader(shader);
  GLint ok = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (ok) return shader;
  char log[2048] = {};
  glGetShaderInfoLog(shader, sizeof log, nullptr, log);
  throw RunError("the graphics driver rejects shader {}; update it. Its message: {}",
                 name + stage.suffix, static_cast<const char*>(log));
}

static std::string headOf(const std::vector<std::string>& defines) {
  std::string head = "#version 450 core\n";
  for (const std::string& d : defines) head += "#define " + d + " 1\n";
  return head;
}

static GlProgram linked(std::initializer_list<GLuint> stages, const std::string& names) {
  GlProgram program(glCreateProgram());
  for (const GLuint stage : stages) glAttachShader(program, stage);
  glLinkProgram(program);
  GLint ok = GL_FALSE;
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  if (ok) return program;
  char log[2048] = {};
  glGetProgramInfoLog(program, sizeof log, nullptr, log);
  throw RunError("the graphics driver cannot link {}; update it. Its message: {}", names,
                 static_cast<const char*>(log));
}

GlProgram makeProgram(const std::string& name, const std::vector<std::string>& defines) {
  const std::string head = headOf(defines);
  return linked({compile(kVertex, name, head), compile(kFragment, name, head)},
                name + ".vert and " + name + ".frag");
}

GlProgram makeComputeProgram(const std::string& name, const std::vector<std::string>& defines) {
  return linked({compile(kCompute, name, headOf(defines))}, name + ".comp");
}

}  // namespace cellscope::render
