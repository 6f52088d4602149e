#include "app/gui/widgets.h"

namespace cellscope::gui {

ImVec2 textSize(ImFont* font, const std::string& text) {
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  return font->CalcTextSizeA(size, FLT_MAX, 0, onScreen(text).c_str());
}

void drawText(ImDrawList* list, ImFont* font, ImVec2 at, ImU32 colour, const std::string& text) {
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  list->AddText(font, size, ImVec2(std::floor(at.x), std::floor(at.y)), colour,
                onScreen(text).c_str());
}

void drawText(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text) {
  drawText(ImGui::GetWindowDrawList(), font, at, colour, text);
}

float drawTextTo(ImFont* font, ImVec2 end, ImU32 colour, const std::string& text) {
  end.x -= textSize(font, text).x;
  drawText(font, end, colour, text);
  return end.x;
}

void put(const std::string& text) { ImGui::TextUnformatted(onScreen(text).c_str()); }

bool textField(Shell& shell, const std::string& id, const std::string& name, std::string& text,
               ImGuiInputTextFlags flags, const char* hint, ImGuiInputTextCallback onEdit) {
  std::array<char, 2048> typed{};
  text.copy(typed.data(), typed.size() - 1);
  const bool entered =
      ImGui::InputTextWithHint(id.c_str(), hint, typed.data(), typed.size(), flags, onEdit, &shell);
  shell.log->item(name);
  text = typed.data();
  return entered;
}

std::string fitted(ImFont* font, const std::string& text, float width) {
  if (textSize(font, text).x <= width) return text;
  const std::string dots = printsSymbols() ? "…" : "..";
  std::string cut = text;
  while (!cut.empty() && textSize(font, cut + dots).x > width) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);
    if (!cut.empty() && static_cast<unsigned char>(cut.back()) >= 0xC0) cut.pop_back();
  }
  return cut + dots;
}

std::string wrapped(ImFont* font, const std::string& given, float width) {
  const std::string text = onScreen(given);
  std::string out, line;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && textSize(font, line + " " + word).x > width)
      out += std::exchange(line, {}) + '\n';
    else if (!line.empty())
      line += ' ';
    line += word;
    if (end < text.size() && text[end] == '\n') out += std::exchange(line, {}) + '\n';
    at = end + 1;
  }
  return out + line;
}

bool clickable(Shell& shell, const std::string& name, ImVec2 size) {
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  shell.log->item(name);
  return pressed;
}

bool pressable(Shell& shell, const std::string& name, ImVec2 size) {
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  const bool entered = shell.focus.item(shell);
  shell.log->item(name);
  return entered || pressed;
}

bool button(Shell& shell, const std::string& id, const std::string& label, Icon icon, float width,
            bool primary, bool isSmall) {
  const Palette& c = *shell.colours;
  ImFont* const font = isSmall ? shell.fonts.small : shell.fonts.words;
  const float height = shell.px(isSmall ? 24 : 32), pad = shell.px(12);
  const float iconSize = shell.px(isSmall ? 10 : 12);
  const ImVec2 text = textSize(font, label);
  const float gap = icon != Icon::none && !label.empty() ? shell.px(8) : 0;
  const float inner = text.x + gap + (icon != Icon::none ? iconSize : 0);
  if (width < 0) width = ImGui::GetContentRegionAvail().x;
  if (width == 0) width = inner + 2 * pad;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = pressable(shell, "button:" + id, ImVec2(width, height));
  const bool hot = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  ImU32 fill = primary ? c.accent : c.raised;
  if (hot) fill = mix(fill, primary ? c.text : c.accent, held ? 0.45f : 0.22f);
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2(width, height), fill, shell.px(4));
  const ImU32 ink = primary ? c.onAccent : c.text;
  float x = at.x + (width - inner) / 2;
  if (icon != Icon::none) {
    drawIcon(icon, ImVec2(x + iconSize / 2, at.y + height / 2), iconSize, ink);
    x += iconSize + gap;
  }
  drawText(font, ImVec2(x, at.y + (height - text.y) / 2), ink, label);
  return pressed;
}

bool sectionOpen(Shell& shell, const std::string& id, bool openAtFirst) {
  return !shell.collapsed.try_emplace(id, !openAtFirst).first->second;
}

