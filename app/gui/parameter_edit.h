// Sliders and typed values for declared parameters.
#pragma once
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace cellscope::gui {

// Slider position of a value, 0 to 1, and its inverse (integers rounded, reals rounded to about a
// thousandth of the range).
float fractionOf(const ParameterState& parameter, double value);
ParameterValue valueAt(const ParameterState& parameter, float fraction);
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

}  // namespace cellscope::gui
