// Frames of a liquid with the boxes of one depth of the tree that its lists are built from, as a
// window shows them.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/common/settings.h"
#include "render/renderer.h"
#include "render/sinks.h"
#include "sim/layers/layers.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {
namespace {

constexpr int kTreeWidth = 1280, kTreeHeight = 720, kDepth = 12;
constexpr double kBytesPerParticle = 24 + 24 + 24, kTreePixelBytes = 4;

// Packed, brought to OpenGL and drawn at the size of a window. (A picture for a file is drawn at
// twice the size, averaged and read back.)
Measurement pictureTime(const Size& size, const Setup& setup) {
  Scenario s;
  s.name = "bench";
  s.mode = "md";
  s.parameters = {{"n", size.n},
                  {"temperature", 1.44},
                  {"method", std::string("tree")},
                  {"potential", std::string("force_shifted")}};
  const std::shared_ptr<Mode> mode = startScenario(s, setup.exec);
  mode->advance(20);
  ViewRequest view;
  view.layers = {layers::kParticles, layers::kTree};
  view.looks[layers::kTree].lowest = view.looks[layers::kTree].highest = kDepth;
  render::OffscreenContext context;
  render::Renderer renderer(common::sinkOf(setup.sink), setup.exec.backend);
  renderer.setLook(layers::kTree, view.looks[layers::kTree]);
  const render::OffscreenFrame window(kTreeWidth, kTreeHeight);
  double packing = 0, bringing = 0, drawing = 0;  // milliseconds, of the last frame
  const auto draw = [&] {
    std::shared_ptr<const Frame> frame;
    packing = 1e3 * timedOnce([&] { frame = mode->frame(view); });
    bringing = 1e3 * timedOnce([&] { renderer.upload(*frame); });
    const render::Camera camera = render::Camera::fit(frame->box, {0, 0, kTreeWidth, kTreeHeight});
    drawing = 1e3 * timedOnce([&] {
                window.draw(renderer, camera, {});
                renderer.finishDrawing();
              });
  };
  draw();  // the first one compiles and allocates
  Measurement m;
  m.state = fmt::format("step {} after an fcc lattice", mode->step());
  m.modes = {mode};
  // Lists last 8 to 18 steps: the tree of each frame is another one, as in a run.
  m.values = repeated([&] {
    mode->advance(20);
    return 1e3 * timedOnce(draw);
  });
  m.limit = millisecondsFor(
      kBytesPerParticle * static_cast<double>(size.n) + kTreePixelBytes * kTreeWidth * kTreeHeight,
      setup.exec);
  m.note = fmt::format(
      "{} B per particle, {} B per pixel of {} x {}; depth {} of the tree; packed {:.1f}, uploaded "
      "{:.1f}, drawn {:.1f} ms; {}",
      kBytesPerParticle, kTreePixelBytes, kTreeWidth, kTreeHeight, kDepth, packing, bringing,
      drawing, renderer.glDescription());
  return m;
}

}  // namespace

Row treeFrames() {
  return {
      .mode = "md",
      .name = "tree frame",
      .measures = "pack, upload to OpenGL and draw particles and the tree boxes of one depth",
      .unit = "ms",
      .limit = fmt::format("{} B read and written per particle, {} B written per pixel",
                           kBytesPerParticle, kTreePixelBytes),
      .largerIsBetter = false,
      .draws = true,
      .sizes = {{"32000", Backend::cpu, 32000, 2, ""}, {"1000188", Backend::cuda, 1000188, 0, ""}},
      .run = [](const Size& size, const Setup& setup) {
        Measurement m;
        common::withDemandedSink([&] { m = pictureTime(size, setup); });
        return m;
      }};
}

}  // namespace cellscope::bench
