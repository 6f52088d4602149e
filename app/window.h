// The window: opens a scenario, draws it live, and returns when the person closes it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "render/renderer.h"
#include "sim/base/backend.h"
#include "sim/run/scenario.h"

namespace cellscope {

enum class Theme { dark, light };

struct WindowOptions {
  Scenario scenario;          // loaded and checked, with command-line settings applied
  std::string resume;         // checkpoint to go on from; the scenario is then its own
  std::string galleryFolder;  // scenario files offered in the gallery
  ExecConfig exec;
  bool deviceFromContext = true;  // CUDA: take the GPU that owns the GL context, if it is one
  render::SinkChoice sink = render::SinkChoice::automatic;
  int width = 1280, height = 800;  // at scale 1; multiplied by the scale
  double scale = 0;                // of text and panels; 0 = what the display asks for
  Theme theme = Theme::dark;
  bool paused = false;             // wait for Space instead of playing at once
  std::string outputFolder = ".";  // screenshots, CSV files and checkpoints go here

  // For tests and measurements.
  std::string logEvents;              // file: one line per visible event and widget rectangle
  std::uint64_t exitAfterFrames = 0;  // 0 = run until closed
  std::string screenshotAtExit;       // PNG of the whole window
  bool presentation = false, hidePanels = false, help = false;  // as if P, Tab, ? were pressed
  bool unlimitedFrames = false;  // no waiting for the display, to measure frame cost
  // Once the scenario is shown, after every frame: seconds since the frame before, and what draws.
  // False closes the window.
  std::function<bool(double seconds, const std::string& graphics)> onFrame;
  double frameSeconds = 0;  // > 0: animations advance by this much in every frame
};

// 0 when closed by the person. Throws RunError when no window can be had (no display, GL older than
// 4.5), naming the way out, and InputError for a bad scale.
int runWindow(const WindowOptions& options);

// Whether DISPLAY or WAYLAND_DISPLAY names a display.
bool displayNamed();

}  // namespace cellscope
