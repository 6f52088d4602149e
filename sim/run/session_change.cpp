// Changes to a running session: parameters, reset, undo.
#include <algorithm>
#include <sstream>

#include "sim/api/follows_averages.h"
#include "sim/run/session_impl.h"

namespace cellscope {
namespace {

constexpr std::size_t kMostUndos = 16, kMostUndoBytes = std::size_t{1} << 28;

}  // namespace

void Session::set(const std::vector<Setting>& settings, bool continues) {
  finishStep();
  ParameterSet& draft = mode_->parameters();
  const std::vector<ParameterValue> before = draft.values();
  std::vector<Edit> edits;
  bool restarts = false, mayPrepare = false;
  try {
    for (const auto& [key, value] : settings) {
      Parameter& parameter = draft.at(key);
      const ParameterValue old = parameter.get();
      parameter.set(value);
      if (parameter.get() == old) continue;
      edits.push_back({mode_->step(), preparationUnits_, key, parameter.get(), !edits.empty()});
      restarts |= parameter.info.effect == Effect::restart;
      mayPrepare |= parameter.info.prepares;
    }
    if (edits.empty()) return;
    if (restarts) return changeByRestart();
    // Everything since the state that undo() goes back to was a change of this parameter.
    bool goesOn = continues && !before_.empty() && before_.back().before->run == run_;
    if (goesOn) {
      const std::size_t then = before_.back().before->log.edits.size();
      goesOn = then < log_.edits.size() &&
               std::all_of(log_.edits.begin() + static_cast<std::ptrdiff_t>(then), log_.edits.end(),
                           [&](const Edit& e) { return e.key == edits.front().key; });
    }
    changeInPlace(mayPrepare, goesOn);
  } catch (...) {
    draft.assign(before);
    throw;
  }
  log_.edits.insert(log_.edits.end(), edits.begin(), edits.end());
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
  auto* const follows = dynamic_cast<FollowsAverages*>(mode_.get());
  if (!follows || !follows->startOverAfterEdit()) mode_->resetAverages();
  history_.startEpoch(mode_->step());
  startChosen_ = false;
}

// A change that begins a preparation (another packing fraction) can be undone; of several such
// changes in a row, all of them. Only then is the state serialised.
void Session::changeInPlace(bool mayPrepare, bool continues) {
  std::unique_ptr<Snapshot> before;
  if (mayPrepare && !continues && !canCancelPreparation()) before = snapshot();
  mode_->applyParameters();
  if (!before || !mode_->preparation()) return;
  keepForUndo(std::move(before), true);
}

bool Session::canCancelPreparation() const {
  return preparing_ && !before_.empty() && before_.back().beganPreparation;
}

void Session::changeByRestart() {
  std::unique_ptr<Snapshot> before = snapshot();
  restartMode(false);
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
  if (!keepConfiguration) start.configuration.clear(), start.box.clear(), start.replicate = 1;
  start.parameters.clear();
  startMode(*mode_, start);
  begin(start);
}

std::unique_ptr<Session::Snapshot> Session::snapshot() const {
  std::ostringstream state;
  mode_->save(state);
  return std::make_unique<Snapshot>(
      Snapshot{std::move(state).str(), log_, history_, preparationUnits_, run_, startChosen_});
}

void Session::keepForUndo(std::unique_ptr<Snapshot> snapshot, bool beganPreparation) {
  if (!snapshot) return;
  before_.push_back({std::move(snapshot), beganPreparation, ++undoNumber_});
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const Undo& u : before_) sum += u.before->state.size();
    return sum;
  };
  while (before_.size() > 1 && (before_.size() > kMostUndos || bytes() > kMostUndoBytes))
    before_.erase(before_.begin());
}

void Session::undo() {
  if (before_.empty()) return;
  std::istringstream state(before_.back().before->state);
  mode_->load(state);
  const std::shared_ptr<const Snapshot> s = before_.back().before;
  before_.pop_back();
  log_ = s->log;
  history_.goBackTo(s->history);
  preparationUnits_ = s->preparationUnits;
  run_ = s->run;
  startChosen_ = s->startChosen;
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
}

}  // namespace cellscope
