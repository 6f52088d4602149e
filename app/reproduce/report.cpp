#include "app/reproduce/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "app/common/hardware.h"
#include "app/common/terminal.h"
#include "sim/api/version.h"
#include "sim/base/error.h"
#include "sim/io/output_file.h"

namespace cellscope::reproduce {

Report::Report(const StudyContext& context, const std::string& title, Row columns)
    : path_(context.folder + "/" + context.name), columns_(std::move(columns)) {
  std::filesystem::create_directories(context.folder);
  io::checkWritable(path_ + ".md", true);
  const std::time_t now = std::time(nullptr);
  head_ = fmt::format("# {}\n\ncellscope {}, {}, {:%Y-%m-%d}; `{}`\n\n", title, programVersion(),
                      common::describe(context.exec), fmt::gmtime(now), context.command);
  common::printLine(fmt::format("{}\n{}", title, fmt::join(columns_, " | ")));
}

void Report::row(const Row& cells) {
  common::printLine(fmt::format("{}", fmt::join(cells, " | ")));
  rows_.push_back(cells);
  write();
}

void Report::note(const std::string& line) {
  common::printLine(line);
  notes_.push_back(line);
  write();
}

void Report::interim(std::vector<Row> rows) {
  rows_ = std::move(rows);
  notes_ = {"Intermediate results; the study is still running."};
  write();
}

void Report::final(const std::vector<Row>& rows, const std::vector<std::string>& notes) {
  rows_.clear();
  notes_.clear();
  for (const Row& cells : rows) row(cells);
  for (const std::string& line : notes) note(line);
  write();
}

void Report::write() const {
  std::string md = head_ + fmt::format("| {} |\n|", fmt::join(columns_, " | "));
  for (std::size_t i = 0; i < columns_.size(); ++i) md += " --- |";
  std::string csv = fmt::format("{}\n", fmt::join(columns_, ","));
  md += "\n";
  for (const Row& row : rows_) {
    md += fmt::format("| {} |\n", fmt::join(row, " | "));
    csv += fmt::format("\"{}\"\n", fmt::join(row, "\",\""));
  }
  for (const std::string& note : notes_) md += "\n" + note + "\n";
  io::replaceFile(path_ + ".md", md);
  io::replaceFile(path_ + ".csv", csv);
}

std::string compact(double value, double error) {
  if (!std::isfinite(value)) return "-";
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{:.{}f}({:.0f})", value, digits, error * std::pow(10.0, digits));
}

std::string compact(const Mean& m) { return compact(m.value, m.error); }

double deviation(double a, double ea, double b, double eb) { return (a - b) / std::hypot(ea, eb); }

std::string judged(double sigmas) {
  if (!std::isfinite(sigmas)) return "-";
  return std::abs(sigmas) <= kAllowed ? fmt::format("{:+.1f}", sigmas)
                                      : fmt::format("{:+.1f} (too far)", sigmas);
}

Mean weighted(const Mean& a, const Mean& b) {
  if (!std::isfinite(a.value)) return b;
  if (!std::isfinite(b.value)) return a;
  const double wa = 1 / (a.error * a.error), wb = 1 / (b.error * b.error);
  return {(a.value * wa + b.value * wb) / (wa + wb), 1 / std::sqrt(wa + wb)};
}

void throwStopped() { throw RunError("stopped; completed rows are kept"); }

}  // namespace cellscope::reproduce
