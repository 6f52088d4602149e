// Windows without decoration, and what stands in several of them.

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels.h"
#include "app/gui/shell.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {

Pane::Pane(const std::string& name, const PaneLook& look) {
  const auto style = [this](ImGuiStyleVar which, auto value) {
    ImGui::PushStyleVar(which, value);
    ++styles_;
  };
  if (look.padding) style(ImGuiStyleVar_WindowPadding, *look.padding);
  if (look.border > 0) style(ImGuiStyleVar_WindowBorderSize, look.border);
  if (look.isSquare) style(ImGuiStyleVar_WindowRounding, 0.f);
  if (look.opacity >= 0) ImGui::SetNextWindowBgAlpha(look.opacity);
  ImGui::SetNextWindowPos(look.at, 0, look.pivot);
  if (look.size.x > 0) ImGui::SetNextWindowSize(look.size);
  ImGui::Begin(("##" + name).c_str(), nullptr,
               look.more | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings);
}

void Pane::end() {
  if (!std::exchange(isOpen_, false)) return;
  ImGui::End();
  ImGui::PopStyleVar(styles_);
}

bool dimRest(Shell& shell, const char* name) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, withAlpha(shell.colours->viewport, 0.6f));
  Pane pane(name, {.size = screen, .padding = ImVec2(0, 0), .isSquare = true});
  const bool pressed = ImGui::InvisibleButton("rest", screen);
  pane.end();
  ImGui::PopStyleColor();
  shell.focus.restart();
  return pressed;
}

PaneLook dialogLook(ImVec2 size, std::optional<ImVec2> padding, ImGuiWindowFlags more) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return {.at = ImVec2(screen.x / 2, screen.y / 2),
          .size = size,
          .padding = padding,
          .more = more,
          .border = 1,
          .pivot = ImVec2(0.5f, 0.5f)};
}

PaneLook progressLook(Shell& shell, ImVec2 bottom, float width) {
  return {.at = bottom,
          .size = ImVec2(width, 0),
          .padding = ImVec2(shell.px(16), shell.px(12)),
          .more = kCardPane,
          .border = 1,
          .pivot = ImVec2(0.5f, 1)};
}

void progressBar(Shell& shell, double progress, float width) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = shell.px(6);
  const auto part = [&](float from, float to, ImU32 colour) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + width * from, at.y),
                                              at + ImVec2(width * to, height), colour, height / 2);
  };
  part(0, 1, c.raised);
  if (progress >= 0) {
    part(0, static_cast<float>(std::clamp(progress, 0.02, 1.0)), c.accent);
  } else {  // unknown progress: a moving segment
    const auto middle = static_cast<float>(0.5 - 0.35 * std::cos(2 * shell.time));
    part(middle - 0.15f, middle + 0.15f, c.accent);
  }
  ImGui::Dummy(ImVec2(width, height));
}

bool beginMenu(Shell& shell, const char* id, bool ofItem) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shell.px(10), shell.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(shell.px(8), shell.px(6)));
  if (ofItem ? ImGui::BeginPopupContextItem(id) : ImGui::BeginPopup(id)) return true;
  ImGui::PopStyleVar(2);
  return false;
}

void endMenu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

bool optionRow(Shell& shell, const OptionRow& row, double& value) {
  const float width = row.width > 0 ? row.width : ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float right = at.x + width - textSize(shell.fonts.smallNumbers, row.shown).x;
  drawText(list, shell.fonts.small, at, shell.colours->muted,
           fitted(shell.fonts.small, row.label, right - at.x - shell.px(8)));
  drawText(list, shell.fonts.smallNumbers, ImVec2(right, at.y), shell.colours->text, row.shown);
  ImGui::Dummy(ImVec2(width, shell.px(15)));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  const double span = std::max(row.hi - row.lo, 1e-9);
  auto fraction = static_cast<float>((value - row.lo) / span);
  fraction = std::clamp(fraction, 0.f, 1.f);
  ImGui::BeginChild(("##" + row.id).c_str(), ImVec2(width, shell.px(18)));
  const SliderResult result = slider(shell, row.id.c_str(), fraction, shell.colours->accent);
  shell.log->item("option:" + row.id);
  ImGui::EndChild();
  if (!result.changed) return false;
  double next = row.lo + fraction * span;
  next = row.whole ? std::round(next) : std::round(next * 100) / 100;
  if (row.whole && next == value && result.steps != 0) next += result.steps > 0 ? 1 : -1;
  value = std::clamp(next, row.lo, row.hi);
  return true;
}

