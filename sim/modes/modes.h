// The modes that exist. Adding one is a folder here and a line in modes.cpp.
#pragma once
#include <memory>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope {

struct ModeEntry {
  const ModeDescription& (*describe)();
  std::unique_ptr<Mode> (*make)(const ExecConfig&);
};

const std::vector<ModeEntry>& modeList();  // those that show a file and do not advance come last

}  // namespace cellscope
