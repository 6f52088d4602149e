// The studies that exist, their options and their reports. A new one is a file here and its name in
// the two places below, or stands in the list at the end of a file.
#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>

#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/base/build.h"
#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"

namespace cellscope::reproduce {

std::vector<Study> pressureStudies(), stepStudies(), chainStudies();
Study table4(), binaryMixture(), colloidSolution(), gibbsCoexistence();

std::vector<Study> allStudies() {
  std::vector<Study> all;
  const auto add = [&](const char* mode, const std::vector<Study>& studies) {
    for (const Study& study : studies) all.emplace_back(study).mode = mode;
  };
  add("hard_disks", pressureStudies());
  add("hard_disks", {table4()});
  add("md", {binaryMixture(), colloidSolution()});
  add("md", stepStudies());
  add("gcmc", chainStudies());
  add("gibbs", {gibbsCoexistence()});
  return all;
}

const char* const kJudging =
    "A result is judged once its run is long enough: 64 samples of each run or as many blocks, "
    "starts that agree, no drift, all sweeps that were asked for (whichever the study has). It is "
    "right within 3 combined standard errors; errors are one standard error. Results that are "
    "wrong on purpose, and times, stand beside the paper's and are not judged. Exit code: 0 when "
    "all results were judged and are right, or all times are taken; 1 when one was judged and is "
    "wrong, or the study failed or was stopped; 3 when none is wrong, but not all were long enough "
    "to be judged (more --minutes).";

StudyContext contextOf(Study& study, std::string folder, double minutes, const ExecConfig& exec) {
  if (exec.backend == Backend::cpu)
    for (const auto& [key, text] : study.info.onCpu) {
      Option& o = study.options.at(key);
      if (!o.given()) o.set(text);
    }
  std::string command =
      fmt::format("cellscope reproduce {} --minutes {:g}", study.info.name, minutes);
  for (const Option& o : study.options.items())
    if (o.changed() || (o.given() && !o.isFlag()))
      command += o.isFlag() ? " " + o.name() : fmt::format(" {} {}", o.name(), o.text());
  return {std::move(folder), minutes, exec, study.info.name, command};
}

std::string Option::allowed() const {
  return item_.allowed() + (isList() ? ", several separated by commas" : "");
}

void Option::set(const std::string& text) {
  std::vector<ParameterValue> values;
  const std::vector<std::string> items = io::splitAt(text, ',');
  if (!isList() && items.size() > 1)
    throw InputError("{}: it takes one value, {} were given; run the study once for each", name_,
                     items.size());
  for (const std::string& item : items) {
    try {
      item_.setText(item);
    } catch (const InputError&) {
      throw InputError("{}: '{}' is not allowed; allowed: {}", name_, item, allowed());
    }
    values.push_back(item_.get());
    if (std::ranges::count(values, values.back()) > 1)
      throw InputError("{}: {} is given twice; name it once", name_, toText(values.back()));
  }
  if (isList()) store_(values);
  given_ = true;
}

Option& OptionSet::at(const std::string& name) {
  std::vector<std::string> known;
  for (Option& o : items_) {
    if (o.name() == name || o.name() == "--" + name) return o;
    known.push_back(o.name());
  }
  throw InputError("unknown option {}; known: {}", name, fmt::join(known, ", "));
}

void OptionSet::add(const Parameter& item, const std::function<std::vector<ParameterValue>()>& get,
                    std::function<void(const std::vector<ParameterValue>&)> store) {
  Option o;
  o.name_ = "--" + item.info.key;
  std::ranges::replace(o.name_, '_', '-');
  o.item_ = item;
  o.text_ = [get] { return fmt::format("{}", fmt::join(each(get(), toText), ",")); };
  o.initial_ = o.text_();
  o.store_ = std::move(store);
  // A default outside the range has a meaning explained in the help.
  const auto* const whole = std::get_if<std::int64_t>(&item.fallback);
  const auto value = whole ? static_cast<double>(*whole) : item.info.min;
  const bool inRange = !whole || (value >= item.info.min && value <= item.info.max);
  if (o.isList() || (!o.isFlag() && inRange)) o.fallback_ = o.initial_;
  items_.push_back(std::move(o));
}

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
  std::string csv =
      fmt::format("\"{}\"\n", fmt::join(columns_, "\",\""));  // names have commas, too
  md += "\n";
  for (const Row& row : rows_) {
    md += fmt::format("| {} |\n", fmt::join(row, " | "));
    csv += fmt::format("\"{}\"\n", fmt::join(row, "\",\""));
  }
  for (const std::string& note : notes_) md += "\n" + note + "\n";
  io::replaceFile(path_ + ".md", md);
  io::replaceFile(path_ + ".csv", csv);
}

// A number that rounds to zero has no sign.
static std::string withoutSignOfZero(std::string text) {
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return zero && text.find_first_of("+-") == 0 ? text.substr(1) : text;
}

std::string compact(double value, double error) {
  if (!std::isfinite(value)) return "-";
  if (!(error > 0) || !std::isfinite(error)) return withoutSignOfZero(fmt::format("{:.6g}", value));
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return withoutSignOfZero(fmt::format("{:.{}f}", value, digits)) +
         fmt::format("({:.0f})", error * std::pow(10.0, digits));
}

std::string signedText(double value, int digits) {
  return std::isfinite(value) ? withoutSignOfZero(fmt::format("{:+.{}f}", value, digits)) : "-";
}

double deviation(const Mean& a, const Mean& b) {
  return (a.value - b.value) / std::hypot(a.error, b.error);
}

std::string Verdicts::compare(const Mean& ours, const Mean& published, bool longEnough) {
  if (!std::isfinite(published.value)) return "-";
  const double sigmas = deviation(ours, published);
  const bool known = longEnough && ours.error > 0 && std::isfinite(sigmas);
  const bool near = std::abs(sigmas) <= kAllowed;
  ++(!known ? short_ : near ? agree_ : far_);
  if (!known) return signedText(sigmas) + " (too short to judge)";
  return signedText(sigmas) + (near ? "" : " (too far)");
}

int Verdicts::exitCode() const {
  return far_ > 0 ? kDiffers : short_ > 0 || agree_ == 0 ? kNotJudged : kAgrees;
}

std::string Verdicts::note() const {
  const int all = judged() + short_;
  if (all == 0) return "Nothing is published to judge these results by (exit code 3).";
  std::string text = fmt::format(
      "{} of {} results {} long enough to be judged: {} agree{} with what is right within {} "
      "combined standard errors, {} {} too far (exit code {}).",
      judged(), all, judged() == 1 ? "was" : "were", agree_, agree_ == 1 ? "s" : "", kAllowed, far_,
      far_ == 1 ? "is" : "are", exitCode());
  if (judged() > 1)
    text += fmt::format(
        " By chance alone one table in {:.0f} with as many judgements holds one that is too far.",
        std::max(1.0, 370.0 / judged()));
  return text;
}

Mean weighted(const Mean& a, const Mean& b) {
  if (!std::isfinite(a.value)) return b;
  if (!std::isfinite(b.value)) return a;
  const double wa = 1 / (a.error * a.error), wb = 1 / (b.error * b.error);
  return {(a.value * wa + b.value * wb) / (wa + wb), 1 / std::sqrt(wa + wb)};
}

void throwStopped() { throw RunError("stopped; completed rows are kept"); }

}  // namespace cellscope::reproduce
