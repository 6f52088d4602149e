// Sliders and typed values for declared parameters.
#pragma once
#include <string>
#include <vector>

#include "sim/run/runner.h"

namespace cellscope::gui {

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

}  // namespace cellscope::gui
