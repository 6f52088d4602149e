// `cellscope window`, and `cellscope lesson` and `cellscope follow`, which open one.
#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/common/terminal.h"
#include "app/lesson/client.h"
#include "app/lesson/server.h"
#include "app/sweep/sweep.h"
#include "app/window.h"
#include "sim/algo/race/race.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "sim/io/files.h"
#include "sim/run/runner.h"
#include "sim/run/scenario.h"
#include "sim/run/session.h"

namespace cellscope::cli {

struct WindowCommandOptions : common::ExperimentLine {
  WindowCommandOptions() { scenario = kDefaultScenario; }
  std::vector<std::string> against;  // of a second run beside it: key=value, or a scenario
  std::string compare;               // another list of pairs beside SCENARIO, which is one
  std::string sink = "auto";         // auto, interop, copy
  std::string theme = "dark";
  std::string outputFolder;  // "": the current folder
  std::string size = "1280x800";
  common::HardwareOptions hardware;
  WindowOptions window;  // what is given as it is
};

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

static void addWindowLooks(CLI::App& w, WindowCommandOptions& o) {
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

static void addWindowExperiment(CLI::App& w, WindowCommandOptions& o) {
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

static int windowCommand(const WindowCommandOptions& o) {
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

Command addWindow(CLI::App& app) {
  const auto options = std::make_shared<WindowCommandOptions>();
  CLI::App* w = app.add_subcommand("window", "Open a scenario in the window");
  addWindowExperiment(*w, *options);
  addWindowLooks(*w, *options);
  return {w, [options] { return windowCommand(*options); }};
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

namespace {

struct LessonOptions : WindowCommandOptions {
  bool serve = false;
  std::string address = "127.0.0.1";
  int port = lesson::kUsualPort;
};

struct FollowOptions : WindowCommandOptions {
  std::string address;
  bool headless = false;
  std::uint64_t states = 0;  // to be compared; 0: no end
};

// Before others are let in.
void requireLesson(const LessonOptions& o) {
  if (!o.window.plan.empty() || !o.resume.empty() || sweep::isSweep(o.scenario)) return;
  try {
    common::openScenario(o.scenario);
  } catch (const UnknownScenario& e) {
    std::vector<std::string> names, refused;
    for (const std::string& folder : {common::lessonFolder(), common::ownFolder("lessons")})
      for (const LessonPlan& plan : plansIn(folder, refused)) names.push_back(plan.name);
    throw InputError("{}; lessons: {}", e.what(), fmt::join(names, ", "));
  }
}

int lessonCommand(LessonOptions& o) {
  o.window.plan = common::planPath(o.scenario, true);
  requireLesson(o);
  if (o.serve) {
    const auto server = std::make_shared<lesson::Server>(o.address, o.port);
    common::printError(server->words().hover);
    o.window.lesson = server;
  }
  return windowCommand(o);
}

const char* standingName(lesson::Listener::Standing standing) {
  using Standing = lesson::Listener::Standing;
  return standing == Standing::inStep    ? "in step"
         : standing == Standing::behind  ? "behind"
         : standing == Standing::waiting ? "waiting"
                                         : "out of step";
}

// A line for each state that was compared.
int followHeadless(lesson::Client& client, const FollowOptions& o) {
  const common::InterruptGuard interrupt;
  Runner runner(common::chooseHardware(o.hardware, true), client.lecturer());
  client.begin(runner);
  const double begun = steadySeconds();
  const auto passed = [&] { return steadySeconds() - begun; };
  std::uint64_t compared = 0, message = 0;
  for (int look = 0; !interrupt.raised() && (o.states == 0 || compared < o.states); ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // Now and then: whoever looks is given a picture.
    if (const auto now = look % 20 == 0 ? runner.latest() : nullptr)
      for (const Message& m : now->messages)
        if (m.number > message) message = m.number, common::printError(m.text);
    const lesson::Listener::Status s = client.lecturer()->status();
    if (s.compared == compared) continue;
    compared = s.compared;
    common::printLine(fmt::format("{:.1f} step {} hash {:016x} {}, {} bytes", passed(), s.step,
                                  s.hash, standingName(s.standing), client.bytesReceived()));
  }
  client.end();
  common::printLine(fmt::format("{} bytes received and {} sent in {:.1f} s", client.bytesReceived(),
                                client.bytesSent(), passed()));
  return client.lecturer()->status().standing == lesson::Listener::Standing::inStep
             ? common::kDone
             : common::kFailed;
}

int followCommand(FollowOptions& o) {
  common::outliveOutputs();
  const auto client = std::make_shared<lesson::Client>(o.address);
  // Molecular dynamics is the same bit for bit where the same instructions compute it: those of the
  // lecturer are used if this processor has them.
  const std::vector<std::string> mine = exec::instructionSets();
  const std::string& set = client->instructionSet();
  if (hasItem(mine, set)) ::setenv("CELLSCOPE_ISA", set.c_str(), 0);
  if (o.headless) return followHeadless(*client, o);
  o.window.lesson = client;
  return windowCommand(o);
}

}  // namespace

Command addLesson(CLI::App& app) {
  const auto options = std::make_shared<LessonOptions>();
  LessonOptions& o = *options;
  CLI::App* c = app.add_subcommand(
      "lesson", "Open a lesson, which a class may follow, in a window (cellscope help lesson)");
  addWindowExperiment(*c, o);
  c->get_option("SCENARIO")
      ->description(
          "Name of a lesson in the gallery, its .toml file, a folder of scenarios, or what "
          "cellscope window takes");
  CLI::Option* serve = c->add_flag("--serve", o.serve,
                                   "Let others follow: they compute the same states, step by step");
  c->add_option("--address", o.address,
                "Address of this computer at which they are let in; 0.0.0.0: all of them")
      ->needs(serve)
      ->capture_default_str();
  addWhole(*c, "--port", o.port, 1, 65535, "Port there")->needs(serve)->capture_default_str();
  addWindowLooks(*c, o);
  return {c, [options] { return lessonCommand(*options); }};
}

Command addFollow(CLI::App& app) {
  const auto options = std::make_shared<FollowOptions>();
  FollowOptions& o = *options;
  CLI::App* c = app.add_subcommand(
      "follow", "Follow a lecturer's window in one of your own (cellscope help lesson)");
  c->add_option("ADDRESS", o.address, "The lecturer's computer, and its port: HOST or HOST:PORT")
      ->required();
  CLI::Option* headless = c->add_flag(
      "--headless", o.headless, "Without a window: print step and hash of each state compared");
  addWhole(*c, "--states", o.states, 1, kMostSteps,
           "Stop when so many states were compared, one a second")
      ->needs(headless);
  addWindowLooks(*c, o);
  return {c, [options] { return followCommand(*options); }, false};
}

}  // namespace cellscope::cli
