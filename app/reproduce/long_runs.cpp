#include "app/reproduce/long_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <thread>

#include "app/common/interrupt.h"
#include "app/common/self_check.h"
#include "app/common/terminal.h"
#include "sim/exec/threads.h"
#include "sim/io/xyz.h"
#include "sim/modes/hard_disks/coexistence.h"

namespace cellscope::reproduce {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShowSeconds = 20, kSummarySeconds = 1;
constexpr std::int64_t kSmallestSide = 8;  // disks along a side of what is copied
constexpr std::uint64_t kLeast = 16;       // samples of a checkpoint whose averages go on

struct Stopped {};

// How a run begins: option, value of the parameter `start`, words. The starts of a state must not
// share their random numbers.
struct Start {
  const char *option, *value, *from;
  std::int64_t firstSeed;
};
constexpr Start kFluid{"fluid", "random", "the fluid", 0};
constexpr Start kCrystal{"crystal", "hexagonal", "the crystal", 1000000};
constexpr Start kTwoPhases{"coexistence", "coexistence", "two phases", 2000000};

std::vector<const Start*> startsOf(const Options& o) {
  for (const Start* start : {&kFluid, &kCrystal, &kTwoPhases})
    if (o.start == start->option) return {start};
  return {&kFluid, &kCrystal};
}

// Near the transition only the length of a run counts: its slowest fluctuations take 1e5 sweeps and
// more. Sampling every 32 sweeps took three quarters of a GPU's time at 256^2, this takes a sixth.
constexpr std::uint64_t kSampleEvery = 256;

struct Job {
  std::size_t state = 0;
  const Start* start = nullptr;
  double equilibration = 0;
  std::string label;
  LongRun run;
  std::vector<std::pair<std::int64_t, std::string>> smaller;  // copies along a side, key; few first
  RunSummary summary;                                         // no samples: nothing is known yet
};

class LongRuns {
 public:
  LongRuns(const std::vector<State>& states, const Options& o, const ExecConfig& config)
      : options_(o), config_(config), states_(states.size()) {
    if (o.grow && startsOf(o).front() == &kTwoPhases)
      throw InputError(
          "--grow: copies would have many stripes; leave it out, or --start coexistence");
    for (std::size_t s = 0; s < states.size(); ++s)
      for (const Start* start : startsOf(o))
        for (std::int64_t k = 0; k < o.seeds; ++k) add(states[s], s, start, o.firstSeed + k);
    together_ = std::min(jobs_.size(), static_cast<std::size_t>(o.together));
    const std::size_t waves = (jobs_.size() + together_ - 1) / together_;
    wave_ = 60 * o.minutes / static_cast<double>(waves);
    if (config.backend == Backend::cpu && together_ > 1) shareThreads();
  }

  void measure(const ShowResults& show) {
    running_ = together_;
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < together_; ++k) threads.emplace_back([this] { work(); });
    try {
      watch(show);
    } catch (...) {  // a full disk, say: the checkpoints may still find room
      stop_ = true;
      for (std::thread& t : threads) t.join();
      throw;
    }
    for (std::thread& t : threads) t.join();
    show(results(), true);
    if (!failure_.empty()) throw RunError(failure_);
    if (stop_)
      throw RunError("stopped; call again with the same folder to go on (checkpoints are in " +
                     options_.folder + ")");
  }

