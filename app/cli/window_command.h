// `cellscope window` and `cellscope` without a subcommand.
#pragma once
#include <utility>

#include "app/cli/options.h"
#include "app/window.h"

namespace cellscope::cli {

struct WindowCommandOptions {
  std::string scenario = "hexatic";
  std::vector<std::string> settings;
  std::string resume;
  std::string configuration;   // extended XYZ or H5MD to start from
  std::string box;             // of a configuration that has none
  std::int64_t replicate = 0;  // copies of it along every axis; 0: as in the scenario
  std::string madeWith;        // version that wrote the experiment's line; "": unknown
  std::string sink = "auto";   // auto, interop, copy
  std::string theme = "dark";
  double scale = 0;
  int rewindMiB = kUsualRewind;
  bool paused = false;
  std::string outputFolder;  // "": the current folder
  std::string size = "1280x800";
  common::HardwareOptions hardware;
  // For tests and measurements.
  std::string logEvents, screenshotAtExit;
  std::uint64_t exitAfterFrames = 0;
  bool presentation = false, hidePanels = false, help = false, unlimitedFrames = false;
};

int windowCommand(const WindowCommandOptions& options);
// `cellscope` alone: the window, or the demonstration without a window if none can be opened.
int defaultCommand();

// "1280x800" to numbers. Throws InputError.
std::pair<int, int> parseSize(const std::string& text);

}  // namespace cellscope::cli
