// The subcommands. All return the exit code and throw InputError or RunError.
#pragma once
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/common/settings.h"
#include "app/reproduce/study.h"
#include "app/window.h"

namespace cellscope::cli {

// The command line of `cellscope`.

// Parses and executes. Never throws: errors are printed to stderr and returned as exit codes
// (app/common/exit_codes.h).
int runCommandLine(int argc, char** argv);

int runCommand(const RunOptions& options);
int listCommand(const std::string& what);  // "": everything; otherwise a mode or a scenario
int infoCommand();
int helpCommand(const std::string& topic);  // "": lists the topics
// Without a display: runs the default scenario for some seconds and prints where its output is.
int headlessDemo(const std::string& reason);

// `cellscope reproduce`: a subcommand for each study, with the options declared by the study.
class ReproduceCommand {
 public:
  explicit ReproduceCommand(CLI::App& app);
  bool parsed() const { return app_->parsed(); }
  int run();  // runs the chosen study; throws InputError or RunError

 private:
  struct Given {  // option of a study as given
    std::string name, text;
  };
  struct Entry {
    reproduce::Study* study = nullptr;
    CLI::App* app = nullptr;
    std::string folder;
    double minutes = 10;
    common::HardwareOptions hardware;
    std::vector<Given> given;
  };

  void add(reproduce::Study& study, const std::string& group);
  static void addOption(Entry& entry, const reproduce::Option& option);
  static void refuseUnknown(const Entry& entry);
  static int start(Entry& entry);

  CLI::App* app_;
  std::vector<reproduce::ModeStudies> studies_;
  std::vector<std::unique_ptr<Entry>> entries_;  // CLI11 keeps addresses
};

// Moves the name of the study right after `reproduce` if options precede it.
std::vector<std::string> withStudyFirst(std::vector<std::string> arguments);

// `cellscope window` and `cellscope` without a subcommand.
struct WindowCommandOptions {
  std::string scenario = "hexatic";
  std::vector<std::string> settings;
  std::string resume;
  std::string configuration;   // extended XYZ or H5MD to start from
  std::string box;             // of a configuration that has none
  std::int64_t replicate = 0;  // copies of it along every axis; 0: as in the scenario
  std::string madeWith;        // version that wrote the experiment's line; "": unknown
  std::string sink = "auto";   // auto, interop, copy
  std::string theme = "dark";
  double scale = 0;
  int rewindMiB = kUsualRewind;
  bool paused = false;
  std::string outputFolder;  // "": the current folder
  std::string size = "1280x800";
  common::HardwareOptions hardware;
  // For tests and measurements.
  std::string logEvents, screenshotAtExit;
  std::uint64_t exitAfterFrames = 0;
  bool presentation = false, hidePanels = false, help = false, unlimitedFrames = false;
};

int windowCommand(const WindowCommandOptions& options);
// `cellscope` alone: the window, or the demonstration without a window if none can be opened.
int defaultCommand();

// "1280x800" to numbers. Throws InputError.
std::pair<int, int> parseSize(const std::string& text);

}  // namespace cellscope::cli
