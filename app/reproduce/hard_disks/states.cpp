#include "app/reproduce/hard_disks/disk_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "app/common/terminal.h"
#include "sim/algo/race/race.h"
#include "sim/exec/machine.h"
#include "sim/io/files.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "sim/run/csv_log.h"

namespace cellscope::reproduce {
namespace {

constexpr std::int64_t kSmallestSide = 8;  // disks along a side of what is copied
constexpr std::uint64_t kLeast = 16;       // samples of a checkpoint whose averages go on

// How a run begins: value of the parameter `start`, words. The starts of a state must use different
// random numbers.
struct Start {
  const char *value, *from;
  std::int64_t firstSeed;
};
constexpr Start kFluid{"random", "the fluid", 0};
constexpr Start kCrystal{"hexagonal", "the crystal", 1000000};
constexpr Start kTwoPhases{"coexistence", "two phases", 2000000};

std::vector<const Start*> startsOf(const RunsOptions& o) {
  if (o.bothStarts()) return {&kFluid, &kCrystal};
  const Start* const all[] = {&kFluid, &kCrystal, nullptr, &kTwoPhases};
  return {all[o.start.index]};
}

// Near the transition only the length of a run counts: its slowest fluctuations take 1e5 sweeps and
// more. Sampling every 32 sweeps took three quarters of a GPU's time at 256^2, this takes a sixth.
constexpr std::uint64_t kSweepsBetweenSamples = 256;

constexpr double kShowSeconds = 20, kSummarySeconds = 1;

struct Cancelled {};

// A run of a state: from one start, with one seed.
struct Job {
  std::size_t state = 0;
  const Start* start = nullptr;
  std::string key, label;  // file name of its checkpoint; for messages
  Scenario run;
  std::vector<std::pair<std::int64_t, std::string>> smaller;  // copies along a side, key; few first
  RunSummary summary;                                         // no samples: nothing is known yet
};

// All runs in a limited time, sequentially or several concurrently on one device (a small system
// leaves most of a GPU idle), each with a checkpoint from which a later call continues.
class StateRuns {
 public:
  StateRuns(const std::vector<State>& states, const RunsOptions& o, const StudyContext& context,
            const ShowResults& show)
      : states_(states), options_(o), context_(context), show_(show), config_(context.exec) {
    if (o.grow && o.twoPhases())
      throw InputError(
          "--grow: copies would have many stripes; leave it out, or --start coexistence");
    for (std::size_t s = 0; s < states.size(); ++s)
      for (const Start* start : startsOf(o))
        for (std::int64_t k = 0; k < o.seeds; ++k) add(s, start, o.firstSeed + k);
    const std::size_t most = std::max<std::size_t>(1, jobs_.size());
    together_ = std::clamp<std::size_t>(static_cast<std::size_t>(o.together), 1, most);
    const std::size_t waves = (most + together_ - 1) / together_;
    wave_ = 60 * context.minutes / static_cast<double>(waves);
    if (config_.backend == Backend::cpu && together_ > 1)
      config_.threads =
          std::max(1, exec::threadsFor(config_.threads) / static_cast<int>(together_));
  }

  // Every run that passes its self-checks writes a checkpoint. Ctrl-C ends all runs at once.
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
    show_(results(), true);
    if (!failure_.empty()) throw RunError(failure_);
    if (stop_)
      throw common::Stopped(
          "stopped; call again with the same folder to continue (checkpoints are in " +
          context_.folder + ")");
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
      const std::lock_guard lock(mutex_);
      show_(results(), false);
      const auto sampling =
          std::ranges::count_if(jobs_, [](const Job& j) { return j.summary.samples > 0; });
      common::printError(fmt::format("{:.0f} s of {:.0f} s; {} of {} runs have samples", elapsed(),
                                     60 * context_.minutes, sampling, jobs_.size()));
    }
  }

  double elapsed() const { return steadySeconds() - begin_; }

