// Changes to a running session: parameters, reset, undo.
#include <sstream>

#include "sim/run/session_impl.h"

namespace cellscope {
namespace {

constexpr std::size_t kMostUndos = 16, kMostUndoBytes = std::size_t{1} << 28;

void setAll(Mode& mode, const std::vector<ParameterValue>& values) {
  std::vector<Parameter>& parameters = mode.parameters().items();
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].set(values[i]);
}

}  // namespace

void Session::set(const std::string& key, const ParameterValue& value) {
  finishStep();
  Parameter& parameter = mode_->parameters().at(key);
  const ParameterValue old = parameter.get();
  parameter.set(value);
  const ParameterValue stored = parameter.get();
  if (stored == old) return;
  if (parameter.info.effect == Effect::restart) {
    parameter.set(old);
    return changeByRestart(parameter, stored);
  }
  changeInPlace(parameter, old);
  log_.edits.push_back({mode_->step(), preparationUnits_, key, stored});
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
  resetAverages();
}

// A change that the mode has to prepare for (another packing fraction) can be undone; of several
// such changes in a row, all of them.
void Session::changeInPlace(Parameter& parameter, const ParameterValue& old) {
  std::unique_ptr<Snapshot> before;
  const bool mayPrepare = parameter.info.effect == Effect::rebuild && !canCancelPreparation();
  try {
    if (mayPrepare) {
      const ParameterValue wanted = parameter.get();
      parameter.set(old);
      before = snapshot();
      parameter.set(wanted);
    }
    mode_->parametersChanged({parameter.info.key});
  } catch (...) {
    parameter.set(old);
    throw;
  }
  if (!before || !mode_->preparation()) return;
  before->beganPreparation = true;
  keepForUndo(std::move(before));
}

bool Session::canCancelPreparation() const {
  return preparing_ && !before_.empty() && before_.back()->beganPreparation;
}

void Session::changeByRestart(Parameter& parameter, const ParameterValue& value) {
  std::unique_ptr<Snapshot> before = snapshot();
  const ParameterValue old = parameter.get();
  parameter.set(value);
  try {
    restartMode(false);
  } catch (...) {
    parameter.set(old);
    throw;
  }
  keepForUndo(std::move(before));
}

// What was only just started is not worth coming back to: a second click on Reset must not be in
// the way of undoing the first.
void Session::reset() {
  finishStep();
  const bool fresh = mode_->step() == 0 && log_.edits.empty() && !before_.empty();
  std::unique_ptr<Snapshot> before = fresh ? nullptr : snapshot();
  restartMode(true);
  keepForUndo(std::move(before));
}

// A configuration that was loaded from a file is loaded again, unless a parameter that shapes the
// initial state was changed.
void Session::restartMode(bool keepConfiguration) {
  Scenario start = log_.start;
  if (!keepConfiguration) start.configuration.clear(), start.replicate = 1;
  start.parameters.clear();
  startMode(*mode_, start);
  begin(start);
}

std::unique_ptr<Session::Snapshot> Session::snapshot() const {
  std::ostringstream state;
  mode_->save(state);
  return std::make_unique<Snapshot>(
      Snapshot{std::move(state).str(), valuesOf(*mode_), log_, history_, preparationUnits_});
}

void Session::keepForUndo(std::unique_ptr<Snapshot> snapshot) {
  if (!snapshot) return;
  before_.push_back(std::move(snapshot));
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const auto& s : before_) sum += s->state.size();
    return sum;
  };
  while (before_.size() > 1 && (before_.size() > kMostUndos || bytes() > kMostUndoBytes))
    before_.erase(before_.begin());
}

void Session::undo() {
  if (before_.empty()) return;
  const std::vector<ParameterValue> now = valuesOf(*mode_);
  std::istringstream state(before_.back()->state);
  try {
    setAll(*mode_, before_.back()->parameters);
    mode_->load(state);
  } catch (...) {
    setAll(*mode_, now);
    throw;
  }
  const std::unique_ptr<Snapshot> s = std::move(before_.back());
  before_.pop_back();
  log_ = s->log;
  history_.goBackTo(s->history);
  preparationUnits_ = s->preparationUnits;
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
}

}  // namespace cellscope
