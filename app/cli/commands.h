// What the subcommands do. All throw InputError or RunError; the results are exit codes.
#pragma once
#include <string>

#include "app/cli/options.h"

namespace cellscope::cli {

int runCommand(const RunOptions& options);
int listCommand(const std::string& what);  // "" = everything; or a mode or a scenario
int infoCommand();
// No display: the default scenario for some seconds; says where its output lies.
int headlessDemo(const std::string& reason);

}  // namespace cellscope::cli
