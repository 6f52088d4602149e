// Frames per second of the whole window, panels and plots included, while the engine runs.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "app/window.h"
#include "sim/base/error.h"

namespace cellscope::bench {
namespace {

constexpr int kWidth = 1280, kHeight = 720;
constexpr int kWarmUp = 60, kStretch = 30;  // frames before the first value, and of each

// kRepeats stretches of frames, one after the other, in one window that does not wait for the
// display.
Measurement frameRates(std::int64_t side, const ExecConfig& config) {
  WindowOptions w;
  w.scenario = statePoint(side * side, "auto");
  w.exec = config;
  w.width = kWidth;
  w.height = kHeight;
  w.scale = 1;
  w.unlimitedFrames = true;
  Measurement m;
  int frames = -kWarmUp;
  double stretch = 0;
  w.onFrame = [&](double seconds, const std::string& graphics) {
    m.note = fmt::format("{} x {} pixels, drawn by {}", kWidth, kHeight, graphics);
    if (++frames <= 0) return true;
    stretch += seconds;
    if (frames % kStretch > 0) return true;
    m.values.push_back(kStretch / stretch);
    stretch = 0;
    return m.values.size() < kRepeats;
  };
  runWindow(w);
  if (m.values.size() < kRepeats) throw RunError("the window was closed before all was measured");
  m.state = fmt::format("{} disks that melt from a square lattice meanwhile", side * side);
  return m;
}

Case live(std::int64_t side, Backend backend) {
  return {.name = fmt::format("window/{}^2", side),
          .measures = "frames per second of the window",
          .unit = "frames/s",
          .backend = backend,
          .inWindow = true,
          .run = [=](const ExecConfig& c) { return frameRates(side, c); }};
}

}  // namespace

std::vector<Case> windowCases() { return {live(100, Backend::cpu), live(1024, Backend::cuda)}; }

}  // namespace cellscope::bench
