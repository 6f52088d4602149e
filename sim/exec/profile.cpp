#include "sim/exec/profile.h"

#include <algorithm>
#include <numeric>

namespace cellscope::exec {

void addLaunches(LaunchCounts& counts, const char* name, std::uint64_t count) {
  for (LaunchCount& c : counts)
    if (c.name == name) return void(c.count += count);
  counts.push_back({name, count});
}

void RecentMean::add(double value) {
  if (values_.size() < kKept)
    values_.push_back(value);
  else
    values_[next_] = value;
  next_ = (next_ + 1) % kKept;
}

double RecentMean::mean() const {
  if (values_.size() == 1) return values_[0];
  const double longest = *std::max_element(values_.begin(), values_.end());
  const double sum = std::accumulate(values_.begin(), values_.end(), 0.0);
  return (sum - longest) / static_cast<double>(values_.size() - 1);
}

Profile::Entry& Profile::entry(std::string_view name) {
  const auto found = entries_.find(name);
  return found != entries_.end() ? found->second
                                 : entries_.try_emplace(std::string(name)).first->second;
}

void Profile::add(std::string_view name, double milliseconds) {
  std::lock_guard lock(mutex_);
  Entry& e = entry(name);
  e.launches += 1;
  e.timed += 1;
  e.settled += 1;
  e.milliseconds += milliseconds;
}

void Profile::count(std::string_view name, std::uint64_t launches) {
  std::lock_guard lock(mutex_);
  entry(name).launches += launches;
}

void Profile::timedAlone(std::string_view name, std::uint64_t launches, double milliseconds) {
  std::lock_guard lock(mutex_);
  Entry& e = entry(name);
  e.timed += launches;
  e.alone.add(milliseconds / static_cast<double>(launches));
}

void Profile::timedTogether(const LaunchCounts& launches, double milliseconds) {
  std::lock_guard lock(mutex_);
  double alone = 0, number = 0, least = milliseconds;
  for (const auto& [name, count] : launches) {
    const Entry& e = entry(name);
    if (e.alone.empty()) return;  // cannot be divided up yet
    alone += static_cast<double>(count) * e.alone.mean();
    number += static_cast<double>(count);
    least = std::min(least, e.alone.mean());
  }
  // At most half of the shortest launch is cost; any excess is taken off all in proportion.
  const double cost = std::min((alone - milliseconds) / number, 0.5 * least);
  const double scale = milliseconds / (alone - number * cost);
  for (const auto& [name, count] : launches) {
    Entry& e = entry(name);
    e.together.add((e.alone.mean() - cost) * scale);
  }
}

void Profile::Entry::settle() {
  if (alone.empty()) return;
  // Longer together than alone: the GPU had to wait for the host between the launches.
  const double each = together.empty() ? alone.mean() : std::min(alone.mean(), together.mean());
  milliseconds += static_cast<double>(launches - settled) * each;
  settled = launches;
}

std::vector<KernelTime> Profile::read() {
  std::lock_guard lock(mutex_);
  std::vector<KernelTime> all;
  for (auto& [name, e] : entries_) {
    e.settle();
    all.push_back({name, e.launches, e.timed, e.milliseconds});
  }
  return all;
}

}  // namespace cellscope::exec