 private:
  void add(const State& state, std::size_t index, const Start* start, std::int64_t seed) {
    Job job;
    job.state = index;
    job.start = start;
    job.equilibration = state.equilibration;
    job.label = fmt::format("{}, from {}, seed {}", state.label, start->from, seed);
    if (start == &kTwoPhases) refuseOnePhase(state.n(), state.packing);
    const auto keyOf = [&](std::int64_t side) {
      return fmt::format("{}-{}-{}", state.key(side), start->value, seed);
    };
    job.run = {keyOf(state.side), state.n(), state.packing, state.more,
               state.sampleEvery > 0 ? state.sampleEvery : kSampleEvery};
    if (options_.grow)
      for (std::int64_t copies = 2; copies <= state.side / kSmallestSide; ++copies)
        if (state.side % copies == 0) job.smaller.emplace_back(copies, keyOf(state.side / copies));
    job.run.more.push_back({"start", std::string(start->value)});
    job.run.more.push_back({"seed", start->firstSeed + seed});
    job.run.more.push_back({"free_paths", true});
    job.run.more.push_back({"neighbours", std::string("radius")});  // quicker than Voronoi's
    // Less noise than the paper's degree 5; the bias of both is below 1e-5 of P*.
    job.run.more.push_back({"degree", std::int64_t{4}});
    if (options_.together > 1)  // fastest when others fill the device
      job.run.more.push_back({"mapping", std::string("thread_per_cell")});
    if (options_.grow) requireSmaller(job);
    jobs_.push_back(std::move(job));
  }

  // There, or to be run before.
  void requireSmaller(const Job& job) const {
    const auto known = [&](const std::string& key) {
      return std::filesystem::exists(checkpointOf(key)) ||
             std::any_of(jobs_.begin(), jobs_.end(),
                         [&](const Job& j) { return j.run.key == key; });
    };
    if (std::filesystem::exists(checkpointOf(job.run.key))) return;
    for (const auto& [copies, key] : job.smaller)
      if (known(key)) return;
    throw InputError(
        fmt::format("--grow: {} needs a smaller run in {} to copy; run a size first that divides "
                    "this one, or leave --grow out",
                    job.label, options_.folder));
  }

  void shareThreads() {
    config_.threads = std::max(1, exec::threadsFor(config_.threads) / static_cast<int>(together_));
  }

