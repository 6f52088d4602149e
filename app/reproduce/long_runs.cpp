#include "app/reproduce/long_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include "app/common/ending.h"
#include "app/common/interrupt.h"
#include "app/common/terminal.h"
#include "sim/exec/threads.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShowSeconds = 20, kSummarySeconds = 1;

struct Stopped {};

class Runs {
 public:
  Runs(const std::vector<LongRun>& runs, const LongRunBudget& budget, RunResults& results)
      : runs_(runs), budget_(budget), results_(results), config_(budget.exec) {
    together_ = std::clamp<std::size_t>(static_cast<std::size_t>(budget.together), 1,
                                        std::max<std::size_t>(1, runs.size()));
    const std::size_t waves = (runs.size() + together_ - 1) / together_;
    wave_ = 60 * budget.minutes / static_cast<double>(std::max<std::size_t>(1, waves));
    if (config_.backend == Backend::cpu && together_ > 1)
      config_.threads =
          std::max(1, exec::threadsFor(config_.threads) / static_cast<int>(together_));
  }

  void measure() {
    running_ = together_;
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < together_; ++k) threads.emplace_back([this] { work(); });
    try {
      watch();
    } catch (...) {  // e.g. a full disk: checkpoints may still be possible
      stop_ = true;
      for (std::thread& t : threads) t.join();
      throw;
    }
    for (std::thread& t : threads) t.join();
    results_.show(true);
    if (!failure_.empty()) throw RunError(failure_);
    if (stop_)
      throw common::Stopped(
          "stopped; call again with the same folder to continue (checkpoints are in " +
          budget_.folder + ")");
  }

 private:
  void watch() {
    common::InterruptGuard interrupt;
    double shown = 0;
    while (running_ > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (interrupt.raised()) stop_ = true;
      if (elapsed() - shown < kShowSeconds) continue;
      shown = elapsed();
      showProgress();
    }
  }

  void showProgress() {
    const std::lock_guard lock(mutex_);
    results_.show(false);
    std::size_t sampling = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) sampling += results_.known(k);
    common::printError(fmt::format("{:.0f} s of {:.0f} s; {} of {} runs have samples", elapsed(),
                                   60 * budget_.minutes, sampling, runs_.size()));
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void work() {
    for (std::size_t k = next_++; k < runs_.size() && !stop_; k = next_++) attempt(k);
    --running_;
  }

  // A failed run does not stop the others.
  void attempt(std::size_t k) {
    try {
      runOne(k, wave_ * static_cast<double>(k / together_ + 1));
    } catch (const Stopped&) {
    } catch (const std::exception& e) {
      const std::lock_guard lock(mutex_);
      failure_ += (failure_.empty() ? "" : "; ") + runs_[k].label + ": " + e.what();
    }
  }

  // Until `end` (seconds since the study began) or until all stop.
  void runOne(std::size_t k, double end) {
    const LongRun& run = runs_[k];
    const std::string checkpoint = checkpointOf(budget_.folder, run.key);
    const auto report = [&](const Preparation&) {
      if (stop_ || elapsed() > end) throw Stopped();
    };
    std::unique_ptr<Session> session;
    bool equilibrated = false;
    if (std::filesystem::exists(checkpoint)) {
      session = Session::resume(checkpoint, config_, budget_.modes, report);
      equilibrated = continueAverages(*session, run.label);
    } else {
      common::printError(run.label);
      session = run.begin(config_, report);
      session->finishPreparation();
    }
    if (!equilibrated) {
      advance(*session, elapsed() + run.equilibration * (end - elapsed()), {});
      session->resetAverages();
    }
    advance(*session, end, [&] { keep(k, *session); });
    requireSound(k, session->mode());
    keep(k, *session);
    session->save(checkpoint);
  }

  // Results of a state that fails its self-checks are dropped, and the older checkpoint is kept.
  void requireSound(std::size_t k, Mode& mode) {
    try {
      common::requireSound(mode);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      results_.drop(k);
      throw;
    }
  }

  // Whether a resumed run needs no equilibration.
  bool continueAverages(Session& session, const std::string& label) {
    const Averages averages = results_.resumed(session);
    if (averages == Averages::beginAgain) session.resetAverages();
    common::printError(fmt::format(
        "{}: resumes from sweep {}{}", label, session.step(),
        averages == Averages::beginAgain ? "; its averages drifted and start over" : ""));
    return averages != Averages::equilibrateFirst;
  }

  void advance(Session& session, double end, const std::function<void()>& summarise) {
    double last = elapsed();
    session.advanceTo(~0ull, [&] {
      if (summarise && elapsed() - last > kSummarySeconds) summarise(), last = elapsed();
      return !stop_ && elapsed() < end;
    });
  }

  void keep(std::size_t k, const Session& session) {
    const std::lock_guard lock(mutex_);
    results_.keep(k, session);
  }

  const std::vector<LongRun>& runs_;
  const LongRunBudget& budget_;
  RunResults& results_;
  ExecConfig config_;
  std::size_t together_ = 1;
  double wave_ = 0;  // seconds of concurrent runs, until the next ones begin
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> next_{0}, running_{0};
  std::mutex mutex_;  // guards failure_ and the results
  std::string failure_;
};

}  // namespace

std::string checkpointOf(const std::string& folder, const std::string& key) {
  return folder + "/" + key + ".checkpoint";
}

void runAll(const std::vector<LongRun>& runs, const LongRunBudget& budget, RunResults& results) {
  Runs(runs, budget, results).measure();
}

}  // namespace cellscope::reproduce
