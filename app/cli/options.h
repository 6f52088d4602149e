// Options of the subcommands.
#pragma once
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/picture.h"
#include "app/common/settings.h"

namespace cellscope::cli {

struct RunOptions : common::ExperimentLine {
  std::uint64_t steps = 0;            // 0: no limit
  std::uint64_t until = 0;            // last step, counted from the start of the run; 0: no limit
  double seconds = 0;                 // the goal where there is no other; 0: no limit
  double maxWalltime = 0;             // stop in order before it is over; 0: no limit
  std::vector<std::string> stopWhen;  // conditions (sim/run/breakpoints.h)
  std::vector<std::pair<std::string, std::string>> tables;  // of the end (tableOf()), and files
  std::uint64_t discard = 0;                                // steps before averages start
  std::uint64_t sampleEvery = 0;                            // 0: the scenario's
  std::string csv, curves, trajectory, lists, picture, checkpoint;
  std::string result;                 // JSON, only if the goal was reached
  std::string trajectoryFormat;       // io::Format::key; "": by the suffix
  std::uint64_t trajectoryEvery = 0;  // 0: last configuration only
  double checkpointEvery = 600;       // seconds
  std::uint64_t checkpointSteps = 0;  // steps between checkpoints; 0: by time alone
  PictureOptions looks;               // of picture and video
  std::string video;
  std::uint64_t videoEvery = 0;  // steps between its pictures
  int videoRate = 25;            // pictures per second
  bool pictureNeeded = true;     // false: a missing picture is only reported
  bool overwrite = false;        // false: older results are renamed
  bool quiet = false;
  bool json = false;  // the result, or the plan, on standard output
  bool plan = false;  // what the run would need, and no run
  common::HardwareOptions hardware;
};

using common::applySettings;
using common::galleryFolder;
using common::openScenario;
using common::splitSettings;

// Inserts --set before each of several settings that follow one: --set a=1 b=2 becomes --set a=1
// --set b=2. Arguments that are not key=value or name an existing file are not changed.
std::vector<std::string> withRepeatedSet(int argc, const char* const* argv);

inline constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;

// The option --set.
void addSettings(CLI::App& app, std::vector<std::string>& settings);

// The options --backend, --threads and --device of every subcommand that computes.

void addHardware(CLI::App& app, common::HardwareOptions& h);
// And those of one system in several domains.
void addDomains(CLI::App& app, common::HardwareOptions& h);

// Validators of options. Messages name the value and the allowed range.

// For transform(): the option receives plain digits. Accepts 1e6 and 1000.0 as well.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);
CLI::Validator realNumber(double least, double most);  // refuses NaN
CLI::Validator fileName();                             // not empty, not "-"

// Options with these validators.
inline CLI::Option* addFile(CLI::App& app, const char* name, std::string& path,
                            const std::string& help) {
  return app.add_option(name, path, help)->check(fileName());
}
CLI::Option* addWhole(CLI::App& app, const char* name, auto& to, std::int64_t least,
                      std::int64_t most, const std::string& help) {
  return app.add_option(name, to, help)->transform(wholeNumber(least, most));
}
CLI::Option* addReal(CLI::App& app, const char* name, auto& to, double least, double most,
                     const std::string& help) {
  return app.add_option(name, to, help)->transform(realNumber(least, most));
}

// When a run must stop so that its files are complete in time: half a minute before the end of
// `seconds` from now (a tenth of it if that is less). Without seconds (0) by the environment:
// SLURM_JOB_END_TIME (seconds since 1970) or ACTION_WALLTIME_IN_MINUTES (of row, from now); without
// these there is no limit. Throws InputError naming a variable that is no number.
std::chrono::steady_clock::time_point deadlineOf(double seconds);

// Checks before any work is done.

struct NamedFile {
  const char* option;
  std::string path;      // "": not requested
  bool asWhole = false;  // replaced as a whole (io::checkWritable)
};

// Throws InputError when one of `written` cannot be written, two of them are the same file, or one
// is a file of `read`.
void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

// Throws InputError for contradicting options, outputs that cannot be written, two outputs to one
// file, and an output to an input file.
void checkRunOptions(const RunOptions& options);

// Whether older results are renamed before this run writes.
bool keepsOlderResults(const RunOptions& options);

// What the line of a copied experiment has besides scenario, settings and --resume.
void addExperiment(CLI::App& app, common::ExperimentLine& line);

}  // namespace cellscope::cli
