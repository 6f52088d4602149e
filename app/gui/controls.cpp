// Windows without decoration, and what stands in several of them.
#include "app/gui/panels.h"

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

bool dimRest(Shell& shell, const std::string& name) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, withAlpha(shell.colours->viewport, 0.6f));
  Pane pane(name, {.size = screen, .padding = ImVec2(0, 0), .isSquare = true});
  const bool pressed = ImGui::InvisibleButton("rest", screen);
  pane.end();
  ImGui::PopStyleColor();
  shell.focus.restart();
  return pressed;
}

ImVec2 withinScreen(Shell& shell, ImVec2 size, ImVec2 margin) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  return ImVec2(std::min(shell.px(size.x), screen.x - shell.px(margin.x)),
                std::min(shell.px(size.y), screen.y - shell.px(margin.y)));
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

PaneLook bareLook(ImVec2 at, ImVec2 size, ImGuiWindowFlags more) {
  return {.at = at,
          .size = size,
          .padding = ImVec2(0, 0),
          .more = more | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground |
                  ImGuiWindowFlags_NoFocusOnAppearing,
          .isSquare = true};
}

PaneLook paletteLook(Shell& shell, ImVec2 at, ImVec2 size) {
  return {.at = at,
          .size = size,
          .padding = shell.px(2, 2),
          .more = kCardPane | ImGuiWindowFlags_NoBringToFrontOnFocus,
          .opacity = 0.7f};
}

PaneLook progressLook(Shell& shell, ImVec2 bottom, float width) {
  return {.at = bottom,
          .size = ImVec2(width, 0),
          .padding = shell.px(16, 12),
          .more = kCardPane,
          .border = 1,
          .pivot = ImVec2(0.5f, 1)};
}

void progressBar(Shell& shell, double progress, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = shell.px(6);
  const auto part = [&](float from, float to, ImU32 colour) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + width * from, at.y),
                                              at + ImVec2(width * to, height), colour, height / 2);
  };
  part(0, 1, shell.colours->raised);
  if (progress >= 0) {
    part(0, static_cast<float>(std::clamp(progress, 0.02, 1.0)), shell.colours->accent);
  } else {  // unknown progress: a moving segment
    const auto middle = static_cast<float>(0.5 - 0.35 * std::cos(2 * shell.time));
    part(middle - 0.15f, middle + 0.15f, shell.colours->accent);
  }
  ImGui::Dummy(ImVec2(width, height));
}

bool beginMenu(Shell& shell, const std::string& id, bool ofItem) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, shell.px(10, 8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(8, 6));
  const char* const name = id.c_str();
  if (ofItem ? ImGui::BeginPopupContextItem(name) : ImGui::BeginPopup(name)) return true;
  ImGui::PopStyleVar(2);
  return false;
}

void endMenu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

bool menuItem(Shell& shell, const std::string& name, const std::string& words, bool on) {
  const bool pressed = ImGui::MenuItem(onScreen(words).c_str(), nullptr, on);
  shell.log->item(name);
  return pressed;
}

bool optionRow(Shell& shell, const OptionRow& row, double& value) {
  const float width = row.width > 0 ? row.width : ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = drawTextTo(shell.fonts.smallNumbers, ImVec2(at.x + width, at.y),
                                 shell.colours->text, row.shown);
  drawText(shell.fonts.small, at, shell.colours->muted,
           fitted(shell.fonts.small, row.label, right - at.x - shell.px(8)));
  ImGui::Dummy(ImVec2(width, shell.px(15)));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  const double span = std::max(row.hi - row.lo, 1e-9);
  auto fraction = static_cast<float>((value - row.lo) / span);
  fraction = std::clamp(fraction, 0.f, 1.f);
  ImGui::BeginChild(("##" + row.id).c_str(), ImVec2(width, shell.px(18)));
  const SliderResult result = slider(shell, "option:" + row.id, fraction, shell.colours->accent);
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
    const bool on = static_cast<int>(i) == chosen;
    if (pressable(shell, fmt::format("choice:{}:{}", id, i), ImVec2(part, height)) && !on) {
      chosen = static_cast<int>(i);
      changed = true;
    }
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
  drawText(shell.fonts.small, at + shell.px(0, 2), shell.colours->text,
           fitted(shell.fonts.small, label, width - shell.px(44)));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y));
  const bool pressed = toggle(shell, "switch:" + id, on, shell.colours->accent);
  if (pressed) on = !on;
  return pressed;
}

