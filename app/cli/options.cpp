#include "app/cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/common/video.h"
#include "sim/base/digits.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"

namespace cellscope::cli {

std::vector<std::string> withRepeatedSet(int argc, const char* const* argv) {
  std::vector<std::string> all;
  bool set = false, ended = false;  // the last argument was a setting; -- was given
  for (int k = 0; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool value = k > 0 && all.back() == "--set" && !ended;
    ended |= argument == "--";
    std::error_code error;
    const bool another =
        set && !ended && common::isSetting(argument) && !std::filesystem::exists(argument, error);
    if (another) all.emplace_back("--set");
    set = another || value || (!ended && argument.rfind("--set=", 0) == 0);
    all.push_back(argument);
  }
  return all;
}

void addHardware(CLI::App& app, common::HardwareOptions& h) {
  app.add_option("--backend", h.backend,
                 "auto (the GPU if CUDA is usable, otherwise the CPU), cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  addWhole(app, "--threads", h.threads, 0, 4096,
           "CPU threads; 0 = all available to the process. Does not affect results")
      ->capture_default_str();
  addWhole(app, "--device", h.device, 0, 63, "Index of the CUDA device (see cellscope info)");
}

void addDomains(CLI::App& app, common::HardwareOptions& h) {
  addWhole(app, "--gpus", h.gpus, 1, 64,
           "GPUs that compute one system together, from --device on. Does not affect results "
           "(cellscope help domains)");
  addWhole(app, "--domains", h.domains, 1, 1024,
           "Parts that one system is cut into, on threads of the CPU or on the GPUs; default: one "
           "a GPU. Does not affect results");
  app.add_flag("--through-host", h.throughHost,
               "Domains exchange through host memory even where GPUs reach each other");
}

// range: in words.
static CLI::Validator numberWithin(auto read, auto least, auto most, const char* kind,
                                   const std::string& range) {
  const auto check = [=](std::string& text) -> std::string {
    const auto value = read(text);
    if (!value || !(*value >= least && *value <= most))
      return fmt::format("'{}' is not allowed; allowed: {} {}", text, kind, range);
    text = fmt::format("{}", *value);  // normalised: 010 is ten, and the parser refuses +5
    return "";
  };
  return CLI::Validator(check, range);
}

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most) {
  const auto read = [](const std::string& text) { return wholeFrom(std::string_view(text)); };
  return numberWithin(read, least, most, "whole number", fmt::format("{} to {}", least, most));
}

CLI::Validator realNumber(double least, double most) {
  return numberWithin(realFrom, least, most, "number", fmt::format("{:g} to {:g}", least, most));
}

CLI::Option* addFile(CLI::App& app, const char* name, std::string& path, const std::string& help) {
  const auto check = [](std::string& text) -> std::string {
    if (text == "-") return "'-' is not a file name; use /dev/stdout or /dev/stdin";
    return text.empty() ? "the file name is empty; give one or leave the option out" : "";
  };
  return app.add_option(name, path, help)->check(CLI::Validator(check, ""));
}

static std::optional<double> numberIn(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return {};
  const auto value = realFrom(text);
  if (!value || !(*value >= 0 && *value < 1e12))
    throw InputError("environment variable {}: '{}' is no number from 0 to 1e12; unset it",
                     variable, text);
  return *value;
}

std::chrono::steady_clock::time_point deadlineOf(double seconds) {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  std::optional<double> left;
  if (seconds > 0)
    left = seconds;
  else if (const auto end = numberIn("SLURM_JOB_END_TIME"))
    left = *end - Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
  else if (const auto minutes = numberIn("ACTION_WALLTIME_IN_MINUTES"))
    left = *minutes * 60;
  if (!left) return Clock::time_point::max();
  const double work = std::clamp(*left - std::min(30.0, *left / 10), 0.0, 1e9);
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(work));
}

void addSettings(CLI::App& app, std::vector<std::string>& settings) {
  app.add_option("--set", settings,
                 "Change parameters of the scenario, e.g. --set packing=0.71 d=0.1; cellscope list "
                 "MODE shows all")
      ->type_name("KEY=VALUE ...")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);  // a following argument may be the scenario: withRepeatedSet()
}

