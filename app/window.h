// The window: runs and draws a scenario until the user closes it.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "render/renderer.h"
#include "sim/base/backend.h"
#include "sim/run/scenario.h"

namespace cellscope {

class LessonLink;  // app/lesson/link.h

enum class Theme { dark, light };

inline constexpr int kUsualRewind = 256, kMostRewind = 65536;  // MiB

struct FrameNote {
  double seconds = 0;        // since the previous frame
  std::string graphics;      // the renderer
  bool newPicture = false;   // of a later state
  double workPerSecond = 0;  // of the engine meanwhile
};

struct WindowOptions {
  Scenario scenario;   // checked, with command-line settings applied
  std::string resume;  // checkpoint to resume; its scenario is then used
  // Parameters that are set once a checkpoint is resumed; those that would restart it are refused.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string plan;                    // file of the lesson whose first scenario it is; "": none
  std::string sweep;                   // its folder: the scenario is that of a sweep; "": of none
  std::shared_ptr<LessonLink> lesson;  // that is served or followed; null: none
  std::string note;                    // shown at the beginning; "": nothing
  std::string galleryFolder;           // folder of the scenario files of the gallery
  ExecConfig exec;
  bool deviceFromContext = true;  // CUDA: use the GPU that owns the GL context, if any
  render::SinkChoice sink = render::SinkChoice::automatic;
  int width = 1280, height = 800;  // at scale 1; multiplied by the scale
  double scale = 0;                // of text and panels; 0 = as the display asks for
  Theme theme = Theme::dark;
  bool paused = false;             // start paused
  int rewindMiB = kUsualRewind;    // memory for earlier moments of the run; 0: none
  std::string outputFolder = ".";  // screenshots, CSV files and checkpoints go here
  std::string stateFolder;         // what is remembered between two starts; "": nothing is

  // For tests and measurements.
  std::string logEvents;              // file: one line per visible event and widget rectangle
  std::uint64_t exitAfterFrames = 0;  // 0 = run until closed
  std::string screenshotAtExit;       // PNG of the whole window
  bool presentation = false, hidePanels = false, help = false;  // as if P, H, ? were pressed
  bool unlimitedFrames = false;  // do not wait for vertical sync, to measure frame cost
  // Called after every frame once the scenario is shown. False closes the window.
  std::function<bool(const FrameNote&)> onFrame;
  double frameSeconds = 0;  // > 0: fixed time step of animations per frame
};

// Returns 0 when closed by the user. Throws RunError when no window can be opened (no display, GL
// older than 4.5), and InputError for a bad scale.
int runWindow(const WindowOptions& options);

// Whether DISPLAY or WAYLAND_DISPLAY names a display.
bool displayNamed();

}  // namespace cellscope
