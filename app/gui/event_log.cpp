#include "app/gui/event_log.h"

#include <fmt/format.h>

#include <chrono>

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
  if (!on()) return;
  const std::string text =
      fmt::format("{:.0f} {:.0f} {:.0f} {:.0f}", lo.x, lo.y, hi.x - lo.x, hi.y - lo.y);
  std::string& known = rects_[name];
  if (known == text) return;
  known = text;
  write("rect", name + " " + text);
}

void EventLog::item(const std::string& name) {
  if (on()) rect(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

}  // namespace cellscope::gui
