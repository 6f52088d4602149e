#include "sim/run/rewind.h"

#include <tuple>

namespace cellscope {

static double secondsSince(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

// In the same run.
static bool isEarlier(const Session::Moment& a, const Session::Moment& b) {
  return std::tie(a.step, a.preparationUnits, a.edits) <
         std::tie(b.step, b.preparationUnits, b.edits);
}

bool MomentStore::add(Item moment) {
  if (2 * moment->bytes() > limit_) return false;
  const auto precedes = [](const Item& a, const Item& b) { return isEarlier(*a, *b); };
  const auto place = std::lower_bound(items_.begin(), items_.end(), moment, precedes);
  if (place != items_.end() && !precedes(moment, *place))
    *place = std::move(moment);
  else
    items_.insert(place, std::move(moment));
  thin();
  return true;
}

// Of those between the first and the last, the one goes whose neighbours would be closest to each
// other as a share of their age. Of two alone that do not fit, the first.
void MomentStore::thin() {
  while (items_.size() > 1 && (bytes() > limit_ || items_.size() > kMost)) {
    const double newest = static_cast<double>(items_.back()->step);
    std::size_t least = 0;
    double leastGap = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < items_.size(); ++i) {
      const double from = static_cast<double>(items_[i - 1]->step);
      const double gap = (static_cast<double>(items_[i + 1]->step) - from) / (newest - from + 1);
      if (gap < leastGap) leastGap = gap, least = i;
    }
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

void MomentStore::eraseAfter(const Session::Moment& moment) {
  std::erase_if(items_, [&](const Item& item) { return isEarlier(moment, *item); });
}

void MomentStore::limitTo(std::size_t bytes) {
  limit_ = bytes;
  std::erase_if(items_, [&](const Item& item) { return 2 * item->bytes() > limit_; });
  thin();
}

MomentStore::Item MomentStore::before(std::uint64_t step) const {
  Item found;
  for (const Item& item : items_)
    if (item->step <= step) found = item;
  return found;
}

MomentStore::Item MomentStore::nearest(std::uint64_t step) const {
  const auto distance = [step](const Item& item) {
    return item->step > step ? item->step - step : step - item->step;
  };
  const auto least = std::ranges::min_element(items_, {}, distance);
  return least == items_.end() ? nullptr : *least;
}

void Rewind::limitTo(std::size_t bytes) {
  needed_ = 0;
  store_.limitTo(bytes);
  if (bytes == 0) forget();
}

void Rewind::forget() {
  store_.clear();
  end_.reset();
  course_.reset();
  branches_.clear();
  needed_ = 0;
  keptStep_ = ~0ull;
  cost_ = 0;  // the next snapshot comes at once, however long the last one took
}

void Rewind::keep(const Session& session) {
  const auto start = Clock::now();
  const MomentStore::Item moment = session.moment();
  if (!store_.add(moment)) {
    needed_ = moment->bytes();
    neededFor_ = session.mode().particleCount();
    store_.clear();
  }
  cost_ = secondsSince(start);
  kept_ = Clock::now();
  keptStep_ = session.step();
}

// A state that was too large is tried again when it has become smaller.
void Rewind::look(const Session& session, bool single) {
  if (!isOn()) return;
  if (session.run() != run_) {
    run_ = session.run(), kept_ = {};
    forget();
  }
  if (behind()) arrive(session);
  if (behind() || session.mode().nextPhase() != 0 || session.mode().preparation()) return;
  if (session.step() == keptStep_) return;
  if (needed_ > 0 && 10 * session.mode().particleCount() > 9 * neededFor_) return;
  needed_ = 0;
  const double gap = cost_ / share_;
  if (secondsSince(kept_) >= (single ? gap : std::max(kLeastGap, gap))) keep(session);
}

// The end is reached by running on: there is nothing ahead any more.
void Rewind::arrive(const Session& session) {
  if (session.step() < end_->step || !session.atEndOf(*course_)) return;
  end_.reset();
  course_.reset();
  keptStep_ = session.step();
}

// Moments after the present one, with the changes that it had before the newest.
void Rewind::cut(const Session& session, std::size_t edits) {
  Session::Moment here;
  here.step = session.step();
  here.edits = edits;
  here.preparationUnits = ~0ull;
  store_.eraseAfter(here);
  end_.reset();
  course_.reset();
}

bool Rewind::changed(const Session& session, std::size_t edits) {
  if (session.run() != run_) return false;
  keptStep_ = ~0ull;  // the same step has another state now
  if (!behind()) return false;
  branches_.push_back(branchAt(session, false));
  if (branches_.size() > kMostBranches) branches_.erase(branches_.begin());
  cut(session, edits);
  return true;
}

void Rewind::undo(Session& session) {
  changed(session, session.log().edits.size());
  session.undo();
  if (session.run() != run_) return;
  keptStep_ = ~0ull;
  cut(session, session.log().edits.size());
}

void Rewind::advance(Session& session, std::uint64_t count) {
  if (behind() && session.run() == run_)
    session.follow(*course_, count);
  else
    session.advance(count);
}

// The end is kept whole, whatever its size: no state that was reached is lost.
void Rewind::leaveEnd(Session& session) {
  if (behind()) return;
  session.finishStep();
  end_ = session.moment();
  course_ = session.course();
}

bool Rewind::stepBack(Session& session, const Progress& progress) {
  const bool midStep = session.mode().nextPhase() != 0;
  const std::uint64_t step = session.step();
  if (step == 0 && !midStep) return false;
  return goTo(session, midStep ? step : step - 1, progress);
}

bool Rewind::goTo(Session& session, std::uint64_t target, const Progress& progress) {
  if (!isOn() || session.run() != run_) return false;
  const MomentStore::Item from = store_.before(target);
  if (!from) return false;
  leaveEnd(session);
  const MomentStore::Item here = session.moment();
  // The next steps back begin here.
  constexpr std::uint64_t kNear = 16;
  const std::uint64_t near = target - std::min(kNear, target);
  try {
    session.goTo(*from, *course_);
    const double all = static_cast<double>(target - session.step());
    constexpr double kPart = 0.02;  // seconds
    std::uint64_t batch = 1;
    while (session.step() < target) {
      const auto start = Clock::now();
      const std::uint64_t stop = session.step() < near ? near : target;
      session.follow(*course_, std::min(batch, stop - session.step()));
      if (secondsSince(start) < kPart) batch *= 2;
      if (session.step() == near && !session.mode().preparation()) store_.add(session.moment());
      if (progress) progress(1 - static_cast<double>(target - session.step()) / all);
    }
  } catch (...) {
    session.goTo(*here, *course_);
    arrive(session);
    throw;
  }
  return true;
}

bool Rewind::goNear(Session& session, std::uint64_t step) {
  if (!isOn() || session.run() != run_) return false;
  if (step >= (behind() ? end_->step : session.step())) {
    forwardToEnd(session);
    return true;
  }
  const MomentStore::Item moment = store_.nearest(step);
  if (!moment) return false;
  if (moment->step == session.step() && moment->edits == session.log().edits.size()) return true;
  leaveEnd(session);
  session.goTo(*moment, *course_);
  return true;
}

bool Rewind::forwardToEnd(Session& session) {
  if (!behind() || session.run() != run_) return false;
  session.goTo(*end_, *course_);
  arrive(session);
  return true;
}

Timeline Rewind::timeline(const Session& session) const {
  auto steps = each(store_.items(), [](const MomentStore::Item& item) { return item->step; });
  std::vector<Branch> branches = branches_;
  if (behind()) branches.push_back(branchAt(session, true));
  return {.limitBytes = store_.limit(),
          .usedBytes = store_.bytes() + (end_ ? end_->bytes() : 0),
          .needed = needed_,
          .run = session.run(),
          .end = behind() ? end_->step : session.step(),
          .behind = behind(),
          .steps = std::move(steps),
          .branches = std::move(branches)};
}

}  // namespace cellscope
