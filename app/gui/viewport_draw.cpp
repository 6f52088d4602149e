#include <algorithm>
#include <cstdint>
#include <vector>

#include "app/gui/viewport.h"
#include "sim/base/error.h"

namespace cellscope::gui {

void ViewportArea::resizeTarget(int width, int height) {
  if (width == width_ && height == height_) return;
  colour_ = render::makeTexture(GL_RGBA8, width, height);
  depth_ = render::makeTexture(GL_DEPTH_COMPONENT32F, width, height);
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, colour_, 0);
  glNamedFramebufferTexture(framebuffer_, GL_DEPTH_ATTACHMENT, depth_, 0);
  if (glCheckNamedFramebufferStatus(framebuffer_, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw RunError(
        "the graphics driver refused a framebuffer of the window's size: make the window smaller, "
        "or update the driver");
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
  } catch (const render::InteropError& e) {
    trouble = std::string(e.what()) + "; --sink auto falls back to copying";
  } catch (const RunError& e) {
    trouble = e.what();
  }
  if (!trouble.empty() && trouble != trouble_) shell.say(Severity::error, trouble);
  trouble_ = trouble;
}

bool ViewportArea::draw(Shell& shell, render::Renderer& renderer) {
  resizeTarget(view_.width, view_.height);
  const std::shared_ptr<const Frame>& frame = shell.now->frame;
  const bool fresh = frame && frame != uploaded_;
  const bool ranged = frame && common::applyRanges(renderer, *frame, shell.colourRanges);
  shell.clock.passed(FrameClock::panels);
  if (fresh) upload(shell, renderer, frame);
  shell.clock.passed(FrameClock::upload);
  render::Style style;
  style.dark = shell.dark;
  style.scale = shell.scale * ratio_;
  style.images = true;
  style.quiet = !shell.keepColours;
  if (frame) {
    style.inside = common::insideView(shell.inside, shown_, *frame);
    style.eventOpacity = fade_.opacity(frame->step, frame->phase, shell.time, shell.now->playing);
  }
  const ModeInfo& mode = *shell.now->mode;
  const bool looked = common::applyLooks(
      renderer, common::withSelectedLevels(shell.view.looks, shell.inside, mode), mode);
  if (everDrawn_ && !fresh && !looked && !ranged && style == style_ && drawn_ == shown_)
    return false;
  if (style.eventOpacity != style_.eventOpacity)
    shell.log->write("fade", number(style.eventOpacity, 3));
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(shell.colours->viewport);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  glDisable(GL_SCISSOR_TEST);
  glDepthMask(GL_TRUE);
  glClearColor(c.x, c.y, c.z, 1);
  // The renderer clears what it draws on.
  if (!uploaded_) glClear(GL_COLOR_BUFFER_BIT);
  if (uploaded_) renderer.draw(shown_, view_, style);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  drawn_ = shown_;
  style_ = style;
  everDrawn_ = true;
  return true;
}

std::uint64_t ViewportArea::pictureHash() const {
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width_) *
                                    static_cast<std::size_t>(height_));
  glGetTextureImage(colour_, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    static_cast<int>(pixels.size() * sizeof pixels[0]), pixels.data());
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::uint32_t pixel : pixels) hash = (hash ^ pixel) * 1099511628211u;
  return hash;
}

void ViewportArea::show(int windowHeight) const {
  const int x = static_cast<int>(lo_.x * ratio_ + 0.5f),
            y = windowHeight - static_cast<int>(lo_.y * ratio_ + 0.5f) - height_;
  glBlitNamedFramebuffer(framebuffer_, 0, 0, 0, width_, height_, x, y, x + width_, y + height_,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

float EventFade::opacity(std::uint64_t step, int phase, double time, bool playing) {
  if (step != step_ || phase != phase_) {
    step_ = step;
    phase_ = phase;
    began_ = time;
  }
  if (!playing) return 1;
  const auto done = static_cast<float>((time - began_) / kFadeSeconds);
  return kFadeTrace + (1 - kFadeTrace) * std::clamp(1 - done, 0.0f, 1.0f);
}

}  // namespace cellscope::gui
