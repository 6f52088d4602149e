// Many long runs in a limited time, sequentially or several concurrently on one device (a small
// system leaves most of a GPU idle), each with a checkpoint from which a later call continues.
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
  double equilibration = 0;  // fraction of the time of a new run before its averages start
  // A new run. `report` ends it by throwing.
  std::function<std::unique_ptr<Session>(const ExecConfig&, WorkReport report)> begin;
};

// Treatment of the averages of a resumed run.
enum class Averages { goOn, beginAgain, equilibrateFirst };

// Results of the runs of a study; `k` is the index of the run. One call at a time, from several
// threads.
class RunResults {
 public:
  virtual ~RunResults() = default;
  virtual void keep(std::size_t k, const Session& session) = 0;  // averages so far
  virtual void drop(std::size_t k) = 0;  // discard the results: a self-check of the run failed
  virtual bool known(std::size_t k) const = 0;  // whether there are averages of this run
  virtual Averages resumed(const Session& session) const = 0;
  virtual void show(bool last) = 0;  // about every 20 s, and at the end with last = true
};

struct LongRunBudget {
  double minutes = 10;        // for all runs, preparations included
  std::int64_t together = 1;  // concurrent runs
  std::string folder;         // of the checkpoints
  ExecConfig exec;            // its threads are shared by the runs
  ModeFactory modes = makeMode;
};

std::string checkpointOf(const std::string& folder, const std::string& key);

// Every run that passes its self-checks writes a checkpoint. Ctrl-C ends all runs at once; then,
// and when a run failed, RunError is thrown after the last show().
void runAll(const std::vector<LongRun>& runs, const LongRunBudget& budget, RunResults& results);

}  // namespace cellscope::reproduce
