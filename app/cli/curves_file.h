// All charts of a run as one table, for --curves.
#pragma once
#include <string>

#include "sim/run/session.h"

namespace cellscope::cli {

// Comment lines that describe program, scenario, step and parameters, a header, and a row per
// value: chart, series (with the source of published ones), x (a name on a named axis), upper edge
// of x in histograms, y, standard error where there is one.
std::string curvesText(Session& session);

}  // namespace cellscope::cli