  void watch(const ShowResults& show) {
    common::InterruptGuard interrupt;
    double shown = 0;
    while (running_ > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (interrupt.raised()) stop_ = true;
      if (elapsed() - shown < kShowSeconds) continue;
      shown = elapsed();
      show(results(), false);
      tellProgress();
    }
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void work() {
    for (std::size_t k = next_++; k < jobs_.size() && !stop_; k = next_++) attempt(k);
    --running_;
  }

  // A run that fails does not end the others.
  void attempt(std::size_t k) {
    try {
      runOne(jobs_[k], wave_ * static_cast<double>(k / together_ + 1));
    } catch (const Stopped&) {
    } catch (const std::exception& e) {
      std::lock_guard lock(mutex_);
      failure_ += (failure_.empty() ? "" : "; ") + jobs_[k].label + ": " + e.what();
    }
  }

  // Until `end` (seconds since the study began) or until all stop.
  void runOne(Job& job, double end) {
    const std::string checkpoint = checkpointOf(job.run.key);
    const auto report = [&](const Preparation&) {
      if (stop_ || elapsed() > end) throw Stopped();
    };
    std::unique_ptr<Session> session;
    bool settled = false;
    if (std::filesystem::exists(checkpoint)) {
      session = Session::resume(checkpoint, config_, options_.modes, report);
      settled = goesOn(*session, job.label);
    } else {
      common::complain(job.label);
      if (options_.grow) beginWithCopies(job);
      session = newRun(job.run, config_, options_.modes, report);
      session->finishPreparation();
    }
    if (!settled) {
      advance(*session, elapsed() + job.equilibration * (end - elapsed()), {});
      session->resetAverages();
    }
    advance(*session, end, [&] { keep(job, *session); });
    requireSound(job, session->mode());
    keep(job, *session);
    session->save(checkpoint);
  }

  // What a wrong state gave does not count, and an older checkpoint stays.
  void requireSound(Job& job, Mode& mode) {
    try {
      common::requireSound(mode);
    } catch (...) {
      std::lock_guard lock(mutex_);
      job.summary = {};
      throw;
    }
  }

  std::string checkpointOf(const std::string& key) const {
    return options_.folder + "/" + key + ".checkpoint";
  }

  // Of the largest smaller run that is there.
  void beginWithCopies(Job& job) const {
    for (const auto& [copies, key] : job.smaller) {
      if (!std::filesystem::exists(checkpointOf(key))) continue;
      const std::unique_ptr<Session> small = Session::resume(checkpointOf(key), ExecConfig{});
      job.run.configuration = options_.folder + "/" + key + ".xyz";
      job.run.replicate = copies;
      io::OutputFile file(job.run.configuration, io::OpenAs::replace);
      io::writeXyzFrame(file, small->mode().configuration(), small->step());
      file.close();
      common::complain(fmt::format("{}: begins with {} x {} copies of {} after {} sweeps",
                                   job.label, copies, copies, key, small->step()));
      return;
    }
    throw RunError("--grow: the smaller run has not left its checkpoint yet; call again");
  }

  // Whether the averages of a resumed run go on.
  static bool goesOn(Session& session, const std::string& label) {
    const RunSummary s = summaryOf(session);
    const bool settled = s.samples >= kLeast, drifts = std::abs(s.drift) > kAllowed;
    if (drifts) session.resetAverages();
    common::complain(fmt::format("{}: goes on from sweep {}{}", label, session.step(),
                                 drifts ? "; its averages drifted and begin again" : ""));
    return settled;
  }

  void advance(Session& session, double end, const std::function<void()>& now) {
    double told = elapsed();
    session.advanceTo(~0ull, [&] {
      if (now && elapsed() - told > kSummarySeconds) now(), told = elapsed();
      return !stop_ && elapsed() < end;
    });
  }

  void keep(Job& job, const Session& session) {
    const RunSummary s = summaryOf(session);
    std::lock_guard lock(mutex_);
    job.summary = s;
  }

  std::vector<StateResult> results() {
    std::lock_guard lock(mutex_);
    const auto runs = [&](std::size_t state, const Start& start) {
      std::vector<RunSummary> some;
      for (const Job& job : jobs_)
        if (job.state == state && job.start == &start && job.summary.samples > 0)
          some.push_back(job.summary);
      return some;
    };
    std::vector<StateResult> all;
    for (std::size_t s = 0; s < states_; ++s)
      all.push_back(resultOf(runs(s, kFluid), runs(s, kCrystal), runs(s, kTwoPhases)));
    return all;
  }

  void tellProgress() {
    std::lock_guard lock(mutex_);
    std::size_t sampling = 0;
    for (const Job& job : jobs_) sampling += job.summary.samples > 0;
    common::complain(fmt::format("{:.0f} s of {:.0f} s; {} of {} runs have samples", elapsed(),
                                 60 * options_.minutes, sampling, jobs_.size()));
  }

  const Options& options_;
  ExecConfig config_;
  std::size_t states_, together_ = 1;
  double wave_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> next_{0}, running_{0};
  std::mutex mutex_;  // guards failure_ and the summaries
  std::vector<Job> jobs_;
  std::string failure_;
};

}  // namespace

std::vector<State> fluidStates(const std::string& study, const std::vector<std::int64_t>& sides,
                               const std::vector<double>& packings, std::uint64_t sampleEvery,
                               double equilibration, const std::function<Settings(double)>& more) {
  std::vector<State> states;
  for (const std::int64_t side : sides)
    for (const double packing : packings)
      states.push_back({study, fmt::format("{}", packing),
                        fmt::format("{}^2, packing {}", side, packing), side, packing,
                        more ? more(packing) : Settings{}, sampleEvery, equilibration});
  return states;
}

void measureStates(const std::vector<State>& states, const Options& o, const ExecConfig& config,
                   const ShowResults& show) {
  LongRuns(states, o, config).measure(show);
}

}  // namespace cellscope::reproduce
