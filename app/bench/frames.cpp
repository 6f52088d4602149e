// From state to picture: packing the instances of a frame and bringing them into OpenGL's memory.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "render/renderer.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {
namespace {

Measurement frameTime(std::int64_t side, const ExecConfig& config) {
  Scenario s;
  s.name = "bench";
  s.mode = "hard_disks";
  s.parameters = {{"n", side * side}, {"packing", 0.698}, {"start", std::string("hexagonal")}};
  const std::unique_ptr<Mode> mode = startScenario(s, config);
  mode->advance(10);
  render::OffscreenContext context;
  render::Renderer renderer(render::SinkChoice::automatic, config.backend);
  const ViewRequest view{{mode->info().layers.front().key}, "plain", -1};
  renderer.upload(*mode->frame(view));
  Measurement m;
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
