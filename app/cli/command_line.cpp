#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <sstream>

#include "app/bench/bench.h"
#include "app/common/terminal.h"
#include "app/gui/theme.h"
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/mpmc/domains.h"
#include "sim/algo/verlet/domain_calls.h"
#include "sim/api/parameter.h"
#include "sim/base/build.h"
#include "sim/exec/machine.h"
#include "sim/exec/ranks.h"
#include "sim/run/scenario.h"

namespace cellscope::cli {
namespace {

constexpr const char* kAbout =
    "Interactive simulator and visual debugger for particle simulations.\n"
    "Without a subcommand the window opens with the default scenario.\n"
    "Texts on files, formats, keys and more: cellscope help";
constexpr const char* kFooter =
    "Exit codes: 0 success (run: the goal was reached), 1 failure, 2 bad input, 3 a study whose "
    "results were too short to judge, 85 stopped in order before the goal, can be resumed. Ctrl-C, "
    "SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU and closing the terminal end a run after the current step "
    "(a long step is cancelled), with a checkpoint and complete files. The window does the same.\n"
    "Environment: CELLSCOPE_ASSETS, alternative assets folder; CELLSCOPE_ISA, CPU instruction set "
    "(see cellscope info); CELLSCOPE_FONTS, folder of the typefaces; DISPLAY or WAYLAND_DISPLAY, "
    "display of the window; XDG_STATE_HOME, where the window remembers files opened last and its "
    "columns; XDG_CONFIG_HOME, where your own scenarios and lessons are; TMPDIR, folder for "
    "results when the current folder is not writable.";

void addRunOutputs(CLI::App& run, RunOptions& o, std::string& size, std::string& sink) {
  addFile(run, "--csv", o.csv, "Time series of all observables, and averages with errors");
  addFile(run, "--curves", o.curves,
          "All charts at the end of the run as one CSV table, with errors and published values");
  addFile(run, "--result", o.result,
          "Goal, averages with errors, parameters and checksum of the final state as JSON; exists "
          "only if the goal was reached");
  CLI::Option* trajectory =
      addFile(run, "--trajectory", o.trajectory,
              "Configurations; the suffix names the format: .xyz (OVITO, ASE, VMD), .xyz.gz, .h5 "
              "(h5py, MDAnalysis, VMD), .gsd (HOOMD, OVITO, freud), .dump (LAMMPS), .pdb");
  addWhole(run, "--trajectory-every", o.trajectoryEvery, 0, kMostSteps,
           "Write a configuration every N steps, from step 0 on; default: only the last one")
      ->needs(trajectory);
  run.add_option("--trajectory-format", o.trajectoryFormat,
                 "Format of the trajectory where its name has no suffix that names one")
      ->type_name("FORMAT")
      ->needs(trajectory);
  addFile(run, "--lists", o.lists,
          "Neighbour lists of the last step, their cells and tree, as .npz for cellscope "
          "check-lists; molecular dynamics with lists");
  CLI::Option* picture =
      addFile(run, "--picture", o.picture, "PNG of the last configuration; needs no display");
  CLI::Option* video =
      addFile(run, "--video", o.video,
              "Video of the run, made by ffmpeg (.mp4, .mkv, .webm, .mov, .avi); without ffmpeg, "
              "or with NAME.png, a numbered series of PNG files in the folder NAME");
  CLI::Option* every = addWhole(run, "--video-every", o.videoEvery, 1, kMostSteps,
                                "Steps between two pictures of the video")
                           ->needs(video);
  video->needs(every);
  addWhole(run, "--video-rate", o.videoRate, 1, 240, "Pictures per second of the video")
      ->capture_default_str()
      ->needs(video);
  const std::vector<CLI::Option*> looks = {
      run.add_option("--picture-size", size, "Width and height of picture and video in pixels")
          ->capture_default_str(),
      run.add_flag("--keep-colours", o.looks.keepColours,
                   "Particles keep their colours in picture and video where layers explain cells, "
                   "boxes, trees or the picked particle"),
      run.add_flag("--legend", o.looks.legend, "Legend and scale bar in picture and video"),
      run.add_option("--sink", sink,
                     "How particle data of the picture reach OpenGL: auto, interop or copy")
          ->check(CLI::IsMember({"auto", "interop", "copy"}))
          ->capture_default_str(),
      run.add_option("--select", o.looks.select,
                     "Particles to be marked and counted in picture and video: \"type == B && "
                     "speed > 2\" (cellscope help breakpoints)")};
  run.final_callback([=] {
    for (const CLI::Option* look : looks)
      if (look->count() > 0 && picture->count() + video->count() == 0)
        throw InputError(look->get_name() + " requires --picture or --video");
  });
  run.add_option(
         "--table", o.tables,
         "Table of the last state and the CSV file to write it to: \"neighbours 109\", cells, "
         "nodes, moves, or \"against method=tree\" (cellscope help breakpoints). May be repeated")
      ->type_name("WHAT FILE")
      ->allow_extra_args(false);
  CLI::Option* checkpoint = addFile(run, "--checkpoint", o.checkpoint,
                                    "State for --resume, written at the end and at regular "
                                    "intervals if it passes the self-checks");
  addReal(run, "--checkpoint-every", o.checkpointEvery, 1.0, 1e9, "Seconds between checkpoints")
      ->capture_default_str()
      ->needs(checkpoint);
  addWhole(run, "--checkpoint-every-steps", o.checkpointSteps, 1, kMostSteps,
           "Steps between checkpoints, at multiples of this number, besides those by time; "
           "default: by time alone")
      ->needs(checkpoint);
}

Command addRun(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  const auto size = std::make_shared<std::string>("1200x1200");
  const auto sink = std::make_shared<std::string>("auto");
  RunOptions& o = *options;
  CLI::App* run = app.add_subcommand("run", "Run a scenario without a window");
  run->add_option("SCENARIO", o.scenario,
                  "Name in the gallery (cellscope list), a .toml file (./NAME if both exist), or a "
                  "picture or checkpoint saved by cellscope, restarted from step 0");
  addSettings(*run, o.settings);
  CLI::Option* steps = addWhole(*run, "--steps", o.steps, 1, kMostSteps,
                                "Steps (sweeps) to run, not counting preparation");
  addWhole(*run, "--until", o.until, 1, kMostSteps,
           "Run until this step, counted from the start of the run across resumes")
      ->excludes(steps);
  addReal(*run, "--seconds", o.seconds, 0.001, 1e9,
          "Stop after this time (default 10 if neither --steps nor --until is given)");
  run->add_flag("--plan", o.plan,
                "Tell memory, disk space and time that the run would take, by a second of it; "
                "nothing of it is kept");
  run->add_flag("--json", o.json,
                "Print the object of --result (with --plan the plan) as JSON; messages go to "
                "standard error (cellscope help json)");
  addReal(*run, "--max-walltime", o.maxWalltime, 1, 1e9,
          "Seconds that the job may take: stop in order half a minute before (a tenth of it if "
          "that is less), with exit code 85. Default: by SLURM_JOB_END_TIME or "
          "ACTION_WALLTIME_IN_MINUTES if set");
  run->add_option("--stop-when", o.stopWhen,
                  "Stop in order, with exit code 85, after the step in which this becomes true: "
                  "\"N > 300\", \"energy jumps by 10\", \"lamp red\" and others (cellscope help "
                  "breakpoints). May be repeated")
      ->allow_extra_args(false);
  addWhole(*run, "--discard", o.discard, 0, kMostSteps,
           "Steps of equilibration, after which averages start over, also if the run is resumed "
           "before; default: found from the samples");
  addWhole(*run, "--sample-every", o.sampleEvery, 1, 1000000000,
           "Steps between samples; default: the scenario's");
  addExperiment(*run, o);
  addFile(*run, "--resume", o.resume,
          "Continue from a checkpoint exactly as if never interrupted; rows and frames after it in "
          "--csv and --trajectory are removed and computed again");
  addRunOutputs(*run, o, *size, *sink);
  run->add_flag("--overwrite", o.overwrite,
                "Overwrite older results of the same names; by default they are renamed to "
                "NAME.1.csv and so on, NAME.1 being the oldest");
  run->add_flag("--quiet", o.quiet, "Print errors only");
  addHardware(*run, o.hardware);
  addDomains(*run, o.hardware);
  return {run, [options, size, sink] {
            RunOptions& given = *options;
            std::tie(given.looks.width, given.looks.height) = parseSize(*size);
            given.looks.sink = common::sinkOf(*sink);
            if (given.steps == 0 && given.until == 0 && given.seconds == 0) given.seconds = 10;
            return runCommand(given);
          }};
}

Command addBench(CLI::App& app) {
  const auto options = std::make_shared<bench::BenchOptions>();
  bench::BenchOptions& o = *options;
  CLI::App* b = app.add_subcommand("bench",
                                   "Measure speed and memory against the limits of the device; "
                                   "cases that fail their self-checks afterwards are not reported");
  b->add_option("--filter", o.filter,
                "Only cases whose name contains this text; the largest only where it has a '/'");
  b->add_flag("--list", o.list, "List the cases and exit");
  addFile(*b, "--json", o.json, "Write all measurements as JSON");
  addFile(*b, "--csv", o.csv, "Write the medians as CSV");
  addFile(*b, "--record", o.record,
          "Write one Markdown table per device into this folder, e.g. tests/bench/results");
  b->add_option("--sink", o.sink,
                "Where frames are uploaded: auto, interop or copy for OpenGL memory, host for "
                "plain memory without drawing")
      ->check(CLI::IsMember({"auto", "interop", "copy", "host"}))
      ->capture_default_str();
  addHardware(*b, o.hardware);
  return {b, [options] {
            checkOutputs({{"--json", options->json, true}, {"--csv", options->csv, true}}, {});
            return bench::benchCommand(*options);
          }};
}

bool isScenario(const std::string& name) {
  try {
    openScenario(name);
  } catch (const UnknownScenario&) {
    return false;
  } catch (const InputError&) {  // of a scenario that cannot be opened
  }
  return true;
}

// Refuses unknown arguments and suggests what may have been meant.
void refuseExtras(const CLI::App& app, const std::string& command) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const auto isOption = [](const std::string& a) { return a.rfind("--", 0) == 0 && a.size() > 2; };
  const auto found = std::ranges::find_if(extras, isOption);
  if (found == extras.end() && !app.get_parent() && isScenario(extras.front()))
    throw InputError(
        "'{0}' is a scenario: 'cellscope window {0}' opens it, 'cellscope run {0}' runs it without "
        "a window",
        extras.front());
  if (found == extras.end())
    throw InputError("'{}' is not expected after {}; see {} --help", extras.front(), command,
                     app.get_parent() ? "cellscope " + command : command);
  const std::string name = found->substr(0, found->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* o : app.get_options()) known.push_back("--" + o->get_single_name());
  const bool sets = app.get_option_no_throw("--set") != nullptr;
  std::string near = closestName(name, known);
  if (near == "--set") near.clear();  // --set is suggested below, with the key
  throw InputError("{}: {} has no such option{}{}", name, command,
                   near.empty() ? "" : fmt::format(" (did you mean {}?)", near),
                   sets ? fmt::format("; to change a parameter of the scenario use --set {}=VALUE",
                                      name.substr(2))
                        : "");
}

int execute(int argc, char** argv) {
  CLI::App app{kAbout};
  app.name("cellscope");
  app.set_version_flag("--version", fmt::format("cellscope {}", programVersion()));
  app.require_subcommand(0, 1);
  app.footer(kFooter);
  const Command commands[] = {addRun(app),   addWindow(app),  addLesson(app),    addFollow(app),
                              addList(app),  addBench(app),   addReproduce(app), addCheckLists(app),
                              addSweep(app), addConvert(app), addInfo(app),      addHelp(app)};
  app.allow_extras();  // refuseExtras() tells what may have been meant
  for (const Command& c : commands) c.app->allow_extras(c.app->get_require_subcommand_min() == 0);
  try {
    const std::vector<std::string> arguments = withStudyFirst(withRepeatedSet(argc, argv));
    std::vector<const char*> pointers;
    for (const std::string& a : arguments) pointers.push_back(a.c_str());
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, errors;
    const int code = app.exit(e, out, errors);
    common::put(out.str());
    common::putOnStderr(common::printable(errors.str()));
    return code == 0 ? common::kDone : common::kBadInput;
  }
  refuseExtras(app, "cellscope");
  for (const Command& c : commands)
    if (c.app->get_allow_extras()) refuseExtras(*c.app, c.app->get_name());
  const Command* const parsed =
      std::ranges::find_if(commands, [](const Command& c) { return c.app->parsed(); });
  const bool none = parsed == std::end(commands);
  if (none || parsed->computes) exec::instructionSet();  // reports a wrong CELLSCOPE_ISA early
  return none ? defaultCommand() : parsed->run();
}

int runAlone(int argc, char** argv) {
  try {
    const int code = execute(argc, argv);
    const std::string trouble = common::outputTrouble();
    if (trouble.empty()) return code;
    common::printError(fmt::format("cellscope: standard output could not be written: {}", trouble));
    return code == common::kDone ? common::kFailed : code;
  } catch (const InputError& e) {
    common::printError(fmt::format("cellscope: {}", e.what()));
    return common::kBadInput;
  } catch (const common::Stopped& e) {
    common::printError(fmt::format("cellscope: {}", e.what()));
    return common::kStopped;
  } catch (const std::bad_alloc&) {
    common::printError("cellscope: out of memory; use fewer particles");
    return common::kFailed;
  } catch (const std::exception& e) {
    common::printError(fmt::format("cellscope: {}", e.what()));
    return common::kFailed;
  }
}

}  // namespace

int runCommandLine(int argc, char** argv) {
  common::openStandardStreams();
  const exec::RankSession session;
  if (exec::ranks().own > 0)
    return exec::serveRanks({{exec::RankWork::disks, diskDomainService()},
                             {exec::RankWork::board, gcmcBoardService()},
                             {exec::RankWork::liquid, verletDomainService()}});
  gui::useBuiltInTypeface();
  const int code = runAlone(argc, argv);
  exec::dismissRanks();
  return code;
}

}  // namespace cellscope::cli
