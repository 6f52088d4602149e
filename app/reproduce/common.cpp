#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <filesystem>

#include "app/common/terminal.h"
#include "app/reproduce/reproduce.h"
#include "sim/api/version.h"
#include "sim/core/assert.h"
#include "sim/io/output_file.h"

namespace cellscope::reproduce {
std::unique_ptr<Session> newRun(const LongRun& run, const ExecConfig& config,
                                const ModeFactory& modes, WorkReport report) {
  Scenario s;
  s.name = run.key;
  s.mode = "hard_disks";
  s.sampleEvery = run.sampleEvery;
  s.configuration = run.configuration;
  s.replicate = run.replicate;
  s.parameters = {{"n", run.n}, {"packing", run.packing}};
  for (const auto& [key, value] : run.more) setParameter(s, key, value);
  return std::make_unique<Session>(s, config, modes, std::move(report));
}

const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id) {
  for (const ObservableSeries& s : all)
    if (s.info.id == id) return s;
  CELLSCOPE_ASSERT(!"an observable that the mode declares");
  return all.front();
}

std::string compact(double value, double error) {
  if (!std::isfinite(value)) return "-";
  if (!(error > 0) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return fmt::format("{:.{}f}({:.0f})", value, digits, error * std::pow(10.0, digits));
}

double deviation(double a, double ea, double b, double eb) { return (a - b) / std::hypot(ea, eb); }

std::string judged(double sigmas) {
  if (!std::isfinite(sigmas)) return "-";
  return std::abs(sigmas) <= kAllowed ? fmt::format("{:+.1f}", sigmas)
                                      : fmt::format("{:+.1f} (too far)", sigmas);
}

namespace {

// The command line of the study, without what has its default value.
std::string commandOf(const std::string& name, const Options& o) {
  const Options standard;
  std::string text = fmt::format("cellscope reproduce {} --minutes {:g}", name, o.minutes);
  if (o.sides != standard.sides) text += fmt::format(" --sides {}", fmt::join(o.sides, ","));
  if (!o.packings.empty()) text += fmt::format(" --packings {}", fmt::join(o.packings, ","));
  if (o.seeds != standard.seeds) text += fmt::format(" --seeds {}", o.seeds);
  if (o.firstSeed != standard.firstSeed) text += fmt::format(" --first-seed {}", o.firstSeed);
  if (o.start != standard.start) text += fmt::format(" --start {}", o.start);
  if (o.movesPerCell != standard.movesPerCell)
    text += fmt::format(" --moves-per-cell {}", o.movesPerCell);
  if (o.sweeps != standard.sweeps) text += fmt::format(" --sweeps {}", o.sweeps);
  if (o.grow) text += " --grow";
  if (o.together != standard.together) text += fmt::format(" --together {}", o.together);
  return text;
}

}  // namespace

Report::Report(const Options& o, const std::string& name, const std::string& title,
               const ExecConfig& config, std::vector<std::string> columns)
    : path_(o.folder + "/" + name), columns_(std::move(columns)) {
  std::filesystem::create_directories(o.folder);
  io::checkWritable(path_ + ".md", true);
  const std::time_t now = std::time(nullptr);
  head_ = fmt::format("# {}\n\ncellscope {}, {}, {:%Y-%m-%d}; `{}`\n\n", title, programVersion(),
                      common::describe(config), fmt::gmtime(now), commandOf(name, o));
  common::say(fmt::format("{}\n{}", title, fmt::join(columns_, " | ")));
}

void Report::row(const std::vector<std::string>& cells) {
  common::say(fmt::format("{}", fmt::join(cells, " | ")));
  rows_.push_back(cells);
  write();
}

void Report::note(const std::string& line) {
  common::say(line);
  notes_.push_back(line);
  write();
}

void Report::soFar(std::vector<std::vector<std::string>> rows, const std::string& note) {
  rows_ = std::move(rows);
  notes_ = {note};
  write();
}

void Report::forget() {
  rows_.clear();
  notes_.clear();
}

void Report::write() const {
  std::string md = head_ + fmt::format("| {} |\n|", fmt::join(columns_, " | "));
  for (std::size_t i = 0; i < columns_.size(); ++i) md += " --- |";
  std::string csv = fmt::format("{}\n", fmt::join(columns_, ","));
  md += "\n";
  for (const auto& row : rows_) {
    md += fmt::format("| {} |\n", fmt::join(row, " | "));
    csv += fmt::format("\"{}\"\n", fmt::join(row, "\",\""));
  }
  for (const std::string& note : notes_) md += "\n" + note + "\n";
  io::replaceFile(path_ + ".md", md);
  io::replaceFile(path_ + ".csv", csv);
}

}  // namespace cellscope::reproduce
