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
  return {frames(256, Backend::cpu), frames(1024, Backend::cuda), frames(2048, Backend::cuda)};
}

}  // namespace cellscope::bench