namespace {

// Where an icon is drawn: half of its size, width of a line.
struct IconPen {
  ImDrawList* list;
  ImVec2 middle;
  float r, w;
  ImU32 colour;
  ImVec2 at(const float* p) const { return middle + ImVec2(r * p[0], r * p[1]); }
};

// A part of an icon, in halves of the icon's size from its middle, y downwards.
struct IconShape {
  void (*draw)(const IconPen&, const float* at) = nullptr;
  float at[6] = {};
};

struct IconShapes {
  Icon icon;
  IconShape shapes[8];
};

constexpr auto shapeOf(void (*draw)(const IconPen&, const float* at)) {
  return [draw](auto... at) { return IconShape{draw, {static_cast<float>(at)...}}; };
}

// line, bar, frame: two ends, rounding; triangle: corners; dot: middle, radius, radius in widths of
// a line; circle: middle, radius, opacity, segments; arc: middle, radius, two angles, segments; to:
// a place. arc and to lengthen a path, which stroke, closed (to its beginning; both of a width in
// those of a line) or fill draws.
std::span<const IconShapes> allIcons() {
  using Pen = const IconPen&;
  using At = const float*;
  constexpr auto line =
      shapeOf([](Pen i, At p) { i.list->AddLine(i.at(p), i.at(p + 2), i.colour, i.w); });
  constexpr auto bar =
      shapeOf([](Pen i, At p) { i.list->AddRectFilled(i.at(p), i.at(p + 2), i.colour); });
  constexpr auto frame = shapeOf(
      [](Pen i, At p) { i.list->AddRect(i.at(p), i.at(p + 2), i.colour, i.r * p[4], 0, i.w); });
  constexpr auto triangle = shapeOf(
      [](Pen i, At p) { i.list->AddTriangleFilled(i.at(p), i.at(p + 2), i.at(p + 4), i.colour); });
  constexpr auto dot = shapeOf(
      [](Pen i, At p) { i.list->AddCircleFilled(i.at(p), i.r * p[2] + i.w * p[3], i.colour); });
  constexpr auto circle = shapeOf([](Pen i, At p) {
    i.list->AddCircle(i.at(p), i.r * p[2], withAlpha(i.colour, p[3]), static_cast<int>(p[4]), i.w);
  });
  constexpr auto arc = shapeOf([](Pen i, At p) {
    i.list->PathArcTo(i.at(p), i.r * p[2], p[3], p[4], static_cast<int>(p[5]));
  });
  constexpr auto to = shapeOf([](Pen i, At p) { i.list->PathLineTo(i.at(p)); });
  constexpr auto stroke = shapeOf([](Pen i, At p) { i.list->PathStroke(i.colour, 0, i.w * p[0]); });
  constexpr auto closed =
      shapeOf([](Pen i, At p) { i.list->PathStroke(i.colour, ImDrawFlags_Closed, i.w * p[0]); });
  constexpr auto fill = shapeOf([](Pen i, At) { i.list->PathFillConvex(i.colour); });
  constexpr float kPi = 3.14159265f, kTop = -1.5708f, kFoot = 1.5708f;
  // Of the arrows that turn: where their circles begin, and the foot of the arrow head there.
  constexpr float kFrom = -0.15f * kPi, kX = 0.757356f, kY = -0.385892f, kHead = 0.55f;
  static constexpr IconShapes kAll[] = {
      {Icon::play, {triangle(-0.7f, -1, 0.9f, 0, -0.7f, 1)}},
      {Icon::pause, {bar(-0.7f, -1, -0.2f, 1), bar(0.2f, -1, 0.7f, 1)}},
      {Icon::step, {bar(-0.7f, -1, -0.2f, 1), triangle(-0.05f, -1, 1.1f, 0, -0.05f, 1)}},
      {Icon::back, {bar(0.55f, -1, 1, 1), triangle(0.3f, 1, -0.9f, 0, 0.3f, -1)}},
      {Icon::end, {bar(0.6f, -1, 1, 1), triangle(-0.9f, -1, 0.5f, 0, -0.9f, 1)}},
      {Icon::phase, {circle(0, 0, 0.9f, 0.5f, 20), arc(0, 0, 0.9f, kTop, 0.2f, 10), stroke(1.6f)}},
      {Icon::reset,
       {arc(0, 0, 0.85f, kFrom, kFrom + 1.6f * kPi, 24), stroke(1),
        triangle(kX - kHead, kY, kX + kHead, kY, kX, kY - 1.2f * kHead)}},
      {Icon::undo,
       {arc(0, 0, 0.85f, -0.85f * kPi, kFrom - 2.3f * kPi, 24), stroke(1),
        triangle(-kX - kHead, kY, -kX + kHead, kY, -kX, kY - 1.2f * kHead)}},
      {Icon::close, {line(-0.7f, -0.7f, 0.7f, 0.7f), line(0.7f, -0.7f, -0.7f, 0.7f)}},
      {Icon::more, {dot(0, -0.7f, 0.2f), dot(0, 0, 0.2f), dot(0, 0.7f, 0.2f)}},
      {Icon::enlarge,
       {line(-0.15f, 0.15f, -0.9f, 0.9f), line(-0.9f, 0.9f, -0.2f, 0.9f),
        line(-0.9f, 0.9f, -0.9f, 0.2f), line(0.15f, -0.15f, 0.9f, -0.9f),
        line(0.9f, -0.9f, 0.2f, -0.9f), line(0.9f, -0.9f, 0.9f, -0.2f)}},
      {Icon::camera, {frame(-1, -0.6f, 1, 0.7f, 0.25f), circle(0, 0, 0.35f, 1, 12)}},
      {Icon::fit,
       {line(-0.9f, -0.9f, -0.3f, -0.9f), line(-0.9f, -0.9f, -0.9f, -0.3f),
        line(-0.9f, 0.9f, -0.3f, 0.9f), line(-0.9f, 0.9f, -0.9f, 0.3f),
        line(0.9f, -0.9f, 0.3f, -0.9f), line(0.9f, -0.9f, 0.9f, -0.3f),
        line(0.9f, 0.9f, 0.3f, 0.9f), line(0.9f, 0.9f, 0.9f, 0.3f)}},
      {Icon::present, {frame(-1, -0.8f, 1, 0.4f), line(0, 0.4f, 0, 1), line(-0.5f, 1, 0.5f, 1)}},
      {Icon::theme, {circle(0, 0, 0.9f, 1, 20), arc(0, 0, 0.9f, kTop, kFoot, 12), fill()}},
      {Icon::help,
       {arc(0, -0.45f, 0.5f, -kPi, kFoot, 14), to(0, 0.45f), stroke(1), dot(0, 0.85f, 0, 0.7f)}},
      {Icon::select, {triangle(-0.6f, -1, 0.7f, 0.3f, -0.6f, 0.8f), line(0, 0.1f, 0.4f, 1)}},
      {Icon::grab,
       {dot(-0.55f, 0.55f, 0.45f), to(-0.3f, 0.3f), to(0.2f, 0.3f), to(0.1f, -0.1f), to(0.6f, 0),
        to(0.5f, -0.5f), to(1, -0.3f), stroke(1)}},
      {Icon::add, {circle(0, 0, 0.95f, 1, 20), line(-0.5f, 0, 0.5f, 0), line(0, -0.5f, 0, 0.5f)}},
      {Icon::remove, {circle(0, 0, 0.95f, 1, 20), line(-0.5f, 0, 0.5f, 0)}},
      {Icon::heat, {arc(0, 0.3f, 0.65f, -0.35f, 3.5f, 16), to(0.1f, -1), closed(1)}},
      {Icon::cool,
       {line(0, -1, 0, 1), line(-0.87f, -0.5f, 0.87f, 0.5f), line(-0.87f, 0.5f, 0.87f, -0.5f)}}};
  return kAll;
}

}  // namespace

