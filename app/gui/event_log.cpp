#include "app/gui/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/base/error.h"

namespace cellscope::gui {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

EventLog::EventLog(const std::string& path) : path_(path), start_(now()) {
  if (path.empty()) return;
  file_.open(path, std::ios::trunc);
  if (!file_) throw RunError("cannot write the event log " + path + ": choose a writable folder");
  write("clock", fmt::format("{:.4f}", start_));
}

std::string EventLog::trouble() const {
  return on() && !file_ ? "the event log " + path_ + " could not be written to its end" : "";
}

void EventLog::write(const std::string& event, const std::string& details) {
  if (!on()) return;
  file_ << fmt::format("{:.3f} {} {}\n", now() - start_, event, details);
  file_.flush();
}

void EventLog::state(const std::string& name, const std::string& details) {
  if (!on()) return;
  const auto [known, fresh] = states_.try_emplace(name);
  if (!fresh && known->second == details) return;
  known->second = details;
  write(name, details);
}

void EventLog::rect(const std::string& name, ImVec2 lo, ImVec2 hi) {
  see(name, lo, hi);
  if (on()) place(name, lo, hi);
}

void EventLog::place(const std::string& name, ImVec2 lo, ImVec2 hi) {
  const std::string text =
      fmt::format("{:.0f} {:.0f} {:.0f} {:.0f}", lo.x, lo.y, hi.x - lo.x, hi.y - lo.y);
  std::string& known = rects_[name];
  if (known == text) return;
  known = text;
  write("rect", name + " " + text);
}

void EventLog::item(const std::string& name) {
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  if (!watch_.empty()) {  // what is scrolled out of a panel is not in view
    const ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 a = list->GetClipRectMin(), b = list->GetClipRectMax();
    see(name, ImVec2(std::max(lo.x, a.x), std::max(lo.y, a.y)),
        ImVec2(std::min(hi.x, b.x), std::min(hi.y, b.y)));
  }
  if (on()) place(name, lo, hi);
}

void EventLog::see(const std::string& name, ImVec2 lo, ImVec2 hi) {
  if (hi.x < lo.x + 4 || hi.y < lo.y + 4) return;
  if (std::find(watch_.begin(), watch_.end(), name) == watch_.end()) return;
  seenLo_ = seen_ ? ImVec2(std::min(seenLo_.x, lo.x), std::min(seenLo_.y, lo.y)) : lo;
  seenHi_ = seen_ ? ImVec2(std::max(seenHi_.x, hi.x), std::max(seenHi_.y, hi.y)) : hi;
  seen_ = true;
}

bool EventLog::watched(ImVec2& lo, ImVec2& hi) {
  lo = seenLo_;
  hi = seenHi_;
  return std::exchange(seen_, false);
}

}  // namespace cellscope::gui
