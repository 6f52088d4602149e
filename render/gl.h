// OpenGL functions of the current context, through GLAD, and names of its objects.
#pragma once
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cellscope::render {

// Load every function through `load` (glfwGetProcAddress, eglGetProcAddress). Throws RunError when
// no context is current or its version is below 4.5: "OpenGL 3.3 found, 4.5 needed".
void loadGl(GLADloadfunc load);

void requireGl();  // throws RunError unless loadGl succeeded for the current context

std::string glDescriptionOfContext();  // "OpenGL 4.5, NVIDIA H200"
bool drawnOnProcessor();               // by a program, without a GPU

// Names that delete themselves, by a function of GLAD; a GL context must be current then.
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
// With colour, and depth where asked for. Throws RunError where the driver has none of this size.
struct RenderTarget {
  GlFramebuffer framebuffer = makeFramebuffer();
  GlRenderbuffer colour = makeRenderbuffer(), depth = makeRenderbuffer();

  RenderTarget(int width, int height, bool withDepth);
};
inline GlQuery makeQuery(GLenum target) {
  return made<GlQuery>([&](GLsizei count, GLuint* n) { glCreateQueries(target, count, n); });
}

// One 32-bit integer of a GL buffer: asked for in one frame, known in a later one.
class CountReader {
 public:
  CountReader() = default;
  CountReader(const CountReader&) = delete;
  CountReader& operator=(const CountReader&) = delete;
  ~CountReader() {
    if (arrived_) glDeleteSync(arrived_);
  }
  // Begin to read from `buffer`, unless the number asked for before is still on its way.
  void request(unsigned buffer) {
    poll();
    if (arrived_) return;
    if (!memory_) {
      constexpr GLbitfield access = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
      copy_ = makeBuffer();
      glNamedBufferStorage(copy_, sizeof value_, nullptr, access);
      memory_ =
          static_cast<const std::uint32_t*>(glMapNamedBufferRange(copy_, 0, sizeof value_, access));
    }
    if (!memory_) return;  // the driver has no such memory: the number stays unknown
    glCopyNamedBufferSubData(buffer, copy_, 0, 0, sizeof value_);
    arrived_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
  // The newest known number, at most `most`; `most` before the first is known.
  std::size_t read(std::size_t most) {
    poll();
    return known_ ? std::min<std::size_t>(most, value_) : most;
  }

 private:
  void poll() {
    if (!arrived_ || glClientWaitSync(arrived_, 0, 0) == GL_TIMEOUT_EXPIRED) return;
    glDeleteSync(arrived_);
    arrived_ = nullptr;
    value_ = *memory_;
    known_ = true;
  }

  GlBuffer copy_;
  const std::uint32_t* memory_ = nullptr;
  GLsync arrived_ = nullptr;
  bool known_ = false;
  std::uint32_t value_ = 0;
};

// Time that the GPU spends between two points of the command stream, known some frames later,
// without waiting for it. A GL context must be current.
class GpuTimer {
 public:
  void begin() {
    collect(false);
    Query& q = queries_[next_];
    running_ = !q.asked;  // otherwise the driver is far behind: this one is not measured
    if (!running_) return;
    if (!q.name) q.name = makeQuery(GL_TIME_ELAPSED);
    glBeginQuery(GL_TIME_ELAPSED, q.name);
  }
  void end() {
    if (!running_) return;
    glEndQuery(GL_TIME_ELAPSED);
    queries_[next_].asked = true;
    next_ = (next_ + 1) % kUnderWay;
    running_ = false;
  }
  // Milliseconds of the last measurement that is known; negative before the first. From the first
  // to the last command, with whatever else the GPU did in between.
  double milliseconds() const { return milliseconds_; }
  // Takes over those that are known, or waits for all under way: from the oldest on.
  void collect(bool wait) {
    for (std::size_t k = 0; k < kUnderWay; ++k) {
      Query& q = queries_[(next_ + k) % kUnderWay];
      if (!q.asked) continue;
      GLuint known = GL_TRUE;
      if (!wait) glGetQueryObjectuiv(q.name, GL_QUERY_RESULT_AVAILABLE, &known);
      if (!known) return;
      GLuint64 nanoseconds = 0;
      glGetQueryObjectui64v(q.name, GL_QUERY_RESULT, &nanoseconds);
      milliseconds_ = 1e-6 * static_cast<double>(nanoseconds);
      q.asked = false;
    }
  }

 private:
  static constexpr std::size_t kUnderWay = 8;  // more frames than a driver queues
  struct Query {
    GlQuery name;
    bool asked = false;
  };

  std::array<Query, kUnderWay> queries_;
  std::size_t next_ = 0;
  bool running_ = false;
  double milliseconds_ = -1;
};

// Content of the block with the table of marks, to be bound to kMarkBinding.
inline constexpr unsigned kMarkBinding = 1;
GlBuffer markBuffer();

// NAME.glsl holds the vertex stage (VERTEX is defined, VARYING is `out`) and the fragment stage
// (VARYING is `in`), or the compute stage. common.glsl and marks.glsl precede every stage,
// layer.glsl the vertex and compute stages; `defines` become "#define NAME 1". Throws RunError with
// the driver's log when a stage does not compile or the program does not link.
GlProgram makeProgram(const std::string& name, const std::vector<std::string>& defines = {});
GlProgram makeComputeProgram(const std::string& name, const std::vector<std::string>& defines = {});

// Text of every file in shaders/, built into the program. Ends with a row of null pointers.
struct ShaderText {
  const char* name;
  const char* text;
};
extern const ShaderText kShaders[];

}  // namespace cellscope::render
