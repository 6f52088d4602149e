// Labelled controls of one row, for options of layers and of the view.
#pragma once
#include <string>
#include <vector>

#include "app/gui/shell.h"

namespace cellscope::gui {

struct OptionRow {
  std::string id, label, shown;  // shown: the value in words
  double lo = 0, hi = 1;
  bool whole = false;  // rounded to integers, otherwise to hundredths
  float width = 0;     // 0: the remaining width
};
// A label, the value, and below them a slider; true when the value changed.
bool optionRow(Shell& shell, const OptionRow& row, double& value);

// Words in a row, one of them chosen; true when another one was clicked. `ids` name them in the
// log.
bool choiceRow(Shell& shell, const std::string& id, const std::vector<std::string>& words,
               int& chosen);
// A label with a switch at the right.
bool switchRow(Shell& shell, const std::string& id, const std::string& label, bool& on);

}  // namespace cellscope::gui
