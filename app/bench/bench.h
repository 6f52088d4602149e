// Benchmarks: every row states what it measures and the minimum number of operations or bytes of
// the task, which gives the limit of the device. Each file ends with the list of its rows.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/common/settings.h"
#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "sim/run/scenario.h"

namespace cellscope::bench {

inline constexpr int kRepeats = 11;  // the median is reported

struct Measurement {
  std::vector<double> values;                // kRepeats of them, in the unit of the row
  double limit = 0;                          // best value possible on the device; 0 = unknown
  std::string note;                          // terms of the limit, with numbers
  std::string state;                         // what it was measured on
  std::vector<std::shared_ptr<Mode>> modes;  // all modes that ran; checked after the last timing
  std::string skipped;                       // why there are no values; "": there are
};

// One size of a row.
struct Size {
  std::string label;  // "1024^2", "256^2 one thread"
  Backend backend = Backend::cpu;
  std::int64_t n = 0;   // particles
  int threads = 0;      // CPU threads that it is about; 0 = what the user asked for
  std::string variant;  // for example a thread mapping; "" = the default
  bool named = false;   // too large to be measured unless the filter has a '/', as its name has
};

struct Setup {
  ExecConfig exec;
  std::string sink = "auto";  // where frames go: auto, interop, copy, host
};

using MeasureCase = std::function<Measurement(const Size&, const Setup&)>;
enum class Needs {
  nothing,
  graphics,  // OpenGL: left out with the sink "host"
  display
};

struct Row {
  std::string mode;      // key of the mode that it belongs to
  std::string name;      // "memory"; with the label of a size, the name of a case
  std::string measures;  // "trial moves per second"
  std::string unit;      // "moves/s"
  std::string limit;     // minimum operations and bytes of the task; "" = none
  std::vector<Size> sizes;
  MeasureCase run;
  Needs needs = Needs::nothing;
  bool largerIsBetter() const { return unit != "ms" && unit != "B"; }
};

std::vector<Row> allRows();

// A row at one size.
struct Case {
  Row row;
  Size size;
  std::string name() const { return row.name + "/" + size.label; }
};
std::vector<Case> casesOf(const std::vector<Row>& rows);

// The case on this machine. Throws RunError when a self-check fails afterwards, as the speed is
// then meaningless, and where the demanded sink is not there. Measurement::modes is empty then.
Measurement measured(const Case& c, const Setup& setup);

double timedOnce(const std::function<void()>& f);  // seconds
std::vector<double> repeated(const std::function<double()>& value);
// Milliseconds of each of kRepeats calls of f.
std::vector<double> milliseconds(const std::function<void()>& f);
// CPU limits are measured once per number of threads.
const exec::DeviceLimits& limitsOf(const ExecConfig& config);
// Least milliseconds for reading or writing this number of bytes; 0 where the bandwidth is not
// known.
double millisecondsFor(double bytes, const ExecConfig& config);
// The limit of what takes so many instructions at least: a "trial move", a "pair".
void limitByInstructions(Measurement& m, double instructions, const char* each,
                         const ExecConfig& config);

Scenario scenarioOf(const std::string& mode, Settings parameters);
std::shared_ptr<Mode> modeWith(const std::string& key, Settings parameters,
                               const ExecConfig& config);
// mode->work() per second while it makes these steps.
double workRate(Mode& mode, std::uint64_t steps);
// Steps per second while it makes as many at once, kRepeats times.
Measurement stepsPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps);
// Its work per second, likewise.
Measurement workPerSecond(const std::shared_ptr<Mode>& mode, std::uint64_t steps);

using Numbers = std::initializer_list<std::int64_t>;
// "4000 cells": these numbers of particles; `threads` of the CPU, or the GPU.
std::vector<Size> numbered(Backend where, Numbers numbers, const std::string& label,
                           const std::string& variant, int threads = 2);
// Some on the CPU, others on the GPU.
std::vector<Size> onBoth(const std::string& label, const std::string& variant, Numbers onCpu,
                         Numbers onGpu, int threads = 2);
// These numbers of particles, or sides of squares of them, each on 1, 2, 4 ... GPUs, as many as
// there are; the variant is the number of GPUs. Those beyond `largest` are Size::named.
std::vector<Size> onGpus(Numbers numbers, std::int64_t largest, bool areSides = false);
// Why a start is refused, as it takes more memory or slots than there are; "": it is not. It starts
// and no more: what fails in a measurement is an error.
std::string whyRefused(const std::function<void()>& start);

// "256^2" particles on each of the backends.
std::vector<Size> squares(Numbers sides, std::initializer_list<Backend> backends);
std::vector<Size> joined(std::initializer_list<std::vector<Size>> parts);

struct BenchOptions {
  std::string filter;  // only cases whose name contains it
  std::string json, csv;
  std::string record;                // folder for <device>.md; "" = none
  bool list = false;                 // names only
  std::string sink = "auto";         // auto, interop, copy, host
  common::HardwareOptions hardware;  // backend auto: every backend that works here
};

int benchCommand(const BenchOptions& options);

// The state point of Anderson et al. 2013, section 5, with packing 0.698, n_M = 4, d = 0.16: n
// disks on a square lattice.
Scenario statePoint(std::int64_t n, const std::string& mapping);

struct Melted {
  std::shared_ptr<Mode> mode;
  std::string state;  // what it is, in words and numbers; local order is the mean |psi6|
  Measurement measurement() const { return {.state = state, .modes = {mode}}; }  // to be filled
};

// n disks at the state point. They start from a square lattice, which falls apart by itself at this
// packing fraction, in seconds and without compression; a triangular one takes tens of thousands of
// sweeps to melt, and the acceptance is a tenth too high until then. Blocks of 500 sweeps are made
// until the acceptance changes by less than 1 % from one to the next: the speed depends on the
// surroundings of a disk, and these are then as in the fluid within a few per cent (256^2 disks:
// acceptance 0.288 and mean |psi6| 0.665 after 2000 sweeps, 0.2945 and 0.676 after 20,000). At most
// five seconds; `state` reports when that was not enough.
Melted meltedDisks(std::int64_t n, const ExecConfig& config, const std::string& mapping = "auto");

// Two coordinates and an identity are stored of a disk at least. A state that fits the cache need
// not touch the memory at all.
inline constexpr double kStoredPerDisk = 12;

// Trial moves per second that arithmetic or memory allows, whichever is less, and what counts
// towards both. movesPerDisk: trial moves per disk and sweep.
std::pair<double, std::string> sweepLimit(double disks, double movesPerDisk,
                                          const exec::DeviceLimits& device);

}  // namespace cellscope::bench
