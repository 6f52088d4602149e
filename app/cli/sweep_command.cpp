// `cellscope sweep`: init, work, status, collect.
#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/common/terminal.h"
#include "app/sweep/sweep.h"

namespace cellscope::cli {

namespace {

struct SweepOptions {
  sweep::SweepSetup setup;
  std::string scenario, folder, output = "/dev/stdout";
  sweep::WorkOptions work;
  bool json = false;
};

}  // namespace

Command addSweep(CLI::App& app) {
  const auto o = std::make_shared<SweepOptions>();
  CLI::App* all = app.add_subcommand("sweep",
                                     "One scenario at many values of its parameters, computed by "
                                     "any number of workers that share a folder");
  all->require_subcommand(1);
  CLI::App* init = all->add_subcommand(
      "init",
      "Make the folder: a signac workspace with job files for row (workflow.toml), Snakemake "
      "(Snakefile), Slurm (slurm.sh) and GNU parallel (jobs.txt)");
  init->add_option("DIR", o->setup.folder, "Folder of the sweep")->required();
  init->add_option("SCENARIO", o->scenario, "Name in the gallery, or a .toml file")->required();
  init->add_option("--vary", o->setup.vary,
                   "KEY=FIRST..LAST:COUNT, KEY=FIRST..LAST (whole numbers) or KEY=A,B,C; several: "
                   "all combinations")
      ->required()
      ->take_all();
  init->add_option("--set", o->setup.settings, "KEY=VALUE, the same at all points")->take_all();
  addWhole(*init, "--until", o->setup.until, 1, 1'000'000'000'000'000, "Steps of each point")
      ->required();
  CLI::App* work = all->add_subcommand(
      "work",
      "Compute points: done: nothing to do; stopped before: resumed; otherwise from the start. "
      "Exit codes: 0 all are done, 1 one failed, 85 some are left");
  work->add_option("DIR", o->folder, "Folder of the sweep")->required();
  work->add_option("ID", o->work.ids, "Points; default: all");
  addReal(*work, "--max-walltime", o->work.maxWalltime, 1, 1e9, "As of cellscope run");
  addWhole(
      *work, "--together", o->work.together, 1, 1024,
      "Points side by side; default: one per thread of the CPU, on a GPU as many as keep it busy");
  addHardware(*work, o->work.hardware);
  CLI::App* status = all->add_subcommand(
      "status",
      "Count points that are done, resumable, running, failed (with the message) and not begun");
  status->add_option("DIR", o->folder, "Folder of the sweep")->required();
  status->add_flag("--json", o->json, "State of each point as JSON");
  CLI::App* collect = all->add_subcommand(
      "collect", "Parameters, averages and errors of all points that are done, as a table");
  collect->add_option("DIR", o->folder, "Folder of the sweep")->required();
  addFile(*collect, "--output", o->output, "FILE.csv, or FILE.jsonl for a JSON object per line")
      ->capture_default_str();
  return {all, [=] {
            common::outliveOutputs();
            if (init->parsed()) {
              o->setup.scenario = common::openScenario(o->scenario);
              const std::string folder = o->setup.folder.string();
              common::printLine(
                  fmt::format("{} points in {}; compute them with: cellscope sweep work {}",
                              sweep::createSweep(o->setup), folder, common::forShell(folder)));
            }
            if (work->parsed()) return sweep::work(o->folder, o->work);
            if (status->parsed()) common::put(sweep::statusText(o->folder, o->json));
            if (collect->parsed()) {
              checkOutputs({{"--output", o->output, true}}, {});
              sweep::collect(o->folder, o->output);
            }
            return common::kDone;
          }};
}

}  // namespace cellscope::cli
