// Scenarios whose scene has two dimensions because a parameter says so.
#pragma once
#include "sim/run/scenario.h"

namespace cellscope {

inline bool planeByParameter(const Scenario& s) {
  const ParameterValue plane = std::string("2");
  for (const auto& [key, value] : s.parameters)
    if (key == "dimension" && value == plane) return true;
  return false;
}

}  // namespace cellscope
