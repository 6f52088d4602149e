// From state to picture: packing the instances of a frame and bringing them into OpenGL's memory.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/window.h"
#include "render/gl.h"
#include "render/sinks.h"
#include "sim/layers/layers.h"

namespace cellscope::bench {
namespace {

// Bytes that are moved at least.
constexpr double kReadPerDisk = 12, kWrittenPerDisk = 24, kWrittenPerPixel = 4;
constexpr int kWidth = 1280, kHeight = 720;

// The disks alone, or with every other layer, those of a picked disk included.
ViewRequest viewOf(const Mode& mode, bool everyLayer) {
  if (!everyLayer) return {{mode.info().layers.front().key}, "plain", -1};
  ViewRequest view{{}, "plain", 17, true};
  for (const LayerInfo& layer : mode.info().layers) view.layers.push_back(layer.key);
  return view;
}

// One frame after the other, brought to `sink`.
std::vector<double> deliveries(const Melted& disks, const ViewRequest& view,
                               const ExecConfig& config, const std::string& sink,
                               std::string& path) {
  const auto measured = [&](const std::function<void(const Frame&)>& bring) {
    bring(*disks.mode->frame(view));  // the first one allocates
    return milliseconds([&] { bring(*disks.mode->frame(view)); });
  };
  if (sink == "host") {
    render::HostSink memory;
    path = memory.path();
    return measured([&](const Frame& f) { deliver(f, memory); });
  }
  render::OffscreenContext context;
  render::Renderer renderer(common::sinkOf(sink), config.backend);
  path = renderer.sink().path();
  return measured([&](const Frame& f) { renderer.upload(f); });
}

template <bool everyLayer>
Measurement timeOfFrames(const Size& size, const Setup& setup) {
  const Melted disks = meltedDisks(size.n, setup.exec);
  const ViewRequest view = viewOf(*disks.mode, everyLayer);
  if (everyLayer) {  // what happens to the picked disk is known after a sweep that was watched
    disks.mode->frame(view);
    disks.mode->advance(1);
  }
  std::string path;
  Measurement m = disks.measurement();
  m.values = deliveries(disks, view, setup.exec, setup.sink, path);
  m.limit =
      millisecondsFor((kReadPerDisk + kWrittenPerDisk) * static_cast<double>(size.n), setup.exec);
  m.note = fmt::format("{} B read and {} B written per disk; by {}", kReadPerDisk, kWrittenPerDisk,
                       path);
  if (everyLayer)
    m.note = fmt::format("{} layers, three of them with a box for each cell; by {}",
                         view.layers.size(), path);
  return m;
}

Measurement drawTime(const Size& size, const Setup& setup) {
  const Melted disks = meltedDisks(size.n, setup.exec);
  const std::shared_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(common::sinkOf(setup.sink), setup.exec.backend);
  const auto frame = mode->frame({{mode->info().layers.front().key}, "psi6_phase", -1});
  renderer.upload(*frame);
  const render::Camera camera = render::Camera::fit(frame->box, {0, 0, kWidth, kHeight});
  const auto draw = [&] {
    render::renderImage(renderer, camera, {}, kWidth, kHeight);
    renderer.finishDrawing();
    return renderer.drawMilliseconds();
  };
  draw();  // the first one compiles and allocates
  Measurement m = disks.measurement();
  m.values = repeated(draw);
  m.limit = millisecondsFor(
      kWrittenPerDisk * static_cast<double>(size.n) + kWrittenPerPixel * kWidth * kHeight,
      setup.exec);
  m.note = fmt::format("{} B read per disk, {} B written per pixel of {} x {}; {}", kWrittenPerDisk,
                       kWrittenPerPixel, kWidth, kHeight, renderer.glDescription());
  return m;
}

constexpr int kDepth = 12;
constexpr double kTreeBytes = 24 + 24 + 24;  // per particle

// A liquid with the boxes of one depth of the tree that its lists are built from, as a window shows
// them. Packed, brought to OpenGL and drawn at the size of a window. (A picture for a file is drawn
// at twice the size, averaged and read back.)
Measurement treeTime(const Size& size, const Setup& setup) {
  const std::shared_ptr<Mode> mode = modeWith("md",
                                              {{"n", size.n},
                                               {"temperature", 1.44},
                                               {"method", std::string("tree")},
                                               {"potential", std::string("force_shifted")}},
                                              setup.exec);
  mode->advance(20);
  ViewRequest view;
  view.layers = {layers::kParticles, layers::kTree};
  view.looks[layers::kTree].lowest = view.looks[layers::kTree].highest = kDepth;
  render::OffscreenContext context;
  render::Renderer renderer(common::sinkOf(setup.sink), setup.exec.backend);
  renderer.setLook(layers::kTree, view.looks[layers::kTree]);
  const render::RenderTarget window(kWidth, kHeight, true);  // drawn to as a window is
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, window.framebuffer);
  double packing = 0, bringing = 0, drawing = 0;  // milliseconds, of the last frame
  const auto draw = [&] {
    std::shared_ptr<const Frame> frame;
    packing = 1e3 * timedOnce([&] { frame = mode->frame(view); });
    bringing = 1e3 * timedOnce([&] { renderer.upload(*frame); });
    const render::Camera camera = render::Camera::fit(frame->box, {0, 0, kWidth, kHeight});
    drawing = 1e3 * timedOnce([&] {
                renderer.draw(camera, {0, 0, kWidth, kHeight}, {});
                renderer.finishDrawing();
              });
  };
  draw();  // the first one compiles and allocates
  Measurement m{.state = fmt::format("step {} after an fcc lattice", mode->step()),
                .modes = {mode}};
  // Lists last 8 to 18 steps: the tree of each frame is another one, as in a run.
  m.values = repeated([&] {
    mode->advance(20);
    return 1e3 * timedOnce(draw);
  });
  m.limit = millisecondsFor(
      kTreeBytes * static_cast<double>(size.n) + kWrittenPerPixel * kWidth * kHeight, setup.exec);
  m.note = fmt::format(
      "{} B per particle, {} B per pixel of {} x {}; depth {} of the tree; packed {:.1f}, uploaded "
      "{:.1f}, drawn {:.1f} ms; {}",
      kTreeBytes, kWrittenPerPixel, kWidth, kHeight, kDepth, packing, bringing, drawing,
      renderer.glDescription());
  return m;
}

std::vector<Size> sizesOf(std::int64_t cpuSide, Numbers cudaSides) {
  return joined({squares({cpuSide}, {Backend::cpu}), squares(cudaSides, {Backend::cuda})});
}

}  // namespace

