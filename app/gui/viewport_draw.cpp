#include <glad/gl.h>

#include <algorithm>
#include <utility>

#include "app/gui/format.h"
#include "app/gui/viewport.h"
#include "render/screen_copy.h"
#include "sim/base/error.h"

namespace cellscope::gui {
namespace {

// A software renderer draws a plane with so few particles as fast as it copies its pixels. Layers
// that cover the plane take longer: they are copied, except in a picture that is new anyway.
bool isQuick(const Frame& frame, bool fresh) {
  constexpr std::size_t kMost = 20000;  // instances
  std::size_t count = 0;
  for (const LayerData& layer : frame.layers) {
    const bool thin = layer.primitive == Primitive::points || layer.primitive == Primitive::lines;
    if (!thin && !fresh) return false;
    if (layer.primitive != Primitive::cells) count += layer.count;
  }
  return frame.box.dimension == 2 && count <= kMost;
}

}  // namespace

ViewportArea::ViewportArea() : copy_(std::make_unique<render::ScreenCopy>()) {
  glCreateFramebuffers(1, &framebuffer_);
}

ViewportArea::~ViewportArea() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &colour_);
  glDeleteTextures(1, &depth_);
}

void ViewportArea::resizeTarget(int width, int height) {
  if (width == width_ && height == height_) return;
  glDeleteTextures(1, &colour_);
  glDeleteTextures(1, &depth_);
  colour_ = render::makeCanvas(width, height);
  glCreateTextures(GL_TEXTURE_2D, 1, &depth_);
  glTextureStorage2D(depth_, 1, GL_DEPTH_COMPONENT32F, width, height);
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, colour_, 0);
  glNamedFramebufferTexture(framebuffer_, GL_DEPTH_ATTACHMENT, depth_, 0);
  if (glCheckNamedFramebufferStatus(framebuffer_, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw RunError(
        "the graphics driver refused a framebuffer of the window's size: make the window "
        "smaller, or update the driver");
  }
  width_ = width;
  height_ = height;
  everDrawn_ = false;
}

// A frame that cannot be uploaded is not drawn, and the window continues: another layer or fewer
// particles may work.
void ViewportArea::upload(Shell& shell, render::Renderer& renderer,
                          const std::shared_ptr<const Frame>& frame) {
  uploaded_ = frame;
  std::string trouble;
  try {
    renderer.upload(*frame);
    shell.meter.uploadMilliseconds = renderer.uploadMilliseconds();
  } catch (const render::InteropError& e) {
    trouble = std::string(e.what()) + "; --sink auto falls back to copying";
  } catch (const RunError& e) {
    trouble = e.what();
  }
  if (!trouble.empty() && trouble != trouble_) shell.say(Severity::error, trouble);
  trouble_ = trouble;
}

// Options of layers act on what is drawn. True when one changed.
bool ViewportArea::takeLooks(const Shell& shell, render::Renderer& renderer) {
  common::LayerLooks looks =
      common::withSelectedLevels(shell.looks, shell.inside, *shell.now->mode);
  if (looks == looks_) return false;
  common::applyLooks(renderer, looks, *shell.now->mode);
  looks_ = std::move(looks);
  return true;
}

// Of the last picture, which may have been drawn straight to the window.
void ViewportArea::countLabels(Shell& shell, const render::Renderer& renderer) const {
  shell.labelCounts.clear();
  if (!uploaded_) return;
  for (const LayerData& layer : uploaded_->layers)
    if (layer.primitive == Primitive::labels)
      shell.labelCounts[layer.key] = renderer.labelCount(layer.key);
}

void ViewportArea::drawTarget(render::Renderer& renderer, const render::Style& style,
                              ImU32 background) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(background);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  glDepthMask(GL_TRUE);
  glClearColor(c.x, c.y, c.z, 1);
  // The renderer clears what it draws on.
  if (!uploaded_) glClear(GL_COLOR_BUFFER_BIT);
  if (uploaded_) renderer.draw(shown_, view_, style);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

