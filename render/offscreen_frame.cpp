#include "render/offscreen_frame.h"

#include "render/gl_object.h"

namespace cellscope::render {

struct OffscreenFrame::Impl {
  int width, height;
  GlFramebuffer framebuffer = makeFramebuffer();
  GlRenderbuffer colour = makeRenderbuffer(), depth = makeRenderbuffer();
};

OffscreenFrame::OffscreenFrame(int width, int height)
    : impl_(std::make_unique<Impl>(Impl{width, height})) {
  glNamedRenderbufferStorage(impl_->colour, GL_RGBA8, width, height);
  glNamedRenderbufferStorage(impl_->depth, GL_DEPTH_COMPONENT32F, width, height);
  glNamedFramebufferRenderbuffer(impl_->framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                 impl_->colour);
  glNamedFramebufferRenderbuffer(impl_->framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER,
                                 impl_->depth);
}
OffscreenFrame::~OffscreenFrame() = default;

void OffscreenFrame::draw(Renderer& renderer, const Camera& camera, const Style& style) const {
  GLint before = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, impl_->framebuffer);
  renderer.draw(camera, {0, 0, impl_->width, impl_->height}, style);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(before));
}

}  // namespace cellscope::render
