#include "app/reproduce/hard_disks/states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/common/terminal.h"
#include "app/reproduce/long_runs.h"
#include "sim/io/output_file.h"
#include "sim/io/xyz.h"
#include "sim/modes/hard_disks/coexistence.h"

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
constexpr std::uint64_t kSampleEvery = 256;

struct Job {
  std::size_t state = 0;
  const Start* start = nullptr;
  std::string key, label;
  DiskRun run;
  std::vector<std::pair<std::int64_t, std::string>> smaller;  // copies along a side, key; few first
  RunSummary summary;                                         // no samples: nothing is known yet
};

class StateRuns : public RunResults {
 public:
  StateRuns(const std::vector<State>& states, const RunsOptions& o, const DiskContext& context,
            const ShowResults& show)
      : states_(states), options_(o), context_(context), show_(show) {
    if (o.grow && o.twoPhases())
      throw InputError(
          "--grow: copies would have many stripes; leave it out, or --start coexistence");
    for (std::size_t s = 0; s < states.size(); ++s)
      for (const Start* start : startsOf(o))
        for (std::int64_t k = 0; k < o.seeds; ++k) add(s, start, o.firstSeed + k);
  }

  void measure() {
    std::vector<LongRun> runs;
    for (Job& job : jobs_)
      runs.push_back({job.key, job.label, states_[job.state].equilibration,
                      [this, &job](const ExecConfig& exec, WorkReport report) {
                        if (options_.grow) beginWithCopies(job);
                        return newSession(job.run, exec, context_.disks, std::move(report)).session;
                      }});
    runAll(runs,
           {context_.minutes, options_.together, context_.folder, context_.exec,
            modesOf(context_.disks)},
           *this);
  }

  void keep(std::size_t k, const Session& session) override {
    jobs_[k].summary = summaryOf(session);
  }
  void drop(std::size_t k) override { jobs_[k].summary = {}; }
  bool known(std::size_t k) const override { return jobs_[k].summary.samples > 0; }
  void show(bool last) override { show_(results(), last); }
  Averages resumed(const Session& session) const override {
    const RunSummary s = summaryOf(session);
    if (s.samples < kLeast) return Averages::equilibrateFirst;
    return std::abs(s.drift) > kAllowed ? Averages::beginAgain : Averages::goOn;
  }

 private:
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
    job.run = {job.key, state.n(), state.packing, state.more,
               state.sampleEvery > 0 ? state.sampleEvery : kSampleEvery};
    if (options_.grow)
      for (std::int64_t copies = 2; copies <= state.side / kSmallestSide; ++copies)
        if (state.side % copies == 0) job.smaller.emplace_back(copies, keyOf(state.side / copies));
    Settings& more = job.run.more;
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

  bool hasCheckpoint(const std::string& key) const {
    return std::filesystem::exists(checkpointOf(context_.folder, key));
  }

  // There, or to be run before.
  void requireSmaller(const Job& job) const {
    const auto isKnown = [&](const std::string& key) {
      return hasCheckpoint(key) ||
             std::any_of(jobs_.begin(), jobs_.end(), [&](const Job& j) { return j.key == key; });
    };
    if (hasCheckpoint(job.key)) return;
    for (const auto& [copies, key] : job.smaller)
      if (isKnown(key)) return;
    throw InputError(
        fmt::format("--grow: {} needs a smaller run in {} to copy; run a size first that divides "
                    "this one, or leave --grow out",
                    job.label, context_.folder));
  }

  // Of the largest smaller run that is there.
  void beginWithCopies(Job& job) const {
    for (const auto& [copies, key] : job.smaller) {
      if (!hasCheckpoint(key)) continue;
      const std::unique_ptr<Session> small =
          Session::resume(checkpointOf(context_.folder, key), ExecConfig{});
      job.run.configuration = context_.folder + "/" + key + ".xyz";
      job.run.replicate = copies;
      io::OutputFile file(job.run.configuration, io::OpenAs::replace);
      io::writeXyzFrame(file, small->mode().configuration(), small->step());
      file.close();
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
  const DiskContext& context_;
  const ShowResults& show_;
  std::vector<Job> jobs_;
};

}  // namespace

std::vector<State> statesOf(const State& state, const std::vector<std::int64_t>& sides,
                            const std::vector<double>& packings,
                            const std::function<Settings(double)>& more) {
  std::vector<State> states;
  for (const std::int64_t side : sides)
    for (const double packing : packings) {
      State& s = states.emplace_back(state);
      s.detail = fmt::format("{}", packing);
      s.label = fmt::format("{}^2, packing {}", side, packing);
      s.side = side;
      s.packing = packing;
      if (more) s.more = more(packing);
    }
  return states;
}

void measureStates(const std::vector<State>& states, const RunsOptions& o,
                   const DiskContext& context, const ShowResults& show) {
  StateRuns(states, o, context, show).measure();
}

int reportStates(const std::vector<State>& states, const RunsOptions& o, const DiskContext& context,
                 const std::string& title, Row columns,
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
