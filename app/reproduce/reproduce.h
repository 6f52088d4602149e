// Published results run again at full size. Each study writes NAME.md and NAME.csv into a folder
// and keeps checkpoints there, so that a later call goes on where an earlier one stopped.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/common/hardware.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

struct Options {
  std::string folder;                                  // created when missing
  double minutes = 10;                                 // for the whole study
  std::vector<std::int64_t> sides = {256, 512, 1024};  // N = side^2
  std::vector<double> packings;                        // empty: those of the study
  std::int64_t seeds = 1;                              // runs per start, or number of the seed
  std::int64_t firstSeed = 1;                          // of these runs
  std::int64_t together = 1;                           // runs side by side
  std::int64_t movesPerCell = 4;                       // n_M of table1; S3 has 4
  std::string start = "both";                          // fluid, crystal, both or coexistence
  bool grow = false;                                   // new runs begin with copies of smaller ones
  std::uint64_t sweeps = 1000000;                      // lost-disks
  common::HardwareOptions hardware;
  ModeFactory modes = makeMode;  // tests pass their own
};

// An option that a study heeds; all heed --folder, --minutes and the hardware.
struct StudyOption {
  std::string name;
  bool many = true;  // false: one value at a time
};

struct Study {
  std::string name, about;
  std::function<int(const Options&, const ExecConfig&)> run;  // exit code
  std::vector<StudyOption> takes;
  bool onlyCpu = false;  // too small to fill a GPU
};

const std::vector<Study>& studies();

int table1(const Options& o, const ExecConfig& config);
int table2(const Options& o, const ExecConfig& config);
int exact(const Options& o, const ExecConfig& config);
int virial(const Options& o, const ExecConfig& config);
int fluid(const Options& o, const ExecConfig& config);
int leaveCell(const Options& o, const ExecConfig& config);
int lostDisks(const Options& o, const ExecConfig& config);
int tuning(const Options& o, const ExecConfig& config);
int smallSystem(const Options& o, const ExecConfig& config);

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

// One long run of hard disks.
struct LongRun {
  std::string key;  // file name of its checkpoint
  std::int64_t n = 0;
  double packing = 0.698;
  Settings more;  // further parameters
  std::uint64_t sampleEvery = 100;
  std::string configuration;   // file to begin with; brings its own n and packing
  std::int64_t replicate = 1;  // copies of it along every axis
};
std::unique_ptr<Session> newRun(const LongRun& run, const ExecConfig& config,
                                const ModeFactory& modes, WorkReport report = {});
const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id);

// A table that is printed row by row and written as Markdown and CSV.
class Report {
 public:
  Report(const Options& o, const std::string& name, const std::string& title,
         const ExecConfig& config, std::vector<std::string> columns);
  void row(const std::vector<std::string>& cells);
  void note(const std::string& line);  // paragraph below the table
  void write() const;                  // after every row: a stopped study leaves its results
  // Rows of a study under way, written but not printed; they replace those before.
  void soFar(std::vector<std::vector<std::string>> rows, const std::string& note);
  void forget();  // all rows and notes

 private:
  std::string path_, head_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> notes_;
};

// "9.17079(5)": value with the error in its last digits.
std::string compact(double value, double error);
// Difference in units of the combined standard error.
double deviation(double a, double ea, double b, double eb);
// Two numbers count as equal within this many combined errors: one pair in 370 fails by chance.
constexpr double kAllowed = 3;
std::string judged(double sigmas);  // "+1.2", "+4.0 (too far)", "-"

}  // namespace cellscope::reproduce
