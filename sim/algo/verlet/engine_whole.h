// Whole steps that a backend orders by itself. Included by engine_impl.h.
#pragma once
#include <bit>

#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

// Not with a list in every step, with a bath whose temperature changes, with several images, nor in
// a box that has just changed.
template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::goesByItself() const {
  return !domains_ && stepsAreWhole() && stepsInBox_ >= kStepsWorthRecording && wholeSteps_.works();
}
template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::stepsAreWhole() const {
  return pair_.kernel == PairKernel::tuned && pair_.buffer > 0 && pair_.uncheckedSteps == 0 &&
         pair_.fault == ListFault::none && n_ > 0 && !stale_ && !bath_.changes() &&
         !images().several();
}

// With other domains: the host orders a step and the exchange after it, and looks when a list may
// have ended. Runs end where a sample belongs.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::runTogether(double dt, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t some; (some = samples_.stepsTo(first)) < count; first += some, count -= some)
    runTogether(dt, first, some);
  StepControl at;
  at.base = first, at.last = first + count - 1;
  at.flip = currentBuffer() ^ static_cast<std::uint32_t>(first & 1);
  halfKickDrift(dt, first);
  for (;;) {
    exec_.fill("steps: where they begin", control_.data(), 1, at);
    const auto step = wholeStep(dt);
    const std::uint64_t chain = std::min(stepsAtATime(at.base), at.last - at.base);
    for (std::uint64_t ahead = 0; ahead < chain; ++ahead) {
      pass_.step(exec_, step, static_cast<std::uint32_t>(ahead), n_, own(), pair_);
      if (domains_->throughHost)
        takeRecordsOfOthers(at.buffer(at.base + ahead + 1));
      else
        meetDomains();  // each has given the others its records
    }
    const std::uint64_t stop = exec_.read(stop_).step;
    at.base = std::min(stop, at.base + chain);
    takeRecords(at.buffer(at.base));
    if (stop <= at.base) {
      interval_ = std::max<std::uint64_t>(at.base - history_.lastStep, 1);
      rebuild(at.base);
    }
    if (at.base == at.last) break;
  }
  now_ = at.last;
  if (!samples_.due(at.last)) {
    orderForces(never_, 0);
    return orderKick(dt, never_, 0);
  }
  orderSampledEnd(never_, 0, sampleSums(samples_.next(), nullptr, dt), dt);
  samples_.took(1);
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::runByItself(double dt, std::uint64_t first, std::uint64_t count) {
  if (!wholeSteps_.recorded(dt)) recordSteps(dt);
  if (!wholeSteps_.works()) return run(dt, first, count, {});
  const std::uint32_t now = currentBuffer();
  StepControl begin;
  begin.base = first, begin.last = first + count - 1;
  begin.builds = history_.builds, begin.dangerous = history_.dangerous;
  begin.lastBuild = history_.lastStep;
  begin.flip = now ^ static_cast<std::uint32_t>(first & 1);
  begin.first = first, begin.sampled = samples_.mask(first, count);
  begin.ringAt = static_cast<std::uint32_t>(samples_.filled());
  exec_.fill("steps: where they begin", control_.data(), 1, begin);
  halfKickDrift(dt, first);
  wholeSteps_.launch(exec_, count);
  takeRecords(begin.buffer(begin.last));
  orderEnd(dt, begin);
  now_ = begin.last;
  if (whileRunning_) whileRunning_();
  const StepControl seen = exec_.read(control_);
  if (seen.lastBuild != history_.lastStep)
    interval_ = std::max<std::uint64_t>(seen.lastBuild - history_.lastStep, 1);
  if (seen.builds != history_.builds) builder_->replayed();
  history_.builds = seen.builds, history_.dangerous = seen.dangerous;
  history_.lastStep = seen.lastBuild;
  if (seen.overflow) continueAfterOverflow(dt, seen);
}

// Forces and half a kick of the last step, with its sample where one is due; the others are taken
// by the steps themselves. All are on their way to the host then.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::orderEnd(double dt, const StepControl& begin) {
  if constexpr (Pass::kSumsItself)
    if (begin.sampled != 0)
      pass_.addUp(exec_, sampleSums(samples_.ring(), control_.data(), dt), n_, pair_, clusters());
  if (begin.samples(begin.last)) {
    const int before = std::popcount(begin.sampledBefore(begin.last));
    RunSample* const to = samples_.ring() + samples_.filled() + before;
    orderSampledEnd(stop_, begin.last, sampleSums(to, control_.data(), dt), dt);
  } else {
    orderForces(stop_, begin.last);
    orderKick(dt, stop_, begin.last);
  }
  if (begin.sampled == 0) return;
  samples_.took(std::popcount(begin.sampled));
  samples_.fetch(exec_);
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::orderSampledEnd(const exec::DeviceValue<Stopping>& stop,
                                               std::uint64_t step, const SampleSums& sums,
                                               double dt) {
  forcesValid_ = true, termsValid_ = false;  // the sums of thread blocks lie there
  pass_.sampledEnd(exec_, passOf<PassKind::both>(nullptr, stop.data(), step),
                   System::kick(dt, BeforeStop{stop.data(), step}), sums, n_, own(), pair_);
  addUpOfAll(sums);
}

// The slots have been sorted for the list that had too little room.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::continueAfterOverflow(double dt, const StepControl& seen) {
  takeRecords(seen.buffer(seen.base));
  whole_ = false;
  samples_.took(std::popcount(seen.sampledBefore(seen.base)) - std::popcount(seen.sampled));
  list_.grow(exec_.read(list_.overflow()));
  wholeSteps_.forget();
  if (seen.base == history_.lastStep + 1) ++history_.dangerous;
  listInOrder();
  ++history_.builds;
  history_.lastStep = now_ = seen.base;
  orderForces(never_, 0);
  orderKick(dt, never_, 0);
  if (samples_.due(seen.base)) takeSample(dt);
  if (seen.base < seen.last) run(dt, seen.base + 1, seen.last - seen.base, {});
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::takeRecords(std::uint32_t buffer) {
  if (currentBuffer() != buffer) store_.record.swap();
}

template <class Exec, class Pass>
typename Pass::Step VerletEngine<Exec, Pass>::wholeStep(double dt) {
  ForcesPass pass{{}, list_.reader(), nullptr, RecordBox(box_), nullptr, nullptr, stop_.data(), 0};
  pass.begin = static_cast<std::uint32_t>(own().begin);
  return {pass,
          driftFrom(dt, 0, mostMovedSquared()),
          sampleSums(samples_.ring(), control_.data(), dt),
          control_.data(),
          {home_[0], home_[1]},
          others()};
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::recordSteps(double dt) {
  const CurrentRecords records{{home_[0], home_[1]}, control_.data()};
  wholeSteps_.record(exec_, dt, n_, pair_, control_.data(), list_.overflow().data(), wholeStep(dt),
                     [&] {
                       sortSlots(records);
                       const ListInput in = input(store_.built.data());
                       builder_->build(in, list_.begin(exec_, in));
                     });
  whole_ = true;  // nothing has been sorted yet
}

}  // namespace cellscope
