// Parts from which rows of parameters are made.
#pragma once
#include <string>

#include "app/gui/parameter_edit.h"
#include "app/gui/shell.h"

namespace cellscope::gui {

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
void choiceList(Shell& shell, const ParameterState& p, const ParameterValue& value);

}  // namespace cellscope::gui
