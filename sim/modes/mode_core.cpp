#include "sim/modes/mode_core.h"

#include "sim/core/assert.h"

namespace cellscope {

ModeCore::ModeCore(const ModeDescription& description, const ExecConfig& config)
    : exec_(exec::makeExec(config)), description_(description), config_(config) {
  static_cast<ModeWords&>(info_) = description;
}

void ModeCore::refreshInfo() {
  ModeInfo now;
  static_cast<ModeWords&>(now) = description_;
  now.dimension = description_.dimensions.front();
  now.version = info_.version;
  fillInfo(now);
  if (now == info_) return;
  ++now.version;
  info_ = std::move(now);
}

void ModeCore::setStep(std::uint64_t step, int phase) {
  CELLSCOPE_ASSERT(phase >= 0);
  step_ = keptStep_ = step;
  phase_ = phase;
}

void ModeCore::runNextPhase(bool alone) {
  runPhase(phase_, alone);
  if (phaseGoesOn()) return;
  if (++phase_ < static_cast<int>(info_.phases.size())) return;
  phase_ = 0;
  countSteps(1);
}

void ModeCore::completeStep() {
  while (phase_ != 0) runNextPhase(false);
}

void ModeCore::advance(std::uint64_t steps) {
  if (steps == 0) return;
  withHint([&] {
    const bool begun = phase_ != 0;
    completeStep();
    if (steps > begun) runSteps(steps - begun);
  });
}

void ModeCore::advancePhase() {
  if (phase_ == 0 && preparation()) return advance(1);
  withHint([&] { runNextPhase(true); });
}

void ModeCore::keep() {
  keepState();
  keptStep_ = step_;
}

void ModeCore::goBack() {
  recallState();
  step_ = keptStep_;
  phase_ = 0;
}

}  // namespace cellscope
