// `cellscope sweep`: init, work, status, collect; and its workers (app/sweep/sweep.h).
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/cli/commands.h"
#include "app/common/json.h"
#include "app/common/terminal.h"
#include "app/sweep/sweep.h"
#include "sim/exec/machine.h"
#include "sim/io/files.h"

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

namespace cellscope::sweep {
namespace {

namespace fs = std::filesystem;

// Limits how many points a process computes side by side on a GPU: about kFill particles keep it
// busy. The first point runs alone until its number of particles is known.
class Room {
 public:
  void enter(bool gpu) {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return !gpu || points_ == 0 || (points_ + 1) * each_ <= kFill; });
    ++points_;
  }
  void learn(std::size_t particles) {
    const std::lock_guard lock(mutex_);
    each_ = std::max(each_ == kUnknown ? 1 : each_, particles);
    left_.notify_all();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --points_;
    left_.notify_all();
  }

 private:
  static constexpr std::size_t kFill = 1 << 20, kUnknown = kFill;  // particles
  std::mutex mutex_;
  std::condition_variable left_;
  std::size_t points_ = 0, each_ = kUnknown;
};

class Workers {
 public:
  Workers(fs::path folder, const WorkOptions& options)
      : folder_(std::move(folder)),
        points_(pointsOf(folder_, options.ids)),
        hardware_(options.hardware),
        maxWalltime_(options.maxWalltime),
        together_(static_cast<std::size_t>(options.together)) {}

  int run() {
    const ExecConfig exec = common::chooseHardware(hardware_, false);
    gpu_ = exec.backend == Backend::cuda;
    const auto cores = static_cast<std::size_t>(exec::threadsFor(exec.threads));
    // On a GPU more threads than the host has cores wait for each other in the driver, unless their
    // mode launches for many.
    const std::size_t most = together_ > 0 ? together_
                             : gpu_
                                 ? std::max(describeMode(scenarioOf(folder_).mode).together, cores)
                                 : cores;
    const std::size_t together = std::max<std::size_t>(1, std::min(points_.size(), most));
    if (!gpu_) hardware_.threads = std::max(1, static_cast<int>(cores / together));
    hardware_.together = static_cast<int>(together);
    hardware_.backend = toString(exec.backend);
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < together; ++k) threads.emplace_back([this] { takePoints(); });
    takePoints();
    for (std::thread& t : threads) t.join();
    tell(fmt::format("{} done, {} failed, {} left", done_, failed_,
                     points_.size() - done_ - failed_));
    return failed_ > 0               ? common::kFailed
           : done_ == points_.size() ? common::kDone
                                     : common::kStopped;
  }

 private:
  void takePoints() {
    for (std::size_t k = next_++; k < points_.size() && !interrupt_.raised(); k = next_++) {
      const PointState before = points_[k].state();
      if (before == PointState::done)
        ++done_;
      else if (before == PointState::running)
        tell(points_[k].id + ": another worker is at it");
      else
        compute(points_[k]);
    }
  }

  void compute(const Point& p) {
    try {
      std::optional<io::FolderLock> alone;
      try {
        alone.emplace(p.folder.string());
      } catch (const InputError&) {  // since its state was read
        return tell(p.id + ": another worker is at it");
      }
      if (fs::exists(p.result())) {
        ++done_;
        return;
      }
      fs::remove(p.error());
      const int code = computed(p);
      done_ += code == common::kDone;
      tell(p.id + (code == common::kDone ? ": done" : ": stopped; resumes from its checkpoint"));
    } catch (const std::exception& e) {
      // During set-up: it begins anew next time.
      if (interrupt_.raised()) return tell(p.id + ": stopped");
      ++failed_;
      tell(fmt::format("{}: failed: {}", p.id, e.what()));
      try {
        io::replaceFile(p.error().string(), std::string(e.what()) + "\n");
      } catch (const std::exception& other) {
        tell(fmt::format("{}: {}", p.id, other.what()));
      }
    }
  }

  int computed(const Point& p) {
    room_.enter(gpu_);
    struct Leave {
      Room& room;
      ~Leave() { room.leave(); }
    } const leave{room_};
    if (interrupt_.raised()) return common::kStopped;
    cli::BatchRun run(optionsOf(p), interrupt_);
    room_.learn(run.particles());
    return run.run();
  }

  cli::RunOptions optionsOf(const Point& p) const {
    cli::RunOptions o;
    if (fs::exists(p.checkpoint())) {
      o.resume = p.checkpoint().string();
    } else {
      o.scenario = (folder_ / "scenario.toml").string();
      o.settings = settingsOf(p);
    }
    o.until = common::jsonOfFile(p.statePoint()).at("until").get<std::uint64_t>();
    o.checkpoint = p.checkpoint().string();
    o.result = p.result().string();
    o.csv = (p.folder / "run.csv").string();
    o.maxWalltime = maxWalltime_;
    o.hardware = hardware_;
    o.overwrite = o.quiet = true;
    return o;
  }

  void tell(const std::string& line) {
    const std::lock_guard lock(mutex_);
    common::printLine(line);
  }

  fs::path folder_;
  std::vector<Point> points_;
  common::HardwareOptions hardware_;
  double maxWalltime_;
  std::size_t together_;
  common::InterruptGuard interrupt_;
  bool gpu_ = false;
  Room room_;
  std::atomic<std::size_t> next_{0}, done_{0}, failed_{0};
  std::mutex mutex_;
};

}  // namespace

std::vector<std::string> settingsOf(const Point& p) {
  std::vector<std::string> out;
  const auto state = common::jsonOfFile(p.statePoint());
  for (const auto& [key, value] : state.items())
    if (key != "scenario" && key != "until")
      out.push_back(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  return out;
}

int work(const std::filesystem::path& folder, const WorkOptions& options) {
  return Workers(folder, options).run();
}

}  // namespace cellscope::sweep
