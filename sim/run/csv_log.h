// Time series of a run as a CSV file: comment lines (#) that explain the numbers, one row per
// sample, and at the end the averages with their block-averaged standard errors.
//
//   # cellscope 0.1.0
//   # scenario: hexatic
//   # run: 5b1f0c29e77a4d80        (runId())
//   # rule of averages: they begin with ...
//   # parameter n = 4096
//   # column pressure: Pressure P*, S3 eq. (4)
//   step,pressure,psi6
//   10,9.17,0.81
//   # changed after step 500: packing = 0.71
//   # ended after step 1000
//   # average pressure = 9.171 +- 0.002 (68 samples from step 330 on)
//   # averages begin at step 330, 32 samples after step 0 are left out as equilibration
//
// A resumed run removes the lines from "ended" on and writes its own at its end.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/output_file.h"
#include "sim/run/earlier_part.h"
#include "sim/run/session.h"

namespace cellscope {

class CsvLog {
 public:
  // `device`: where it runs, for the header. `earlier`: the part of this run that the file holds
  // already, cut to the checkpoint. The session must outlive the log.
  CsvLog(const std::string& path, const Session& session, const std::string& device,
         const EarlierPart& earlier = {});

  void row(std::uint64_t step, const std::vector<double>& values);
  void comment(const std::string& text);
  // Rows of the samples that the session's history has kept, which may be every second, fourth ...
  void keptRows();
  // Says that the samples up to step `to` are not in the file; the line it wrote.
  std::string missing(std::uint64_t to);
  void flushToDisk();
  // Notes about the averages, the averages; closes the file.
  void finish(const std::vector<std::string>& notes = {});

 private:
  void header(const std::string& device);
  void goOn(const std::string& device, const EarlierPart& earlier);
  void warnings();
  void describeColumns();
  void edit(const Edit& e);
  void write(std::uint64_t step, const std::vector<double>& values);
  void changes(std::uint64_t step);  // of parameters since they were last written

  const Session& session_;
  std::optional<io::OutputFile> file_;
  std::map<std::string, std::string> written_;  // values of the parameters, as text
  std::map<std::string, std::string> columns_;  // words about them
  std::uint64_t last_ =
      0;  // step of the last row, or of the last sample that was reported as missing
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

// The time series that the session's history has kept, as a file of the same form.
void writeKeptSeries(const std::string& path, const Session& session, const std::string& device);

std::string csvColumns(const ModeInfo& info);  // the line above the rows

// The rule by which averages begin.
extern const char* const kAverageRule;
// Average of an observable, without equilibration: as --discard has it, or as found (kAverageRule).
struct Average {
  std::string id, unit;
  double mean = 0, error = 0;
  bool errorKnown = false;    // false: too few samples, or all are equal
  std::uint64_t samples = 0;  // 0: not measured
  std::uint64_t from = 0;     // step
  bool leavesOut = false;     // samples before it, found to be of the equilibration
  bool equilibrated = false, constant = false;  // constant: all samples are equal
  bool grows = false;  // `mean` is the value of the last sample (ObservableInfo::grows)
};
std::vector<Average> averagesOf(const Session& session);
// One line of text per observable: "P* = 9.171 +- 0.002 (50 samples since step 0)", or "from step
// 340 on" where equilibration was left out; none without samples.
std::vector<std::string> averageLines(const Session& session);
// That there are no samples, and when one is taken; "" when there are some.
std::string noSamplesLine(const Session& session);
// From which step on the averages are, why, and whether they still include the equilibration;
// "" without samples.
std::string averageStartLine(const Session& session);

}  // namespace cellscope