bool section(Shell& shell, const std::string& id, const std::string& title,
             const std::string& value, bool openAtFirst, float reserved, ImU32 ink) {
  const Palette& c = *shell.colours;
  auto [state, fresh] = shell.collapsed.try_emplace(id, !openAtFirst);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - reserved, height = shell.px(28);
  if (pressable(shell, "section:" + id, ImVec2(width, height))) {
    state->second = !state->second;
    shell.chosen.insert(id);
  }
  const bool open = !state->second;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float m = at.y + height / 2, r = shell.px(4), x = at.x + r;
  const ImU32 mark = ImGui::IsItemHovered() ? c.accent : c.muted;
  const float w = shell.stroke(1.5f);
  if (open) {
    list->AddLine(ImVec2(x - r, m - r / 2), ImVec2(x, m + r / 2), mark, w);
    list->AddLine(ImVec2(x, m + r / 2), ImVec2(x + r, m - r / 2), mark, w);
  } else {
    list->AddLine(ImVec2(x - r / 2, m - r), ImVec2(x + r / 2, m), mark, w);
    list->AddLine(ImVec2(x + r / 2, m), ImVec2(x - r / 2, m + r), mark, w);
  }
  const ImVec2 ofValue = value.empty() ? ImVec2(0, 0) : textSize(shell.fonts.numbers, value);
  const float titleX = at.x + shell.px(16);
  const std::string shown =
      fitted(shell.fonts.strong, title, at.x + width - ofValue.x - shell.px(8) - titleX);
  const float textY = m - textSize(shell.fonts.strong, "X").y / 2;
  drawText(shell.fonts.strong, ImVec2(titleX, textY), c.text, shown);
  drawTextTo(shell.fonts.numbers, ImVec2(at.x + width, m - ofValue.y / 2), ink ? ink : c.text,
             value);
  return open;
}

void keyValue(Shell& shell, const std::string& label, const std::string& value,
              const std::string& unit) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(22);
  float right = at.x + width;
  if (!unit.empty())
    right = drawTextTo(shell.fonts.small, ImVec2(right, at.y + shell.px(3)), c.muted, unit) -
            shell.px(6);
  const std::string shown = fitted(shell.fonts.numbers, value, width * 0.7f);
  right = drawTextTo(shell.fonts.numbers, ImVec2(right, at.y + shell.px(2)), c.text, shown);
  drawText(shell.fonts.words, at + shell.px(0, 2), c.muted,
           fitted(shell.fonts.words, label, right - at.x - shell.px(8)));
  ImGui::Dummy(ImVec2(width, height - ImGui::GetStyle().ItemSpacing.y));
}

void textSmall(Shell& shell, const std::string& text, ImU32 colour) {
  ImGui::PushFont(shell.fonts.small);
  textWrapped(shell, text, colour ? colour : shell.colours->muted);
  ImGui::PopFont();
}

void textStrong(Shell& shell, const std::string& text, ImU32 colour) {
  ImGui::PushFont(shell.fonts.strong);
  textWrapped(shell, text, colour ? colour : shell.colours->text);
  ImGui::PopFont();
}

void textMuted(Shell& shell, const std::string& text) {
  textWrapped(shell, text, shell.colours->muted);
}

