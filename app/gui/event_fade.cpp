#include "app/gui/event_fade.h"

#include <algorithm>

namespace cellscope::gui {

float EventFade::opacity(std::uint64_t step, int phase, double time) {
  if (step != step_ || phase != phase_) {
    step_ = step;
    phase_ = phase;
    began_ = time;
  }
  const auto done = static_cast<float>((time - began_) / kFadeSeconds);
  return kFadeTrace + (1 - kFadeTrace) * std::clamp(1 - done, 0.0f, 1.0f);
}

}  // namespace cellscope::gui