// How the picture is to be drawn now; `events`: opacity of marks of events.
render::Style ViewportArea::styleOf(const Shell& shell, float events) const {
  const std::shared_ptr<const Frame>& frame = shell.now->frame;
  render::Style style;
  style.dark = shell.dark;
  style.scale = shell.scale * ratio_;
  style.images = true;
  style.hidden = render::Hidden::unhurried;
  style.quiet = !shell.keepColours;
  if (frame) style.inside = insideView(shell.inside, shown_, *frame);
  style.eventOpacity = events;
  return style;
}

bool ViewportArea::isOutdated(const Shell& shell) const {
  return everDrawn_ &&
         (styleOf(shell, style_.eventOpacity).inside != style_.inside ||
          shell.keepColours == style_.quiet || shell.colourRanges != rangesAsked_ ||
          common::withSelectedLevels(shell.looks, shell.inside, *shell.now->mode) != looks_);
}

bool ViewportArea::draw(Shell& shell, render::Renderer& renderer, bool onWindow) {
  resizeTarget(view_.width, view_.height);
  const std::shared_ptr<const Frame>& frame = shell.now->frame;
  const bool fresh = frame && frame != uploaded_;
  const bool direct = onWindow && frame && isQuick(*frame, fresh || moving_);
  if (std::exchange(direct_, direct) != direct) everDrawn_ = false;
  const bool ranged = frame && common::applyRanges(renderer, *frame, shell.colourRanges, ranges_);
  shell.clock.passed(FrameClock::panels);
  if (fresh) upload(shell, renderer, frame);
  shell.clock.passed(FrameClock::upload);
  rangesAsked_ = shell.colourRanges;
  const render::Style style = styleOf(
      shell, frame ? fade_.opacity(frame->step, frame->phase, shell.time, shell.now->playing) : 1);
  const bool looked = takeLooks(shell, renderer);
  countLabels(shell, renderer);
  const bool sameView =
      everDrawn_ && !fresh && !looked && !ranged && style.eventOpacity == style_.eventOpacity &&
      style.dark == style_.dark && style.scale == style_.scale && style.quiet == style_.quiet &&
      style.inside == style_.inside && drawn_.orthographic == shown_.orthographic &&
      drawn_.target == shown_.target && drawn_.height == shown_.height &&
      drawn_.distance == shown_.distance && drawn_.yaw == shown_.yaw &&
      drawn_.pitch == shown_.pitch && drawn_.dimension == shown_.dimension;
  if (sameView) return false;
  if (style.eventOpacity != style_.eventOpacity)
    shell.log->write("fade", number(style.eventOpacity, 3));
  if (!direct_) drawTarget(renderer, style, shell.colours->viewport);
  shell.meter.drawMilliseconds = renderer.drawMilliseconds();
  shell.drawnCounts.clear();
  if (uploaded_)
    for (const LayerData& layer : uploaded_->layers)
      shell.drawnCounts[layer.key] = renderer.drawnCount(layer.key);
  drawn_ = shown_;
  style_ = style;
  everDrawn_ = true;
  return true;
}

render::PixelRect ViewportArea::pixels() const {
  const int x = static_cast<int>(lo_.x * ratio_ + 0.5f),
            y = static_cast<int>(lo_.y * ratio_ + 0.5f);
  return {x, y, x + width_, y + height_};
}

void ViewportArea::show(render::Renderer& renderer, int windowWidth, int windowHeight) {
  const render::PixelRect all = pixels();
  if (direct_ && uploaded_)
    return renderer.draw(drawn_, {all.x0, windowHeight - all.y1, width_, height_}, style_);
  const render::PixelRect seen = render::overlap(all, {0, 0, windowWidth, windowHeight});
  copy_->draw(colour_, all, {&seen, 1}, windowWidth, windowHeight, false);
}

}  // namespace cellscope::gui
