// Drawing of the viewport, and of the picture beside it.
#include "app/gui/app.h"
#include "app/gui/panels.h"
#include "sim/base/error.h"
#include "sim/run/rewind.h"

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

// A frame that cannot be uploaded is not drawn: another layer or fewer particles may work.
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

void SecondPicture::place(ViewportArea& first, ImVec2 lo, ImVec2 hi, float pixelRatio) {
  const float half = std::floor((hi.x - lo.x - 2) / 2);
  first.place(lo, ImVec2(lo.x + half, hi.y), pixelRatio);
  area_.place(ImVec2(hi.x - half, lo.y), hi, pixelRatio);
}

void SecondPicture::input(Shell& shell, ViewportArea& first) {
  ImVec2& mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsAnyMouseDown() || ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) ||
      ImGui::IsMouseClicked(2))
    isRight_ = mouse.x >= area_.lo().x;
  const float shift = isRight_ ? area_.lo().x - first.lo().x : 0;
  mouse.x -= shift;
  first.input(shell);
  mouse.x += shift;
}

bool SecondPicture::draw(Shell& shell, const ViewportArea& first) {
  auto theirs = std::make_shared<Publication>(*shell.now);
  theirs->frame = shell.now->beside->frame;
  // What the first one found as its range of colours holds here as well.
  ColourRanges ranges = shell.colourRanges;
  if (shell.now->frame)
    for (const LayerData& layer : shell.now->frame->layers)
      if (layer.scale.lo < layer.scale.hi)
        ranges.try_emplace(rangeKey(layer), ColourRange{static_cast<double>(layer.scale.lo),
                                                        static_cast<double>(layer.scale.hi)});
  const std::shared_ptr<const Publication> now = std::exchange(shell.now, std::move(theirs));
  std::swap(shell.colourRanges, ranges);
  area_.look(first);
  const bool changed = area_.draw(shell, *renderer_);
  shell.now = now;
  std::swap(shell.colourRanges, ranges);
  return changed;
}

namespace {

struct Caption {
  struct Line {
    std::string words, value;  // the value is never cut
    ImU32 colour;
  };
  std::string id;
  std::vector<Line> lines;
};

// The number to watch, and what the self-checks found.
Caption captionOf(Shell& shell, const std::string& id, const std::string& words, bool isWrong,
                  const std::vector<ObservableSeries>& observables, const Frame* frame,
                  float room) {
  const Palette& c = *shell.colours;
  Caption caption{id, {{words, "", isWrong ? c.red : c.text}}};
  for (const ObservableSeries& s : observables) {
    if (s.info.id != shell.scenario().watch) continue;
    const bool isFirst = frame == shell.now->frame.get();
    const Average average =
        isFirst ? watchedAverage(shell, s) : averageOf(s, shell.now->mode->stepName);
    caption.lines.push_back({printed(s.info.label) + (average.isBound ? " (+: or more)" : ""),
                             "  " + (average.value.empty() ? "–" : average.value),
                             average.settled ? c.text : c.muted});
    shell.log->state(id, average.value);
  }
  std::string bad, brief, labels;
  for (const SelfCheck& check : frame ? frame->checks : std::vector<SelfCheck>{}) {
    if (check.ok) continue;
    const std::string next = bad.empty() ? "" : ", ";
    bad += next + check.label + ": " + check.detail;
    brief += next + check.label + ": " + firstClause(check.detail);
    labels += next + check.label;
  }
  std::string checks = bad.empty() ? "self-checks pass" : bad;
  for (const std::string& shorter : {brief, "red: " + labels})
    if (textSize(shell.fonts.words, checks).x > room) checks = shorter;
  caption.lines.push_back({checks, "", bad.empty() ? c.muted : c.red});
  shell.log->state(id + "-checks", bad.empty() ? "pass" : bad);
  return caption;
}

float captionWidth(const Shell& shell, const ViewportArea& area) {
  return area.hi().x - area.lo().x - shell.px(16);
}

float drawCaption(Shell& shell, const Caption& caption, const ViewportArea& area, float top) {
  const float width = captionWidth(shell, area), line = shell.px(20);
  const float room = width - shell.px(16);
  // What tells one run from the other is never cut; the lines below keep their number.
  const std::string first = wrapped(shell.fonts.strong, caption.lines.front().words, room);
  const float head = std::max(line, textSize(shell.fonts.strong, first).y + shell.px(2));
  const float height = head + line * static_cast<float>(caption.lines.size() - 1) + shell.px(8);
  const ImVec2 lo(area.lo().x + shell.px(8), area.lo().y + top + shell.px(6));
  const ImVec2 hi = lo + ImVec2(width, height);
  ImDrawList* const list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled(lo, hi, withAlpha(shell.colours->panel, 0.85f), shell.px(4));
  ImVec2 at = lo + shell.px(8, 4);
  drawText(list, shell.fonts.strong, at, caption.lines.front().colour, first);
  at.y += head;
  for (std::size_t k = 1; k < caption.lines.size(); ++k, at.y += line) {
    const auto& [words, value, colour] = caption.lines[k];
    const float left = room - textSize(shell.fonts.words, value).x;
    drawText(list, shell.fonts.words, at, colour, fitted(shell.fonts.words, words, left) + value);
  }
  shell.log->rect(caption.id, lo, hi);
  return height + shell.px(8);
}

}  // namespace

float besideCaptions(Shell& shell, const ViewportArea& first, const ViewportArea& second,
                     float top) {
  const Publication& now = *shell.now;
  const BesideState& beside = *now.beside;
  std::string here, there;
  for (const auto& [key, value] : beside.settings)
    for (const ParameterState& p : now.parameters) {
      if (p.info.key != key) continue;
      const std::string begun = (here.empty() ? "" : ", ") + printed(p.info.label) + ": ";
      here += begun + printed(shownValue(p.info, p.value));
      there += begun + printed(shownValue(p.info, value));
    }
  const float room = captionWidth(shell, first) - shell.px(16);
  const Caption left = captionOf(shell, "beside:first", here, !now.experiments.empty(),
                                 now.observables, now.frame.get(), room);
  const Caption right = captionOf(shell, "beside:second", there, beside.isWrong, beside.observables,
                                  beside.frame.get(), room);
  const ImVec2 lo(first.hi().x, first.lo().y + top), hi(second.lo().x, second.hi().y);
  ImDrawList* const list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled(ImVec2(lo.x, first.lo().y), ImVec2(hi.x, lo.y), shell.colours->viewport);
  list->AddRectFilled(lo, hi, shell.colours->line);
  return std::max(drawCaption(shell, left, first, top), drawCaption(shell, right, second, top));
}

}  // namespace cellscope::gui
