// OpenGL names that delete themselves. A GL context must be current whenever one dies.
#pragma once
#include <glad/gl.h>

#include <utility>

namespace cellscope::render {

template <void (*destroy)(GLuint)>
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
    if (name_) destroy(name_);
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_ = 0;
};

inline void destroyBuffer(GLuint n) { glDeleteBuffers(1, &n); }
inline void destroyTexture(GLuint n) { glDeleteTextures(1, &n); }
inline void destroyVertexArray(GLuint n) { glDeleteVertexArrays(1, &n); }
inline void destroyFramebuffer(GLuint n) { glDeleteFramebuffers(1, &n); }
inline void destroyRenderbuffer(GLuint n) { glDeleteRenderbuffers(1, &n); }
inline void destroyQuery(GLuint n) { glDeleteQueries(1, &n); }
inline void destroyProgram(GLuint n) { glDeleteProgram(n); }
inline void destroyShader(GLuint n) { glDeleteShader(n); }

using GlBuffer = GlName<destroyBuffer>;
using GlTexture = GlName<destroyTexture>;
using GlVertexArray = GlName<destroyVertexArray>;
using GlFramebuffer = GlName<destroyFramebuffer>;
using GlRenderbuffer = GlName<destroyRenderbuffer>;
using GlQuery = GlName<destroyQuery>;
using GlProgram = GlName<destroyProgram>;
using GlShader = GlName<destroyShader>;

inline GlBuffer makeBuffer() {
  GLuint n = 0;
  glCreateBuffers(1, &n);
  return GlBuffer(n);
}
inline GlTexture makeTexture(GLenum target) {
  GLuint n = 0;
  glCreateTextures(target, 1, &n);
  return GlTexture(n);
}
inline GlVertexArray makeVertexArray() {
  GLuint n = 0;
  glCreateVertexArrays(1, &n);
  return GlVertexArray(n);
}
inline GlFramebuffer makeFramebuffer() {
  GLuint n = 0;
  glCreateFramebuffers(1, &n);
  return GlFramebuffer(n);
}
inline GlRenderbuffer makeRenderbuffer() {
  GLuint n = 0;
  glCreateRenderbuffers(1, &n);
  return GlRenderbuffer(n);
}

inline GlQuery makeQuery(GLenum target) {
  GLuint n = 0;
  glCreateQueries(target, 1, &n);
  return GlQuery(n);
}

}  // namespace cellscope::render
