// From state to picture: packing the instances of a frame and bringing them into OpenGL's memory.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "render/renderer.h"

namespace cellscope::bench {
namespace {

// At least, to read or write so many bytes; 0 where the bandwidth is not known.
double millisecondsFor(double bytes, const ExecConfig& config) {
  const double bandwidth = limitsOf(config).bytesPerSecond;
  return bandwidth > 0 ? 1e3 * bytes / bandwidth : 0;
}

Measurement frameTime(std::int64_t side, const ExecConfig& config) {
  const Melted disks = meltedDisks(side * side, config);
  const std::shared_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::automatic, config.backend);
  const ViewRequest view{{mode->info().layers.front().key}, "plain", -1};
  renderer.upload(*mode->frame(view));
  Measurement m;
  m.state = disks.state;
  m.modes = {disks.mode};
  for (const double t : timed([&] { renderer.upload(*mode->frame(view)); }))
    m.values.push_back(1e3 * t);
  m.limit = millisecondsFor((12 + 24) * static_cast<double>(side * side), config);
  m.note = fmt::format("12 B read and 24 B written per disk; by {}", renderer.sink().path());
  return m;
}

Measurement drawTime(std::int64_t side, const ExecConfig& config) {
  constexpr int kWidth = 1280, kHeight = 720;
  const Melted disks = meltedDisks(side * side, config);
  const std::shared_ptr<Mode>& mode = disks.mode;
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::automatic, config.backend);
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

// Milliseconds of a picture of side^2 disks.
Case pictureCase(const char* kind, const char* measures,
                 Measurement (*measure)(std::int64_t, const ExecConfig&), std::int64_t side,
                 Backend backend) {
  return {.name = fmt::format("{}/{}^2", kind, side),
          .measures = measures,
          .unit = "ms",
          .backend = backend,
          .largerIsBetter = false,
          .run = [=](const ExecConfig& c) { return measure(side, c); }};
}

Case frames(std::int64_t side, Backend backend) {
  return pictureCase("frame", "pack, map, fill and unmap one frame", frameTime, side, backend);
}

Case drawing(std::int64_t side, Backend backend) {
  return pictureCase("draw", "disks drawn by OpenGL, without upload", drawTime, side, backend);
}

}  // namespace

std::vector<Case> frameCases() {
  return {frames(256, Backend::cpu),   frames(1024, Backend::cuda), frames(2048, Backend::cuda),
          drawing(100, Backend::cpu),  drawing(256, Backend::cuda), drawing(1024, Backend::cuda),
          drawing(2048, Backend::cuda)};
}

}  // namespace cellscope::bench
