// Reports of studies, and formatting of their numbers.
#pragma once
#include <functional>
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
// Difference in units of the combined standard error.
double deviation(double a, double ea, double b, double eb);
// Two numbers agree within this many combined errors: one pair in 370 fails by chance.
constexpr double kAllowed = 3;
std::string judged(double sigmas);  // "+1.2", "+4.0 (too far)", "-"
// Weighted by the errors; a NaN counts as missing.
Mean weighted(const Mean& a, const Mean& b);
// Throws RunError: the study was stopped and its rows are kept.
[[noreturn]] void throwStopped();

}  // namespace cellscope::reproduce
