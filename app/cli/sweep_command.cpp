#include "app/cli/sweep_command.h"

#include "app/cli/options.h"
#include "app/cli/output_check.h"
#include "app/common/ending.h"
#include "app/common/terminal.h"
#include "sim/base/error.h"

namespace cellscope::cli {

SweepCommand::SweepCommand(CLI::App& app) {
  sweep_ = app.add_subcommand("sweep",
                              "One scenario at many values of its parameters, computed by "
                              "any number of workers that share a folder");
  sweep_->require_subcommand(1);
  init_ = sweep_->add_subcommand(
      "init",
      "Make the folder: a signac workspace with job files for row (workflow.toml), "
      "Snakemake (Snakefile), Slurm (slurm.sh) and GNU parallel (jobs.txt)");
  init_->add_option("DIR", setup_.folder, "Folder of the sweep")->required();
  init_->add_option("SCENARIO", setup_.scenario, "Name in the gallery, or a .toml file")
      ->required();
  init_
      ->add_option("--vary", setup_.vary,
                   "KEY=FIRST..LAST:COUNT, KEY=FIRST..LAST (whole numbers) or KEY=A,B,C; several: "
                   "all combinations")
      ->required()
      ->take_all();
  init_->add_option("--set", setup_.settings, "KEY=VALUE, the same at all points")->take_all();
  init_->add_option("--until", setup_.until, "Steps of each point")
      ->transform(wholeNumber(1, 1'000'000'000'000'000))
      ->required();
  work_ = sweep_->add_subcommand(
      "work",
      "Compute points: done: nothing to do; stopped before: resumed; otherwise from the "
      "start. Exit codes: 0 all are done, 1 one failed, 85 some are left");
  work_->add_option("DIR", folder_, "Folder of the sweep")->required();
  work_->add_option("ID", ids_, "Points; default: all");
  work_->add_option("--max-walltime", maxWalltime_, "As of cellscope run")
      ->transform(realNumber(1, 1e9));
  addHardware(*work_, hardware_);
  status_ = sweep_->add_subcommand("status",
                                   "Count points that are done, resumable, running, "
                                   "failed (with the message) and not begun");
  status_->add_option("DIR", folder_, "Folder of the sweep")->required();
  status_->add_flag("--json", json_, "State of each point as JSON");
  collect_ = sweep_->add_subcommand(
      "collect", "Parameters, averages and errors of all points that are done, as a table");
  collect_->add_option("DIR", folder_, "Folder of the sweep")->required();
  collect_->add_option("--output", output_, "FILE.csv, or FILE.jsonl for a JSON object per line")
      ->check(fileName())
      ->capture_default_str();
}

int SweepCommand::run() {
  if (init_->parsed()) sweep::createSweep(setup_);
  if (work_->parsed()) return sweep::work(folder_, ids_, hardware_, maxWalltime_);
  if (status_->parsed()) common::put(sweep::statusText(folder_, json_));
  if (collect_->parsed()) {
    checkOutputs({{"--output", output_, true}}, {});
    sweep::collect(folder_, output_);
  }
  return common::kDone;
}

}  // namespace cellscope::cli
