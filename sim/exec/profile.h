// Launches and their times, by name. Every launch is counted. On the CPU every one is timed as
// well. On CUDA a sample is: a launch that was not timed is taken to last as long as those that
// were.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/backend.h"

namespace cellscope::exec {

struct LaunchCount {
  const char* name = "";  // a string literal
  std::uint64_t count = 0;
};
using LaunchCounts = std::vector<LaunchCount>;

// Two literals of the same text may give two elements.
void addLaunches(LaunchCounts& counts, const char* name, std::uint64_t count);

// Mean of the last timings but the longest of them: the first launch of a kernel also loads its
// code.
class RecentMean {
 public:
  void add(double value);
  bool empty() const { return values_.empty(); }
  double mean() const;  // not when empty

 private:
  static constexpr std::size_t kKept = 16;
  std::vector<double> values_;
  std::size_t next_ = 0;
};

class Profile {
 public:
  // A launch that took this long.
  void add(std::string_view name, double milliseconds);

  // Launches whose time is not known, or not yet.
  void count(std::string_view name, std::uint64_t launches);
  // `launches` of them, counted before, took this long without others beside them.
  void timedAlone(std::string_view name, std::uint64_t launches, double milliseconds);
  // All of these, counted before, took this long from the first one's start to the last one's end.
  // A launch among others takes less than one that is timed alone, which waits for its own start
  // and does not overlap with its neighbours. That cost is taken to be the same for each.
  void timedTogether(const LaunchCounts& launches, double milliseconds);

  // Launches and milliseconds never fall. Milliseconds are an estimate where timed < launches;
  // launches that no timing stands for yet are not in it.
  std::vector<KernelTime> read();

 private:
  struct Entry {
    std::uint64_t launches = 0, timed = 0;
    std::uint64_t settled = 0;  // of the launches, those that are in `milliseconds`
    double milliseconds = 0;
    RecentMean alone, together;  // of one launch
    void settle();
  };
  Entry& entry(std::string_view name);

  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

// Which CUDA launches are timed. Events around a launch cost some microseconds, so every kernel is
// timed for one stretch of launches in kPeriod; a stretch ends where the host waits for the GPU.
// Some stretches are timed as a whole instead. Names are string literals.
class LaunchSampling {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{50};

  // A stretch of launches begins.
  void begin(Clock::time_point now) {
    now_ = now;
    // At random: in a fixed order, alternating work would always be timed in the same way.
    chance_ = chance_ * 6364136223846793005ull + 1442695040888963407ull;
    together_ = now - lastTogether_ >= kPeriod && chance_ >> 63;
    if (together_) lastTogether_ = now;
  }
  // Whether it is timed as a whole.
  bool together() const { return together_; }

  // Whether launches of this name are timed one by one in this stretch, or would be if they
  // were not the first.
  bool due(const char* name) {
    const Kernel* k = find(name);
    return !together_ && (!k || dueAfter(k->timed));
  }
  // The same for a launch that is now made. Not for the first one, which also loads the kernel.
  bool take(const char* name) {
    Kernel* k = find(name);
    if (!k) kernels_.push_back({name, now_ - kPeriod});
    if (!k || together_ || !dueAfter(k->timed)) return false;
    k->timed = now_;
    return true;
  }

 private:
  struct Kernel {
    const char* name;
    Clock::time_point timed;
  };

  // By address, which is quick; the same name may also stand at another one.
  Kernel* find(const char* name) {
    for (Kernel& k : kernels_)
      if (k.name == name) return &k;
    for (Kernel& k : kernels_)
      if (std::strcmp(k.name, name) == 0) return &k;
    return nullptr;
  }
  bool dueAfter(Clock::time_point timed) const { return timed == now_ || now_ - timed >= kPeriod; }

  Clock::time_point now_{}, lastTogether_{};
  bool together_ = false;
  std::uint64_t chance_ = 1;
  std::vector<Kernel> kernels_;
};

}  // namespace cellscope::exec
