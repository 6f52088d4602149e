// The options --backend, --threads and --device of every subcommand that computes.
#pragma once
#include <CLI/CLI.hpp>

#include "app/common/hardware.h"

namespace cellscope::cli {

void addHardware(CLI::App& app, common::HardwareOptions& h);

}  // namespace cellscope::cli
