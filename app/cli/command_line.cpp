#include "app/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>

#include "app/bench/bench_command.h"
#include "app/cli/commands.h"
#include "app/cli/output_check.h"
#include "app/cli/validators.h"
#include "app/cli/window_command.h"
#include "app/common/exit_codes.h"
#include "app/common/terminal.h"
#include "app/reproduce/reproduce.h"
#include "sim/api/version.h"
#include "sim/base/number_text.h"
#include "sim/io/file_lock.h"
#include "sim/io/output_file.h"
#include "sim/run/replicate.h"

namespace cellscope::cli {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;

constexpr const char* kAbout =
    "Interactive simulator and visual debugger of particle simulations.\n"
    "Without a subcommand the window opens with the default scenario.";
constexpr const char* kFooter =
    "Exit codes: 0 done, 1 failure, 2 bad input. Ctrl-C ends a run after its step, or gives up one "
    "that takes long, with a checkpoint and complete files; so do SIGTERM, SIGUSR1, SIGUSR2, "
    "SIGXCPU and a terminal that closes. The window does the same.\n"
    "Environment: CELLSCOPE_ASSETS, another assets folder; CELLSCOPE_ISA, the instruction set of "
    "the CPU (cellscope info lists them); DISPLAY or WAYLAND_DISPLAY, where the window opens; "
    "TMPDIR, "
    "where results go when nothing can be written here.";

void addHardware(CLI::App& app, common::HardwareOptions& h) {
  app.add_option("--backend", h.backend,
                 "auto (the GPU where CUDA works, otherwise the CPU), cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", h.threads,
                 "CPU threads; 0 = all that the process may use. Results do not depend on it")
      ->transform(wholeNumber(0, 4096))
      ->capture_default_str();
  app.add_option("--device", h.device, "Number of the CUDA device (cellscope info lists them)")
      ->transform(wholeNumber(0, 63));
}

void addSettings(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option("--set", settings,
                 "Change parameters of the scenario, e.g. --set packing=0.71 d=0.1; "
                 "cellscope list MODE shows all")
      ->type_name("KEY=VALUE ...")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);  // what follows may be the scenario: withEverySet()
}

void addRunOutputs(CLI::App& run, RunOptions& o, std::string& size) {
  run.add_option("--csv", o.csv, "Time series of all observables, and averages with errors")
      ->check(someName());
  CLI::Option* trajectory =
      run.add_option("--trajectory", o.trajectory,
                     "Configurations as extended XYZ (OVITO, ASE and VMD read it)")
          ->check(someName());
  run.add_option("--trajectory-every", o.trajectoryEvery,
                 "Write a configuration every N steps; without it only the last one")
      ->transform(wholeNumber(0, kMostSteps))
      ->needs(trajectory);
  CLI::Option* picture =
      run.add_option("--picture", o.picture, "PNG of the last configuration; needs no display")
          ->check(someName());
  run.add_option("--picture-size", size, "Width and height in pixels")
      ->capture_default_str()
      ->needs(picture);
  run.add_option("--sink", o.sink,
                 "How the picture's particles reach OpenGL: auto, interop or copy")
      ->check(CLI::IsMember({"auto", "interop", "copy"}))
      ->capture_default_str()
      ->needs(picture);
  CLI::Option* checkpoint = run.add_option("--checkpoint", o.checkpoint,
                                           "State to go on from, written at the end and "
                                           "regularly on the way, if it passes its self-checks")
                                ->check(someName());
  run.add_option("--checkpoint-every", o.checkpointEvery, "Seconds between checkpoints")
      ->transform(realNumber(1.0, 1e9))
      ->capture_default_str()
      ->needs(checkpoint);
}