void drawIcon(Icon icon, ImVec2 middle, float size, ImU32 colour) {
  const auto all = allIcons();
  const auto found = std::ranges::find(all, icon, &IconShapes::icon);
  if (found == all.end()) return;
  const IconPen pen{ImGui::GetWindowDrawList(), middle, size / 2, std::max(1.2f, size * 0.14f),
                    colour};
  for (const auto& [draw, at] : found->shapes)
    if (draw) draw(pen, at);
}

static ImU32 inkOfItem(const Shell& shell, ImU32 ink, ImU32 hot) {
  return !ImGui::IsItemHovered() ? ink : hot ? hot : shell.colours->text;
}

bool iconButton(Shell& shell, const std::string& id, Icon icon, ImVec2 at, float side, float size,
                ImU32 ink, ImU32 hot) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id, ImVec2(side, side));
  drawIcon(icon, at + ImVec2(side / 2, side / 2), size,
           inkOfItem(shell, ink ? ink : shell.colours->muted, hot));
  return pressed;
}

bool wordButton(Shell& shell, const std::string& id, const std::string& words, ImVec2 at, ImU32 ink,
                ImU32 hot, float height) {
  const ImVec2 size = textSize(shell.fonts.small, words);
  height = std::max(height, size.y);
  ImGui::SetCursorScreenPos(at);
  const bool pressed = pressable(shell, id, ImVec2(size.x, height));
  drawText(shell.fonts.small, ImVec2(at.x, at.y + (height - size.y) / 2),
           inkOfItem(shell, ink ? ink : shell.colours->accent, hot), words);
  return pressed;
}

static ImGuiID lastItem() { return ImGui::GetCurrentContext()->LastItemData.ID; }

bool FocusRing::lastItemHas() const { return any() && focused_ == lastItem(); }

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
  if (focused_ == 0 && by > 0 && hasItem(last_, first_)) {
    focused_ = first_;
    return;
  }
  const auto at = std::ranges::find(last_, focused_);
  const auto count = std::ssize(last_);
  const auto now = at == last_.end() ? (by > 0 ? -1 : count) : at - last_.begin();
  focused_ = last_[static_cast<std::size_t>((now + by + count) % count)];
}

// What is no longer drawn loses it.
void FocusRing::endFrame() {
  last_ = std::exchange(order_, {});
  pressed_ = false;
  if (!hasItem(last_, focused_)) focused_ = 0;
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
