// Scenarios as the command line and pasted experiments name them, and the settings behind them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sim/run/scenario.h"

namespace cellscope::common {

// Applies `key=value` settings to a scenario. Throws InputError for unknown keys and bad values.
void applySettings(Scenario& scenario, const std::vector<std::string>& settings,
                   const ModeFactory& modes = {});
// Key and value of each key=value. Throws InputError, also for duplicate keys.
std::vector<std::pair<std::string, std::string>> splitSettings(
    const std::vector<std::string>& settings);
// Throws InputError for a key or value that the mode does not know.
void checkSettings(const std::string& mode, const std::vector<std::string>& settings,
                   const ModeFactory& modes = {});

std::string galleryFolder();
// As findScenario(); a PNG file stands for the experiment in its metadata, and a checkpoint for the
// scenario that it was begun with.
Scenario openScenario(const std::string& nameOrPath, const ModeFactory& modes = {});
// The particles of an extended XYZ or H5MD file take the place of those of the scenario.
void replaceConfiguration(Scenario& scenario, const std::string& path, const std::string& box,
                          std::int64_t replicate);

}  // namespace cellscope::common
