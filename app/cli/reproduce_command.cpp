#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include "app/cli/commands.h"
#include "app/common/terminal.h"
#include "app/reproduce/study.h"
#include "sim/base/error.h"
#include "sim/io/files.h"

namespace cellscope::cli {

using reproduce::Option;
using reproduce::Study;

namespace {

// A study, and its options as given.
struct Entry {
  Study study;
  CLI::App* app = nullptr;
  std::string folder;
  double minutes = 10;
  common::HardwareOptions hardware;
  std::vector<std::pair<std::string, std::string>> given;
};

// Values are checked by the option itself when the study starts.
void addOption(Entry& entry, const Option& option) {
  const std::string name = option.name();
  const auto keep = [&entry, name](const std::string& text) {
    entry.given.emplace_back(name, text);
  };
  if (option.isFlag()) {
    entry.app->add_flag_callback(
        name, [keep] { keep("true"); }, option.info().help);
    return;
  }
  CLI::Option* added = entry.app->add_option_function<std::string>(name, keep, option.info().help);
  added->type_name(option.allowed());
  added->default_str(option.fallback());
}

void addStudy(CLI::App& app, Entry& entry) {
  Study& study = entry.study;
  const reproduce::StudyInfo& info = study.info;
  entry.app = app.add_subcommand(info.name, info.about);
  entry.app->group("Studies of mode " + study.mode);
  entry.app->allow_extras();  // refuseUnknown() lists the valid options
  addFile(*entry.app, "--folder", entry.folder,
          "Folder for results and checkpoints; default: results/" + info.name);
  addReal(*entry.app, "--minutes", entry.minutes, 0.01, 1e6,
          "Time for the whole study, shared by its runs")
      ->capture_default_str();
  for (const Option& option : study.options.items()) addOption(entry, option);
  addHardware(*entry.app, entry.hardware);
  std::string footer = info.notes;
  for (std::size_t k = 0; k < info.onCpu.size(); ++k)
    footer += fmt::format("{}{} {}{}",
                          k > 0            ? " "
                          : footer.empty() ? "Defaults on a CPU: "
                                           : " Defaults on a CPU: ",
                          study.options.at(info.onCpu[k].first).name(), info.onCpu[k].second,
                          k + 1 < info.onCpu.size() ? "" : ".");
  if (info.resumes)
    footer += (footer.empty() ? "" : " ") +
              std::string("A later call with the same folder continues from its checkpoints.");
  entry.app->footer(footer + (footer.empty() ? "" : "\n\n") + reproduce::kJudging);
}

// Refuses options that the study does not have or would ignore.
void refuseUnknown(const Entry& entry) {
  const Study& study = entry.study;
  const std::vector<std::string> others = entry.app->remaining();
  if (others.empty()) return;
  const auto named =
      std::ranges::find_if(others, [](const std::string& o) { return o.starts_with('-'); });
  if (named == others.end())
    throw InputError("'{}' is not expected after {}", others.front(), study.info.name);
  throw InputError(
      "{}: unknown option of {}; known: --folder, --minutes, {}{}--backend, --threads, --device",
      named->substr(0, named->find('=')), study.info.name,
      fmt::join(each(study.options.items(), &Option::name), ", "),
      study.options.items().empty() ? "" : ", ");
}

int start(Entry& entry) {
  common::outliveOutputs();
  refuseUnknown(entry);
  Study& study = entry.study;
  for (const auto& [name, text] : entry.given) study.options.at(name).set(text);
  if (entry.folder.empty()) entry.folder = "results/" + study.info.name;
  io::createFolder(entry.folder);
  const io::FolderLock alone(entry.folder);
  const ExecConfig exec = common::chooseHardware(entry.hardware, false);
  return study.run(reproduce::contextOf(study, entry.folder, entry.minutes, exec));
}

}  // namespace

Command addReproduce(CLI::App& app) {
  CLI::App* all = app.add_subcommand("reproduce", "Repeat a published study at full size");
  all->require_subcommand(1);
  all->footer(std::string("Options of a study: cellscope reproduce NAME --help\n\n") +
              reproduce::kJudging);
  const auto entries = std::make_shared<std::deque<Entry>>();  // CLI11 keeps addresses
  for (Study& study : reproduce::allStudies()) {
    entries->push_back({std::move(study)});
    addStudy(*all, entries->back());
  }
  return {all, [entries] {
            for (Entry& entry : *entries)
              if (entry.app->parsed()) return start(entry);
            throw InputError("name a study; cellscope reproduce --help lists them");
          }};
}

std::vector<std::string> withStudyFirst(std::vector<std::string> arguments) {
  if (arguments.size() < 3 || arguments[1] != "reproduce") return arguments;
  std::vector<std::string> names;
  for (const Study& study : reproduce::allStudies()) names.push_back(study.info.name);
  for (auto at = arguments.begin() + 2; at != arguments.end(); ++at)
    if (hasItem(names, *at) && *(at - 1) != "--folder") {
      std::rotate(arguments.begin() + 2, at, at + 1);
      break;
    }
  return arguments;
}

}  // namespace cellscope::cli