float halfWidth() {
  return (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
}

bool choiceRow(Shell& shell, const std::string& id, const std::vector<std::string>& words,
               int& chosen) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(26);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, at + ImVec2(width, height), c.raised, shell.px(4));
  const float part = width / static_cast<float>(std::max<std::size_t>(1, words.size()));
  bool changed = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const ImVec2 lo(at.x + part * static_cast<float>(i), at.y), hi(lo.x + part, at.y + height);
    ImGui::SetCursorScreenPos(lo);
    const std::string name = id + ":" + std::to_string(i);
    const bool on = static_cast<int>(i) == chosen;
    if (pressable(shell, name.c_str(), ImVec2(part, height)) && !on) {
      chosen = static_cast<int>(i);
      changed = true;
    }
    shell.log->item("choice:" + name);
    ImU32 fill = on ? c.accent : c.raised;
    if (ImGui::IsItemHovered()) fill = mix(fill, on ? c.text : c.accent, 0.18f);
    if (on || ImGui::IsItemHovered()) list->AddRectFilled(lo, hi, fill, shell.px(4));
    const std::string word = fitted(shell.fonts.small, words[i], part - shell.px(4));
    const ImVec2 size = textSize(shell.fonts.small, word);
    drawText(shell.fonts.small, (lo + hi - size) / 2, on ? c.onAccent : c.text, word);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  ImGui::Dummy(ImVec2(width, 0));
  return changed;
}

bool switchRow(Shell& shell, const std::string& id, const std::string& label, bool& on) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  drawText(shell.fonts.small, ImVec2(at.x, at.y + shell.px(2)), shell.colours->text,
           fitted(shell.fonts.small, label, width - shell.px(44)));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y));
  const bool pressed = toggle(shell, id.c_str(), on, shell.colours->accent);
  shell.log->item("switch:" + id);
  if (pressed) on = !on;
  return pressed;
}

namespace {

void bars(ImDrawList* list, ImVec2 c, float r, ImU32 colour, bool second) {
  const float w = r * 0.5f;
  list->AddRectFilled(c - ImVec2(r * 0.7f, r), ImVec2(c.x - r * 0.7f + w, c.y + r), colour);
  if (second) {
    list->AddRectFilled(ImVec2(c.x + r * 0.7f - w, c.y - r), c + ImVec2(r * 0.7f, r), colour);
  }
}

void triangle(ImDrawList* list, ImVec2 c, float left, float right, float r, ImU32 colour) {
  list->AddTriangleFilled(ImVec2(c.x + left, c.y - r), ImVec2(c.x + right, c.y),
                          c + ImVec2(left, r), colour);
}

// Open circle with an arrow head: clockwise for reset, anticlockwise for undo.
void turn(ImDrawList* list, ImVec2 c, float r, ImU32 colour, bool clockwise) {
  const float side = clockwise ? 1.f : -1.f, pi = 3.14159265f, w = std::max(1.2f, r * 0.28f);
  const float from = clockwise ? -0.15f * pi : -0.85f * pi;
  list->PathArcTo(c, r * 0.85f, from, from + side * 1.6f * pi, 24);
  list->PathStroke(colour, 0, w);
  const ImVec2 tip = c + ImVec2(r * 0.85f * std::cos(from), r * 0.85f * std::sin(from));
  const float h = r * 0.55f;
  list->AddTriangleFilled(ImVec2(tip.x - h, tip.y), ImVec2(tip.x + h, tip.y),
                          ImVec2(tip.x, tip.y - h * 1.2f), colour);
}

}  // namespace

