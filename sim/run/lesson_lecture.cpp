// The lecturer of a lesson.
#include <algorithm>
#include <utility>

#include "sim/api/mode.h"
#include "sim/run/lesson.h"

namespace cellscope::lesson {

bool Lecture::goesOn(const Session& session) const {
  const std::vector<Edit>& now = session.log().edits;
  return begun_ && session.run() == run_ &&
         std::pair(session.step(), session.preparationUnits()) >=
             std::pair(mark_.step, mark_.preparing) &&
         now.size() >= edits_.size() && std::equal(edits_.begin(), edits_.end(), now.begin());
}

void Lecture::look(Session& session, bool playing) {
  const bool midStep = session.mode().nextPhase() != 0;
  const std::uint64_t hash = midStep ? 0 : stateHash(session.mode());
  const std::lock_guard lock(mutex_);
  if (midStep) {
    if (state_) wanted_ = false;
    return;
  }
  // An older one is one that was gone back to.
  if (session.run() != run_)
    runBegan_ = session.run() > newestRun_ ? Clock::now() : Clock::time_point{};
  if (!goesOn(session)) {
    ++mark_.course;
    state_.reset();
  }
  begun_ = true;
  run_ = session.run();
  newestRun_ = std::max(newestRun_, run_);
  edits_ = session.log().edits;
  mark_ = {
      mark_.course, session.step(), session.preparationUnits(), hash, playing, edits_.size(), {}};
  const bool isHere = state_ && stateStep_ == mark_.step && stateEdits_ == edits_.size();
  const bool isOld = !state_ || whole_ || Clock::now() - stateMade_ > kFresh;
  if (!isHere && isOld && (wanted_ || !playing)) keepState(session);
  if (state_) wanted_ = false;
}

void Lecture::keepState(Session& session) {
  const Scenario& start = session.log().start;
  const bool again = !whole_ && !session.resumed() && start.configuration.empty() &&
                     Clock::now() - runBegan_ < kBegins;
  statePlace_ = {mark_.course, again ? 0 : edits_.size()};
  const StateHead head{statePlace_.course, statePlace_.edits};
  if (again)
    state_ = {RecordKind::scenario, stateText(head, start.name + "\n" + scenarioText(start))};
  else
    state_ = {RecordKind::state, stateText(head, session.checkpoint(false))};
  packed_.reset();
  stateMade_ = Clock::now();
  stateStep_ = mark_.step;
  stateEdits_ = edits_.size();
  whole_ = false;
}

void Lecture::want(bool whole) {
  const std::lock_guard lock(mutex_);
  wanted_ = true;
  whole_ = whole_ || whole;
}

std::shared_ptr<const std::string> Lecture::state(Place& place) {
  const std::lock_guard lock(mutex_);
  if (!state_ || wanted_) return nullptr;
  if (!packed_)
    packed_ = std::make_shared<const std::string>(packRecord(state_->kind, state_->body));
  place = statePlace_;
  return packed_;
}

std::shared_ptr<const std::string> Lecture::mark(Place& place) const {
  const std::lock_guard lock(mutex_);
  if (!begun_ || place.course != mark_.course || place.edits > edits_.size()) return nullptr;
  Mark m = mark_;
  m.first = place.edits;
  m.edits.assign(edits_.begin() + static_cast<std::ptrdiff_t>(place.edits), edits_.end());
  const std::string text = markText(m);
  if (text.size() > mostBytes(RecordKind::mark)) return nullptr;
  place.edits = edits_.size();
  return std::make_shared<const std::string>(packRecord(RecordKind::mark, text));
}

}  // namespace cellscope::lesson
