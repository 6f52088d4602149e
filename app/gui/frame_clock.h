// Where the time of a frame goes, and of the longest of them: each part of the loop says when it is
// done.
#pragma once
#include <array>
#include <chrono>
#include <string>

namespace cellscope::gui {

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
  void begin();
  // Since the last call this part was at work.
  void passed(Part part);
  // The frame is complete.
  const Frame& end();
  // The longest of the last minute or two, and of all since the first.
  const Frame& longest() const;
  const Frame& longestOfAll() const { return longestOfAll_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kMinute = 60;
  Clock::time_point since_ = Clock::now(), minute_ = since_;
  Frame now_, last_, before_, present_, longestOfAll_;  // before_: of the minute before
};

}  // namespace cellscope::gui
