// Frames per second of the whole window, panels and plots included, while the engine runs.
#include <fmt/format.h>

#include "app/bench/bench.h"
#include "app/bench/melted.h"
#include "app/window.h"
#include "sim/base/error.h"

namespace cellscope::bench {
namespace {

constexpr int kWindowWidth = 1280, kWindowHeight = 720;
constexpr int kWarmUp = 60, kStretch = 30;  // frames before the first value, and of each

// kRepeats stretches of frames, one after the other, in one window that does not wait for the
// display.
Measurement frameRates(const Size& size, const Setup& setup) {
  WindowOptions w;
  w.scenario = statePoint(size.n, "auto");
  w.exec = setup.exec;
  w.width = kWindowWidth;
  w.height = kWindowHeight;
  w.scale = 1;
  w.unlimitedFrames = true;
  Measurement m;
  int frames = -kWarmUp, pictures = 0;
  double stretch = 0;
  w.onFrame = [&](const FrameNote& frame) {
    if (++frames <= 0) return true;
    stretch += frame.seconds;
    pictures += frame.newPicture ? 1 : 0;
    if (frames % kStretch > 0) return true;
    // Frames that show no newer state of the run are of little use.
    m.note = fmt::format(
        "{} x {} pixels, {:.0f} % of the frames with a new picture, {:.3g} trial "
        "moves/s meanwhile; drawn by {}",
        kWindowWidth, kWindowHeight, 100.0 * pictures / frames, frame.workPerSecond,
        frame.graphics);
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

}  // namespace

Row window() {
  return {.mode = "hard_disks",
          .name = "window",
          .measures = "frames per second of the window",
          .unit = "frames/s",
          .inWindow = true,
          .sizes = {{"100^2", Backend::cpu, 100 * 100, 0, ""},
                    {"1024^2", Backend::cuda, 1024 * 1024, 0, ""}},
          .run = frameRates};
}

}  // namespace cellscope::bench
