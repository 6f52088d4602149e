// Controls in the style of this window, on top of ImGui.
#pragma once
#include "app/gui/format.h"
#include "app/gui/shell.h"
#include "sim/api/frame.h"
#include "sim/run/runner.h"

namespace cellscope::gui {

enum class Icon {
  none,
  play,
  pause,
  step,
  phase,
  reset,
  undo,
  close,
  more,
  camera,
  enlarge,
  back,
  end,
  fit,
  present,
  theme,
  help,
  select,  // tools of a hand
  grab,
  add,
  remove,
  heat,
  cool
};

// A window without decoration at a fixed place, until end() or the end of the scope.
struct PaneLook {
  ImVec2 at, size;                  // size 0: that of the content
  std::optional<ImVec2> padding{};  // else that of the style
  ImGuiWindowFlags more = 0;        // flags beside those of every pane
  float border = 0, opacity = -1;   // below 0: that of the style
  bool isSquare = false;            // corners are not rounded
  ImVec2 pivot{};                   // where `at` is in the pane: (0.5, 1) is the middle of its foot
};
inline constexpr ImGuiWindowFlags kCardPane = ImGuiWindowFlags_NoScrollbar |
                                              ImGuiWindowFlags_AlwaysAutoResize |
                                              ImGuiWindowFlags_NoFocusOnAppearing;
// Of a bar or column that is drawn on what lies below; `more`: flags. Where one appears, the text
// field that has the keyboard keeps it.
PaneLook bareLook(ImVec2 at, ImVec2 size, ImGuiWindowFlags more = 0);
PaneLook paletteLook(Shell& shell, ImVec2 at, ImVec2 size);  // of icons over the picture
// This size at scale 1, or all of the screen but this margin.
ImVec2 withinScreen(Shell& shell, ImVec2 size, ImVec2 margin);
// Of a dialog in the middle of the screen.
PaneLook dialogLook(ImVec2 size, std::optional<ImVec2> padding = {}, ImGuiWindowFlags more = 0);

class Pane {
 public:
  Pane(const std::string& name, const PaneLook& look);
  ~Pane() { end(); }
  Pane(const Pane&) = delete;
  Pane& operator=(const Pane&) = delete;
  void end();

