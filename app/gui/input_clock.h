// From input, by the clock of the display, to the picture that answers it.
#pragma once
#include <imgui.h>

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace cellscope::gui {

double monotonicSeconds();  // by CLOCK_MONOTONIC

// The value below which this share of them lies; 0: there are none.
float quantile(std::vector<float> values, double share);

class InputClock {
 public:
  // Before events are handled: notes the oldest input that waits. X servers of this computer give
  // when it was made, to 1 ms; elsewhere it counts from here, which leaves out how long it waited.
  void look();
  void arrived();           // the same for input that ended a sleep: it has just been made
  void take(bool handled);  // input that was looked at has been handled; `handled`: there was any
  // The next picture answers input whose delay is wanted: not more than ten a second.
  bool measures() const;
  // What waits was made while the window was being opened: it is not measured.
  void forget() { waiting_.reset(), taken_.reset(); }
  // That picture is complete, or another one. Returns the delay that was measured, if any.
  struct Answer {
    double seconds, waited;  // from input to picture; of that, until the input was read
  };
  std::optional<Answer> shown();

  struct Delays {
    std::size_t count = 0;                 // answers, of the last few hundred
    double median = 0, p95 = 0, most = 0;  // seconds
    bool stamped = false;                  // by the display's clock
  };
  Delays delays() const;

 private:
  std::optional<double> waiting_, taken_;  // CLOCK_MONOTONIC, seconds
  double read_ = 0;                        // when what was taken had been read
  double measured_ = 0;
  std::vector<float> last_;  // ring of delays
  std::size_t next_ = 0;
  bool stamped_ = false;
};

// Where the time of frames goes, and of the longest: each part of the loop says when it is done.
class FrameClock {
 public:
  // input: events of the display; panels: built and drawn; upload: particles to OpenGL; picture:
  // drawn; files: pictures and videos; display: swapped, and waited for where input is timed.
  enum Part { input, panels, upload, picture, files, display };
  static constexpr int kParts = 6;
  struct Frame {
    std::array<double, kParts> parts{};  // seconds
    double seconds() const;              // of all, without waiting for the next one
    std::string words() const;           // "upload 1.2 s, panels 3.4 ms", the longest first
  };

  // Nothing is counted until now: a pause between frames.
  void begin() { since_ = monotonicSeconds(); }
  void passed(Part part);  // since the last call this part was at work
  const Frame& end();      // the frame is complete
  // The longest of the last minute or two, and of all since the first.
  const Frame& longest() const;
  const Frame& longestOfAll() const { return longestOfAll_; }

 private:
  static constexpr double kMinute = 60;
  double since_ = monotonicSeconds(), minute_ = since_;
  Frame now_, last_, before_, present_, longestOfAll_;  // before_: of the minute before
};

// Queue of mouse button presses and releases. ImGui before 1.87 samples the buttons once per frame:
// with slow frames, a click between two of them would be lost or misplaced.
class MouseQueue {
 public:
  static constexpr int kButtons = 3;

  void add(int button, bool down, ImVec2 at);

  struct Seen {
    bool down[kButtons] = {};
    std::optional<ImVec2> at;  // position of the last change; empty: nothing changed
  };
  // Input for the next frame: all queued changes up to the second change of any button.
  Seen next();

 private:
  struct Change {
    int button;
    bool down;
    ImVec2 at;
  };
  std::deque<Change> waiting_;
  bool down_[kButtons] = {};
};

}  // namespace cellscope::gui
