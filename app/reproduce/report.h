// Reports of studies, and formatting of their numbers.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/reproduce/study.h"

namespace cellscope::reproduce {

using Row = std::vector<std::string>;

// A table that is printed row by row and written as Markdown and CSV.
class Report {
 public:
  // Makes the folder. Throws InputError when it cannot be written to.
  Report(const StudyContext& context, const std::string& title, Row columns);
  void row(const Row& cells);
  void note(const std::string& line);  // a paragraph below the table
  // Rows of a running study, written but not printed; they replace earlier ones.
  void interim(std::vector<Row> rows);
  // All rows and notes of a finished study, written and printed.
  void final(const std::vector<Row>& rows, const std::vector<std::string>& notes);

 private:
  void write() const;  // after every row: a stopped study leaves its results

  std::string path_, head_;
  Row columns_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

struct Mean {
  double value = 0, error = 0;  // one standard error
};

// "9.17079(5)": value with the error in its last digits; "-" when it is not finite.
std::string compact(double value, double error);
std::string compact(const Mean& m);
// "+1.2"; never a zero with a sign. "-" when it is not finite.
std::string signedText(double value, int digits = 1);
// Difference in units of the combined standard error.
double deviation(double a, double ea, double b, double eb);
double deviation(const Mean& a, const Mean& b);
// Two numbers agree within this many combined errors: one pair in 370 fails by chance.
constexpr double kAllowed = 3;
// Fewest samples, or independent blocks, from which an error is estimated.
constexpr std::uint64_t kLeastSamples = 64;

// When a result is judged, the words for one that cannot be, and the exit code: one rule for all
// studies (kJudging).
class Verdicts {
 public:
  // A result beside its published value: its cell, "+1.2", "+4.0 (too far)", "+4.0 (too short to
  // judge)", "-" where nothing is published. longEnough: its study's condition is met.
  std::string compare(const Mean& ours, const Mean& published, bool longEnough);
  // The same of a difference in combined errors; NaN: too short to know it.
  std::string compare(double sigmas, bool longEnough);

  int judged() const { return agree_ + far_; }
  int far() const { return far_; }
  int exitCode() const;
  // "10 of 12 results were judged: 9 agree, 1 is too far. ..."
  std::string note() const;

 private:
  void count(bool right, bool longEnough);
  int agree_ = 0, far_ = 0, short_ = 0;
};
// Weighted by the errors; a NaN counts as missing.
Mean weighted(const Mean& a, const Mean& b);
// Throws RunError: the study was stopped and its rows are kept.
[[noreturn]] void throwStopped();

}  // namespace cellscope::reproduce
