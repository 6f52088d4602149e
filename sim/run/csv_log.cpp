#include "sim/run/csv_log.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/run/version.h"

namespace cellscope {
namespace {

// Digits down to the second of the error; everything when the error is unknown.
std::string withError(double mean, double error) {
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.8g}", mean);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{:.{}f} +- {:.{}f}", mean, digits, error, digits);
}

std::string inParentheses(const std::string& text) {
  return text.empty() ? "" : fmt::format(" ({})", text);
}

}  // namespace

std::vector<std::string> averageLines(const Session& session) {
  std::vector<std::string> lines;
  for (const ObservableSeries& s : session.history().series()) {
    if (s.samples == 0) {
      lines.push_back(fmt::format("{}: no samples since step {}", s.info.id, s.epochStart));
      continue;
    }
    lines.push_back(fmt::format("{} = {}{}{} ({} samples since step {})", s.info.id,
                                withError(s.currentMean, s.currentError),
                                s.info.unit.empty() ? "" : " ", s.info.unit, s.samples,
                                s.epochStart));
  }
  return lines;
}

CsvLog::CsvLog(const std::string& path, const Session& session, const std::string& device,
               bool append)
    : file_(path, append ? io::OpenAs::append : io::OpenAs::replace) {
  if (append)
    comment(fmt::format("resumed after step {} on {}", session.step(), device));
  else
    header(session, device);
  file_.flush();
}

void CsvLog::header(const Session& session, const std::string& device) {
  const ModeInfo& info = session.mode().info();
  comment(fmt::format("cellscope {}", programVersion()));
  comment("scenario: " + session.log().start.name);
  comment(fmt::format("mode: {} ({})", info.key, info.label));
  comment("computed on: " + device);
  comment("reduced units: sigma = 1, k_B = 1; step = " + info.stepName);
  for (const std::string& e : session.experiments())
    comment(fmt::format("WRONG ON PURPOSE: experiment '{}' is on; do not use these numbers", e));
  for (const auto& [key, value] : session.log().start.parameters)
    comment(fmt::format("parameter {} = {}", key, toText(value)));
  for (const Edit& e : session.log().edits)
    comment(fmt::format("changed after step {}: {} = {}", e.step, e.key, toText(e.value)));
  std::string columns = "step";
  for (const ObservableInfo& o : info.observables) {
    comment(fmt::format("column {}: {}{}{}", o.id, o.label, inParentheses(o.unit),
                        o.equation.empty() ? "" : "; " + o.equation));
    columns += "," + o.id;
  }
  file_.write(columns + "\n");
}

void CsvLog::row(std::uint64_t step, const std::vector<double>& values) {
  std::string line = fmt::format("{}", step);
  for (const double v : values) line += std::isnan(v) ? ",nan" : fmt::format(",{}", v);
  file_.write(line + "\n");
  const auto now = std::chrono::steady_clock::now();
  if (now - flushed_ < std::chrono::seconds(1)) return;
  file_.flush();
  flushed_ = now;
}

void CsvLog::comment(const std::string& text) { file_.write("# " + text + "\n"); }

void CsvLog::finish(const Session& session) {
  for (const std::string& e : session.experiments())
    comment(fmt::format("WRONG ON PURPOSE: experiment '{}' is on; do not use these numbers", e));
  for (const std::string& line : averageLines(session)) comment("average " + line);
  file_.close();
}

}  // namespace cellscope
