#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "render/gl.h"
#include "render/renderer.h"
#include "sim/base/error.h"

namespace cellscope::render {

// Colour, and depth where asked for.
struct RenderTarget {
  GlFramebuffer framebuffer = makeFramebuffer();
  GlRenderbuffer colour = makeRenderbuffer(), depth = makeRenderbuffer();

  RenderTarget(int width, int height, bool withDepth) {
    glNamedRenderbufferStorage(colour, GL_RGBA8, width, height);
    glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    if (withDepth) {
      glNamedRenderbufferStorage(depth, GL_DEPTH_COMPONENT32F, width, height);
      glNamedFramebufferRenderbuffer(framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    }
    if (glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw RunError(
          fmt::format("the graphics driver cannot draw a picture of {} x {} pixels; "
                      "choose a smaller one",
                      width, height));
  }
};

OffscreenFrame::OffscreenFrame(int width, int height)
    : width_(width),
      height_(height),
      target_(std::make_unique<RenderTarget>(width, height, true)) {}
OffscreenFrame::~OffscreenFrame() = default;

void OffscreenFrame::draw(Renderer& renderer, const Camera& camera, const Style& style) const {
  GLint before = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target_->framebuffer);
  renderer.draw(camera, {0, 0, width_, height_}, style);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(before));
}

namespace {

int largestSide() {
  GLint side = 0, viewport[2] = {};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({side, viewport[0] - 256, viewport[1] - 256});
}

}  // namespace

Image readPixels(int x, int y, int width, int height) {
  Image image{width, height, {}};
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> flipped(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, y, width, height, GL_RGB, GL_UNSIGNED_BYTE, flipped.data());
  image.rgb.reserve(flipped.size());
  for (int k = height - 1; k >= 0; --k) {
    const auto begin = flipped.begin() + static_cast<std::ptrdiff_t>(row) * k;
    image.rgb.insert(image.rgb.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return image;
}

Image renderImage(Renderer& renderer, const Camera& camera, const Style& style, int width,
                  int height) {
  const int limit = largestSide();
  if (width < 1 || height < 1 || width > limit || height > limit)
    throw InputError(
        fmt::format("a picture of {} x {} pixels was asked for; each side must be from 1 to {}",
                    width, height, limit));
  // Edges in the plane are smoothed analytically. In space, where surfaces cut each other, the
  // picture is drawn at twice the size and averaged.
  const int factor = camera.dimension == 3 && 2 * std::max(width, height) <= limit ? 2 : 1;
  GLint drawBefore = 0, readBefore = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawBefore);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &readBefore);
  const RenderTarget large(factor * width, factor * height, camera.dimension == 3);
  Style scaled = style;
  scaled.scale *= static_cast<float>(factor);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, large.framebuffer);
  renderer.draw(camera, {0, 0, factor * width, factor * height}, scaled);
  std::optional<RenderTarget> small;
  if (factor > 1) {
    small.emplace(width, height, false);
    glBlitNamedFramebuffer(large.framebuffer, small->framebuffer, 0, 0, factor * width,
                           factor * height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, small ? small->framebuffer : large.framebuffer);
  Image image = readPixels(0, 0, width, height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawBefore));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(readBefore));
  return image;
}

}  // namespace cellscope::render
