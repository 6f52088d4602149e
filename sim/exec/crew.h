// Threads that work on domains together, each in step with the others.
#pragma once
#include <atomic>
#include <barrier>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <thread>
#include <vector>

namespace cellscope::exec {

// After the first failure nothing more is done, but all still meet.
class Crew {
 public:
  explicit Crew(std::size_t threads)
      : threads_(threads), meet_(static_cast<std::ptrdiff_t>(threads)) {}

  // work(begin, end) of `domains` on each thread, the calling one too.
  template <class Work>
  void run(std::size_t domains, const Work& work) {
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < threads_; ++k)
      others.emplace_back(work, domains * k / threads_, domains * (k + 1) / threads_);
    work(0, domains / threads_);
    for (std::thread& t : others) t.join();
  }
  // The first failure.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  template <class F>
  void guarded(const F& f) {
    if (failed_) return;
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  void meet() { meet_.arrive_and_wait(); }

  // f meets the others by itself (meetOrLeave()): a thread in which it fails leaves, and the others
  // fail where they would meet it.
  template <class F>
  void leavingOnFailure(const F& f) {
    guarded(f);
    if (failed_) meet_.arrive_and_drop();
  }
  void meetOrLeave() {
    meet();
    if (failed_) throw std::runtime_error("another domain failed");
  }

 private:
  std::size_t threads_;
  std::barrier<> meet_;
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace cellscope::exec
