// `cellscope reproduce`: a subcommand for each study, with the options declared by the study.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/common/hardware.h"
#include "app/reproduce/studies.h"

namespace cellscope::cli {

class ReproduceCommand {
 public:
  explicit ReproduceCommand(CLI::App& app);
  bool parsed() const { return app_->parsed(); }
  int run();  // runs the chosen study; throws InputError or RunError

 private:
  struct Given {  // option of a study as given
    std::string name, text;
  };
  struct Entry {
    reproduce::Study* study = nullptr;
    CLI::App* app = nullptr;
    std::string folder;
    double minutes = 10;
    common::HardwareOptions hardware;
    std::vector<Given> given;
  };

  void add(reproduce::Study& study, const std::string& group);
  static void addOption(Entry& entry, const reproduce::Option& option);
  static void refuseUnknown(const Entry& entry);
  static int start(Entry& entry);

  CLI::App* app_;
  std::vector<reproduce::ModeStudies> studies_;
  std::vector<std::unique_ptr<Entry>> entries_;  // CLI11 keeps addresses
};

// Moves the name of the study right after `reproduce` if options precede it.
std::vector<std::string> withStudyFirst(std::vector<std::string> arguments);

}  // namespace cellscope::cli