CLI::App* addRun(CLI::App& app, RunOptions& o, std::string& size) {
  CLI::App* run = app.add_subcommand("run", "Run a scenario without a window");
  run->add_option("SCENARIO", o.scenario, "Name in the gallery (cellscope list) or a .toml file");
  addSettings(*run, o.settings);
  CLI::Option* steps =
      run->add_option("--steps", o.steps, "Steps (sweeps) to run; preparation comes on top")
          ->transform(wholeNumber(1, kMostSteps));
  run->add_option("--until", o.until,
                  "Run until this step is complete, however often the run was resumed")
      ->transform(wholeNumber(1, kMostSteps))
      ->excludes(steps);
  run->add_option("--seconds", o.seconds,
                  "Stop after this time (10 when neither --steps nor --until is given)")
      ->transform(realNumber(0.001, 1e9));
  run->add_option("--discard", o.discard,
                  "Steps for equilibration: averages start over after them, also when the "
                  "run is resumed before")
      ->transform(wholeNumber(0, kMostSteps));
  run->add_option("--sample-every", o.sampleEvery, "Steps between samples; default: the scenario's")
      ->transform(wholeNumber(1, 1000000000));
  run->add_option("--load-configuration", o.configuration,
                  "Start from the last configuration of an extended XYZ file")
      ->check(someName());
  run->add_option("--replicate", o.replicate,
                  "Copies of the loaded configuration along every axis: a large state from a "
                  "small one in equilibrium")
      ->transform(wholeNumber(1, kMostCopies));
  run->add_option("--resume", o.resume,
                  "Go on from a checkpoint, exactly as if never interrupted; rows and "
                  "frames after it in --csv and --trajectory are cut off and computed again")
      ->check(someName());
  addRunOutputs(*run, o, size);
  run->add_flag("--overwrite", o.overwrite,
                "Replace older results of the same names; without it they are kept as NAME.1.csv "
                "and so on, NAME.1 being the oldest");
  run->add_flag("--quiet", o.quiet, "Print errors only");
  addHardware(*run, o.hardware);
  return run;
}

CLI::App* addWindow(CLI::App& app, WindowCommandOptions& o) {
  CLI::App* w = app.add_subcommand("window", "Open a scenario in the window");
  CLI::Option* scenario =
      w->add_option("SCENARIO", o.scenario, "Name in the gallery or a .toml file")
          ->capture_default_str();
  addSettings(*w, o.settings);
  w->add_option("--resume", o.resume, "Go on from a checkpoint of a run or of the window")
      ->excludes(scenario)
      ->excludes("--set");
  w->add_option("--sink", o.sink, "How particles reach OpenGL: auto, interop (CUDA) or copy")
      ->check(CLI::IsMember({"auto", "interop", "copy"}))
      ->capture_default_str();
  w->add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}));
  w->add_option("--scale", o.scale, "Scale of text and panels; 0 = what the display asks for")
      ->transform(realNumber(0.0, 8.0));
  w->add_option("--size", o.size, "Width and height at scale 1")->capture_default_str();
  w->add_flag("--paused", o.paused, "Wait for Space instead of playing at once");
  w->add_option("--output", o.outputFolder,
                "Folder for screenshots, CSV files and checkpoints; default: the current one")
      ->check(someName());
  w->add_flag("--presentation", o.presentation, "Large text, panels hidden");
  w->add_flag("--hide-panels", o.hidePanels, "Start with the panels hidden");
  w->add_flag("--help-sheet", o.help, "Start with the sheet of keys open");
  w->add_option("--log-events", o.logEvents, "File for one line per visible event (tests)")
      ->check(someName());
  w->add_option("--exit-after-frames", o.exitAfterFrames, "Close after N frames (tests)")
      ->transform(wholeNumber(0, kMostSteps));
  w->add_option("--screenshot-at-exit", o.screenshotAtExit, "PNG of the window at its end (tests)")
      ->check(someName());
  w->add_flag("--unlimited-frames", o.unlimitedFrames,
              "Do not wait for the display (measurements)");
  addHardware(*w, o.hardware);
  return w;
}

CLI::App* addBench(CLI::App& app, bench::BenchOptions& o) {
  CLI::App* b = app.add_subcommand(
      "bench",
      "Measure speed and memory against the device's limits; a case whose state fails "
      "its self-checks afterwards has no speed");
  b->add_option("--filter", o.filter, "Only cases whose name contains this text");
  b->add_flag("--list", o.list, "Name the cases and stop");
  b->add_option("--json", o.json, "Write all measurements as JSON")->check(someName());
  b->add_option("--csv", o.csv, "Write the medians as CSV")->check(someName());
  b->add_option("--record", o.record,
                "Write one Markdown table per device into this folder, for "
                "example tests/bench/results")
      ->check(someName());
  b->add_option("--sink", o.sink,
                "Memory that frames are brought into: auto, interop or copy for OpenGL's, host for "
                "plain memory without it, from which nothing is drawn")
      ->check(CLI::IsMember({"auto", "interop", "copy", "host"}))
      ->capture_default_str();
  addHardware(*b, o.hardware);
  return b;
}

