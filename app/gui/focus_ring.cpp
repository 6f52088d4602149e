
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "app/gui/shell.h"

namespace cellscope::gui {

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
    ImGui::GetWindowDrawList()->AddRect(ImVec2(lo.x - out, lo.y - out),
                                        ImVec2(hi.x + out, hi.y + out), shell.colours->text,
                                        shell.px(4), 0, width);
  const ImRect& inner = g.CurrentWindow->InnerClipRect;
  if (std::exchange(moved_, false) && (lo.y < inner.Min.y || hi.y > inner.Max.y))
    ImGui::SetScrollHereY(0.5f);
  shell.log->rect("focus", lo, hi);
  return std::exchange(pressed_, false);
}

void FocusRing::move(int by) {
  if (last_.empty()) return;
  moved_ = true;
  const auto first = std::find(last_.begin(), last_.end(), first_);
  if (focused_ == 0 && by > 0 && first != last_.end()) {
    focused_ = first_;
    return;
  }
  const auto at = std::find(last_.begin(), last_.end(), focused_);
  const auto count = std::ssize(last_);
  const auto now = at == last_.end() ? (by > 0 ? -1 : count) : at - last_.begin();
  focused_ = last_[static_cast<std::size_t>((now + by + count) % count)];
}

bool FocusRing::clear() { return std::exchange(focused_, 0) != 0; }

// What is no longer drawn loses it.
void FocusRing::endFrame() {
  last_ = std::exchange(order_, {});
  pressed_ = false;
  if (std::find(last_.begin(), last_.end(), focused_) == last_.end()) focused_ = 0;
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
