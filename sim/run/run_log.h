// What it takes to play a run again: the scenario with every parameter as it was at the last
// restart (the seed among them), and each parameter change since then.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace cellscope {

struct Edit {
  std::uint64_t step = 0;       // carried out when this many steps were complete
  std::uint64_t preparing = 0;  // and this many units of preparation after them
  std::string key;
  ParameterValue value;
  bool together = false;  // taken over in one go with the edit before
  friend bool operator==(const Edit&, const Edit&) = default;
};

struct RunLog {
  Scenario start;
  std::vector<Edit> edits;  // in order
};

// Tells runs apart in the files that they leave: a checksum of what shapes the trajectory at its
// start (mode, parameters, loaded configuration, sampling), and, after a "-", one of the edits.
std::string runId(const RunLog& log);

// One edit per line, each number exact; editsFromText() throws InputError (names `file`).
std::string editsText(const std::vector<Edit>& edits);
std::vector<Edit> editsFromText(const std::string& text, const std::string& file);

}  // namespace cellscope
