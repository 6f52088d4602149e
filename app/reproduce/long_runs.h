// Many long runs in a limited time, one after the other or several side by side on one device (a
// small system leaves most of a GPU idle), each with a checkpoint from which a later call goes on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

struct LongRun {
  std::string key;           // file name of its checkpoint
  std::string label;         // for messages
  double equilibration = 0;  // share of the time of a new run, before its averages begin
  // A new run. `report` ends it by throwing.
  std::function<std::unique_ptr<Session>(const ExecConfig&, WorkReport report)> begin;
};

// What becomes of the averages of a run that goes on from its checkpoint.
enum class Averages { goOn, beginAgain, equilibrateFirst };

// What a study makes of its runs; `k` counts them. One call at a time, from several threads.
class RunResults {
 public:
  virtual ~RunResults() = default;
  virtual void keep(std::size_t k, const Session& session) = 0;  // averages so far
  virtual void drop(std::size_t k) = 0;         // they do not count: a self-check of the run failed
  virtual bool known(std::size_t k) const = 0;  // whether there are averages of this run
  virtual Averages resumed(const Session& session) const = 0;
  virtual void show(bool last) = 0;  // about every 20 s, and at the end with last = true
};

struct LongRunBudget {
  double minutes = 10;        // for all runs, preparations included
  std::int64_t together = 1;  // runs side by side
  std::string folder;         // of the checkpoints
  ExecConfig exec;            // its threads are shared by the runs
  ModeFactory modes = makeMode;
};

std::string checkpointOf(const std::string& folder, const std::string& key);

// Every run leaves a checkpoint when it passes its self-checks. Ctrl-C ends all runs at once; then,
// and when a run failed, RunError is thrown after the last show().
void runAll(const std::vector<LongRun>& runs, const LongRunBudget& budget, RunResults& results);

}  // namespace cellscope::reproduce
