// From state to picture: packing the instances of a frame and bringing them into OpenGL's memory.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "render/renderer.h"

namespace cellscope::bench {
namespace {

Measurement frameTime(std::int64_t side, const ExecConfig& config) {
  const Melted disks = meltedDisks(side * side, config);
  const std::unique_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::automatic, config.backend);
  const ViewRequest view{{mode->info().layers.front().key}, "plain", -1};
  renderer.upload(*mode->frame(view));
  Measurement m;
  m.state = disks.state;
  for (const double t : timed([&] { renderer.upload(*mode->frame(view)); }))
    m.values.push_back(1e3 * t);
  const double bytes = (12 + 24) * static_cast<double>(side * side);
  const double bandwidth = limitsOf(config).bytesPerSecond;
  if (bandwidth > 0) m.limit = 1e3 * bytes / bandwidth;
  m.note = fmt::format("12 B read and 24 B written per disk; by {}", renderer.sink().path());
  return m;
}

Measurement drawTime(std::int64_t side, const ExecConfig& config) {
  constexpr int kWidth = 1280, kHeight = 720;
  const Melted disks = meltedDisks(side * side, config);
  const std::unique_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::automatic, config.backend);
  const auto frame = mode->frame({{mode->info().layers.front().key}, "psi6_phase", -1});
  renderer.upload(*frame);
  const render::Camera camera = render::Camera::fit(frame->box, {0, 0, kWidth, kHeight});
  Measurement m;
  m.state = disks.state;
  for (int k = -1; k < kRepeats; ++k) {  // the first one compiles and allocates
    render::renderImage(renderer, camera, {}, kWidth, kHeight);
    renderer.finishDrawing();
    if (k >= 0) m.values.push_back(renderer.drawMilliseconds());
  }
  const double bytes = 24.0 * static_cast<double>(side * side) + 4.0 * kWidth * kHeight;
  const double bandwidth = limitsOf(config).bytesPerSecond;
  if (bandwidth > 0) m.limit = 1e3 * bytes / bandwidth;
  m.note = fmt::format("24 B read per disk, 4 B written per pixel of {} x {}; {}", kWidth, kHeight,
                       renderer.glDescription());
  return m;
}

Case drawing(std::int64_t side, Backend backend) {
  return {.name = fmt::format("draw/{}^2", side),
          .measures = "disks drawn by OpenGL, without upload",
          .unit = "ms",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) { return drawTime(side, c); }};
}

Case frames(std::int64_t side, Backend backend) {
  return {.name = fmt::format("frame/{}^2", side),
          .measures = "pack, map, fill and unmap one frame",
          .unit = "ms",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) { return frameTime(side, c); }};
}

}  // namespace

std::vector<Case> frameCases() {
  return {frames(256, Backend::cpu),   frames(1024, Backend::cuda), frames(2048, Backend::cuda),
          drawing(100, Backend::cpu),  drawing(256, Backend::cuda), drawing(1024, Backend::cuda),
          drawing(2048, Backend::cuda)};
}

}  // namespace cellscope::bench
