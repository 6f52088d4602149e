// The loop's part in recording a video: takes the pictures, and lets the run go on between them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/app.h"
#include "app/gui/overlays.h"
#include "app/gui/pictures.h"
#include "render/legend.h"

namespace cellscope::gui {

static std::string freeName(const Shell& shell) {
  const std::string path = shell.outputPath("video", ".mp4");
  const common::VideoTarget target = common::videoTarget(path);
  if (!target.isSeries()) return path;
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
      shownLayers(*now.frame, shell_.colourRanges, shell_.looks, *now.mode);
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

}  // namespace cellscope::gui
