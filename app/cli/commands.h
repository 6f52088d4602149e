// The subcommands. All return the exit code and throw InputError or RunError.
#pragma once
#include <string>

#include "app/cli/options.h"

namespace cellscope::cli {

int runCommand(const RunOptions& options);
int listCommand(const std::string& what);  // "": everything; otherwise a mode or a scenario
int infoCommand();
int helpCommand(const std::string& topic);  // "": lists the topics
// Without a display: runs the default scenario for some seconds and prints where its output is.
int headlessDemo(const std::string& reason);

}  // namespace cellscope::cli