void addExperiment(CLI::App& app, common::ExperimentLine& line) {
  addFile(app, "--load-configuration", line.configuration,
          "Start from the last configuration of a file: extended XYZ (also packed by gzip), plain "
          "XYZ, H5MD, GSD, LAMMPS dump and data, PDB, NPZ; recognised by what it holds");
  app.add_option("--box", line.box,
                 "Sides of the box of a configuration that has none: \"12 8 9\"; two for a plane")
      ->type_name("SIDES");
  addWhole(app, "--replicate", line.replicate, 1, kMostCopies,
           "Copies of the loaded configuration along every axis, to build a large state from a "
           "small equilibrated one");
  app.add_option("--made-with", line.madeWith,
                 "Version of cellscope that the experiment was copied from; another one than this "
                 "is reported")
      ->type_name("VERSION");
}

// Devices and pipes may be used for several outputs.
static bool collide(const NamedFile& a, const NamedFile& b) {
  std::error_code error;
  return !a.path.empty() && !b.path.empty() &&
         (std::filesystem::is_regular_file(a.path, error) ||
          !std::filesystem::exists(a.path, error)) &&
         io::sameFile(a.path, b.path);
}

void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const NamedFile& a = written[i];
    if (a.path.empty()) continue;
    io::checkWritable(a.path, a.asWhole);
    for (std::size_t j = i + 1; j < written.size(); ++j)
      if (collide(a, written[j]))
        throw InputError("{} and {} both name '{}': give each its own file", a.option,
                         written[j].option, a.path);
    for (const NamedFile& b : read) {
      // A resumed run may overwrite its own checkpoint.
      if (!std::strcmp(a.option, "--checkpoint") && !std::strcmp(b.option, "--resume")) continue;
      if (std::filesystem::exists(b.path) && collide(a, b))
        throw InputError("{} would overwrite '{}', which {} reads: give it another name", a.option,
                         a.path, b.option);
    }
  }
}

const RunOptions& checkedOptions(const RunOptions& o) {
  if (o.resume.empty() && o.scenario.empty())
    throw InputError("name a scenario (cellscope list shows them) or give --resume FILE");
  if (!o.resume.empty() && (!o.scenario.empty() || !o.configuration.empty() || !o.box.empty() ||
                            o.replicate > 0 || o.sampleEvery > 0))
    throw InputError(
        "--resume uses the scenario of the checkpoint: leave out SCENARIO, --load-configuration, "
        "--box, --replicate and --sample-every");
  if (o.steps > 0 && o.discard >= o.steps)
    throw InputError(
        "--discard {} leaves none of the {} steps of --steps; discard fewer or run more", o.discard,
        o.steps);
  if (o.until > 0 && o.resume.empty() && o.discard >= o.until)
    throw InputError("--discard {} leaves none of the steps until {}; discard fewer or run longer",
                     o.discard, o.until);
  std::filesystem::path picture(o.picture);
  for (const char* other : {".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf"})
    if (picture.extension() == other)
      throw InputError("--picture {}: pictures are PNG files; name it '{}'", o.picture,
                       picture.replace_extension(".png").string());
  if (!o.lists.empty() && std::filesystem::path(o.lists).extension() != ".npz")
    throw InputError("--lists {}: lists are numpy archives; name it '{}.npz'", o.lists, o.lists);
  const std::string video = o.video.empty() ? "" : common::videoTarget(o.video).path;
  std::error_code ignored;
  if (!o.resume.empty() && !o.overwrite && std::filesystem::exists(video, ignored))
    throw InputError(
        "--video {}: '{}' exists, and a video cannot be continued; give another name or "
        "--overwrite",
        o.video, video);
  const bool renames = o.keepsOlderResults();  // renaming needs a writable folder
  std::vector<NamedFile> written = {{"--csv", o.csv, renames},
                                    {"--curves", o.curves, true},
                                    {"--trajectory", o.trajectory, renames},
                                    {"--lists", o.lists, true},
                                    {"--picture", o.picture, true},
                                    {"--video", o.video, true},
                                    {"--checkpoint", o.checkpoint, true},
                                    {"--result", o.result, true}};
  for (const auto& [name, file] : o.tables) written.push_back({"--table", file, true});
  checkOutputs(written, {{"SCENARIO", o.scenario},
                         {"--load-configuration", o.configuration},
                         {"--resume", o.resume}});
  if (o.trajectory.empty()) return o;
  const io::Format& format = io::formatToWrite(o.trajectory, o.trajectoryFormat);
  if (!format.manyFrames && o.trajectoryEvery > 0)
    throw InputError(
        "--trajectory {}: the format {} holds one frame; leave out --trajectory-every, or use "
        ".xyz, .h5 or .gsd",
        o.trajectory, format.key);
  return o;
}

}  // namespace cellscope::cli
