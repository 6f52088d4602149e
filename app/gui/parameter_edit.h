// Sliders and typed values for declared parameters.
#pragma once
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace cellscope::gui {

// Place of a value on its slider, 0 to 1, and back (integers rounded, reals to about four digits of
// the range, so that a slider gives readable numbers).
float fractionOf(const ParameterState& parameter, double value);
ParameterValue valueAt(const ParameterState& parameter, float fraction);
double asDouble(const ParameterValue& value);

// Check text as a value of this parameter by the rules of its declaration; a number may be written
// as the panel shows it, "65 536". "" when it is one (then `value` holds it); otherwise what to
// tell the person.
std::string checkText(const ParameterState& parameter, std::string text, ParameterValue& value);

// A message about parameters in the words of the panel: 'packing' as "Packing fraction".
std::string withLabels(std::string text, const std::vector<ParameterState>& parameters);

// Value for people; choices and switches in words.
std::string shownValue(const ParameterValue& value);
std::string shownValue(const ParameterInfo& info, const ParameterValue& value);
// "acts at once", "rebuilds on release", ...
std::string effectText(Effect effect);

}  // namespace cellscope::gui
