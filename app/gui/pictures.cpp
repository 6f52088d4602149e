// Pictures of the window: screenshots, small ones as textures, and the loop's part in recording a
// video, which takes the pictures and lets the run go on between them.
#include <filesystem>

#include "app/gui/app.h"
#include "app/gui/panels.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

namespace cellscope::gui {

render::Metadata describe(const Publication& now) {
  render::Metadata all = {{"Software", std::string("cellscope ") + programVersion()}};
  if (now.scenario) all.push_back({"scenario", now.scenario->name});
  all.push_back({"mode", now.mode->key});
  all.push_back({"backend", toString(now.backend)});
  all.push_back({"step", std::to_string(now.step)});
  for (const ParameterState& p : now.parameters) all.push_back({p.info.key, toText(p.value)});
  for (const std::string& name : now.experiments)
    all.push_back({"Warning", "WRONG ON PURPOSE: experiment '" + name + "' is on"});
  return all;
}

void savePicture(const std::string& path, const Publication* now, const render::Metadata& notes,
                 int windowWidth, int windowHeight, int x, int y, int width, int height) {
  x = std::clamp(x, 0, windowWidth - 1);
  y = std::clamp(y, 0, windowHeight - 1);
  width = std::clamp(width, 1, windowWidth - x);
  height = std::clamp(height, 1, windowHeight - y);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  render::Image image = render::readPixels(x, windowHeight - y - height, width, height);
  // The whole window shows the warning as text; a part of it may not.
  const bool part = width < windowWidth || height < windowHeight;
  if (part && now && !now->experiments.empty()) render::paintWarningFrame(image);
  io::replaceFile(path, render::encodePng(image, notes));
}

static render::GlTexture textureOf(int width, int height, GLenum stored, GLenum format,
                                   const std::vector<std::uint8_t>& bytes) {
  render::GlTexture texture = render::makeTexture(stored, width, height, GL_LINEAR);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture, 0, 0, 0, width, height, format, GL_UNSIGNED_BYTE, bytes.data());
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(texture, wrap, GL_CLAMP_TO_EDGE);
  return texture;
}

static ImTextureID idOf(const render::GlTexture& texture) {
  return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(GLuint{texture}));
}

ImTextureID Textures::of(const render::SwatchLook& look) {
  auto at = std::ranges::find(swatches_, look, &decltype(swatches_)::value_type::first);
  if (at == swatches_.end())
    at = swatches_.emplace(
        at, look, textureOf(look.side, look.side, GL_RGBA8, GL_RGBA, render::swatch(look)));
  return idOf(at->second);
}

// A missing or damaged thumbnail is not an error.
static render::GlTexture load(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  try {
    const render::Image image = render::decodePng(io::readFile(path.string()), path.string());
    return textureOf(image.width, image.height, GL_RGB8, GL_RGB, image.rgb);
  } catch (const InputError&) {
    return {};
  }
}

ImTextureID Textures::of(const Scenario& scenario) {
  const auto [at, fresh] = thumbnails_.try_emplace(scenario.path);
  if (fresh && !scenario.path.empty())
    at->second = load(std::filesystem::path(scenario.path).replace_extension(".png"));
  return idOf(at->second);
}

static std::string freeName(const Shell& shell) {
  const std::string path = shell.outputPath("video", ".mp4");
  if (!common::videoTarget(path).isSeries()) return path;
  std::error_code ignored;
  for (int n = 2;; ++n) {
    const std::string other =
        path.substr(0, path.size() - 4) + (n > 2 ? fmt::format("-{}", n - 1) : "");
    if (!std::filesystem::exists(other, ignored)) return other + ".mp4";
  }
}