struct ReproduceChoice {
  std::string name;
  reproduce::Options options;
};

CLI::App* addReproduce(CLI::App& app, ReproduceChoice& r) {
  CLI::App* c = app.add_subcommand("reproduce", "Run a published study again at full size");
  std::vector<std::string> names;
  std::string about = "Studies:";
  for (const reproduce::Study& s : reproduce::studies()) {
    names.push_back(s.name);
    about += fmt::format("\n  {}: {}", s.name, s.about);
  }
  c->footer(
      about +
      "\ntable1, table2, virial and fluid go on from their checkpoints when called again with "
      "the same folder.");
  c->add_option("NAME", r.name, "Study")->required()->check(CLI::IsMember(names));
  c->add_option("--folder", r.options.folder,
                "Where results and checkpoints go; default: "
                "results/NAME");
  c->add_option("--minutes", r.options.minutes,
                "Time for the whole study, shared by its runs (lost-disks, n870: "
                "preparing a start comes on top)")
      ->transform(realNumber(0.01, 1e6))
      ->capture_default_str();
  c->add_option(
       "--sides", r.options.sides,
       "Disks per side of the box: N is the square (leave-cell: 870 disks unless given, "
       "fluid: 256, virial: 128; one for table1, tuning and leave-cell: the first unless given)")
      ->transform(wholeNumber(8, 8192))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  c->add_option("--packings", r.options.packings,
                "Only these packing fractions, e.g. 0.698,0.702 (table1, table2, virial, fluid, "
                "n870; one for "
                "tuning and leave-cell)")
      ->transform(realNumber(0.01, 0.9))
      ->delimiter(',')
      ->allow_extra_args(false);
  c->add_option("--seeds", r.options.seeds,
                "Independent runs of every state (table1, table2, virial, fluid); number of the "
                "seed elsewhere")
      ->transform(wholeNumber(1, 1000))
      ->capture_default_str();
  c->add_option(
       "--first-seed", r.options.firstSeed,
       "Of these runs (table1, table2, virial, fluid): several machines can share a study, each "
       "with seeds of its own")
      ->transform(wholeNumber(1, 999000))
      ->capture_default_str();
  c->add_option(
       "--moves-per-cell", r.options.movesPerCell,
       "n_M, trial moves in every cell of a sub-sweep (table1). With 1 and without particle "
       "shuffle only the first disk of each cell is ever tried, which makes the effect "
       "large")
      ->transform(wholeNumber(1, 64))
      ->capture_default_str();
  c->add_option("--start", r.options.start,
                "fluid (compressed at random), crystal, or both, which bracket equilibrium; "
                "coexistence (a lattice beside liquid, between packing 0.700 and 0.716)")
      ->check(CLI::IsMember({"fluid", "crystal", "both", "coexistence"}))
      ->capture_default_str();
  c->add_flag("--grow", r.options.grow,
              "New runs begin with copies of the largest smaller run in the folder, of the same "
              "packing, start and seed (table2): run the sizes one after the other");
  c->add_option("--together", r.options.together,
                "Runs side by side on one device (table1, table2, virial, fluid): small systems "
                "leave a GPU idle, "
                "12 of 256^2 disks fill it")
      ->transform(wholeNumber(1, 256))
      ->capture_default_str();
  c->add_option("--sweeps", r.options.sweeps, "Sweeps of lost-disks")
      ->transform(wholeNumber(1, kMostSteps))
      ->capture_default_str();
  addHardware(*c, r.options.hardware);
  return c;
}

