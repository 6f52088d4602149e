#include "sim/modes/mode_core.h"

#include <set>

#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/modes/points.h"

namespace cellscope {

ModeCore::ModeCore(const ModeDescription& description, const ExecConfig& config)
    : exec_(exec::makeExec(config)), description_(description), config_(config) {
  static_cast<ModeWords&>(info_) = description;
}

ParticleId ModeCore::pick(const PickQuery& query) {
  const Configuration all = configuration();
  PickSearch search(query, all.box);
  for (std::size_t i = 0; i < all.size(); ++i)
    search.look(all.ids[i], all.place(i), 0.5 * all.speciesOf(i).diameter,
                static_cast<int>(all.typeOf(i)));
  return search.found();
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

void copyValues(ParameterSet& to, const ParameterSet& from, bool ofRestart) {
  for (std::size_t i = 0; i < to.items().size(); ++i) {
    Parameter& p = to.items()[i];
    if ((p.info.effect == Effect::restart) == ofRestart) p.set(from.items()[i].get());
  }
}

std::optional<std::uint32_t> touchedBetween(const ParameterSet& before, const ParameterSet& after) {
  std::optional<std::uint32_t> touched;
  for (std::size_t i = 0; i < before.items().size(); ++i) {
    const Parameter& p = before.items()[i];
    if (p.get() != after.items()[i].get()) touched = touched.value_or(0) | p.info.touches;
  }
  return touched;
}

void writeParameters(BinaryWriter& w, const ParameterSet& set) {
  w.value(static_cast<std::uint64_t>(set.items().size()));
  for (const Parameter& item : set.items()) {
    w.text(item.info.key);
    w.text(toText(item.get()));
  }
}

void readParameters(BinaryReader& r, ParameterSet& set) {
  const auto n = r.value<std::uint64_t>("number of parameters");
  if (n > set.items().size())
    throw InputError("checkpoint: it has {} parameters, this version has {}", n,
                     set.items().size());
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string key = r.text("parameter name", 200);
    const std::string text = r.text("parameter value", 200);
    set.at(key).setText(text);
    if (!seen.insert(key).second)
      throw InputError("checkpoint: parameter '{}' is there twice", key);
  }
  for (const Parameter& p : set.items())
    if (!p.info.later && !seen.contains(p.info.key))
      throw InputError("checkpoint: parameter '{}' is missing", p.info.key);
}

constexpr const char* kGpu = "GPU memory";

void requireBytes(std::int64_t n, const char* what, std::size_t needed, std::size_t have,
                  const char* where, const char* advice) {
  if (needed <= have) return;
  constexpr double kGib = 1 << 30;
  throw RunError(
      "out of {}: {} {} need {:.2f} GiB, {:.2f} GiB are free; the largest 'n' that fits is about "
      "{}{}{}",
      where, n, what, static_cast<double>(needed) / kGib, static_cast<double>(have) / kGib,
      largestThatFits(n, needed, have), advice,
      where == std::string(kGpu) ? "; --backend cpu takes the memory of the host" : "");
}

// The arrays that there are now are given back once the new state is made.
void requireMemory(std::int64_t n, const char* what, const MemoryNeed& need,
                   const ExecConfig& config, const char* advice) {
  const bool gpu = config.backend == Backend::cuda;
  if (gpu) exec::useCudaDevice(config.device);
  const char* where = gpu ? kGpu : "memory";
  const std::size_t free = gpu ? exec::cudaMemory().first : exec::hostMemory();
  requireBytes(n, what, need.building, free, where, advice);
  const std::size_t held = exec::memoryUse(config.backend).now;
  const std::size_t have = free > ~held ? free : free + held;  // an unknown limit is the largest
  requireBytes(n, what, need.running, have, where, advice);
  if (gpu) requireBytes(n, what, need.host, exec::hostMemory(), "memory", advice);
}

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
static void tunerFields(auto& io, auto& s) {
  io.field(s.active, "tuner");
  io.field(s.target, "tuner target");
  io.field(s.stepsLeft, "tuner steps left");
  io.field(s.roundSteps, "tuner steps");
  io.field(s.rounds, "tuner rounds");
  io.field(s.hits, "tuner hits");
  io.field(s.measured, "tuner acceptance");
}

void writeTuner(BinaryWriter& out, const TunerState& s) { tunerFields(out, s); }

TunerState readTuner(BinaryReader& in) {
  constexpr std::uint64_t kMostSteps = 1000000;  // of a round
  TunerState s;
  tunerFields(in, s);
  const bool possible = s.target > 0 && s.target < 1 && s.stepsLeft <= s.roundSteps &&
                        s.roundSteps <= kMostSteps && s.measured >= 0 && s.measured <= 1;
  if (!possible || (s.active && s.stepsLeft == 0))
    throw InputError("checkpoint: the state of the tuner is impossible");
  return s;
}

}  // namespace cellscope