void App::beginVideo() {
  VideoWindow& v = shell_.video;
  v.wanted = false;
  common::VideoFormat format;
  format.width = std::max(16, area_.width()) & ~1;
  format.height = std::max(16, area_.height()) & ~1;
  format.rate = static_cast<int>(v.rate);
  format.metadata = pictureNotes();
  if (shell_.now->scenario) format.metadata.push_back({"Title", shell_.now->scenario->title});
  try {
    v.video = std::make_unique<common::Video>(common::videoTarget(freeName(shell_)), format);
  } catch (const std::exception& e) {
    v.error = e.what();
    return;
  }
  videoWidth_ = format.width;
  videoHeight_ = format.height;
  v.open = false;
  v.cancelled = v.finishEarly = v.writing = false;
  v.stepsEach = static_cast<std::uint64_t>(v.every);
  v.pictures = static_cast<std::size_t>(v.count);
  v.scenario = shell_.now->scenario;
  v.stopped = std::make_shared<std::atomic<bool>>(false);
  v.armed = false;
  log_.write("video", "begin " + v.video->target().path);
  if (shell_.now->playing) shell_.play(false);
  runner_->advance(0, v.stopped);  // completes a step that is half done
}

void App::endVideo(const std::string& why) {
  VideoWindow& v = shell_.video;
  if (v.stopped) *v.stopped = true;
  v.writing = true;
  v.video->end();
  if (!why.empty()) shell_.say(Severity::warning, why);
}

void App::takeVideoPicture() {
  VideoWindow& v = shell_.video;
  const Publication& now = *shell_.now;
  render::Style style = area_.style();
  // As while playing: marks of the last step alone mean nothing between pictures of many.
  const bool events = v.stepsEach == 1;
  style.eventOpacity = events ? 1.f : 0.f;
  std::vector<LayerData> layers =
      shownLayers(*now.frame, shell_.colourRanges, shell_.view.looks, *now.mode);
  if (!events) std::erase_if(layers, [](const LayerData& layer) { return layer.events; });
  render::Image image =
      render::renderImage(*renderer_, area_.camera(), style, videoWidth_, videoHeight_);
  if (v.legend)
    render::paintLegend(image, layers,
                        area_.camera().pixelsPerUnit({0, 0, videoWidth_, videoHeight_}), style,
                        now.frame->box.dimension);
  if (!now.experiments.empty()) render::paintWarningFrame(image);
  v.video->add(std::move(image));
  log_.write("video", fmt::format("picture {} step {}", v.video->added(), now.step));
}

void App::recordVideo() {
  VideoWindow& v = shell_.video;
  if (v.wanted && shell_.now->frame) beginVideo();
  if (!v.recording()) return;
  const Publication& now = *shell_.now;
  try {
    if (v.cancelled) {
      *v.stopped = true;
      const bool series = v.video->target().isSeries();
      const std::string path = v.video->target().path;
      v.video.reset();
      log_.write("video", "cancelled");
      return shell_.say(Severity::info,
                        series ? "Recording cancelled; the pictures taken are in " + path + "."
                               : "Recording cancelled: no video was kept.");
    }
    if (v.writing) {
      if (!v.video->ended()) return;
      v.video->finish();
      log_.write("video", fmt::format("done {} {}", v.video->added(), v.video->target().path));
      shell_.say(Severity::info, fmt::format("Saved the video of {} pictures to {}.",
                                             v.video->added(), v.video->target().path));
      v.video.reset();
      return;
    }
    if (!v.armed) {
      if (now.playing || now.nextPhase != 0) return;
      v.armed = true;
      v.due = now.step;
    }
    if (now.playing || now.scenario != v.scenario || now.step > v.due)
      return endVideo(
          "The recording ended early, as the run was changed by hand. The video has the pictures "
          "taken before.");
    if (v.finishEarly) return endVideo("");
    const bool here = now.step == v.due && now.frame && now.frame->step == now.step &&
                      now.nextPhase == 0 && area_.shows(now.frame);
    if (!here || !v.video->hasRoom()) return;
    takeVideoPicture();
    if (v.video->added() >= v.pictures) return endVideo("");
    v.due += v.stepsEach;
    runner_->advance(v.stepsEach, v.stopped);
  } catch (const std::exception& e) {
    if (v.stopped) *v.stopped = true;
    log_.write("video", "failed");
    shell_.say(Severity::error, e.what());
    v.video.reset();
  }
}

// A slider over decades: 1, 2, 5, 10, 20, ...
static bool decadeRow(Shell& shell, const std::string& id, const std::string& label,
                      const std::string& shown, int decades, double& value) {
  double place = std::log10(value);
  if (!optionRow(shell, {id, label, shown, 0, static_cast<double>(decades)}, place)) return false;
  const double decade = std::pow(10, std::floor(place + 1e-9)), part = std::pow(10, place) / decade;
  value = decade * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  return true;
}

