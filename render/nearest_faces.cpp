#include "render/nearest_faces.h"

namespace cellscope::render {

// As large as the picture reaches, so that pixels have the same places there.
void NearestFaces::begin(const Viewport& v) {
  if (!depths_ || width_ != v.x + v.width || height_ != v.y + v.height) {
    width_ = v.x + v.width;
    height_ = v.y + v.height;
    depths_ = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(depths_, 1, GL_DEPTH_COMPONENT32F, width_, height_);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      glTextureParameteri(depths_, filter, GL_NEAREST);
    framebuffer_ = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer_, GL_DEPTH_ATTACHMENT, depths_, 0);
    glNamedFramebufferDrawBuffer(framebuffer_, GL_NONE);
  }
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void NearestFaces::end() {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target_));
  glDepthMask(GL_FALSE);
}

}  // namespace cellscope::render
