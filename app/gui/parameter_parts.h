// Parts from which rows of parameters are made.
#pragma once
#include <string>
#include <vector>

#include "app/gui/shell.h"
#include "sim/run/runner.h"

namespace cellscope::gui {

// That of this key; null: the mode has none.
const ParameterState* stateOf(const Shell& shell, const std::string& key);

// What a slider spans.
struct SliderRange {
  double lo = 0, hi = 1;
  bool logScale = false;
  bool isAll = true;  // all that is allowed
};
// The interesting range: of the promoted parameter, otherwise the one declared, if `all` does not
// ask for everything that is allowed.
SliderRange rangeOf(const ParameterInfo& info, const Promoted& promoted, bool all);

// Slider position of a value, 0 to 1 (an end where it lies outside), and its inverse (integers
// rounded, reals rounded to about a thousandth of the range, or a tenth of that where `fine`).
float fractionOf(const SliderRange& range, double value);
ParameterValue valueAt(const ParameterState& parameter, const SliderRange& range, float fraction,
                       bool fine = false);
// One notch of the wheel or an arrow key: hundredths of the range, of an integer at least 1.
ParameterValue stepped(const ParameterState& parameter, const SliderRange& range,
                       const ParameterValue& from, double steps);
double asDouble(const ParameterValue& value);

// Parses text as a value of this parameter; digits may be grouped, "65 536". Returns "" and sets
// `value`, or returns the error message.
std::string checkText(const ParameterState& parameter, std::string text, ParameterValue& value);

// Replaces quoted parameter keys in a message by their labels: 'packing' -> "Packing fraction".
std::string withLabels(std::string text, const std::vector<ParameterState>& parameters);

// Value as text; choices and switches in words.
std::string shownValue(const ParameterValue& value);
std::string shownValue(const ParameterInfo& info, const ParameterValue& value);
// What a change of such a parameter does, as a sentence.
std::string effectText(Effect effect);

// The value to show: the requested one until the simulation has applied or refused it.
ParameterValue shownNow(Shell& shell, const ParameterState& p);
SliderRange spanOf(const Shell& shell, const ParameterState& p);
// Tooltip and context menu of the last item.
void parameterHelp(Shell& shell, const ParameterState& p);
void parameterMenu(Shell& shell, const ParameterState& p);
// A field in which the value is typed; startEditing() opens it.
void startEditing(Shell& shell, const ParameterState& p, const ParameterValue& value);
void editRow(Shell& shell, const ParameterState& p, ImFont* font = nullptr);
// Label and mark at the left, value and unit at the right.
void parameterHeader(Shell& shell, const ParameterState& p, const std::string& value,
                     ImU32 valueColour, float right);
// The slider alone; true when its value is to be typed. `shown` becomes the value while dragged.
bool parameterSlider(Shell& shell, const ParameterState& p, const std::string& id,
                     ParameterValue& shown);
// The choices that the scenario promotes beside its parameter, in its order.
std::vector<const ParameterState*> promotedChoices(const Shell& shell);
void choiceList(Shell& shell, const ParameterState& p, const ParameterValue& value);

}  // namespace cellscope::gui
