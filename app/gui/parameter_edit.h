// Sliders and typed values for declared parameters.
#pragma once
#include <string>

#include "sim/run/runner.h"

namespace cellscope::gui {

// Place of a value on its slider, 0 to 1, and back (integers rounded, reals to about four digits of
// the range, so that a slider gives readable numbers).
float fractionOf(const ParameterState& parameter, double value);
ParameterValue valueAt(const ParameterState& parameter, float fraction);
double asDouble(const ParameterValue& value);

// Check text as a value of this parameter by the rules of its declaration. "" when it is one (then
// `value` holds it); otherwise what to tell the person.
std::string checkText(const ParameterState& parameter, const std::string& text,
                      ParameterValue& value);

// Value for people; choices and switches as words.
std::string shownValue(const ParameterValue& value);
// "acts at once", "rebuilds on release", ...
std::string effectText(Effect effect);

}  // namespace cellscope::gui
