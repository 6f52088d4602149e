// Studies repeat published results at full size. A study declares its name, help and options;
// folder, time, hardware, checkpoints and reports are the same for all (`cellscope help commands`).
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/options.h"
#include "sim/api/mode.h"

namespace cellscope::reproduce {

// Exit codes of a study; 2 is bad input, as everywhere.
enum ExitCode : int { kAgrees = 0, kDiffers = 1, kNotJudged = 3 };
// The rule for them, for --help.
extern const char* const kJudging;

struct StudyInfo {
  std::string name, about;
  std::string notes;  // more help, below the options
  // Options by key and text that stand for the defaults on a CPU: a size that takes minutes there.
  std::vector<std::pair<std::string, std::string>> onCpu = {};
  bool resumes = false;  // a later call with the same folder goes on from its checkpoints
};

// Folder, time and hardware, set by the command line.
struct StudyContext {
  std::string folder;   // exists, and is locked by this program
  double minutes = 10;  // for the whole study
  ExecConfig exec;
  std::string name;     // of the report's files
  std::string command;  // command line shown in the report
  ModeFactory modes = {};
};

struct Study {
  StudyInfo info;
  OptionSet options;
  // Writes NAME.md and NAME.csv into the folder. Returns an ExitCode (Verdicts in report.h). Throws
  // InputError before any work when the options cannot be, RunError when it was stopped or a run
  // failed; rows that were known by then are written.
  std::function<int(const StudyContext&)> run;
};

// A study that is a function of its options.
template <class Options>
Study makeStudy(StudyInfo info, int (*function)(const Options&, const StudyContext&)) {
  const auto options = std::make_shared<Options>();
  return {std::move(info), OptionSet::of(*options),
          [options, function](const StudyContext& context) { return function(*options, context); }};
}

struct ModeStudies {
  std::string mode;  // key
  std::vector<Study> studies;
};
std::vector<ModeStudies> allStudies();

// Name and command line are those of the study with its present options; options that have their
// default value are left out. Sets those that have another default on a CPU.
StudyContext contextOf(Study& study, std::string folder, double minutes, const ExecConfig& exec);

}  // namespace cellscope::reproduce
