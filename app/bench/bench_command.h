// `cellscope bench`.
#pragma once
#include <string>

#include "app/common/settings.h"

namespace cellscope::bench {

struct BenchOptions {
  std::string filter;  // only cases whose name contains it
  std::string json, csv;
  std::string record;                // folder for <device>.md; "" = none
  bool list = false;                 // names only
  std::string sink = "auto";         // auto, interop, copy, host
  common::HardwareOptions hardware;  // backend auto: every backend that works here
};

int benchCommand(const BenchOptions& options);

}  // namespace cellscope::bench
