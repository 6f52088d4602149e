// Work in phases on the CPU: many short parallel loops in one parallel region.
//
// A phased work is a struct with
//
//   const char* name(std::size_t phase) const;       in the profile
//   void part(std::size_t phase, std::size_t part);  in any order, several parts at a time
//   bool finish(std::size_t phase);                  alone, after all parts; false: no more phases
//
// A phase sees all that earlier ones wrote. Between two phases there is a barrier that spins: a
// separate oneTBB loop costs several microseconds for distribution and joining, and far more when a
// worker has gone to sleep; a barrier takes less than one.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cellscope::exec {

// The threads of one region. The parts of a phase are assigned to the workers in equal runs. A
// worker takes its own run, so that a part meets the same cache in every phase. When another worker
// lags by more than about a part, it takes parts that the other has not begun; sooner would not
// pay, since the data move to another core and back. A phase ends when its parts are done: nobody
// waits for a worker that is late or never arrives, only for parts in progress.
template <class Work>
class PhaseCrew {
 public:
  PhaseCrew(Work& work, std::size_t phases, std::size_t parts, int workers)
      : work_(work), phases_(phases), parts_(parts), runs_(static_cast<std::size_t>(workers)) {
    open(0);
  }

  // Take part in the region until it is over; worker in [0, workers).
  void join(std::size_t worker) {
    for (std::size_t phase = now_.load(std::memory_order_acquire); phase < phases_;) {
      report(phase, takeAll(phase, worker));
      if (spinPast(phase)) {
        phase = now_.load(std::memory_order_acquire);
        continue;
      }
      std::size_t done = 0;
      for (std::size_t k = 1; k < runs_.size(); ++k)
        done += takeAll(phase, (worker + k) % runs_.size());
      report(phase, done);
      phase = waitPast(phase);
    }
  }

  // After the region: throw what a part or finish() threw first.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr int kSpins = 1000;  // some tens of microseconds: about the time of a part

  // Next part of a run and the phase it belongs to, in one word: a late worker finds no work left.
  struct alignas(64) Run {
    std::atomic<std::uint64_t> next{0};
  };
  static std::uint64_t word(std::size_t phase, std::size_t part) {
    return static_cast<std::uint64_t>(phase) << 32 | static_cast<std::uint64_t>(part);
  }
  std::size_t first(std::size_t run) const { return parts_ * run / runs_.size(); }

  // Do what is left of a run; returns how many parts that was.
  std::size_t takeAll(std::size_t phase, std::size_t run) {
    std::atomic<std::uint64_t>& next = runs_[run].next;
    const std::uint64_t begin = word(phase, first(run)), end = word(phase, first(run + 1));
    std::size_t taken = 0;
    for (std::uint64_t at = next.load(std::memory_order_relaxed); at >= begin && at < end;)
      if (next.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
        guarded([&] { work_.part(phase, static_cast<std::size_t>(at - word(phase, 0))); });
        ++taken, ++at;
      }
    return taken;
  }

  // Count parts as done; whoever does the last one finishes the phase.
  void report(std::size_t phase, std::size_t done) {
    if (done > 0 && done_.fetch_add(done, std::memory_order_acq_rel) + done == parts_)
      open(goesOn(phase) ? phase + 1 : phases_);
  }

  bool goesOn(std::size_t phase) {
    bool more = false;
    guarded([&] { more = !error_ && work_.finish(phase); });
    return more;
  }

  void guarded(const auto& f) {
    try {
      f();
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  void open(std::size_t phase) {
    done_.store(0, std::memory_order_relaxed);
    for (std::size_t r = 0; r < runs_.size(); ++r)
      runs_[r].next.store(word(phase, first(r)), std::memory_order_relaxed);
    now_.store(phase, std::memory_order_release);
  }

  // Wait for the end of a phase, but not long; whether it has come.
  bool spinPast(std::size_t phase) const {
    for (int spins = 0; spins < kSpins; ++spins) {
      if (now_.load(std::memory_order_acquire) != phase) return true;
      __builtin_ia32_pause();  // tells the processor that this thread only waits
    }
    return false;
  }
  // The same, however long: the threads waited for may need this core.
  std::size_t waitPast(std::size_t phase) const {
    while (!spinPast(phase)) std::this_thread::yield();
    return now_.load(std::memory_order_acquire);
  }

  Work& work_;
  const std::size_t phases_, parts_;
  std::vector<Run> runs_;
  std::mutex mutex_;
  std::exception_ptr error_;
  alignas(64) std::atomic<std::size_t> done_{0};
  alignas(64) std::atomic<std::size_t> now_{0};
};

}  // namespace cellscope::exec
