#include "render/screen_copy.h"

#include "render/program.h"

namespace cellscope::render {
namespace {

constexpr int kCorner = 2;   // numbers of a corner
constexpr int kOrigin = 20;  // uniform location

}  // namespace

unsigned makeCanvas(int width, int height) {
  GLuint texture = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  // The order of bytes is asked for; storage made at once would have the driver's own.
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
               nullptr);
  glBindTexture(GL_TEXTURE_2D, 0);
  glTextureParameteri(texture, GL_TEXTURE_MAX_LEVEL, 0);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(texture, filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(texture, wrap, GL_CLAMP_TO_EDGE);
  return texture;
}

ScreenCopy::ScreenCopy()
    : program_(makeProgram("copy.vert", "copy.frag")),
      array_(makeVertexArray()),
      corners_(makeBuffer()) {
  glEnableVertexArrayAttrib(array_, 0);
  glVertexArrayAttribFormat(array_, 0, kCorner, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(array_, 0, 0);
  glVertexArrayVertexBuffer(array_, 0, corners_, 0, kCorner * sizeof(float));
}

void ScreenCopy::draw(unsigned texture, const PixelRect& place, std::span<const PixelRect> parts,
                      int width, int height, bool blend) {
  if (parts.empty() || place.empty()) return;
  staging_.clear();
  const auto corner = [&](int x, int y) {
    staging_.push_back(2 * static_cast<float>(x) / static_cast<float>(width) - 1);
    staging_.push_back(1 - 2 * static_cast<float>(y) / static_cast<float>(height));
  };
  for (const PixelRect& r : parts) {
    corner(r.x0, r.y0), corner(r.x0, r.y1), corner(r.x1, r.y1);
    corner(r.x0, r.y0), corner(r.x1, r.y1), corner(r.x1, r.y0);
  }
  glNamedBufferData(corners_, static_cast<GLsizeiptr>(staging_.size() * sizeof(float)),
                    staging_.data(), GL_STREAM_DRAW);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  if (blend) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  } else {
    glDisable(GL_BLEND);
  }
  glUseProgram(program_);
  glUniform2i(kOrigin, place.x0, height - place.y1);
  glBindTextureUnit(0, texture);
  glBindVertexArray(array_);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(staging_.size() / kCorner));
  glBindVertexArray(0);
  glUseProgram(0);
  glBindTextureUnit(0, 0);
  glDisable(GL_BLEND);
}

}  // namespace cellscope::render