void drawIcon(ImDrawList* list, Icon icon, ImVec2 c, float size, ImU32 colour) {
  const float r = size / 2, w = std::max(1.2f, size * 0.14f);
  switch (icon) {
    case Icon::none:
      break;
    case Icon::play:
      triangle(list, c, -r * 0.7f, r * 0.9f, r, colour);
      break;
    case Icon::pause:
      bars(list, c, r, colour, true);
      break;
    case Icon::step:
      bars(list, c, r, colour, false);
      triangle(list, c, -r * 0.05f, r * 1.1f, r, colour);
      break;
    case Icon::back:
      list->AddRectFilled(ImVec2(c.x + r * 0.55f, c.y - r), c + ImVec2(r, r), colour);
      list->AddTriangleFilled(c + ImVec2(r * 0.3f, r), ImVec2(c.x - r * 0.9f, c.y),
                              ImVec2(c.x + r * 0.3f, c.y - r), colour);
      break;
    case Icon::end:
      list->AddRectFilled(ImVec2(c.x + r * 0.6f, c.y - r), c + ImVec2(r, r), colour);
      triangle(list, c, -r * 0.9f, r * 0.5f, r, colour);
      break;
    case Icon::phase:
      list->AddCircle(c, r * 0.9f, withAlpha(colour, 0.5f), 20, w);
      list->PathArcTo(c, r * 0.9f, -1.5708f, 0.2f, 10);
      list->PathStroke(colour, 0, w * 1.6f);
      break;
    case Icon::reset:
      turn(list, c, r, colour, true);
      break;
    case Icon::undo:
      turn(list, c, r, colour, false);
      break;
    case Icon::close:
      list->AddLine(c - ImVec2(r * 0.7f, r * 0.7f), c + ImVec2(r * 0.7f, r * 0.7f), colour, w);
      list->AddLine(ImVec2(c.x + r * 0.7f, c.y - r * 0.7f), ImVec2(c.x - r * 0.7f, c.y + r * 0.7f),
                    colour, w);
      break;
    case Icon::more:
      for (float k : {-0.7f, 0.f, 0.7f})
        list->AddCircleFilled(ImVec2(c.x, c.y + k * r), r * 0.2f, colour);
      break;
    case Icon::enlarge:  // two arrows away from the middle
      for (const float side : {-1.f, 1.f}) {
        const ImVec2 tip(c.x + side * r * 0.9f, c.y - side * r * 0.9f);
        list->AddLine(ImVec2(c.x + side * r * 0.15f, c.y - side * r * 0.15f), tip, colour, w);
        list->AddLine(tip, ImVec2(tip.x - side * r * 0.7f, tip.y), colour, w);
        list->AddLine(tip, ImVec2(tip.x, tip.y + side * r * 0.7f), colour, w);
      }
      break;
    case Icon::camera:
      list->AddRect(c - ImVec2(r, r * 0.6f), c + ImVec2(r, r * 0.7f), colour, r * 0.25f, 0, w);
      list->AddCircle(c, r * 0.35f, colour, 12, w);
      break;
    case Icon::fit:  // four corners
      for (const float x : {-r, r})
        for (const float y : {-r, r}) {
          const ImVec2 corner = c + ImVec2(x * 0.9f, y * 0.9f);
          list->AddLine(corner, ImVec2(c.x + x * 0.3f, corner.y), colour, w);
          list->AddLine(corner, ImVec2(corner.x, c.y + y * 0.3f), colour, w);
        }
      break;
    case Icon::present:  // a screen on its stand
      list->AddRect(c - ImVec2(r, r * 0.8f), c + ImVec2(r, r * 0.4f), colour, 0, 0, w);
      list->AddLine(ImVec2(c.x, c.y + r * 0.4f), ImVec2(c.x, c.y + r), colour, w);
      list->AddLine(ImVec2(c.x - r * 0.5f, c.y + r), c + ImVec2(r * 0.5f, r), colour, w);
      break;
    case Icon::theme:  // half dark
      list->AddCircle(c, r * 0.9f, colour, 20, w);
      list->PathArcTo(c, r * 0.9f, -1.5708f, 1.5708f, 12);
      list->PathFillConvex(colour);
      break;
    case Icon::help: {  // a question mark
      const float bow = r * 0.5f;
      list->PathArcTo(ImVec2(c.x, c.y - r * 0.45f), bow, -3.14159f, 1.5708f, 14);
      list->PathLineTo(ImVec2(c.x, c.y + r * 0.45f));
      list->PathStroke(colour, 0, w);
      list->AddCircleFilled(ImVec2(c.x, c.y + r * 0.85f), w * 0.7f, colour);
      break;
    }
  }
}

