#include "app/gui/event_fade.h"

#include <algorithm>

namespace cellscope::gui {

float EventFade::opacity(std::uint64_t step, int phase, double time, bool playing) {
  if (step != step_ || phase != phase_) {
    step_ = step;
    phase_ = phase;
    began_ = time;
  }
  if (!playing) return 1;
  const auto done = static_cast<float>((time - began_) / kFadeSeconds);
  return kFadeTrace + (1 - kFadeTrace) * std::clamp(1 - done, 0.0f, 1.0f);
}

}  // namespace cellscope::gui