 private:
  int styles_ = 0;
  bool isOpen_ = true;
};

// Names of controls are logged with their places.
// An ImGui::InvisibleButton; one that the keyboard reaches as well (Shell::focus).
bool clickable(Shell& shell, const std::string& name, ImVec2 size);
bool pressable(Shell& shell, const std::string& name, ImVec2 size);
// Widths in ImGui units; 0 = fit the label, -1 = remaining width. `isSmall`: as beside a heading.
bool button(Shell& shell, const std::string& id, const std::string& label, Icon icon = Icon::none,
            float width = 0, bool primary = false, bool isSmall = false);
// An icon, or words, at `at`, in the colour of text under the mouse and otherwise muted, or as a
// link, unless others are given.
bool iconButton(Shell& shell, const std::string& id, Icon icon, ImVec2 at, float side, float size,
                ImU32 ink = 0, ImU32 hot = 0);
bool wordButton(Shell& shell, const std::string& id, const std::string& words, ImVec2 at,
                ImU32 ink = 0, ImU32 hot = 0, float height = 0);
// Heading of a section with a chevron, and a value at the right; returns whether it is open.
// `reserved`: width left free at its right end for controls; `ink`: of the value, 0: that of text.
bool section(Shell& shell, const std::string& id, const std::string& title,
             const std::string& value = "", bool openAtFirst = true, float reserved = 0,
             ImU32 ink = 0);
// Whether it is open, without drawing it.
bool sectionOpen(Shell& shell, const std::string& id, bool openAtFirst);
// Row: label at the left, value and unit at the right.
void keyValue(Shell& shell, const std::string& label, const std::string& value,
              const std::string& unit = "");
bool toggle(Shell& shell, const std::string& name, bool value, ImU32 onColour);
// Thin slider over [0, 1]; true while dragged, with Shift at one tenth of the speed. released: set
// in the frame in which the mouse is released after a change. Double click or ctrl-click:
// typeRequested. The one that has the focus has a ring: arrow keys, and the wheel over it, move it
// by `steps` hundredths (arrowSteps()), which changes `fraction` as well; Enter: typeRequested.
struct SliderResult {
  bool changed = false, released = false, typeRequested = false;
  double steps = 0;
};
SliderResult slider(Shell& shell, const std::string& name, float& fraction, ImU32 colour);
// Sign of a layer: off, a grey ring; on, a disk; on with nothing to show, a ring struck through. No
// warning: it waits for a particle to be picked, or for a step.
void layerState(Shell& shell, ImVec2 middle, float radius, bool on, bool idle);
bool chip(Shell& shell, const std::string& id, const std::string& label, const std::string& key,
          bool on, bool compact = false, bool idle = false);
// The same beside the last item, where it ends before `right`, or in the next line.
bool chipInLine(Shell& shell, const std::string& id, const std::string& label,
                const std::string& key, float right, bool on, bool compact, bool idle = false);
float chipWidth(Shell& shell, const std::string& label, const std::string& key, bool compact);

// A menu that was opened, or the context menu of the last item; call endMenu() only after true.
bool beginMenu(Shell& shell, const std::string& id, bool ofItem = false);
void endMenu();
bool menuItem(Shell& shell, const std::string& name, const std::string& words, bool on = false);

// A field for up to 2047 bytes of text, as ImGui::InputTextWithHint(); its place is logged as
// `name`. `onEdit` gets the shell.
bool textField(Shell& shell, const std::string& id, const std::string& name, std::string& text,
               ImGuiInputTextFlags flags = 0, const char* hint = "",
               ImGuiInputTextCallback onEdit = nullptr);

void put(const std::string& text);  // in the current font, at the cursor
void textMuted(Shell& shell, const std::string& text);
void textWrapped(Shell& shell, const std::string& text, ImU32 colour);
// In the small font, muted unless a colour is given; in the strong one.
void textSmall(Shell& shell, const std::string& text, ImU32 colour = 0);
void textStrong(Shell& shell, const std::string& text, ImU32 colour = 0);

// Of a card with its lower edge at `bottom`; the bar of its progress, below 0: unknown.
PaneLook progressLook(Shell& shell, ImVec2 bottom, float width);
void progressBar(Shell& shell, double progress, float width);

// Of the last item when the mouse rests on it; upper left corner at `at`, or near the mouse.
void tooltip(Shell& shell, const std::string& title, const std::vector<std::string>& paragraphs,
             const ImVec2* at = nullptr);
ImVec2 textSize(ImFont* font, const std::string& text);
void drawText(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
// In the window that is being filled.
void drawText(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text);
// The same that ends at `end`, its upper right corner; where it begins.
float drawTextTo(ImFont* font, ImVec2 end, ImU32 colour, const std::string& text);
void drawIcon(Icon icon, ImVec2 centre, float size, ImU32 colour);
// `text` cut with an ellipsis so that it fits.
std::string fitted(ImFont* font, const std::string& text, float width);
std::string fittedChoice(const std::string& text);  // beside the arrow of the next combo
// Wraps lines between words only. (ImGui also breaks after points and commas, which splits
// numbers.) A single word that is too wide is not broken.
std::string wrapped(ImFont* font, const std::string& text, float width);

// Labelled controls of one row, for options of layers and of the view.
struct OptionRow {
  std::string id, label, shown;  // shown: the value in words
  double lo = 0, hi = 1;
  bool whole = false;  // rounded to integers, otherwise to hundredths
  float width = 0;     // 0: the remaining width
};
// A label, the value, and below them a slider; true when the value changed.
bool optionRow(Shell& shell, const OptionRow& row, double& value);

// Words in a row, one of them chosen; true when another one was clicked.
bool choiceRow(Shell& shell, const std::string& id, const std::vector<std::string>& words,
               int& chosen);
float halfWidth();  // of one of two controls side by side
bool switchRow(Shell& shell, const std::string& id, const std::string& label, bool& on);

// That of this key; null: the mode has none.
const ParameterState* stateOf(const Shell& shell, const std::string& key);

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

// Text as a value; digits may be grouped, "65 536". Returns "" and sets it, or returns the error.
std::string checkText(const ParameterState& parameter, std::string text, ParameterValue& value);

// Replaces quoted parameter keys in a message by their labels: 'packing' -> "Packing fraction".
// Messages quote typed expressions and their words by double quotes, which stay.
std::string withLabels(std::string text, const std::vector<ParameterState>& parameters);

// Value as text; choices and switches in words.
std::string shownValue(const ParameterValue& value);
std::string shownValue(const ParameterInfo& info, const ParameterValue& value);

// The value to show: the requested one until the simulation has applied or refused it.
ParameterValue shownNow(Shell& shell, const ParameterState& p);
SliderRange spanOf(const Shell& shell, const ParameterState& p);
// Tooltip and context menu of the last item.
void parameterHelp(Shell& shell, const ParameterState& p);
void parameterMenu(Shell& shell, const ParameterState& p);
// A field in which the value is typed, in the row (rowId()) that asked for it.
ImGuiID rowId();
void startEditing(Shell& shell, const ParameterState& p, const ParameterValue& value, ImGuiID row);
bool isEdited(const Shell& shell, const ParameterState& p);
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

// Of a layer that does not say what there is, the end of what the option allows. frame: or null.
inline double lastLevel(const LayerOption& option, const std::string& layer, const Frame* frame) {
  if (!frame) return option.hi;
  for (const LayerData& drawn : frame->layers)
    if (drawn.key == layer && drawn.lastLevel >= 0)
      return std::clamp(static_cast<double>(drawn.lastLevel), option.lo, option.hi);
  return option.hi;
}

// Of the trees, whichever of their layers is drawn.
inline double deepestLevel(const std::vector<LayerInfo>& layers, const Frame* frame) {
  std::optional<double> deepest;
  for (const LayerInfo& layer : layers)
    for (const LayerOption& option : layer.options) {
      if (layer.group != LayerGroup::trees || option.kind != LayerOption::Kind::levels) continue;
      const double last = lastLevel(option, layer.key, frame);
      deepest = deepest ? std::min(*deepest, last) : last;
    }
  return deepest.value_or(1);
}

}  // namespace cellscope::gui