  void work() {
    for (std::size_t k = next_++; k < jobs_.size() && !stop_; k = next_++)
      attempt(jobs_[k], wave_ * static_cast<double>(k / together_ + 1));
    --running_;
  }

  // A failed run does not stop the others.
  void attempt(Job& job, double end) {
    try {
      runOne(job, end);
    } catch (const Cancelled&) {
    } catch (const std::exception& e) {
      const std::lock_guard lock(mutex_);
      failure_ += (failure_.empty() ? "" : "; ") + job.label + ": " + e.what();
    }
  }

  // Until `end` (seconds since the study began) or until all stop.
  void runOne(Job& job, double end) {
    const auto report = [&](const Preparation&) {
      if (stop_ || elapsed() > end) throw Cancelled();
    };
    std::unique_ptr<Session> session;
    bool equilibrated = false;
    if (hasCheckpoint(job.key)) {
      session = Session::resume(checkpointOf(job.key), config_, context_.modes, report);
      equilibrated = continueAverages(*session, job.label);
    } else {
      common::printError(job.label);
      if (options_.grow) beginWithCopies(job);
      session = std::make_unique<Session>(job.run, config_, context_.modes, report);
      session->finishPreparation();
    }
    if (!equilibrated) {
      const double left = end - elapsed();
      advance(*session, elapsed() + states_[job.state].equilibration * left, {});
      session->resetAverages();
    }
    const auto summarise = [&] {
      const std::lock_guard lock(mutex_);
      job.summary = summaryOf(*session);
    };
    advance(*session, end, summarise);
    try {
      common::requireSound(session->mode());
    } catch (...) {  // its results are dropped, and the older checkpoint is kept
      const std::lock_guard lock(mutex_);
      job.summary = {};
      throw;
    }
    summarise();
    session->save(checkpointOf(job.key));
  }

  // Whether a resumed run needs no equilibration.
  static bool continueAverages(Session& session, const std::string& label) {
    const RunSummary s = summaryOf(session);
    const bool known = s.samples >= kLeast, drifted = known && std::abs(s.drift) > kAllowed;
    if (drifted) session.resetAverages();
    common::printError(fmt::format("{}: resumes from sweep {}{}", label, session.step(),
                                   drifted ? "; its averages drifted and start over" : ""));
    return known;
  }

  void advance(Session& session, double end, const std::function<void()>& summarise) {
    double last = elapsed();
    session.advanceTo(~0ull, [&] {
      if (summarise && elapsed() - last > kSummarySeconds) summarise(), last = elapsed();
      return !stop_ && elapsed() < end;
    });
  }

  void add(std::size_t index, const Start* start, std::int64_t seed) {
    const State& state = states_[index];
    if (start == &kTwoPhases) refuseOnePhase(state.n(), state.packing);
    const auto keyOf = [&](std::int64_t side) {
      return fmt::format("{}-{}-{}", state.key(side), start->value, seed);
    };
    Job job;
    job.state = index;
    job.start = start;
    job.key = keyOf(state.side);
    job.label = fmt::format("{}, from {}, seed {}", state.label, start->from, seed);
    job.run = {.name = job.key,
               .mode = "hard_disks",
               .parameters = {{"n", state.n()}, {"packing", state.packing}},
               .sampleEvery = state.sampleEvery > 0 ? state.sampleEvery : kSweepsBetweenSamples};
    if (options_.grow)
      for (std::int64_t copies = 2; copies <= state.side / kSmallestSide; ++copies)
        if (state.side % copies == 0) job.smaller.emplace_back(copies, keyOf(state.side / copies));
    Settings& more = job.run.parameters;
    more.insert(more.end(), state.more.begin(), state.more.end());
    more.push_back({"start", std::string(start->value)});
    more.push_back({"seed", start->firstSeed + seed});
    more.push_back({"free_paths", true});
    more.push_back({"neighbours", std::string("radius")});  // quicker than Voronoi's
    // Less noise than degree 5 of Anderson et al.; the bias of both is below 1e-5 of P*.
    more.push_back({"degree", std::int64_t{4}});
    if (options_.together > 1)  // fastest when others fill the device
      more.push_back({"mapping", std::string("thread_per_cell")});
    if (options_.grow) requireSmaller(job);
    jobs_.push_back(std::move(job));
  }