bool iconButton(Shell& shell, const std::string& id, Icon icon, ImVec2 at, float side, float size,
                ImU32 ink, ImU32 hot) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id.c_str(), ImVec2(side, side));
  shell.log->item(id);
  drawIcon(ImGui::GetWindowDrawList(), icon, at + ImVec2(side / 2, side / 2), size,
           ImGui::IsItemHovered() ? hot : ink);
  return pressed;
}

bool wordButton(Shell& shell, const std::string& id, const std::string& words, ImVec2 at, ImU32 ink,
                ImU32 hot, float height) {
  const ImVec2 size = textSize(shell.fonts.small, words);
  height = std::max(height, size.y);
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id.c_str(), ImVec2(size.x, height));
  shell.log->item(id);
  drawText(shell.fonts.small, ImVec2(at.x, at.y + (height - size.y) / 2),
           ImGui::IsItemHovered() ? hot : ink, words);
  return pressed;
}

static ImGuiID lastItem() { return ImGui::GetCurrentContext()->LastItemData.ID; }

bool FocusRing::lastItemHas() const { return has(lastItem()); }

void FocusRing::beginHere() { first_ = lastItem(); }

void FocusRing::take() { focused_ = lastItem(); }

bool FocusRing::item(Shell& shell, bool drawsRing) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (shell.onPage || (g.LastItemData.InFlags & ImGuiItemFlags_Disabled)) return false;
  order_.push_back(lastItem());
  if (!lastItemHas()) return false;
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  const float out = shell.px(2), width = std::max(1.5f, shell.px(2));
  if (drawsRing)
    ImGui::GetWindowDrawList()->AddRect(lo - ImVec2(out, out), hi + ImVec2(out, out),
                                        shell.colours->text, shell.px(4), 0, width);
  const ImRect& inner = g.CurrentWindow->InnerClipRect;
  if (std::exchange(moved_, false) && (lo.y < inner.Min.y || hi.y > inner.Max.y))
    ImGui::SetScrollHereY(0.5f);
  shell.log->rect("focus", lo, hi);
  return std::exchange(pressed_, false);
}

void FocusRing::move(int by) {
  if (last_.empty()) return;
  moved_ = true;
  const auto first = std::ranges::find(last_, first_);
  if (focused_ == 0 && by > 0 && first != last_.end()) {
    focused_ = first_;
    return;
  }
  const auto at = std::ranges::find(last_, focused_);
  const auto count = std::ssize(last_);
  const auto now = at == last_.end() ? (by > 0 ? -1 : count) : at - last_.begin();
  focused_ = last_[static_cast<std::size_t>((now + by + count) % count)];
}

bool FocusRing::clear() { return std::exchange(focused_, 0) != 0; }

// What is no longer drawn loses it.
void FocusRing::endFrame() {
  last_ = std::exchange(order_, {});
  pressed_ = false;
  if (std::ranges::find(last_, focused_) == last_.end()) focused_ = 0;
}

double arrowSteps() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput) return 0;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  double steps = 0;
  if (pressed(ImGuiKey_RightArrow) || pressed(ImGuiKey_UpArrow)) steps += 1;
  if (pressed(ImGuiKey_LeftArrow) || pressed(ImGuiKey_DownArrow)) steps -= 1;
  return steps * (io.KeyShift ? 0.1 : io.KeyCtrl ? 10 : 1);
}

}  // namespace cellscope::gui
