// What --result and --json hold.
#include <fmt/format.h>

#include <sstream>

#include "app/cli/batch_run.h"
#include "app/common/json.h"
#include "app/common/terminal.h"
#include "sim/api/frame.h"
#include "sim/io/container.h"
#include "sim/run/csv_log.h"
#include "sim/run/lesson_record.h"

namespace cellscope::cli {
namespace {

using common::jsonOf;
using common::ordered_json;

ordered_json parametersOf(Mode& mode) {
  ordered_json out = ordered_json::object();
  for (const Parameter& p : mode.parameters().items()) out[p.info.key] = jsonOf(p.get());
  return out;
}

ordered_json changesOf(const RunLog& log) {
  ordered_json out = ordered_json::array();
  for (const Edit& e : log.edits)
    out.push_back({{"after_step", e.step}, {"parameter", e.key}, {"value", jsonOf(e.value)}});
  return out;
}

ordered_json averagesOfRun(const Session& session) {
  ordered_json out = ordered_json::object();
  for (const Average& a : averagesOf(session)) {
    if (a.samples == 0) continue;
    ordered_json& one = out[a.id] = {{"unit", a.unit}, {a.grows ? "last" : "mean", a.mean}};
    one["error"] = a.errorKnown ? ordered_json(a.error) : ordered_json();
    one["samples"] = a.samples;
    one["from_step"] = a.from;
    one["equilibrated"] = a.equilibrated;
  }
  return out;
}

// Of all that determines how the run goes on.
std::string checksumOf(const Mode& mode) {
  std::ostringstream state;
  mode.save(state);
  return fmt::format("{:016x}", io::crc64(state.str()));
}

}  // namespace

ordered_json BatchRun::goalJson() const {
  if (o_.until > 0) return {{"until", o_.until}};
  if (o_.steps > 0) return {{"steps", o_.steps}};
  return {{"seconds", o_.seconds}};
}

std::string BatchRun::resultText() const {
  Mode& mode = session_->mode();
  const ordered_json averages = averagesOfRun(*session_);
  ordered_json warnings = ordered_json::array();
  for (const std::string& e : session_->experiments())
    warnings.push_back("wrong on purpose: experiment '" + e + "' is on");
  if (const auto step = session_->touchedAt())
    warnings.push_back(fmt::format("touched by hand at step {}", *step));
  for (const SelfCheck& c : mode.selfChecks())
    if (isWarning(c)) warnings.push_back(c.detail);
  const bool equilibrated =
      !averages.empty() && std::all_of(averages.begin(), averages.end(), [](const auto& a) {
        return a.at("equilibrated").template get<bool>();
      });
  ordered_json result = common::jsonOfKind("run");
  result.update({{"scenario", session_->log().start.name},
                 {"mode", mode.info().key},
                 {"run", runId(session_->log())},
                 {"goal", goalJson()},
                 {"step", session_->step()},
                 {"particles", mode.particleCount()},
                 {"equilibrated", equilibrated},
                 {"averages", averages},
                 {"parameters", parametersOf(mode)},
                 {"changes", changesOf(session_->log())},
                 {"warnings", warnings},
                 {"backend", toString(exec_.backend)},
                 {"device", common::describe(exec_)},
                 {"final_state_crc64", checksumOf(mode)},
                 {"configuration_hash", fmt::format("{:016x}", lesson::stateHash(mode))}});
  return common::textOf(result);
}

}  // namespace cellscope::cli