  std::string checkpointOf(const std::string& key) const {
    return context_.folder + "/" + key + ".checkpoint";
  }
  bool hasCheckpoint(const std::string& key) const {
    return std::filesystem::exists(checkpointOf(key));
  }

  // There, or to be run before.
  void requireSmaller(const Job& job) const {
    const auto isKnown = [&](const std::string& key) {
      return hasCheckpoint(key) ||
             std::ranges::any_of(jobs_, [&](const Job& j) { return j.key == key; });
    };
    if (hasCheckpoint(job.key)) return;
    for (const auto& [copies, key] : job.smaller)
      if (isKnown(key)) return;
    throw InputError(
        "--grow: {} needs a smaller run in {} to copy; run a size first that divides this one, or "
        "leave --grow out",
        job.label, context_.folder);
  }

  // Of the largest smaller run that is there.
  void beginWithCopies(Job& job) const {
    for (const auto& [copies, key] : job.smaller) {
      if (!hasCheckpoint(key)) continue;
      const std::unique_ptr<Session> small = Session::resume(checkpointOf(key), ExecConfig{});
      job.run.configuration = context_.folder + "/" + key + ".xyz";
      job.run.replicate = copies;
      const auto file = openTrajectory(job.run.configuration, io::OpenAs::replace);
      file->append(small->mode().configuration(), {small->step()});
      file->close();
      common::printError(fmt::format("{}: starts from {} x {} copies of {} after {} sweeps",
                                     job.label, copies, copies, key, small->step()));
      return;
    }
    throw RunError("--grow: the smaller run has no checkpoint yet; call again");
  }

  std::vector<StateResult> results() const {
    const auto runs = [&](std::size_t state, const Start& start) {
      std::vector<RunSummary> some;
      for (const Job& job : jobs_)
        if (job.state == state && job.start == &start && job.summary.samples > 0)
          some.push_back(job.summary);
      return some;
    };
    std::vector<StateResult> all;
    for (std::size_t s = 0; s < states_.size(); ++s)
      all.push_back(resultOf(runs(s, kFluid), runs(s, kCrystal), runs(s, kTwoPhases)));
    return all;
  }

  const std::vector<State>& states_;
  const RunsOptions& options_;
  const StudyContext& context_;
  const ShowResults& show_;
  ExecConfig config_;  // its threads are shared by the runs
  std::vector<Job> jobs_;
  std::size_t together_ = 1;
  double wave_ = 0;  // seconds of concurrent runs, until the next ones begin
  double begin_ = steadySeconds();
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> next_{0}, running_{0};
  std::mutex mutex_;  // guards failure_ and the summaries
  std::string failure_;
};

}  // namespace

void measureStates(const std::vector<State>& states, const RunsOptions& o,
                   const StudyContext& context, const ShowResults& show) {
  StateRuns(states, o, context, show).measure();
}

int reportStates(const std::vector<State>& states, const RunsOptions& o,
                 const StudyContext& context, const std::string& title, Row columns,
                 const std::function<StatesTable(const std::vector<StateResult>&)>& tableOf) {
  Report report(context, title, std::move(columns));
  int code = kNotJudged;
  measureStates(states, o, context, [&](const std::vector<StateResult>& results, bool last) {
    StatesTable table = tableOf(results);
    code = table.verdicts.exitCode();
    table.notes.insert(table.notes.begin(), table.verdicts.note());
    if (last)
      report.final(table.rows, table.notes);
    else
      report.interim(std::move(table.rows));
  });
  return code;
}

}  // namespace cellscope::reproduce