void openVideoWindow(Shell& shell) {
  if (!shell.leads()) return;  // it would make the steps between its pictures
  shell.video.open = true;
  shell.video.error.clear();
  shell.log->write("video", "dialog");
}

void videoWindow(Shell& shell) {
  VideoWindow& v = shell.video;
  if (!v.open) return;
  if (dimRest(shell, "video-rest")) {
    v.open = false;
    return;
  }
  const float width = std::min(shell.px(420), ImGui::GetIO().DisplaySize.x - shell.px(24));
  ImGui::SetNextWindowFocus();
  const Pane pane("video",
                  dialogLook(ImVec2(width, 0), shell.px(20, 16),
                             ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize));
  shell.log->window("video");
  textStrong(shell, "Record a video");
  textSmall(shell,
            "One frame of the viewport every N steps, whatever the speed of the computer. The run "
            "continues by itself; keep the view you want in the video.");
  const std::string unit = shell.now->mode->stepName + "s";
  decadeRow(shell, "video-every", "Steps between pictures",
            grouped(static_cast<std::uint64_t>(v.every)) + " " + unit, 5, v.every);
  decadeRow(shell, "video-count", "Pictures", grouped(static_cast<std::uint64_t>(v.count)), 4,
            v.count);
  optionRow(shell,
            {"video-rate", "Pictures per second", fmt::format("{:.0f}", v.rate), 1, 60, true},
            v.rate);
  switchRow(shell, "video-legend", "Legend and scale bar", v.legend);
  textSmall(shell, fmt::format("{} of video, {} {} of the run",
                               printed(fmt::format("{:.3g} s", v.count / v.rate)),
                               grouped(static_cast<std::uint64_t>(v.count * v.every)), unit));
  if (common::videoTarget("video.mp4").isSeries())
    textSmall(shell,
              "ffmpeg is not installed: a numbered series of PNG files is written instead. To get "
              "a video, install the package ffmpeg.",
              shell.colours->amber);
  else
    textSmall(shell, "Written by ffmpeg into the output folder.");
  if (!v.error.empty()) textSmall(shell, sentence(v.error), shell.colours->red);
  ImGui::Dummy(ImVec2(1, shell.px(4)));
  const float half = halfWidth();
  if (button(shell, "video-close", "Cancel", Icon::none, half)) v.open = false;
  ImGui::SameLine();
  if (button(shell, "video-start", "Record", Icon::none, half, true)) v.wanted = true;
}

float recordingCard(Shell& shell, ImVec2 bottom, float room) {
  VideoWindow& v = shell.video;
  if (!v.recording()) return 0;
  const float width = std::min(shell.px(460), room - shell.px(32)), pad = shell.px(16);
  const Pane pane("recording", progressLook(shell, bottom, width));
  const float cancel = shell.px(96), finish = shell.px(112), gap = ImGui::GetStyle().ItemSpacing.x;
  const float words = width - 2 * pad - cancel - finish - 2 * gap;
  ImGui::AlignTextToFramePadding();
  textStrong(shell,
             fitted(shell.fonts.strong, v.writing ? "Writing the video" : "Recording", words));
  if (!v.writing) {
    ImGui::SameLine(width - pad - cancel - gap - finish);
    if (button(shell, "video-finish", "Finish now", Icon::none, finish)) v.finishEarly = true;
    tooltip(shell, "Finish now", {"The video has the pictures taken so far."});
  }
  ImGui::SameLine(width - pad - cancel);
  if (button(shell, "video-cancel", "Cancel", Icon::close, cancel)) v.cancelled = true;
  tooltip(shell, "Cancel (Esc)",
          {"No video is kept; pictures of a series stay. The run is paused."});
  textSmall(shell, fitted(shell.fonts.small,
                          fmt::format("{} of {} pictures, {}", v.video->added(), v.pictures,
                                      v.video->target().path),
                          width - 2 * pad));
  progressBar(shell,
              static_cast<double>(v.video->added()) /
                  static_cast<double>(std::max<std::size_t>(1, v.pictures)),
              width - 2 * pad);
  return ImGui::GetWindowSize().y;
}

}  // namespace cellscope::gui
