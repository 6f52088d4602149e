// `cellscope run`, and the demonstration without a display.
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/batch_run.h"
#include "app/cli/commands.h"
#include "app/common/kept_state.h"
#include "app/common/terminal.h"
#include "sim/io/output_file.h"

namespace cellscope::cli {
namespace {

// Default output folder: in the current folder, or in the temporary folder if that is not writable.
std::filesystem::path demoFolder() {
  namespace fs = std::filesystem;
  const fs::path name = "cellscope-output";
  std::error_code error;
  const fs::path here = fs::absolute(name, error);
  try {
    if (error) throw InputError("the current folder no longer exists");
    io::createFolder(here.string());
    io::checkWritable((here / "hexatic.csv").string());
    return here;
  } catch (const InputError& e) {
    const fs::path other = fs::path(common::temporaryFolder()) / name;
    common::printLine(fmt::format("{}: results go to {}", e.what(), other.string()));
    io::createFolder(other.string());
    return other;
  }
}

}  // namespace

int runCommand(const RunOptions& options) {
  common::outliveOutputs();
  const common::InterruptGuard interrupt;
  return BatchRun(options, interrupt).run();
}

int headlessDemo(const std::string& reason) {
  common::printLine(
      fmt::format("No window: {}\nRunning the default scenario without a window for 10 s; see "
                  "`cellscope run --help`.",
                  reason));
  const std::filesystem::path folder = demoFolder();
  RunOptions o;
  o.scenario = "hexatic";
  o.seconds = 10;
  o.pictureNeeded = false;
  o.csv = (folder / "hexatic.csv").string();
  o.trajectory = (folder / "hexatic.xyz").string();
  o.picture = (folder / "hexatic.png").string();
  return runCommand(o);
}

}  // namespace cellscope::cli
