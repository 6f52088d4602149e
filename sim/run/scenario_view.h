// What a scenario's view emphasises, as text in its file.
#pragma once
#include <string>

#include "sim/run/scenario.h"

namespace cellscope {

std::string selectionText(const SelectionEntry& selection);  // "" where nothing is selected
std::string rangeText(const RangeEntry& range);

}  // namespace cellscope
