// The studies that exist, by mode.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/reproduce/study.h"

namespace cellscope::reproduce {

struct ModeStudies {
  std::string mode;  // key
  std::vector<std::unique_ptr<Study>> studies;
};

std::vector<ModeStudies> allStudies();

}  // namespace cellscope::reproduce
