// What every mode does alike, whatever its parameters: its words and their version, one exec and
// its kernel times, steps made of phases, going back to the last valid state, memory, parameters
// applied as a whole, and tuning.
#pragma once
#include "sim/algo/race/tuner.h"
#include "sim/api/frame.h"
#include "sim/api/mode.h"
#include "sim/api/parameter.h"
#include "sim/base/backend.h"
#include "sim/base/error.h"
#include "sim/exec/context.h"
#include "sim/io/container.h"

namespace cellscope {

// Whether a state fits into memory, before anything is allocated, and the error message if it does
// not: how much is needed, how much is free, and the largest n that fits.
struct MemoryNeed {
  std::size_t building = 0;  // beside the present state, while the new one is made
  std::size_t running = 0;   // at the peak of its run and drawing; the present state is gone then
  std::size_t host = 0;      // beside the present state, where the arrays are on a GPU
};

// Bytes of n items of a frame where it is drawn: one being packed, one published and one shown, and
// what the renderer keeps, with its headroom of a quarter: OpenGL's buffer, before it on the CPU
// backend the staging, and on a software renderer both in the same memory.
inline std::size_t frameBytes(std::size_t n, std::size_t itemSize, Backend where) {
  const std::size_t quarters = 4 * 3 + (where == Backend::cuda ? 5 : 2 * 5);
  return n * itemSize * quarters / 4;
}

// Of an engine with n particles that takes `engine` bytes, and `host` bytes of copies of its state
// on the host, as it is made and as it is taken; a particle is drawn as an item of itemSize bytes.
inline MemoryNeed engineMemory(std::size_t n, std::size_t engine, std::size_t host,
                               std::size_t itemSize, const ExecConfig& config) {
  const bool gpu = config.backend == Backend::cuda;
  const std::size_t building = engine + (gpu ? 0 : host);
  const std::size_t drawn = config.drawn ? frameBytes(n, itemSize, config.backend) : 0;
  return {building, building + drawn, gpu ? host : 0};
}

// The largest n that fits where `n` need `needed` bytes and `have` are to be had, a little less.
inline std::int64_t largestThatFits(std::int64_t n, std::size_t needed, std::size_t have) {
  const double share = static_cast<double>(have) / static_cast<double>(std::max(needed, have));
  return static_cast<std::int64_t>(0.95 * share * static_cast<double>(n));
}

// Throws RunError when n particles do not fit into the memory of the backend or of the host. A run
// that goes over would be ended by the system, and what it has computed would be lost. `what`: the
// particles, "disks at this packing"; `advice`: another way out than fewer of them, or "".
void requireMemory(std::int64_t n, const char* what, const MemoryNeed& need,
                   const ExecConfig& config, const char* advice);
// The same for one memory with the numbers at hand. where: "GPU memory" or "memory".
void requireBytes(std::int64_t n, const char* what, std::size_t needed, std::size_t have,
                  const char* where, const char* advice);

// A run of n particles: bytes of its arrays in the backend's memory now, and at its peak.
struct RunMemory {
  std::int64_t n = 0;
  std::size_t held = 0, needed = 0;
  const char* what = "'n'";  // name of the value to reduce: a key, or words
};

// Does what may allocate during a run. Where memory is out, the largest n that would fit is added
// to what is said; measure() tells of the run then.
auto withMemoryHint(const auto& measure, const auto& action) {
  try {
    return action();
  } catch (const OutOfMemory& e) {
    const RunMemory run = measure();
    const std::size_t needed = std::max(run.held + e.bytes, run.needed);
    throw RunError(e.shortage + "; the state is kept; the largest " + run.what +
                   " that fits is about " +
                   std::to_string(largestThatFits(run.n, needed, run.held + e.free)));
  }
}

// Of a list of observables, each with its words and how it follows from a sample.
std::vector<ObservableInfo> infosOf(const auto& observables) {
  return each(observables, [](const auto& o) { return o.info; });
}
std::vector<double> valuesOf(const auto& observables, const auto& sample) {
  return each(observables, [&](const auto& o) { return o.value(sample); });
}

// Points of a run; apart, as hollow ones, those of states that are not in equilibrium.
struct RunPoints {
  CurveSeries settled, provisional;

  RunPoints(const std::string& label, const std::string& hollow)
      : settled{label, "", {}, {}}, provisional{hollow, "", {}, {}} {
    settled.kind = provisional.kind = SeriesKind::points;
    provisional.provisional = true;
  }
  CurveSeries& of(bool isSettled) { return isSettled ? settled : provisional; }
  void to(std::vector<CurveSeries>& all) {  // where there are some
    for (CurveSeries* s : {&settled, &provisional})
      if (!s->x.empty()) all.push_back(std::move(*s));
  }
};

// Union of ParameterInfo::touches over all that was changed; none: nothing was. Both sets are of
// the same struct.
std::optional<std::uint32_t> touchedBetween(const ParameterSet& before, const ParameterSet& after);
// Values that only a restart takes over, or all others, are set to those of `from`.
void copyValues(ParameterSet& to, const ParameterSet& from, bool ofRestart);

// Parameters by key. readParameters() throws InputError for keys that are unknown, missing or out
// of range.
void writeParameters(BinaryWriter& w, const ParameterSet& set);
void readParameters(BinaryReader& r, ParameterSet& set);

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
  // Among the particles of configuration().
  ParticleId pick(const PickQuery& query) override;

 protected:
  ModeCore(const ModeDescription& description, const ExecConfig& config);

  // --- What a mode brings ---

  // Sets what parameters and state make of the words of the description: phases, and where they
  // differ dimension, layers on offer and words of observables.
  virtual void fillInfo(ModeInfo& info) const = 0;
  // Whole steps, or units of preparation, from the start of a step on. Calls countSteps(). Here:
  // phase after phase.
  virtual void runSteps(std::uint64_t count) {
    for (const std::uint64_t end = step_ + count; step_ < end;) runNextPhase(false);
  }
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

  // Phases that are left of a step begun by advancePhase().
  void completeStep() {
    while (phase_ != 0) runNextPhase(false);
  }
  void countSteps(std::uint64_t count) { step_ += count; }
  // The last valid state: to be kept at the start of a step.
  void keep() {
    keepState();
    keptStep_ = step_;
  }
  void goBack() {
    recallState();
    step_ = keptStep_;
    phase_ = 0;
  }
  std::uint64_t keptStep() const { return keptStep_; }
  // fillInfo() is asked again, and the version rises when it has changed. To be called when the
  // state has changed what it depends on; changes of parameters are followed anyway.
  void refreshInfo();
  // Steps count from here: a new state at its start, or a loaded one.
  void setStep(std::uint64_t step, int phase);
  // Does what may allocate. Where memory is out, the largest n that would fit is added to the
  // error.
  auto withHint(const auto& action) const {
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

// The search for the maximum displacement of trial moves, as modes that have one report and save
// it. While it searches; displacement: the maximum tried now, in sigma.
std::optional<Preparation> tuningProgress(const TargetTuner& tuner, double displacement);

// A warning where the search has ended without the target; displacement: the one that it has set.
std::optional<SelfCheck> missedTarget(const TargetTuner& tuner, double displacement);

void writeTuner(BinaryWriter& out, const TunerState& state);
// Throws InputError for a state that no search can have.
TunerState readTuner(BinaryReader& in);

}  // namespace cellscope
