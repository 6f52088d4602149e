// How entries of a scenario's view are written in its file.
#pragma once
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace cellscope {

std::string selectionText(const InsideState& inside);  // "" where everything is selected
std::vector<std::string> sliceTexts(const InsideState& inside);
std::vector<std::string> rangeTexts(const ColourRanges& ranges);

// Whether the scene has two dimensions because a parameter says so.
inline bool planeByParameter(const Scenario& s) {
  const ParameterValue plane = std::string("2");
  for (const auto& [key, value] : s.parameters)
    if (key == "dimension" && value == plane) return true;
  return false;
}

}  // namespace cellscope
