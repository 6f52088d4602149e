// The subcommands. All return the exit code and throw InputError or RunError.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/common/settings.h"
#include "app/window.h"

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
Command addList(CLI::App& app);
Command addInfo(CLI::App& app);
Command addHelp(CLI::App& app);
Command addConvert(CLI::App& app);     // between all file formats of particles
Command addCheckLists(CLI::App& app);  // what is wrong with a neighbour list of any program
Command addWindow(CLI::App& app);
Command addLesson(CLI::App& app);     // a window that a class follows
Command addFollow(CLI::App& app);     // one of those that follow
Command addSweep(CLI::App& app);      // init, work, status, collect
Command addReproduce(CLI::App& app);  // a subcommand for each study, with the study's options

inline constexpr const char* kDefaultScenario = "workbench";

int runCommand(const RunOptions& options);

// Moves the name of the study right after `reproduce` if options precede it.
std::vector<std::string> withStudyFirst(std::vector<std::string> arguments);

// `cellscope window` and `cellscope` without a subcommand.
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

int windowCommand(const WindowCommandOptions& options);
// What is opened, and how the window looks.
void addWindowExperiment(CLI::App& window, WindowCommandOptions& options);
void addWindowLooks(CLI::App& window, WindowCommandOptions& options);
// `cellscope` alone: the window, or the demonstration without a window if none can be opened.
int defaultCommand();

// "1280x800" to numbers. Throws InputError.
std::pair<int, int> parseSize(const std::string& text);

}  // namespace cellscope::cli
