// The subcommands. All return the exit code and throw InputError or RunError.
#pragma once
#include <CLI/CLI.hpp>  // large: batch_run.h is for files that declare no options

#include "app/cli/batch_run.h"
#include "app/common/settings.h"

namespace cellscope::cli {

// Parses and executes. Never throws: errors are printed to stderr and returned as exit codes
// (app/common/terminal.h).
int runCommandLine(int argc, char** argv);

// A subcommand; run() carries it out once it is parsed.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
  bool computes = true;  // needs an instruction set
};
Command addList(CLI::App&), addInfo(CLI::App&), addHelp(CLI::App&), addConvert(CLI::App&),
    addCheckLists(CLI::App&), addWindow(CLI::App&), addLesson(CLI::App&), addFollow(CLI::App&),
    addSweep(CLI::App&), addReproduce(CLI::App&);  // each says in its help what it does

inline constexpr const char* kDefaultScenario = "workbench";

int runCommand(const RunOptions& options);

// Moves the name of the study right after `reproduce` if options precede it.
std::vector<std::string> withStudyFirst(std::vector<std::string> arguments);

// `cellscope` alone: the window, or the demonstration without a window if none can be opened.
int defaultCommand();

// "1280x800" to numbers. Throws InputError.
std::pair<int, int> parseSize(const std::string& text);

// Inserts --set before each of several settings that follow one: --set a=1 b=2 becomes --set a=1
// --set b=2. Arguments that are not key=value or name an existing file are not changed.
std::vector<std::string> withRepeatedSet(int argc, const char* const* argv);

inline constexpr std::int64_t kMostSteps = 1'000'000'000'000'000;

void addSettings(CLI::App& app, std::vector<std::string>& settings);

// The options --backend, --threads and --device of every subcommand that computes.
void addHardware(CLI::App& app, common::HardwareOptions& h);
// And those of one system in several domains.
void addDomains(CLI::App& app, common::HardwareOptions& h);

// For transform(): the option receives plain digits. Accepts 1e6 and 1000.0 as well. Messages name
// the value and the allowed range.
CLI::Validator wholeNumber(std::int64_t least, std::int64_t most);
CLI::Validator realNumber(double least, double most);  // refuses NaN

// Options with such values. A file name is not empty, and not "-".
CLI::Option* addFile(CLI::App& app, const char* name, std::string& path, const std::string& help);
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

struct NamedFile {
  const char* option;
  std::string path;      // "": not requested
  bool asWhole = false;  // replaced as a whole (io::checkWritable)
};

// Throws InputError when one of `written` cannot be written, two of them are the same file, or one
// is a file of `read`.
void checkOutputs(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

// These, or throws InputError for contradicting ones, outputs that cannot be written, two outputs
// to one file, and an output to an input file.
const RunOptions& checkedOptions(const RunOptions& options);

// What the line of a copied experiment has besides scenario, settings and --resume.
void addExperiment(CLI::App& app, common::ExperimentLine& line);

}  // namespace cellscope::cli