void textWrapped(Shell& shell, const std::string& text, ImU32 colour) {
  (void)shell;
  ImGui::PushStyleColor(ImGuiCol_Text, colour);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(wrapped(ImGui::GetFont(), text, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

bool toggle(Shell& shell, const std::string& name, bool value, ImU32 onColour) {
  const Palette& c = *shell.colours;
  const float w = shell.px(34), h = shell.px(20), r = h / 2;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = pressable(shell, name, ImVec2(w, h));
  ImU32 fill = value ? onColour : mix(c.raised, c.muted, 0.35f);
  if (ImGui::IsItemHovered()) fill = mix(fill, c.text, 0.12f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, at + ImVec2(w, h), fill, r);
  list->AddCircleFilled(ImVec2(value ? at.x + w - r : at.x + r, at.y + r), r - shell.px(3),
                        value ? c.onAccent : c.panel);
  return pressed;
}

namespace {

// What a slider remembers while it is dragged.
struct SliderDrag {
  std::string id;
  float fraction = 0;  // position of a fine drag
  bool fine = false;   // Shift was held: moves count, not the place
  bool changed = false;
} sliderDrag;

// Where the slider is dragged to.
float draggedTo(const std::string& id, float fraction, float left, float span) {
  SliderDrag& drag = sliderDrag;
  if (drag.id != id) drag = {id, fraction};
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyShift && !drag.fine) {
    drag.fine = true;
    drag.fraction = fraction;
  }
  if (drag.fine)
    drag.fraction += (io.KeyShift ? 0.1f : 1.f) * io.MouseDelta.x / span;
  else
    drag.fraction = (io.MousePos.x - left) / span;
  drag.fraction = std::clamp(drag.fraction, 0.f, 1.f);
  return drag.fraction;
}

}  // namespace

SliderResult slider(Shell& shell, const std::string& name, float& fraction, ImU32 colour) {
  const Palette& c = *shell.colours;
  SliderResult result;
  const float height = shell.px(16), knob = shell.px(6), track = shell.px(4);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::InvisibleButton(name.c_str(), ImVec2(width, height));
  const bool held = ImGui::IsItemActive(), hot = ImGui::IsItemHovered();
  if (ImGui::IsItemActivated()) shell.focus.take();
  const bool entered = shell.focus.item(shell, false), focused = shell.focus.lastItemHas();
  const ImGuiIO& io = ImGui::GetIO();
  const bool typing =
      entered ||
      (hot && (ImGui::IsMouseDoubleClicked(0) || (ImGui::IsMouseClicked(0) && io.KeyCtrl)));
  const float span = std::max(1.f, width - 2 * knob);
  const double wheel = (io.KeyShift ? 0.1 : 1) * static_cast<double>(io.MouseWheel);
  const double steps = focused ? arrowSteps() + (hot ? wheel : 0) : 0;
  if (typing) {
    result.typeRequested = true;
  } else if (held && !io.KeyCtrl) {
    const float wanted = draggedTo(name, fraction, at.x + knob, span);
    if (wanted != fraction) {
      fraction = wanted;
      result.changed = sliderDrag.changed = true;
    }
  } else if (steps != 0) {
    fraction = std::clamp(fraction + 0.01f * static_cast<float>(steps), 0.f, 1.f);
    result = {true, true, false, steps};
  }
#if IMGUI_VERSION_NUM < 18900
  if (focused && hot) ImGui::SetItemUsingMouseWheel();  // the column does not scroll
#endif
  if (ImGui::IsItemDeactivated()) {
    result.released = sliderDrag.id == name && sliderDrag.changed;
    sliderDrag = {};
  }
  const float y = at.y + height / 2, x = at.x + knob + fraction * span;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 rail = mix(c.raised, c.muted, 0.2f);
  list->AddRectFilled(ImVec2(at.x, y - track / 2), ImVec2(at.x + width, y + track / 2), rail,
                      track);
  list->AddRectFilled(ImVec2(at.x, y - track / 2), ImVec2(x, y + track / 2), colour, track);
  if (held || hot)
    list->AddCircleFilled(ImVec2(x, y), knob + shell.px(3), withAlpha(colour, 0.25f));
  list->AddCircleFilled(ImVec2(x, y), knob, held ? mix(colour, c.text, 0.3f) : colour);
  if (focused) list->AddCircle(ImVec2(x, y), knob + shell.px(2), c.text, 0, shell.stroke(1.5f));
  shell.log->item(name);
  return result;
}

void layerState(Shell& shell, ImVec2 middle, float r, bool on, bool idle) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float w = shell.stroke(1.5f);
  if (on && !idle) return list->AddCircleFilled(middle, r, c.accent, 20);
  list->AddCircle(middle, r - w / 2, on ? c.accent : c.muted, 20, w);
  const float d = 0.7f * r;
  if (on)
    list->AddLine(ImVec2(middle.x - d, middle.y + d), ImVec2(middle.x + d, middle.y - d), c.accent,
                  w);
}

float chipWidth(Shell& shell, const std::string& label, const std::string& key, bool compact) {
  ImFont* font = compact ? shell.fonts.small : shell.fonts.words;
  const float keyWidth = key.empty() ? 0 : textSize(shell.fonts.smallNumbers, key).x + shell.px(6);
  return textSize(font, label).x + keyWidth + 2 * shell.px(compact ? 8 : 10);
}

bool chip(Shell& shell, const std::string& id, const std::string& label, const std::string& key,
          bool on, bool compact, bool idle) {
  const Palette& c = *shell.colours;
  ImFont* font = compact ? shell.fonts.small : shell.fonts.words;
  const float height = shell.px(compact ? 24 : 28), pad = shell.px(compact ? 8 : 10);
  const ImVec2 text = textSize(font, label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = chipWidth(shell, label, key, compact);
  const bool pressed = pressable(shell, id, ImVec2(width, height));
  ImU32 fill = on && !idle ? mix(c.panel, c.accent, 0.28f) : c.panel;
  if (ImGui::IsItemHovered()) fill = mix(fill, c.accent, 0.18f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end = at + ImVec2(width, height);
  list->AddRectFilled(at, end, fill, height / 2);  // opaque: it lies over bright disks
  const ImU32 rim = !on ? c.line : idle ? mix(c.panel, c.accent, 0.5f) : c.accent;
  list->AddRect(at, end, rim, height / 2, 0, shell.stroke());
  float x = at.x + pad;
  if (!key.empty()) {
    const ImVec2 size = textSize(shell.fonts.smallNumbers, key);
    drawText(shell.fonts.smallNumbers, ImVec2(x, at.y + (height - size.y) / 2),
             on ? c.text : c.muted, key);
    x += size.x + shell.px(6);
  }
  drawText(font, ImVec2(x, at.y + (height - text.y) / 2), on && !idle ? c.text : c.muted, label);
  // On, but nothing to show: distinguished without colour, too, by a sign on the corner.
  if (on && idle) {
    const ImVec2 corner(end.x - shell.px(5), at.y + shell.px(4));
    list->AddCircleFilled(corner, shell.px(6), c.panel);
    layerState(shell, corner, shell.px(4.5f), true, true);
  }
  return pressed;
}

bool chipInLine(Shell& shell, const std::string& id, const std::string& label,
                const std::string& key, float right, bool on, bool compact, bool idle) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  if (ImGui::GetItemRectMax().x + gap + chipWidth(shell, label, key, compact) <= right)
    ImGui::SameLine();
  return chip(shell, id, label, key, on, compact, idle);
}

// Whether the mouse has rested on the last item, which may shift slightly in the status bar.
static bool rests(Shell& shell) {
  constexpr double kRest = 0.35, kForget = 0.3;  // seconds
  static ImVec2 place;
  static double since = 0, seen = -1;
  const ImVec2 now = ImGui::GetItemRectMin();
  const bool same = std::abs(now.x - place.x) < shell.px(24) && std::abs(now.y - place.y) < 2;
  if (!same || shell.time - seen > kForget) since = shell.time;
  place = now;
  seen = shell.time;
  return shell.time - since >= kRest;
}

void tooltip(Shell& shell, const std::string& title, const std::vector<std::string>& paragraphs,
             const ImVec2* at) {
  if (!ImGui::IsItemHovered() || ImGui::IsAnyMouseDown() || !shell.explains || !rests(shell))
    return;
  if (!shell.after.screenshot.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, shell.px(4));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, shell.px(12, 10));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(8, 6));
  // Near the lower edge of the window it is placed above its item.
  const ImVec2 item = ImGui::GetItemRectMin(), screen = ImGui::GetIO().DisplaySize;
  if (at)
    ImGui::SetNextWindowPos(*at);
  else if (item.y > screen.y - shell.px(60))
    ImGui::SetNextWindowPos(ImVec2(std::min(item.x, 0.7f * screen.x), item.y - shell.px(6)), 0,
                            ImVec2(0, 1));
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(shell.px(340));
  if (!title.empty()) {
    ImGui::PushFont(shell.fonts.strong);
    put(title);
    ImGui::PopFont();
  }
  for (const std::string& text : paragraphs) {
    if (text.empty()) continue;
    const float width = shell.px(340) - ImGui::GetStyle().WindowPadding.x;
    ImGui::TextUnformatted(wrapped(ImGui::GetFont(), text, width).c_str());
  }
  shell.log->window("tooltip");
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar(3);
}

}  // namespace cellscope::gui
