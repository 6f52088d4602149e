// Launches and their times, by name. Every launch is counted. On the CPU every one is timed as
// well. On CUDA a sample is: a launch that was not timed is taken to last as long as those that
// were.
#pragma once
#include <cstdint>
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

}  // namespace cellscope::exec
