// Machine-readable log of what is shown and done, for tests: one line per event.
#pragma once
#include <imgui.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/run/sample_history.h"

namespace cellscope::gui {

// Lines: "<seconds> <event> <details>". Widget rectangles: "<seconds> rect <name> <x> <y> <w> <h>"
// in window pixels, written when they change. Does nothing without a file.
class EventLog {
 public:
  EventLog() = default;
  // Throws RunError when the file cannot be written.
  explicit EventLog(const std::string& path);
  bool on() const { return file_.is_open(); }
  std::string trouble() const;  // write error, or ""
  void write(const std::string& event, const std::string& details = "");
  // Written only when the details have changed.
  void state(const std::string& name, const std::string& details);
  void rect(const std::string& name, ImVec2 lo, ImVec2 hi);
  // Those of the last ImGui item, and of the present window.
  void item(const std::string& name);
  void window(const std::string& name);
  // The window itself may ask where widgets of these names are, with or without a file.
  void watch(const std::vector<std::string>& names) { watch_ = names; }
  // What encloses those that were in view since the last call; false: none was.
  bool watched(ImVec2& lo, ImVec2& hi);

 private:
  std::string path_;
  std::ofstream file_;
  std::map<std::string, std::string> rects_, states_;
  double start_ = 0;
  void place(const std::string& name, ImVec2 lo, ImVec2 hi);
  void see(const std::string& name, ImVec2 lo, ImVec2 hi);
  std::vector<std::string> watch_;
  bool seen_ = false;
  ImVec2 seenLo_, seenHi_;
};

// Averages as they are shown: without the approach to equilibrium, and grey until it is over.

inline constexpr const char* kErrorUnknown =
    "The plus sign: too few samples to estimate the error, which may be larger.";

struct Average {
  std::string value;  // with its error; "" without samples
  bool errorKnown = true;
  bool isBound = false;     // its error is shown with a plus: that, or more
  bool settled = false;     // otherwise not yet a result
  std::string state;        // "equilibrating", "averaged from sweep 1 200 on"
  std::string explanation;  // the rule, and what it left out
};
Average averageOf(const ObservableSeries& series, const std::string& stepName);

// That averages still contain the approach to equilibrium, or are too short to tell; "": none does.
std::string equilibrating(const std::vector<ObservableSeries>& series);

}  // namespace cellscope::gui
