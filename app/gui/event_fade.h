// How marks of the last step or phase flash and fade.
#pragma once
#include <cstdint>

namespace cellscope::gui {

constexpr double kFadeSeconds = 0.3;
constexpr float kFadeTrace = 0.3f;  // opacity after the fade

// Opacity of the marks. While the run plays: 1 right after a step or phase, falling linearly to
// kFadeTrace. At rest, when one looks at them, they stay.
class EventFade {
 public:
  // `time` in seconds; a new (step, phase) starts a new flash.
  float opacity(std::uint64_t step, int phase, double time, bool playing);

 private:
  std::uint64_t step_ = ~0ull;
  int phase_ = -1;
  double began_ = 0;
};

}  // namespace cellscope::gui
