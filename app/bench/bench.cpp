#include "app/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "app/common/self_check.h"

namespace cellscope::bench {

std::vector<Case> allCases(const std::string& sink) {
  std::vector<Case> all;
  for (const auto& part : {hardDiskCases(), moleculeCases(), frameCases(sink), windowCases()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Measurement measured(const Case& c, const ExecConfig& config) {
  Measurement m = c.run(config);
  for (const std::shared_ptr<Mode>& mode : m.modes) common::requireSound(*mode);
  m.modes.clear();  // large ones need the memory of the next case
  return m;
}

double timedOnce(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> timed(const std::function<void()>& f) {
  std::vector<double> seconds;
  for (int i = 0; i < kRepeats; ++i) seconds.push_back(timedOnce(f));
  return seconds;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

const exec::DeviceLimits& limitsOf(const ExecConfig& config) {
  static std::map<std::tuple<Backend, int, int>, exec::DeviceLimits> known;
  const auto key = std::make_tuple(config.backend, config.threads, config.device);
  const auto it = known.find(key);
  return it != known.end() ? it->second
                           : known.emplace(key, exec::deviceLimits(config)).first->second;
}

}  // namespace cellscope::bench
