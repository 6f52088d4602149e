// Runs of the engine with Verlet lists, and whole steps that a backend orders by itself.
#pragma once
#include "sim/algo/verlet/engine_lists.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletRuns : public VerletLists<Exec, Pass> {
 public:
  using Lists = VerletLists<Exec, Pass>;
  using System = typename Lists::System;
  using System::forces;

  void halfKickDrift(double dt, std::uint64_t step) override {
    orderDrift(dt, step, mostMovedSquared(step));
    takeRecordsOfOthers(currentBuffer());
  }
  void forces(const PairProgress&) override {
    if (stale_ || !whole_) makeList(now_);
    orderForces(never_, 0);
  }
  void halfKick(double dt) override { orderKick(dt, never_, 0); }
  void run(double dt, std::uint64_t first, std::uint64_t count, const PairProgress&) override {
    if (!whole_) forces({});  // memory was out when the list was to grow
    for (; samples_.on() && count > SampleRing::kRoom;
         first += SampleRing::kRoom, count -= SampleRing::kRoom)
      run(dt, first, SampleRing::kRoom, {});
    if (!(pair_.buffer > 0) && pair_.uncheckedSteps == 0) return runWithNewLists(dt, first, count);
    if constexpr (Pass::kWholeSteps) {
      if (domains_ && stepsAreWhole()) return runTogether(dt, first, count);
      if (goesByItself()) return runByItself(dt, first, count);
    }
    stepsInBox_ += count;
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t now =
          std::min({count - done, stepsAtATime(first + done), samples_.stepsTo(first + done)});
      for (std::uint64_t s = first + done; s < first + done + now; ++s) {
        halfKickDrift(dt, s);
        orderForces(stop_, s, samples_.due(s));
        orderKick(dt, stop_, s);
      }
      const std::uint64_t step = exec_.read(stop_).step;
      if (step == kNoStop) {
        done += now;
      } else {
        interval_ = std::max<std::uint64_t>(step - history_.lastStep, 1);
        rebuild(step);
        orderForces(never_, 0, samples_.due(step));
        orderKick(dt, never_, 0);
        done = step - first + 1;
      }
      if (samples_.due(first + done - 1)) takeSample(dt);
    }
  }
  bool whileRunning(const std::function<void()>& f) override {
    whileRunning_ = f;
    return Pass::kWholeSteps;
  }

 protected:
  using Lists::addUpOfAll, Lists::bath_, Lists::box_, Lists::builder_, Lists::clusters,
      Lists::control_, Lists::currentBuffer, Lists::domains_, Lists::driftFrom, Lists::exec_,
      Lists::forOwn, Lists::forcesValid_, Lists::history_, Lists::home_, Lists::images,
      Lists::input, Lists::interval_, Lists::kBuildsPerSort, Lists::kStepsWorthRecording,
      Lists::listInOrder, Lists::list_, Lists::makeList, Lists::meetDomains,
      Lists::mostMovedSquared, Lists::n_, Lists::never_, Lists::now_, Lists::orderDrift,
      Lists::orderForList, Lists::orderForces, Lists::orderKick, Lists::others, Lists::own,
      Lists::pair_, Lists::pass_, Lists::rebuild, Lists::sampleSums, Lists::samples_,
      Lists::sortSlots, Lists::spoilList, Lists::stale_, Lists::stepsInBox_, Lists::stop_,
      Lists::store_, Lists::takeRecords, Lists::takeRecordsOfOthers, Lists::takeSample,
      Lists::termsValid_, Lists::whileRunning_, Lists::wholeSteps_, Lists::whole_;
  using Lists::Lists;

  // Steps ordered before the host looks: about as many as the last list lasted. The trajectory does
  // not depend on it.
  std::uint64_t stepsAtATime(std::uint64_t step) const {
    if (Exec::backend == Backend::cpu || !(pair_.buffer > 0)) return 1;
    const std::uint64_t age = step - history_.lastStep;
    return age < interval_ ? std::min<std::uint64_t>(interval_ - age, 64) : 4;
  }
  // A new list in every step: nothing has to be known before it is ordered, but whether there was
  // room for the lists. Where there was not, all that is ordered after it leaves the positions as
  // they are, until the host sees it.
  void runWithNewLists(double dt, std::uint64_t first, std::uint64_t count) {
    constexpr float kAnywhere = 1e30f;
    exec_.fill("list is valid", stop_.data(), 1, Stopping{kNoStop});
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t begin = first + done, builds = history_.builds;
      const std::uint64_t now = std::min(
          {count - done, kBuildsPerSort - builds % kBuildsPerSort, samples_.stepsTo(begin)});
      orderDrift(dt, begin, kAnywhere);
      for (std::uint64_t s = begin; s < begin + now; ++s) {
        const ListInput in = input(orderForList(false, s + 1 == begin + now));
        builder_->build(in, list_.begin(exec_, in));
        spoilList(in);
        exec_.forEach("list has room", 1,
                      StopWithoutRoom{list_.overflow().data(), stop_.data(), s});
        orderForces(stop_, s, samples_.due(s));
        ++history_.builds;
        history_.lastStep = s;
        if (s + 1 == begin + now) break;
        const VerletKick kick = System::kick(dt, BeforeStop{stop_.data(), s});
        forOwn("half kicks and drift", KickAndDrift{kick, driftFrom(dt, s + 1, kAnywhere)});
        termsValid_ = false;
        now_ = s + 1;
      }
      orderKick(dt, stop_, begin + now - 1);
      const std::uint64_t step = exec_.read(stop_).step;
      done += now;
      whole_ = step == kNoStop;
      if (whole_) {
        if (samples_.due(first + done - 1)) takeSample(dt);
        continue;
      }
      list_.grow(exec_.read(list_.overflow()));
      wholeSteps_.forget();
      history_.builds = builds + (step - begin);
      now_ = step;
      makeList(step);
      orderForces(never_, 0, samples_.due(step));
      orderKick(dt, never_, 0);
      done = step - first + 1;
      if (samples_.due(step)) takeSample(dt);
    }
  }
  // Not with a list in every step, with a bath whose temperature changes, with several images, nor
  // in a box that has just changed.
  bool goesByItself() const {
    return !domains_ && stepsAreWhole() && stepsInBox_ >= kStepsWorthRecording &&
           wholeSteps_.works();
  }
  bool stepsAreWhole() const {
    return pair_.kernel == PairKernel::tuned && pair_.buffer > 0 && pair_.uncheckedSteps == 0 &&
           pair_.fault == ListFault::none && n_ > 0 && !stale_ && !bath_.changes() &&
           !images().several();
  }
  // With other domains: the host orders a step and the exchange after it, and looks when a list may
  // have ended. Runs end where a sample belongs.
  void runTogether(double dt, std::uint64_t first, std::uint64_t count) {
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
        wholeSteps_.step(exec_, step, static_cast<std::uint32_t>(ahead), n_, own(), pair_);
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
  void runByItself(double dt, std::uint64_t first, std::uint64_t count) {
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
  void orderEnd(double dt, const StepControl& begin) {
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
  void orderSampledEnd(const exec::DeviceValue<Stopping>& stop, std::uint64_t step,
                       const SampleSums& sums, double dt) {
    forcesValid_ = true, termsValid_ = false;  // the sums of thread blocks lie there
    pass_.template sum<true>(
        exec_, this->template passOf<PassKind::both>(nullptr, stop.data(), step),
        System::kick(dt, BeforeStop{stop.data(), step}), sums, n_, own(), pair_);
    addUpOfAll(sums);
  }
  // The slots have been sorted for the list that had too little room.
  void continueAfterOverflow(double dt, const StepControl& seen) {
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
  typename Pass::Step wholeStep(double dt) {
    ForcesPass pass{{},      list_.reader(), nullptr,      RecordBox(box_),
                    nullptr, nullptr,        stop_.data(), 0};
    pass.begin = static_cast<std::uint32_t>(own().begin);
    return {pass,
            driftFrom(dt, 0, mostMovedSquared()),
            sampleSums(samples_.ring(), control_.data(), dt),
            control_.data(),
            {home_[0], home_[1]},
            others()};
  }
  void recordSteps(double dt) {
    const CurrentRecords records{{home_[0], home_[1]}, control_.data()};
    wholeSteps_.record(exec_, dt, n_, pair_, control_.data(), list_.overflow().data(),
                       wholeStep(dt), [&] {
                         sortSlots(records);
                         const ListInput in = input(store_.built.data());
                         builder_->build(in, list_.begin(exec_, in));
                       });
    whole_ = true;  // nothing has been sorted yet
  }
};

}  // namespace cellscope
