// From state to picture: packing the instances of a frame and bringing them into OpenGL's memory.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "app/common/sink_option.h"
#include "render/sinks.h"

namespace cellscope::bench {
namespace {

// At least, to read or write so many bytes; 0 where the bandwidth is not known.
double millisecondsFor(double bytes, const ExecConfig& config) {
  const double bandwidth = limitsOf(config).bytesPerSecond;
  return bandwidth > 0 ? 1e3 * bytes / bandwidth : 0;
}

// The disks alone, or with every other layer, those of a picked disk included.
ViewRequest viewOf(const Mode& mode, bool everyLayer) {
  if (!everyLayer) return {{mode.info().layers.front().key}, "plain", -1};
  ViewRequest view{{}, "plain", 17, true};
  for (const LayerInfo& layer : mode.info().layers) view.layers.push_back(layer.key);
  return view;
}

// A frame after the other, brought to where `sink` says.
std::vector<double> deliveries(const Melted& disks, const ViewRequest& view,
                               const ExecConfig& config, const std::string& sink,
                               std::string& path) {
  const auto measured = [&](const std::function<void(const Frame&)>& bring) {
    bring(*disks.mode->frame(view));  // the first one allocates
    return timed([&] { bring(*disks.mode->frame(view)); });
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

Measurement timeOfFrames(std::int64_t side, const ExecConfig& config, const std::string& sink,
                         bool everyLayer) {
  const Melted disks = meltedDisks(side * side, config);
  const ViewRequest view = viewOf(*disks.mode, everyLayer);
  if (everyLayer) {  // what happens to the picked disk is known after a sweep that was watched
    disks.mode->frame(view);
    disks.mode->advance(1);
  }
  std::string path;
  Measurement m;
  m.state = disks.state;
  m.modes = {disks.mode};
  for (const double t : deliveries(disks, view, config, sink, path)) m.values.push_back(1e3 * t);
  m.limit = millisecondsFor((12 + 24) * static_cast<double>(side * side), config);
  m.note = fmt::format("12 B read and 24 B written per disk; by {}", path);
  if (everyLayer)
    m.note = fmt::format("{} layers, three of them with a box for each cell; by {}",
                         view.layers.size(), path);
  return m;
}

Measurement frameTime(std::int64_t side, const ExecConfig& config, const std::string& sink) {
  return timeOfFrames(side, config, sink, false);
}
Measurement layersTime(std::int64_t side, const ExecConfig& config, const std::string& sink) {
  return timeOfFrames(side, config, sink, true);
}

Measurement drawTime(std::int64_t side, const ExecConfig& config, const std::string& sink) {
  constexpr int kWidth = 1280, kHeight = 720;
  const Melted disks = meltedDisks(side * side, config);
  const std::shared_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(common::sinkOf(sink), config.backend);
  const auto frame = mode->frame({{mode->info().layers.front().key}, "psi6_phase", -1});
  renderer.upload(*frame);
  const render::Camera camera = render::Camera::fit(frame->box, {0, 0, kWidth, kHeight});
  Measurement m;
  m.state = disks.state;
  m.modes = {disks.mode};
  for (int k = -1; k < kRepeats; ++k) {  // the first one compiles and allocates
    render::renderImage(renderer, camera, {}, kWidth, kHeight);
    renderer.finishDrawing();
    if (k >= 0) m.values.push_back(renderer.drawMilliseconds());
  }
  m.limit =
      millisecondsFor(24.0 * static_cast<double>(side * side) + 4.0 * kWidth * kHeight, config);
  m.note = fmt::format("24 B read per disk, 4 B written per pixel of {} x {}; {}", kWidth, kHeight,
                       renderer.glDescription());
  return m;
}

using Measure = Measurement (*)(std::int64_t, const ExecConfig&, const std::string&);

// Milliseconds of a picture of side^2 disks.
Case pictureCase(const char* kind, const char* measures, Measure measure, std::int64_t side,
                 Backend backend, const std::string& sink) {
  return {.name = fmt::format("{}/{}^2", kind, side),
          .measures = measures,
          .unit = "ms",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) {
            Measurement m;
            common::withDemandedSink([&] { m = measure(side, c, sink); });
            return m;
          }};
}

}  // namespace

std::vector<Case> frameCases(const std::string& sink) {
  const auto frames = [&](std::int64_t side, Backend backend) {
    return pictureCase("frame", "pack, map, fill and unmap one frame", frameTime, side, backend,
                       sink);
  };
  const auto drawing = [&](std::int64_t side, Backend backend) {
    return pictureCase("draw", "disks drawn by OpenGL, without upload", drawTime, side, backend,
                       sink);
  };
  const auto layers = [&](std::int64_t side, Backend backend) {
    return pictureCase("layers", "pack, map, fill and unmap one frame with every layer on",
                       layersTime, side, backend, sink);
  };
  std::vector<Case> all = {frames(256, Backend::cpu), frames(1024, Backend::cuda),
                           frames(2048, Backend::cuda), layers(256, Backend::cpu),
                           layers(2048, Backend::cuda)};
  if (sink == "host") return all;  // nothing is drawn from there
  for (const Case& c : {drawing(100, Backend::cpu), drawing(256, Backend::cuda),
                        drawing(1024, Backend::cuda), drawing(2048, Backend::cuda)})
    all.push_back(c);
  return all;
}

}  // namespace cellscope::bench
