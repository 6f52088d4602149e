// What every mode does alike, whatever its parameters: its words and their version, one exec and
// its kernel times, steps made of phases, going back to the last valid state, memory hints.
#pragma once
#include "sim/api/mode.h"
#include "sim/exec/context.h"
#include "sim/modes/memory_need.h"

namespace cellscope {

class ModeCore : public Mode {
 public:
  const ModeDescription& description() const final { return description_; }
  const ModeInfo& info() const final { return info_; }

  // A step begun by advancePhase() is completed first and counts as the first one.
  void advance(std::uint64_t steps) final;
  void advancePhase() final;
  int nextPhase() const final { return phase_; }
  std::uint64_t step() const final { return step_; }
  std::optional<Preparation> preparation() const override { return std::nullopt; }
  std::vector<KernelTime> kernelTimes() const override { return exec_->profile().read(); }

 protected:
  ModeCore(const ModeDescription& description, const ExecConfig& config);

  // --- What a mode brings ---

  // Sets what parameters and state make of the words of the description: phases, and where they
  // differ dimension, layers on offer and words of observables.
  virtual void fillInfo(ModeInfo& info) const = 0;
  // Whole steps, or units of preparation, from the start of a step on. Calls countSteps().
  virtual void runSteps(std::uint64_t count) = 0;
  // One phase. alone: it was asked for by itself, to be looked at. When it throws, the phase is
  // still to come, unless goBack() was called.
  virtual void runPhase(int phase, bool alone) = 0;
  // Whether there is more to do, or to be looked at, of the phase that was run last: then it is the
  // next one, too.
  virtual bool phaseGoesOn() const { return false; }
  // Memory of the run, for the hint when an allocation fails.
  virtual RunMemory memoryOfRun() const = 0;
  // Remember the state, and go back to it.
  virtual void keepState() {}
  virtual void recallState() {}

  // --- What it is given ---

  void completeStep();  // phases that are left of a step begun by advancePhase()
  void countSteps(std::uint64_t count) { step_ += count; }
  // The last valid state: to be kept at the start of a step.
  void keep();
  void goBack();
  std::uint64_t keptStep() const { return keptStep_; }
  // fillInfo() is asked again, and the version rises when it has changed. To be called when the
  // state has changed what it depends on; changes of parameters are followed anyway.
  void refreshInfo();
  // Steps count from here: a new state at its start, or a loaded one.
  void setStep(std::uint64_t step, int phase);
  // Does what may allocate. Where memory is out, the largest n that would fit is added to the
  // error.
  template <class Action>
  auto withHint(const Action& action) const {
    return withMemoryHint([this] { return memoryOfRun(); }, action);
  }
  const ExecConfig& config() const { return config_; }

  const exec::Shared exec_;  // of all engines, observables and layers of the mode

 private:
  void runNextPhase(bool alone);

  const ModeDescription& description_;
  const ExecConfig config_;
  ModeInfo info_;
  std::uint64_t step_ = 0, keptStep_ = 0;
  int phase_ = 0;
};

}  // namespace cellscope
