// Plots of observables against the step.
#pragma once
#include <string>

#include "app/gui/plot.h"
#include "app/gui/shell.h"

namespace cellscope::gui {

struct Heading {
  std::string title, value;  // of the first observable
  bool errorKnown = true;    // otherwise a lower bound, marked by a plus
  bool settled = true;       // otherwise not yet a result: grey
  std::string explanation;   // which samples are averaged
};

// Observables of one name share a plot.
std::string plotName(const ObservableInfo& info);

// Each has a faint line of values, a running mean with its band, and its published values.
Plot timePlot(Shell& shell, const std::string& name, Heading& heading);

}  // namespace cellscope::gui
