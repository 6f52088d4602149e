// OpenGL functions of the current context, through GLAD, and names of its objects.
#pragma once
#include <glad/gl.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cellscope::render {

// Load every function through `load` (glfwGetProcAddress, eglGetProcAddress). Throws RunError when
// no context is current or its version is below 4.5: "OpenGL 3.3 found, 4.5 needed".
void loadGl(GLADloadfunc load);

// Throws RunError unless loadGl succeeded for the current context.
void requireGl();

std::string glDescriptionOfContext();  // "OpenGL 4.5, NVIDIA H200"
bool drawnOnProcessor();               // by a program, without a GPU

// Names that delete themselves, by a function of GLAD. A GL context must be current whenever one
// dies.
template <auto* destroy>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint name) : name_(name) {}
  GlName(GlName&& o) noexcept : name_(std::exchange(o.name_, 0)) {}
  GlName& operator=(GlName&& o) noexcept {
    std::swap(name_, o.name_);
    return *this;
  }
  ~GlName() {
    if (!name_) return;
    if constexpr (std::is_invocable_v<decltype(*destroy), GLuint>)
      (*destroy)(name_);
    else
      (*destroy)(1, &name_);
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_ = 0;
};

using GlBuffer = GlName<&glad_glDeleteBuffers>;
using GlTexture = GlName<&glad_glDeleteTextures>;
using GlVertexArray = GlName<&glad_glDeleteVertexArrays>;
using GlFramebuffer = GlName<&glad_glDeleteFramebuffers>;
using GlRenderbuffer = GlName<&glad_glDeleteRenderbuffers>;
using GlQuery = GlName<&glad_glDeleteQueries>;
using GlProgram = GlName<&glad_glDeleteProgram>;
using GlShader = GlName<&glad_glDeleteShader>;

// create(1, &name)
template <class Name, class Create>
Name made(const Create& create) {
  GLuint n = 0;
  create(1, &n);
  return Name(n);
}
inline GlBuffer makeBuffer() { return made<GlBuffer>(glCreateBuffers); }
inline GlVertexArray makeVertexArray() { return made<GlVertexArray>(glCreateVertexArrays); }
inline GlFramebuffer makeFramebuffer() { return made<GlFramebuffer>(glCreateFramebuffers); }
inline GlRenderbuffer makeRenderbuffer() { return made<GlRenderbuffer>(glCreateRenderbuffers); }
// Of two dimensions and one level. `filter`: between its pixels.
GlTexture makeTexture(GLenum format, int width, int height, GLint filter = GL_NEAREST);
// A framebuffer with colour, and depth where asked for. Throws RunError where the driver has none
// of this size.
struct RenderTarget {
  GlFramebuffer framebuffer = makeFramebuffer();
  GlRenderbuffer colour = makeRenderbuffer(), depth = makeRenderbuffer();

  RenderTarget(int width, int height, bool withDepth);
};
inline GlQuery makeQuery(GLenum target) {
  return made<GlQuery>([&](GLsizei count, GLuint* n) { glCreateQueries(target, count, n); });
}

// Content of the block with the table of marks, to be bound to kMarkBinding.
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