// What is asked for is heeded or refused, never left out without a word.
void refuseUnheeded(const CLI::App& app, const reproduce::Study& study) {
  std::vector<std::string> known;
  for (const reproduce::StudyOption& o : study.takes) known.push_back(o.name);
  for (const char* name : {"--sides", "--packings", "--seeds", "--first-seed", "--start",
                           "--together", "--grow", "--moves-per-cell", "--sweeps"}) {
    const std::size_t given = app.get_option(name)->results().size();
    const auto taken = std::find_if(study.takes.begin(), study.takes.end(),
                                    [&](const auto& o) { return o.name == name; });
    if (given > 0 && taken == study.takes.end())
      throw InputError(fmt::format("{}: {} does not take it; it takes --folder, --minutes, {}",
                                   name, study.name, fmt::join(known, ", ")));
    if (given > 1 && !taken->many)
      throw InputError(fmt::format("{}: {} takes one value, {} were given; run it once for each",
                                   name, study.name, given));
  }
  for (const char* name : {"--sides", "--packings"}) {
    std::vector<double> values;
    for (const std::string& text : app.get_option(name)->results())
      values.push_back(*realFrom(text));
    std::sort(values.begin(), values.end());
    if (const auto twin = std::adjacent_find(values.begin(), values.end()); twin != values.end())
      throw InputError(fmt::format("{}: {:g} is given twice; name it once", name, *twin));
  }
  const bool gpuAsked = app.get_option("--device")->count() > 0 ||
                        app.get_option("--backend")->as<std::string>() == "cuda";
  if (study.onlyCpu && gpuAsked)
    throw InputError(fmt::format(
        "{} runs on the CPU, one copy of the system on each core: so few disks cannot fill a GPU; "
        "leave out --backend cuda and --device, and choose the cores by --threads",
        study.name));
}

int runStudy(ReproduceChoice& r, const CLI::App& app) {
  common::outliveOutputs();
  const auto& all = reproduce::studies();
  const auto study =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == r.name; });
  refuseUnheeded(app, *study);  // that there is such a study was checked with the options
  if (r.options.folder.empty()) r.options.folder = "results/" + r.name;
  io::createFolder(r.options.folder);
  const io::FolderLock alone(r.options.folder);
  if (study->onlyCpu) r.options.hardware.backend = "cpu";
  return study->run(r.options, common::chooseHardware(r.options.hardware, false));
}

int carryOut(int argc, char** argv) {
  CLI::App app{kAbout};
  app.name("cellscope");
  app.set_version_flag("--version", fmt::format("cellscope {}", programVersion()));
  app.require_subcommand(0, 1);
  app.footer(kFooter);
  RunOptions runOptions;
  std::string size = "1200x1200", what;
  WindowCommandOptions windowOptions;
  windowOptions.hardware.device = -1;
  const CLI::App* run = addRun(app, runOptions, size);
  const CLI::App* window = addWindow(app, windowOptions);
  CLI::App* list = app.add_subcommand("list", "Scenarios and modes; the parameters of a mode");
  list->add_option("WHAT", what, "A scenario or a mode to explain");
  bench::BenchOptions benchOptions;
  const CLI::App* benchApp = addBench(app, benchOptions);
  ReproduceChoice study;
  const CLI::App* reproduceApp = addReproduce(app, study);
  const CLI::App* info = app.add_subcommand("info", "Version, backends, devices, graphics");
  try {
    const std::vector<std::string> arguments = withEverySet(argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& a : arguments) pointers.push_back(a.c_str());
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? common::kDone : common::kBadInput;
  }
  if (run->parsed()) {
    std::tie(runOptions.pictureWidth, runOptions.pictureHeight) = parseSize(size);
    if (runOptions.steps == 0 && runOptions.until == 0 && runOptions.seconds == 0)
      runOptions.seconds = 10;
    return runCommand(runOptions);
  }
  if (window->parsed()) return windowCommand(windowOptions);
  if (list->parsed()) return listCommand(what);
  if (benchApp->parsed()) {
    checkOutputs({{"--json", benchOptions.json, true}, {"--csv", benchOptions.csv, true}}, {});
    return bench::benchCommand(benchOptions);
  }
  if (reproduceApp->parsed()) return runStudy(study, *reproduceApp);
  if (info->parsed()) return infoCommand();
  return defaultCommand();
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  common::openStandardStreams();
  try {
    const int code = carryOut(argc, argv);
    const std::string trouble = common::outputTrouble();
    if (trouble.empty()) return code;
    common::complain(fmt::format("cellscope: standard output could not be written: {}", trouble));
    return code == common::kDone ? common::kFailed : code;
  } catch (const InputError& e) {
    common::complain(fmt::format("cellscope: {}", e.what()));
    return common::kBadInput;
  } catch (const std::bad_alloc&) {
    common::complain("cellscope: memory ran out; choose fewer particles");
    return common::kFailed;
  } catch (const std::exception& e) {
    common::complain(fmt::format("cellscope: {}", e.what()));
    return common::kFailed;
  }
}

}  // namespace cellscope::cli
