// From input to the picture that answers it: when keys were pressed and the mouse was moved, by the
// clock of the display.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

namespace cellscope::gui {

class InputClock {
 public:
  // Before events are handled: notes the oldest input that waits. X servers of this computer say
  // when it was made, to 1 ms; elsewhere it counts from here, which leaves out how long it waited.
  void look();
  // The same for input that ended a sleep: it has just been made.
  void arrived();
  // Input that was looked at has been handled; `handled`: there was any.
  void take(bool handled);
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

}  // namespace cellscope::gui
