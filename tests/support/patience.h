// Ends of waits that depend on what was done, not on seconds: a busy machine may give a thread
// none.
#pragma once
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>

namespace cellscope::test {

// Of a wait for other threads of this process: over once they have used `seconds` of processor
// time, or have done nothing for half a minute.
class Patience {
 public:
  explicit Patience(double seconds = 10) : seconds_(seconds) {}
  bool over() {
    const double used = othersTime();
    if (used > used_ + 1e-3) used_ = used, rests_ = Clock::now();
    return used_ - begun_ > seconds_ || Clock::now() - rests_ > std::chrono::seconds(30);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double timeOf(clockid_t clock) {
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  static double othersTime() {
    return timeOf(CLOCK_PROCESS_CPUTIME_ID) - timeOf(CLOCK_THREAD_CPUTIME_ID);
  }
  double seconds_, begun_ = othersTime(), used_ = begun_;
  Clock::time_point rests_ = Clock::now();
};

// Whether this comes to hold while other threads of this process work.
inline bool until(const std::function<bool()>& holds, double seconds = 10,
                  std::chrono::microseconds pause = std::chrono::milliseconds(1)) {
  for (Patience patience(seconds); !patience.over();) {
    if (holds()) return true;
    std::this_thread::sleep_for(pause);
  }
  return holds();
}

}  // namespace cellscope::test
