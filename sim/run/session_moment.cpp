// A session at earlier and later moments of its run.
#include <algorithm>
#include <sstream>

#include "sim/run/session_impl.h"

namespace cellscope {

std::shared_ptr<const Session::Moment> Session::moment() const {
  auto m = std::make_shared<Moment>();
  std::ostringstream state;
  mode_->save(state);
  m->step = mode_->step();
  m->edits = log_.edits.size();
  m->state = std::move(state).str();
  m->history = history_;
  m->preparationUnits = preparationUnits_;
  m->toDiscard = toDiscard_;
  m->discardEnd = discardEnd_;
  m->startChosen = startChosen_;
  m->newestUndo = before_.empty() ? 0 : before_.back().number;
  m->beganPreparation = canCancelPreparation();
  return m;
}

std::shared_ptr<const Session::Course> Session::course() const {
  return std::make_shared<const Course>(Course{log_.edits, before_});
}

void Session::goTo(const Moment& m, const Course& course) {
  std::istringstream state(m.state);
  mode_->load(state);
  log_.edits.assign(course.edits.begin(),
                    course.edits.begin() + static_cast<std::ptrdiff_t>(m.edits));
  before_ = course.undo;
  std::erase_if(before_, [&](const Undo& u) { return u.number > m.newestUndo; });
  if (!before_.empty()) before_.back().beganPreparation = m.beganPreparation;
  history_.goBackTo(m.history);
  preparationUnits_ = m.preparationUnits;
  toDiscard_ = m.toDiscard;
  discardEnd_ = m.discardEnd;
  startChosen_ = m.startChosen;
  preparing_ = mode_->preparation().has_value();
  known_ = valuesOf(*mode_);
}

bool Session::atEndOf(const Course& course) const {
  return log_.edits.size() >= course.edits.size();
}

// What undo() goes back to is again what it was when the change was made first.
void Session::makeDueChanges(const Course& course) {
  while (!atEndOf(course)) {
    auto edit = course.edits.begin() + static_cast<std::ptrdiff_t>(log_.edits.size());
    if (edit->step > mode_->step() ||
        (edit->step == mode_->step() && edit->preparing > preparationUnits_))
      return;
    std::vector<Setting> together = {{edit->key, edit->value}};
    while (++edit != course.edits.end() && edit->together)
      together.emplace_back(edit->key, edit->value);
    const std::size_t made = log_.edits.size();
    const std::uint64_t newest = before_.empty() ? 0 : before_.back().number;
    set(together);
    if (log_.edits.size() == made)  // it has the value already: the mode changed it by itself
      log_.edits.insert(log_.edits.end(), edit - static_cast<std::ptrdiff_t>(together.size()),
                        edit);
    if (before_.empty() || before_.back().number <= newest) continue;
    const auto first = std::find_if(course.undo.begin(), course.undo.end(),
                                    [&](const Undo& u) { return u.number > newest; });
    if (first != course.undo.end()) before_.back() = {first->before, true, first->number};
  }
}

void Session::follow(const Course& course, std::uint64_t count) {
  finishStep();
  makeDueChanges(course);
  while (count > 0) {
    std::uint64_t units = count;
    if (!atEndOf(course)) {
      const Edit& next = course.edits[log_.edits.size()];
      units = std::min(units, next.step > mode_->step() ? next.step - mode_->step()
                                                        : next.preparing - preparationUnits_);
    }
    advance(units);
    count -= units;
    makeDueChanges(course);
  }
}

}  // namespace cellscope
