// Time per named launch. Off by default: timing a CUDA launch costs two events.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::exec {

class Profile {
 public:
  void add(const std::string& name, double milliseconds) {
    std::lock_guard lock(mutex_);
    KernelTime& t = times_[name];
    t.name = name;
    t.launches += 1;
    t.milliseconds += milliseconds;
  }
  std::vector<KernelTime> read() const {
    std::lock_guard lock(mutex_);
    std::vector<KernelTime> all;
    for (const auto& [name, t] : times_) all.push_back(t);
    return all;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    times_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, KernelTime> times_;
};

}  // namespace cellscope::exec
