#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/batch_run.h"
#include "app/cli/options.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/sweep/overview.h"
#include "app/window.h"
#include "sim/base/digits.h"
#include "sim/io/files.h"
#include "sim/run/scenario.h"
#include "sim/run/session.h"

namespace cellscope::cli {

// Checks now that outputs can be written, not at the first screenshot.
static void checkOutputPaths(const WindowCommandOptions& o) {
  if (!o.outputFolder.empty()) {
    io::createFolder(o.outputFolder);
    io::checkWritable(o.outputFolder + "/cellscope.png");
  }
  checkOutputs({{"--screenshot-at-exit", o.window.screenshotAtExit, true},
                {"--log-events", o.window.logEvents}},
               {{"SCENARIO", o.scenario},
                {"--resume", o.resume},
                {"--load-configuration", o.configuration}});
}

std::pair<int, int> parseSize(const std::string& text) {
  // Software rendering draws up to 16128 pixels a side.
  constexpr std::int64_t kLeast = 64, kMost = 16000;
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto width = wholeFrom(std::string_view(text).substr(0, cross));
  const auto height = wholeFrom(std::string_view(text).substr(std::min(cross + 1, text.size())));
  const auto fits = [](const auto& side) { return side && *side >= kLeast && *side <= kMost; };
  if (!fits(width) || !fits(height))
    throw InputError("size '{}': write WIDTHxHEIGHT, each {} to {}", text, kLeast, kMost);
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

void addWindowLooks(CLI::App& w, WindowCommandOptions& o) {
  w.add_option("--sink", o.sink, "How particle data reach OpenGL: auto, interop (CUDA) or copy")
      ->check(CLI::IsMember({"auto", "interop", "copy"}))
      ->capture_default_str();
  w.add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  addReal(w, "--scale", o.window.scale, 0.0, 8.0,
          "Scale of text and panels; 0 = by the display: its content scale, more on tall screens");
  w.add_option("--size", o.size, "Width and height at scale 1")->capture_default_str();
  addWhole(w, "--rewind-memory", o.window.rewindMiB, 0, kMostRewind,
           "MiB for snapshots of the run, to go back to; 0: none")
      ->capture_default_str();
  addFile(w, "--output", o.outputFolder,
          "Folder for screenshots, CSV files and checkpoints; default: the current one");
  w.add_flag("--presentation", o.window.presentation, "Large text, panels hidden");
  w.add_flag("--hide-panels", o.window.hidePanels, "Start with the panels hidden");
  w.add_flag("--help-sheet", o.window.help, "Start with the help sheet open");
  addFile(w, "--log-events", o.window.logEvents,
          "Write one line per visible event to this file (tests)");
  addWhole(w, "--exit-after-frames", o.window.exitAfterFrames, 0, kMostSteps,
           "Close after N frames (tests)");
  addFile(w, "--screenshot-at-exit", o.window.screenshotAtExit,
          "PNG of the window when it closes (tests)");
  w.add_flag("--unlimited-frames", o.window.unlimitedFrames,
             "Do not wait for vertical sync (measurements)");
  addHardware(w, o.hardware);
  addDomains(w, o.hardware);
}

void addWindowExperiment(CLI::App& w, WindowCommandOptions& o) {
  CLI::Option* scenario =
      w.add_option("SCENARIO", o.scenario,
                   "Name in the gallery, a .toml file of a scenario or lesson, a picture or "
                   "checkpoint saved by cellscope, restarted from step 0, or the folder of a sweep")
          ->capture_default_str();
  addSettings(w, o.settings);
  w.add_option("--resume", o.resume,
               "Continue from a checkpoint of a batch run or of the window; --set then changes "
               "parameters as the window does")
      ->excludes(scenario);
  addExperiment(w, o);
  for (const char* option : {"--load-configuration", "--box", "--replicate"})
    w.get_option("--resume")->excludes(option);
  addFile(w, "--compare", o.compare,
          "SCENARIO is a neighbour list: another one, of another build, whose pairs are compared "
          "with it")
      ->excludes("--resume");
  w.add_option("--against", o.against,
               "A second run beside it, step for step: the same with this setting, or, instead of "
               "settings, with the parameters of another scenario of the same mode")
      ->type_name("KEY=VALUE|SCENARIO")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->excludes("--resume");
  w.add_flag("--paused", o.window.paused, "Start paused; press Space to play");
}

Command addWindow(CLI::App& app) {
  const auto options = std::make_shared<WindowCommandOptions>();
  CLI::App* w = app.add_subcommand("window", "Open a scenario in the window");
  addWindowExperiment(*w, *options);
  addWindowLooks(*w, *options);
  return {w, [options] { return windowCommand(*options); }};
}

int windowCommand(const WindowCommandOptions& o) {
  common::outliveOutputs();
  WindowOptions w = o.window;
  w.resume = o.resume;
  if (w.plan.empty()) w.plan = common::planPath(o.scenario, false);
  if (sweep::isSweep(o.scenario)) w.sweep = o.scenario;
  w.scenario = !w.resume.empty() ? Session::scenarioOf(w.resume)
               : !w.plan.empty() ? common::pagesOf(loadPlan(w.plan)).front()
               : w.sweep.empty() ? openScenario(o.scenario)
                                 : sweep::scenarioOf(w.sweep);
  if (w.resume.empty()) {
    applySettings(w.scenario, o.settings);
    common::replaceConfiguration(w.scenario, o);
    common::setAgainst(w.scenario, o.against);
    if (!o.compare.empty() && w.scenario.mode != "lists")
      throw InputError("--compare {}: '{}' is no neighbour list to compare it with", o.compare,
                       o.scenario);
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

// `cellscope run`, and the demonstration without a display.

// Default output folder: in the current folder, or in the temporary folder if that is not writable.
static std::filesystem::path demoFolder() {
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

int runCommand(const RunOptions& options) {
  common::outliveOutputs();
  const common::InterruptGuard interrupt;
  return BatchRun(options, interrupt).run();
}

// Without a display: runs the default scenario for some seconds and prints where its output is.
static int headlessDemo(const std::string& reason) {
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

int defaultCommand() {
  if (!displayNamed()) return headlessDemo("neither DISPLAY nor WAYLAND_DISPLAY is set.");
  try {
    WindowCommandOptions o;
    return windowCommand(o);
  } catch (const RunError& e) {
    return headlessDemo(e.what());
  }
}

}  // namespace cellscope::cli
