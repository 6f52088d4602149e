#include "app/gui/widgets.h"

namespace cellscope::gui {

namespace {

// Checks typed text by the same code as the command line.
template <class T>
struct Probe {
  ParameterInfo info;
  T field{};
  void visit(auto& v) { v(info, field); }
};

template <class T>
std::string tryText(const ParameterState& parameter, const std::string& text,
                    ParameterValue& value) {
  Probe<T> probe{parameter.info, T{}};
  ParameterSet set = ParameterSet::of(probe);
  try {
    Parameter& one = set.at(parameter.info.key);
    one.setText(text);
    value = one.get();
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

constexpr double kPlaces = 200;  // at which a slider stops, at least

// The nearest multiple of the largest 1, 2 or 5 times a power of ten that is within `resolution`.
double readable(double value, double resolution) {
  if (!(resolution > 0)) return value;
  const double exponent = std::floor(std::log10(resolution)), decade = std::pow(10.0, exponent);
  double factor = 1;
  for (const double larger : {2.0, 5.0})
    if (larger * decade <= resolution * (1 + 1e-9)) factor = larger;
  const double units = factor * std::round(value / (factor * decade));
  // Divided, a decimal fraction is the nearest double, which prints without further digits.
  return exponent < 0 ? units / std::pow(10.0, -exponent) : units * decade;
}

}  // namespace

double asDouble(const ParameterValue& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return 0;
}

SliderRange rangeOf(const ParameterInfo& info, const Promoted& promoted, bool all) {
  SliderRange range{info.min, info.max, false, true};
  if (!all && info.interestingMin < info.interestingMax)
    range = {info.interestingMin, info.interestingMax, false, false};
  if (!all && promoted.key == info.key && promoted.lo < promoted.hi)
    range = {promoted.lo, promoted.hi, false, false};
  range.logScale = info.logScale && range.lo > 0;
  return range;
}

float fractionOf(const SliderRange& r, double value) {
  if (!(r.hi > r.lo)) return 0;
  if (r.logScale && !(value > r.lo)) return 0;
  const double t =
      r.logScale ? std::log(value / r.lo) / std::log(r.hi / r.lo) : (value - r.lo) / (r.hi - r.lo);
  return static_cast<float>(std::clamp(t, 0.0, 1.0));
}

ParameterValue valueAt(const ParameterState& p, const SliderRange& r, float fraction, bool fine) {
  const double t = fraction;
  double value = r.logScale ? r.lo * std::pow(r.hi / r.lo, t) : r.lo + (r.hi - r.lo) * t;
  if (std::holds_alternative<std::int64_t>(p.value))
    return static_cast<std::int64_t>(std::llround(std::clamp(value, r.lo, r.hi)));
  value =
      readable(value, (r.logScale ? value * 0.01 : (r.hi - r.lo) / kPlaces) * (fine ? 0.02 : 1));
  return std::clamp(value, r.lo, r.hi);
}

ParameterValue stepped(const ParameterState& p, const SliderRange& r, const ParameterValue& from,
                       double steps) {
  const float at = fractionOf(r, asDouble(from)) + 0.01f * static_cast<float>(steps);
  const ParameterValue next = valueAt(p, r, std::clamp(at, 0.f, 1.f), true);
  const auto* whole = std::get_if<std::int64_t>(&from);
  if (!whole || !(next == from)) return next;
  const double one = static_cast<double>(*whole) + (steps > 0 ? 1 : -1);
  return static_cast<std::int64_t>(std::llround(std::clamp(one, r.lo, r.hi)));
}

std::string withLabels(std::string text, const std::vector<ParameterState>& parameters) {
  for (const ParameterState& p : parameters) {
    const std::string key = "'" + p.info.key + "'", label = '"' + printed(p.info.label) + '"';
    for (std::size_t at = text.find(key); at != std::string::npos;
         at = text.find(key, at + label.size()))
      text.replace(at, key.size(), label);
  }
  return text;
}

std::string checkText(const ParameterState& p, std::string text, ParameterValue& value) {
  if (p.info.choices.empty()) std::erase(text, ' ');
  if (!p.info.choices.empty()) return tryText<Choice>(p, text, value);
  if (std::holds_alternative<bool>(p.value)) return tryText<bool>(p, text, value);
  if (std::holds_alternative<std::int64_t>(p.value)) return tryText<std::int64_t>(p, text, value);
  return tryText<double>(p, text, value);
}

std::string shownValue(const ParameterValue& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "on" : "off";
  if (const auto* i = std::get_if<std::int64_t>(&value))
    return *i >= 0 ? grouped(static_cast<std::uint64_t>(*i)) : std::to_string(*i);
  if (const auto* d = std::get_if<double>(&value)) return number(*d, 6);
  return std::get<std::string>(value);
}

std::string shownValue(const ParameterInfo& info, const ParameterValue& value) {
  return info.hasWords(value) ? info.inWords(value) : shownValue(value);
}

// What a change of such a parameter does, as a sentence.
static std::string effectText(Effect effect) {
  if (effect == Effect::live) return "Takes effect at once, while dragging.";
  if (effect == Effect::restart)
    return "Takes effect on release and restarts from step 0. Ctrl+Z undoes this.";
  return "Takes effect while dragging, a few times a second, and rebuilds the data structures; the "
         "state is kept.";
}

constexpr double kForgetAfter = 3;  // seconds, of a requested value that was not applied

static std::string editText;

ImGuiID rowId() { return ImGui::GetID("row"); }

void startEditing(Shell& shell, const ParameterState& p, const ParameterValue& value, ImGuiID row) {
  shell.editing = p.info.key;
  shell.editingRow = row;
  shell.editError.clear();
  editText = onScreen(toText(value));
}

bool isEdited(const Shell& shell, const ParameterState& p) {
  return shell.editing == p.info.key && shell.editingRow == rowId();
}

const ParameterState* stateOf(const Shell& shell, const std::string& key) {
  for (const ParameterState& p : shell.now->parameters)
    if (p.info.key == key) return &p;
  return nullptr;
}

ParameterValue shownNow(Shell& shell, const ParameterState& p) {
  const auto it = shell.pending.find(p.info.key);
  if (it == shell.pending.end()) return p.value;
  const bool waiting = ImGui::IsMouseDown(0) || shell.setup;
  if (it->second.value == p.value || (!waiting && shell.time - it->second.sentAt > kForgetAfter)) {
    shell.pending.erase(it);
    return p.value;
  }
  return it->second.value;
}

SliderRange spanOf(const Shell& shell, const ParameterState& p) {
  return rangeOf(p.info, shell.scenario().promote, shell.fullRange.contains(p.info.key));
}

void parameterHelp(Shell& shell, const ParameterState& p) {
  const ParameterInfo& info = p.info;
  std::string title = info.label;
  if (!info.symbol.empty()) title.append("  ").append(printed(info.symbol));
  std::string range;
  if (info.choices.empty() && info.max > info.min) {
    const bool whole = std::holds_alternative<std::int64_t>(p.value);
    auto limit = [&](double v) {
      return whole ? shownValue(static_cast<std::int64_t>(v)) : number(v);
    };
    range = "Allowed: " + limit(info.min) + " to " + limit(info.max);
    if (!info.unit.empty())
      range.append(" ").append(printedUnit(info.unit, shell.now->mode->dimension));
    range += ". ";
    const SliderRange span = spanOf(shell, p);
    if (!span.isAll) range += "The slider spans " + limit(span.lo) + " to " + limit(span.hi) + ". ";
  }
  range += "Default " + shownValue(p.info, p.fallback) + ".";
  tooltip(shell, title,
          {printed(info.help), printed(info.equation), range, effectText(info.effect),
           info.experiment && p.acts ? "An experiment: it breaks the physics on purpose." : "",
           p.acts ? "" : "It does nothing now. It acts with " + info.actsWith.words() + ".",
           info.max > info.min ? "Shift: drag at one tenth of the speed; arrow keys and wheel: one "
                                 "step; double-click: type."
                               : ""});
}

void parameterMenu(Shell& shell, const ParameterState& p) {
  const ImGuiID row = rowId();
  if (!beginMenu(shell, "menu:" + p.info.key, true)) return;
  const std::string& key = p.info.key;
  if (menuItem(shell, "edit-value:" + key, "Edit value")) startEditing(shell, p, p.value, row);
  if (ImGui::MenuItem(onScreen("Reset to default, " + shownValue(p.info, p.fallback)).c_str()))
    shell.set(key, p.fallback);
  if (p.info.max > p.info.min && menuItem(shell, "sweep:" + key, "Sweep this slider …"))
    planSweep(shell, p);
  const bool all = shell.fullRange.contains(key);
  if ((all || !spanOf(shell, p).isAll) &&
      menuItem(shell, "full-range:" + key, "Slider over all allowed values", all))
    if (shell.fullRange.erase(key) == 0) shell.fullRange.insert(key);
  endMenu();
}

void editRow(Shell& shell, const ParameterState& p, ImFont* font) {
  static std::string started;
  static int explain = 0;  // frames until the layout includes the message and can be scrolled to it
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(font ? font : shell.fonts.numbers);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.f);
  ImGui::PushStyleColor(ImGuiCol_Border, shell.colours->accent);
  if (started != p.info.key) ImGui::SetKeyboardFocusHere();
  const bool entered =
      textField(shell, "##edit" + p.info.key, "edit:" + p.info.key, editText,
                ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  const bool left = started == p.info.key && ImGui::IsItemDeactivated();
  started = p.info.key;
  if (entered) {
    ParameterValue value;
    shell.editError = checkText(p, editText, value);
    if (shell.editError.empty()) {
      shell.set(p.info.key, value);
      shell.editing.clear();
    } else {
      shell.log->write("refused", shell.editError);
      explain = 2;
    }
    started.clear();
  } else if (left) {
    shell.editing.clear();
    shell.editError.clear();
    started.clear();
  }
  if (shell.editError.empty()) return;
  textWrapped(shell, sentence(printed(withLabels(shell.editError, shell.now->parameters))),
              shell.colours->red);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (explain > 0 && --explain == 0 && ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

void parameterHeader(Shell& shell, const ParameterState& p, const std::string& value,
                     ImU32 valueColour, float right) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension),
                    words = printed(p.info.label);
  right += at.x;
  if (!value.empty() && value != p.info.smallest && !p.info.unit.empty())
    right = drawTextTo(shell.fonts.small, ImVec2(right, at.y + shell.px(3)), c.muted, unit) -
            shell.px(6);
  right = drawTextTo(shell.fonts.numbers, ImVec2(right, at.y + shell.px(2)), valueColour, value);
  const bool wrong = p.info.experiment && p.acts && p.value != p.fallback;
  const float room = right - at.x - shell.px(8);
  const std::string mark = p.info.effect == Effect::restart ? "restarts" : "";
  float markWidth = mark.empty() ? 0 : textSize(shell.fonts.small, mark).x + shell.px(8);
  if (textSize(shell.fonts.words, words).x + markWidth > room) markWidth = 0;
  const std::string label = fitted(shell.fonts.words, words, room);
  drawText(shell.fonts.words, at + shell.px(0, 1), wrong ? c.red : c.text, label);
  if (markWidth > 0) {
    const float x = at.x + textSize(shell.fonts.words, label).x + shell.px(8);
    drawText(shell.fonts.small, ImVec2(x, at.y + shell.px(3)), c.muted, mark);
  }
}

bool parameterSlider(Shell& shell, const ParameterState& p, const std::string& id,
                     ParameterValue& shown) {
  static std::string dragged;
  static ParameterValue wanted, sent;
  static double sentAt = 0;
  const SliderRange span = spanOf(shell, p);
  if (dragged == id) shown = wanted;
  float at = fractionOf(span, asDouble(shown));
  const SliderResult result = slider(shell, "slider:" + id, at,
                                     shell.isLed()                 ? shell.colours->muted
                                     : p.info.experiment && p.acts ? shell.colours->red
                                                                   : shell.colours->accent);
  if (id != p.info.key) shell.focus.beginHere();  // the promoted one
  if (result.steps != 0) {
    shown = stepped(p, span, shown, result.steps);
    shell.set(p.info.key, shown);
  } else if (result.changed) {
    if (dragged != id) sent = p.value;
    dragged = id;
    shown = wanted = valueAt(p, span, at, ImGui::GetIO().KeyShift);
  }
  const bool due = dragged == id && result.steps == 0 && !(wanted == sent);
  // A value that rebuilds may be sent while the slider is held: the one before it has been taken
  // over, and the simulation is given time between two.
  constexpr double kApart = 0.2;  // seconds
  const bool rebuilds = p.info.effect == Effect::rebuild && !shell.pending.contains(p.info.key) &&
                        shell.time - sentAt >= kApart;
  if (due && (result.released || p.info.effect == Effect::live || rebuilds)) {
    shell.set(p.info.key, wanted);
    sent = wanted;
    sentAt = shell.time;
  }
  if (dragged == id && !ImGui::IsMouseDown(0)) dragged.clear();
  return result.typeRequested;
}

std::vector<const ParameterState*> promotedChoices(const Shell& shell) {
  std::vector<const ParameterState*> all;
  for (const std::string& key : shell.scenario().beside)
    if (const ParameterState* const p = stateOf(shell, key); p && !p->info.choices.empty())
      all.push_back(p);
  return all;
}

std::string fittedChoice(const std::string& text) {
  const float arrow = ImGui::GetFrameHeight() + ImGui::GetStyle().FramePadding.x;
  return fitted(ImGui::GetFont(), text, ImGui::CalcItemWidth() - arrow);
}

void choiceList(Shell& shell, const ParameterState& p, const ParameterValue& value) {
  const std::string chosen = fittedChoice(onScreen(p.info.inWords(value)));
  if (!ImGui::BeginCombo(("##" + p.info.key).c_str(), chosen.c_str())) {
    const bool entered = shell.focus.item(shell);
    const auto pressed = [&](ImGuiKey key) {
      return shell.focus.lastItemHas() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(key));
    };
    const bool next = entered || pressed(ImGuiKey_DownArrow) || pressed(ImGuiKey_RightArrow);
    const bool before = pressed(ImGuiKey_UpArrow) || pressed(ImGuiKey_LeftArrow);
    const auto count = std::ssize(p.info.choices);
    auto at =
        std::ranges::find_if(p.info.choices,
                             [&](const ChoiceInfo& c) { return ParameterValue(c.key) == value; }) -
        p.info.choices.begin();
    if (next || before) {
      at = (at + (next ? 1 : count - 1)) % count;
      shell.set(p.info.key, p.info.choices[static_cast<std::size_t>(at)].key);
    }
    return;
  }
  for (const ChoiceInfo& choice : p.info.choices) {
    if (ImGui::Selectable(onScreen(choice.label).c_str(), ParameterValue(choice.key) == value))
      shell.set(p.info.key, choice.key);
    shell.log->item("choose:" + p.info.key + ":" + choice.key);
  }
  ImGui::EndCombo();
}

}  // namespace cellscope::gui
