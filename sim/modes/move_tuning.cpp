#include "sim/modes/move_tuning.h"

#include <fmt/format.h>

#include "sim/api/frame.h"
#include "sim/base/error.h"

namespace cellscope {

std::optional<Preparation> tuningProgress(const TargetTuner& tuner, double displacement) {
  if (!tuner.state.active) return std::nullopt;
  return Preparation{
      fmt::format("tuning the maximum displacement (d = {:.4g}, acceptance {:.3f}, target {:.3f})",
                  displacement, tuner.state.measured, tuner.state.target),
      tuner.progress()};
}

std::optional<SelfCheck> missedTarget(const TargetTuner& tuner, double displacement) {
  if (!tuner.missed()) return std::nullopt;
  const TunerState& s = tuner.state;
  const char* const why = displacement >= tuner.range().largest ? "the largest that there can be"
                          : displacement <= tuner.range().smallest
                              ? "the smallest that there can be"
                              : "where the search gave up";
  return warningCheck(
      fmt::format("the search for a maximum displacement missed its target: acceptance {:.3f}, "
                  "target {:.3f}, at d = {:.4g}, {} (after {} rounds)",
                  s.measured, s.target, displacement, why, s.rounds));
}

// Field by field: the bytes between them are not defined.
void writeTuner(BinaryWriter& out, const TunerState& s) {
  out.value(static_cast<std::uint8_t>(s.active));
  out.value(s.target);
  out.value(s.stepsLeft);
  out.value(s.roundSteps);
  out.value(s.rounds);
  out.value(s.hits);
  out.value(s.measured);
}

TunerState readTuner(BinaryReader& in) {
  constexpr std::uint64_t kMostSteps = 1000000;  // of a round
  TunerState s;
  s.active = in.value<std::uint8_t>("tuner") != 0;
  s.target = in.value<double>("tuner target");
  s.stepsLeft = in.value<std::uint64_t>("tuner steps left");
  s.roundSteps = in.value<std::uint64_t>("tuner steps");
  s.rounds = in.value<std::int64_t>("tuner rounds");
  s.hits = in.value<std::int64_t>("tuner hits");
  s.measured = in.value<double>("tuner acceptance");
  const bool possible = s.target > 0 && s.target < 1 && s.stepsLeft <= s.roundSteps &&
                        s.roundSteps <= kMostSteps && s.measured >= 0 && s.measured <= 1;
  if (!possible || (s.active && s.stepsLeft == 0))
    throw InputError("checkpoint: the state of the tuner is impossible");
  return s;
}

}  // namespace cellscope
