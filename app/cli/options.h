// Options of the subcommands.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/backend.h"
#include "sim/run/scenario.h"

namespace cellscope::cli {

// Hardware, shared by all subcommands that compute.
struct HardwareOptions {
  std::string backend = "auto";  // auto, cpu, cuda
  int threads = 0;
  int device = 0;
};

struct RunOptions {
  std::string scenario;
  std::vector<std::string> settings;  // key=value
  std::string configuration;          // extended XYZ to start from
  std::uint64_t steps = 0;            // 0: no limit
  double seconds = 0;                 // 0: no limit
  std::uint64_t discard = 0;          // steps before averages start
  std::uint64_t sampleEvery = 0;      // 0: the scenario's
  std::string csv, trajectory, picture, checkpoint, resume;
  std::uint64_t trajectoryEvery = 0;  // 0: last configuration only
  double checkpointEvery = 600;       // seconds
  int pictureWidth = 1200, pictureHeight = 1200;
  bool pictureNeeded = true;  // otherwise its absence is only mentioned
  bool quiet = false;
  HardwareOptions hardware;
};

// Turns "auto" into a backend and says which and why in one line (not when `quiet`).
ExecConfig chooseHardware(const HardwareOptions& options, bool quiet);
std::string describe(const ExecConfig& config);  // "cpu, 2 threads", "cuda, NVIDIA H200"

// Put `key=value` settings into a scenario. Throws InputError for unknown keys and bad values.
void applySettings(Scenario& scenario, const std::vector<std::string>& settings);
// Splits key=value. Throws InputError.
std::pair<std::string, std::string> splitSetting(const std::string& setting);
// Replaces or appends one parameter of a scenario.
void setParameter(Scenario& scenario, const std::string& key, const ParameterValue& value);

std::string galleryFolder();

}  // namespace cellscope::cli
