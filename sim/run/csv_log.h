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
//   0,nan,0.93                     (the start; in no average)
//   10,9.17,0.81
//   # changed after step 500: packing = 0.71
//   # ended after step 1000
//   # average pressure = 9.171 +- 0.002 (68 samples from step 330 on)
//   # averages begin at step 330, 32 samples after step 0 are left out as equilibration
//
// A resumed run removes the lines from "ended" on and writes its own at its end. Beside it the
// frames of a run, in a file of any format that holds several (sim/io/formats/format.h).
#pragma once
#include <chrono>

#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/run/session.h"

namespace cellscope {

// Files that a resumed run goes on with. What lies after the checkpoint in them was written before
// the run was killed; the run computes it again, so it is cut off first. Files name the run they
// are of (runId()): what this run would not compute again is never touched.
struct EarlierPart {
  bool found = false;          // a regular file that holds something to go on with
  bool byFrames = false;       // size and kept count frames (H5MD), not bytes
  std::uint64_t size = 0;      // of it
  std::uint64_t kept = 0;      // that stay: complete, and not later than the checkpoint
  std::uint64_t later = 0;     // rows or frames after the checkpoint
  bool torn = false;           // its last row or frame was cut off while it was written
  std::uint64_t last = ~0ull;  // step of the last row or frame that stays; ~0: none
  std::string run;             // runId() where it ends
  // Time series: parameters, and the description of each column, as they were last written.
  std::map<std::string, std::string> parameters, columns;
};

// Look and change nothing. Throw InputError when the file is of another run, goes on after the
// checkpoint with other changes of parameters, or lacks a row or holds a damaged one before the
// checkpoint. What a run writes only because it ends (averages, the last configuration) does not
// stay, so that a run in parts leaves the files of one run.
EarlierPart earlierRows(const std::string& path, const Session& session);  // CsvLog
// appendFrame(); format: io::Format::key, "": by the suffix. Only extended XYZ and H5MD go on.
EarlierPart earlierFrames(const std::string& path, const Session& session,
                          const std::string& format = "");

// Takes away what does not stay. On failure throws RunError and the file is as it was.
void cutLater(const std::string& path, const EarlierPart& part);

class CsvLog {
 public:
  // `device`: where it runs, for the header. `earlier`: the part of this run that the file holds
  // already, cut to the checkpoint. The session must outlive the log.
  CsvLog(const std::string& path, const Session& session, const std::string& device,
         const EarlierPart& earlier = {});

  void row(std::uint64_t step, const std::vector<double>& values);
  // The row of the state that a run begins with, at step 0; it is in no average.
  void start(Mode& mode);
  void comment(const std::string& text);
  // Rows of the samples that the session's history has kept, which may be every second, fourth ...
  void keptRows();
  // Says that the samples up to step `to` are not in the file; the line it wrote.
  std::string missing(std::uint64_t to);
  void flushToDisk() { file_->flushToDisk(); }
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
  std::uint64_t last_ = 0;  // step of the last row, or of the last sample reported as missing
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

// The time series that the session's history has kept, as a file of the same form.
void writeKeptSeries(const std::string& path, const Session& session, const std::string& device);

// A text in quotes, as a cell of CSV; and a place on an axis, which is a name on a named one.
std::string csvQuoted(const std::string& text);
std::string csvPlace(const CurveAxis& axis, double x);

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

// Frames of a run; format: as of earlierFrames(), any that holds several.
std::unique_ptr<io::FrameSink> openTrajectory(const std::string& path, io::OpenAs how,
                                              const std::string& format = "");
// The current configuration, with the run that it is of. `end`: it is written because the run ends
// here; a resumed run removes such a frame. Throws RunError.
void appendFrame(io::FrameSink& trajectory, Session& session, bool end = false);

}  // namespace cellscope
