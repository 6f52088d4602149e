// `cellscope sweep`: init, work, status, collect.
#pragma once
#include <CLI/CLI.hpp>

#include "app/sweep/sweep.h"

namespace cellscope::cli {

class SweepCommand {
 public:
  explicit SweepCommand(CLI::App& app);
  bool parsed() const { return sweep_->parsed(); }
  int run();  // the exit code

 private:
  CLI::App *sweep_, *init_, *work_, *status_, *collect_;
  sweep::SweepSetup setup_;
  std::string folder_, output_ = "/dev/stdout";
  std::vector<std::string> ids_;
  common::HardwareOptions hardware_;
  double maxWalltime_ = 0;
  bool json_ = false;
};

}  // namespace cellscope::cli
