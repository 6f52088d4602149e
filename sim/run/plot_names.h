// Names of plots, as scenarios give them in view.plots.
#pragma once
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope {

// Plots over time (ObservableInfo::plot) and curves (Curve::id) of a mode, in the mode's order.
std::vector<std::string> plotsOf(const ModeDescription& mode);

}  // namespace cellscope
