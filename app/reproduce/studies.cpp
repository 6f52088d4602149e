// The studies that exist. A new one is a file here and its name in the two places below, or stands
// in the list at the end of a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/reproduce/study.h"
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

static std::string commandOf(Study& study, double minutes) {
  std::string text = fmt::format("cellscope reproduce {} --minutes {:g}", study.info.name, minutes);
  for (const Option& o : study.options.items())
    if (o.changed() || (o.given() && !o.isFlag()))
      text += o.isFlag() ? " " + o.name() : fmt::format(" {} {}", o.name(), o.text());
  return text;
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
  return {std::move(folder), minutes, exec, study.info.name, commandOf(study, minutes)};
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
  o.text_ = [get] {
    std::string text;
    for (const ParameterValue& v : get()) text += (text.empty() ? "" : ",") + toText(v);
    return text;
  };
  o.initial_ = o.text_();
  o.store_ = std::move(store);
  // A default outside the range has a meaning explained in the help.
  const auto* const whole = std::get_if<std::int64_t>(&item.fallback);
  const auto value = whole ? static_cast<double>(*whole) : item.info.min;
  const bool inRange = !whole || (value >= item.info.min && value <= item.info.max);
  if (o.isList() || (!o.isFlag() && inRange)) o.fallback_ = o.initial_;
  items_.push_back(std::move(o));
}

}  // namespace cellscope::reproduce