// Frames per second of the whole window, panels and plots included, while the engine runs.

constexpr int kWarmUp = 60, kStretch = 30;  // frames before the first value, and of each

// kRepeats stretches of frames, one after the other, in one window that does not wait for the
// display.
static Measurement frameRates(const Size& size, const Setup& setup) {
  WindowOptions w;
  w.scenario = statePoint(size.n, "auto");
  w.scenario.colouring = size.variant;
  w.exec = setup.exec;
  w.width = kWidth;
  w.height = kHeight;
  w.scale = 1;
  w.unlimitedFrames = true;
  Measurement m;
  int frames = -kWarmUp, pictures = 0;
  double stretch = 0, all = 0;  // seconds
  w.onFrame = [&](const FrameNote& frame) {
    if (++frames <= 0) return true;
    stretch += frame.seconds, all += frame.seconds;
    pictures += frame.newPicture ? 1 : 0;
    if (frames % kStretch > 0) return true;
    // Frames that show no newer state of the run are of little use.
    m.note = fmt::format(
        "{} x {} pixels, {:.3g} new pictures of the run per second, {:.3g} trial moves/s "
        "meanwhile; drawn by {}",
        kWidth, kHeight, pictures / all, frame.workPerSecond, frame.graphics);
    m.values.push_back(kStretch / stretch);
    stretch = 0;
    return m.values.size() < kRepeats;
  };
  runWindow(w);
  if (m.values.size() < kRepeats)
    throw RunError("the window was closed before the measurement was complete");
  m.state = fmt::format("{} disks that melt from a square lattice meanwhile", size.n);
  return m;
}

std::vector<Row> frameRows() {
  return {
      Row("hard_disks", "frame", "pack, map, fill and unmap one frame", "ms",
          fmt::format("{} B read and {} B written per disk", kReadPerDisk, kWrittenPerDisk),
          sizesOf(256, {1024, 2048}), timeOfFrames<false>),
      Row("hard_disks", "layers", "pack, map, fill and unmap one frame with every layer on", "ms",
          fmt::format("the disks alone: {} B read and {} B written per disk", kReadPerDisk,
                      kWrittenPerDisk),
          sizesOf(256, {2048}), timeOfFrames<true>),
      Row("hard_disks", "draw", "disks drawn by OpenGL, without upload", "ms",
          fmt::format("{} B read per disk, {} B written per pixel", kWrittenPerDisk,
                      kWrittenPerPixel),
          sizesOf(100, {256, 1024, 2048}), drawTime, Needs::graphics),
      Row("hard_disks", "window", "frames per second of the window", "frames/s", "",
          {{"100^2", Backend::cpu, 100 * 100, 0, ""},
           {"1024^2", Backend::cuda, 1024 * 1024, 0, ""},
           {"5478^2", Backend::cuda, 5478 * 5478, 0, ""},
           {"5478^2 plain", Backend::cuda, 5478 * 5478, 0, "plain"}},
          frameRates, Needs::display),
      Row("md", "tree frame",
          "pack, upload to OpenGL and draw particles and the tree boxes of one depth", "ms",
          fmt::format("{} B read and written per particle, {} B written per pixel", kTreeBytes,
                      kWrittenPerPixel),
          {{"32000", Backend::cpu, 32000, 2, ""}, {"1000188", Backend::cuda, 1000188, 0, ""}},
          treeTime, Needs::graphics)};
}

}  // namespace cellscope::bench
