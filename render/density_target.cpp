#include "render/density_target.h"

namespace cellscope::render {

void DensityTarget::begin(int width, int height) {
  if (!framebuffer_ || width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    sums_ = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(sums_, 1, GL_RGBA32F, width, height);
    framebuffer_ = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, sums_, 0);
  }
  const float zero[] = {0, 0, 0, 0};
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glClearNamedFramebufferfv(framebuffer_, GL_COLOR, 0, zero);
}

}  // namespace cellscope::render
