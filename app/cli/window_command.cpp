#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/batch_run.h"
#include "app/cli/options.h"
#include "app/common/ending.h"
#include "app/common/experiment.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/sweep/overview.h"
#include "app/window.h"
#include "sim/base/number_text.h"
#include "sim/io/output_file.h"
#include "sim/run/session.h"

namespace cellscope::cli {

namespace {

// Checks now that outputs can be written, not at the first screenshot.
void checkOutputPaths(const WindowCommandOptions& o) {
  if (!o.outputFolder.empty()) {
    io::createFolder(o.outputFolder);
    io::checkWritable(o.outputFolder + "/cellscope.png");
  }
  checkOutputs({{"--screenshot-at-exit", o.window.screenshotAtExit, true},
                {"--log-events", o.window.logEvents}},
               {{"SCENARIO", o.scenario},
                {"--resume", o.window.resume},
                {"--load-configuration", o.configuration}});
}

}  // namespace

std::pair<int, int> parseSize(const std::string& text) {
  // Software rendering draws up to 16128 pixels a side.
  constexpr std::int64_t kLeast = 64, kMost = 16000;
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto width = wholeFrom(std::string_view(text).substr(0, cross));
  const auto height = wholeFrom(std::string_view(text).substr(std::min(cross + 1, text.size())));
  const auto fits = [](const auto& side) { return side && *side >= kLeast && *side <= kMost; };
  if (!fits(width) || !fits(height))
    throw InputError(
        fmt::format("size '{}': write WIDTHxHEIGHT, each {} to {}", text, kLeast, kMost));
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

int windowCommand(const WindowCommandOptions& o) {
  common::outliveOutputs();
  WindowOptions w = o.window;
  if (sweep::isSweep(o.scenario)) w.sweep = o.scenario;
  w.scenario = !w.resume.empty() ? Session::scenarioOf(w.resume)
               : w.sweep.empty() ? openScenario(o.scenario)
                                 : sweep::scenarioOf(w.sweep);
  if (w.resume.empty()) {
    applySettings(w.scenario, o.settings);
    common::replaceConfiguration(w.scenario, o.configuration, o.box, o.replicate);
    if (!o.compare.empty() && w.scenario.mode != "lists")
      throw InputError(fmt::format("--compare {}: '{}' is no neighbour list to compare it with",
                                   o.compare, o.scenario));
    if (!o.compare.empty()) w.scenario.compare = std::filesystem::absolute(o.compare).string();
  } else {
    common::checkSettings(w.scenario.mode, o.settings);
    w.settings = splitSettings(o.settings);
  }
  w.note = common::versionNote(o.madeWith);
  w.galleryFolder = galleryFolder();
  w.exec = common::chooseHardware(o.hardware, false);
  w.deviceFromContext = o.hardware.device < 0;
  w.exec.device = std::max(0, o.hardware.device);
  w.sink = common::sinkOf(o.sink);
  w.theme = o.theme == "light" ? Theme::light : Theme::dark;
  std::tie(w.width, w.height) = parseSize(o.size);
  checkOutputPaths(o);
  if (!o.outputFolder.empty()) w.outputFolder = o.outputFolder;
  w.stateFolder = common::stateFolder();
  int code = 0;
  common::withDemandedSink([&] { code = runWindow(w); });
  return code;
}

int defaultCommand() {
  if (!displayNamed()) return headlessDemo("neither DISPLAY nor WAYLAND_DISPLAY is set.");
  try {
    WindowCommandOptions o;
    return windowCommand(o);
  } catch (const RunError& e) {
    return headlessDemo(e.what());
  }
}

// `cellscope run`, and the demonstration without a display.

namespace {

// Default output folder: in the current folder, or in the temporary folder if that is not writable.
std::filesystem::path demoFolder() {
  namespace fs = std::filesystem;
  const fs::path name = "cellscope-output";
  std::error_code error;
  const fs::path here = fs::absolute(name, error);
  try {
    if (error) throw InputError("the current folder no longer exists");
    io::createFolder(here.string());
    io::checkWritable((here / (std::string(kDefaultScenario) + ".csv")).string());
    return here;
  } catch (const InputError& e) {
    const fs::path other = fs::path(common::temporaryFolder()) / name;
    common::printLine(fmt::format("{}: results go to {}", e.what(), other.string()));
    io::createFolder(other.string());
    return other;
  }
}

}  // namespace

int runCommand(const RunOptions& options) {
  common::outliveOutputs();
  const common::InterruptGuard interrupt;
  return BatchRun(options, interrupt).run();
}

int headlessDemo(const std::string& reason) {
  common::printLine(
      fmt::format("No window: {}\nRunning the default scenario without a window for 10 s; see "
                  "`cellscope run --help`.",
                  reason));
  const std::filesystem::path folder = demoFolder();
  RunOptions o;
  o.scenario = kDefaultScenario;
  o.seconds = 10;
  o.pictureNeeded = false;
  const std::string base = (folder / kDefaultScenario).string();
  o.csv = base + ".csv", o.trajectory = base + ".xyz", o.picture = base + ".png";
  return runCommand(o);
}

}  // namespace cellscope::cli
