// Benchmarks: every case states what it measures, the fewest operations or bytes that the task
// needs, and hence the limit of the device it ran on.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/api/mode.h"
#include "sim/exec/device_limits.h"

namespace cellscope::bench {

inline constexpr int kRepeats = 11;  // the median is reported

struct Measurement {
  std::vector<double> values;                // kRepeats of them, in `unit`
  double limit = 0;                          // best value the device allows; 0 = none is stated
  std::string note;                          // what the limit counts
  std::string state;                         // what it was measured on
  std::vector<std::shared_ptr<Mode>> modes;  // everything that ran; checked after the last timing
};

struct Case {
  std::string name;      // "hard_disks/1024^2"
  std::string measures;  // "trial moves per second"
  std::string unit;      // "moves/s"
  Backend backend = Backend::cpu;
  bool largerIsBetter = true;
  bool inWindow = false;  // needs a display
  int threads = 0;        // CPU threads the case is about; 0 = what the user asked for
  std::function<Measurement(const ExecConfig&)> run;
};

// Every case that exists; sink: where frames go (auto, interop, copy, host).
std::vector<Case> allCases(const std::string& sink = "auto");
std::vector<Case> hardDiskCases();
std::vector<Case> moleculeCases();
std::vector<Case> frameCases(const std::string& sink);
std::vector<Case> windowCases();

// The case on this machine. Speed counts only with nothing lost: throws RunError when a self-check
// of what ran fails afterwards. Measurement::modes is empty then.
Measurement measured(const Case& c, const ExecConfig& config);

double timedOnce(const std::function<void()>& f);  // seconds
// Seconds of each of kRepeats calls of f.
std::vector<double> timed(const std::function<void()>& f);
double median(std::vector<double> values);
// CPU limits are measured once per number of threads.
const exec::DeviceLimits& limitsOf(const ExecConfig& config);

}  // namespace cellscope::bench
