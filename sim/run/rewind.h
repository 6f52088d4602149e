// Going back in a run: keeps moments of it while it goes on, in a bounded memory and for a bounded
// share of the time, goes back to them and forward again. Advancing from an earlier moment without
// a change repeats the run, changes included: random numbers depend on seed and step alone. The
// first other change begins a new branch; what was ahead is then given up, but for what was
// measured. Used from the thread of the session.
#pragma once
#include <chrono>

#include "sim/run/session.h"

namespace cellscope {

// A part of the run that was left by going back: what was measured, from the step on at which the
// present run leaves it.
struct Branch {
  std::uint64_t from = 0, to = 0;
  SharedList<ObservableSeries> series;  // with what came before
  bool ahead = false;                   // it can still be gone forward to
};

struct Timeline {
  std::size_t limitBytes = 0, usedBytes = 0;  // limit 0: switched off
  std::size_t needed = 0;                     // > 0: bytes of a state, too large for the limit
  std::uint64_t run = 0;                      // another number: another run
  std::uint64_t end = 0;                      // the step that "forward to now" leads to
  bool behind = false;                        // the present step is before the end
  SharedList<std::uint64_t> steps;            // of moments that are kept, in order
  SharedList<Branch> branches;                // the last ones
};

// Moments of a run in a bounded memory. When it is full, moments go that lie close to their
// neighbours for their age: the newest stay dense, older ones become sparser, the first stays.
class MomentStore {
 public:
  using Item = std::shared_ptr<const Session::Moment>;
  static constexpr std::size_t kMost = 400;

  explicit MomentStore(std::size_t limitBytes = 0) : limit_(limitBytes) {}

  // In order of the run; one at the same place is replaced. False: the memory does not hold two of
  // this size, and nothing was kept.
  bool add(Item moment);
  void eraseAfter(const Session::Moment& moment);  // those later in the run
  void clear() { items_ = {}; }
  void limitTo(std::size_t bytes);

  std::size_t limit() const { return limit_; }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Item& item : items_) sum += item->bytes();
    return sum;
  }
  const std::vector<Item>& items() const { return items_; }
  // The last one at this step or earlier; null: none.
  Item before(std::uint64_t step) const;
  Item nearest(std::uint64_t step) const;  // null: empty

 private:
  void thin();

  std::size_t limit_ = 0;
  std::vector<Item> items_;
};

class Rewind {
 public:
  static constexpr double kShare = 0.01;
  static constexpr double kLeastGap = 0.25;  // seconds between two moments of a playing run

  // Called between parts of long computations; may throw, and the session is as it was before.
  using Progress = std::function<void(double share)>;

  // `share`: of the time, at most, for keeping moments.
  explicit Rewind(double share = kShare) : share_(share) {}

  void limitTo(std::size_t bytes);  // 0: off; what was kept is freed

  // After anything that advanced the session or changed it: keeps the present moment when it is
  // time for one. `single`: a step by hand, without a least gap.
  void look(const Session& session, bool single);
  // After a change that was not made by follow(), at the same step; `edits`: how many the run had
  // before it. From an earlier moment it begins a new branch. True: it did.
  bool changed(const Session& session, std::size_t edits);
  // Session::undo(), which from an earlier moment begins a new branch as well; moments later than
  // the state that it goes back to are no part of the run any more.
  void undo(Session& session);
  // Advances, repeating the run until its end.
  void advance(Session& session, std::uint64_t count);
  // To one step before, computed again from the last moment before it. False: there is none.
  bool stepBack(Session& session, const Progress& progress = {});
  bool goTo(Session& session, std::uint64_t step, const Progress& progress = {});  // the same
  // To the kept moment nearest to this step. False: none.
  bool goNear(Session& session, std::uint64_t step);
  bool forwardToEnd(Session& session);  // false: it is there

  bool behind() const { return course_ != nullptr; }
  std::size_t needed() const { return needed_; }  // > 0: bytes of a state that is too large
  const MomentStore& store() const { return store_; }
  Timeline timeline(const Session& session) const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostBranches = 3;

  bool isOn() const { return store_.limit() > 0; }
  void forget();
  void keep(const Session& session);
  void leaveEnd(Session& session);
  void arrive(const Session& session);
  Branch branchAt(const Session& session, bool ahead) const {
    return {session.step(), end_->step, end_->history.series(), ahead};
  }
  void cut(const Session& session, std::size_t edits);

  double share_;
  MomentStore store_;
  std::uint64_t run_ = ~0ull;
  MomentStore::Item end_;  // where the run was before going back; with course_
  std::shared_ptr<const Session::Course> course_;
  std::vector<Branch> branches_;
  std::size_t needed_ = 0, neededFor_ = 0;  // bytes of a state that is too large, its particles
  Clock::time_point kept_{};
  double cost_ = 0;  // seconds, of keeping a moment
  std::uint64_t keptStep_ = ~0ull;
};

// What is published of a run beside another one.
struct BesideState {
  std::shared_ptr<const Frame> frame;
  SharedList<ObservableSeries> observables;
  Settings settings;     // that differ
  bool isWrong = false;  // an experiment that breaks the physics is on
};

// Those of `earlier` that a frame has not checked itself.
void addOthers(std::vector<SelfCheck>& now, const std::vector<SelfCheck>& earlier);

// A second run beside that of a Runner: the same scenario with other settings (Scenario::against),
// step for step and phase for phase at the same place. Used from the thread of the session.
class Beside {
 public:
  using Make = std::function<std::unique_ptr<Session>(const Scenario&)>;

  // Brings it to where `first` is: changes of other settings are made here as well. It begins where
  // `first` is at step 0. "", or why it cannot be there; it is gone then.
  std::string keepUp(const Session& first, const Make& make);
  void end();
  bool exists() const { return session_ != nullptr; }
  void limitTo(std::size_t bytes) { rewind_.limitTo(bytes); }  // Rewind::limitTo()
  void check() { checks_ = session_->mode().selfChecks(); }
  std::shared_ptr<const BesideState> state(const ViewRequest& view);

 private:
  bool differs(const std::string& key) const {
    const auto& against = session_->log().start.against;
    return std::ranges::find(against, key, &Setting::first) != against.end();
  }
  void advanceTo(std::uint64_t step);
  void set(const Settings& settings);
  bool isMade(const std::vector<Edit>& edits, std::size_t k) const;
  void takeEdits(const std::vector<Edit>& edits);
  void undoWith(const Session& first);
  void takeValues(const Session& first);
  void go(const Session& first);

  std::unique_ptr<Session> session_;
  Rewind rewind_;
  std::uint64_t run_ = ~0ull;  // of the first
  bool lost_ = false;          // until the first is at step 0 again
  std::size_t edits_ = 0;      // of the first, seen so far
  std::vector<SelfCheck> checks_;
  SharedList<ObservableSeries> series_;
  std::uint64_t seriesVersion_ = ~0ull;
};

}  // namespace cellscope
