// A run that a class follows. The lecturer's changes travel with the step at which they act, and
// every follower computes the same run; a hash of the state shows that it is the same. A follower
// begins from the scenario, or from a checkpoint where the run has gone on for long, was resumed,
// or does not go on from where it was (a step back, an undo, another scenario).
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/lesson_record.h"

namespace cellscope::lesson {

// What a follower has.
struct Place {
  std::uint64_t course = 0;
  std::uint64_t edits = 0;
};

// The lecturer's side.
class Lecture {
 public:
  // On the thread of the session; within a step nothing is noted, and the state before it is handed
  // out. A state is kept where one is wanted, and where the run is paused.
  void look(Session& session, bool playing);

  // Any thread.
  // Somebody waits for a state that is not old; whole: computing the run again gave another one.
  void want(bool whole = false);
  // What a follower is to be sent, and where it is then: a packed record. Nothing: there is no
  // state yet; or this follower needs a state first.
  std::shared_ptr<const std::string> state(Place& place);
  std::shared_ptr<const std::string> mark(Place& place) const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kFresh{2};    // a state so old is handed out again
  static constexpr std::chrono::seconds kBegins{10};  // a run so old is not computed again

  bool goesOn(const Session& session) const;
  void keepState(Session& session);

  mutable std::mutex mutex_;
  Mark mark_;  // without its edits
  std::vector<Edit> edits_;
  std::uint64_t run_ = ~0ull, newestRun_ = 0;
  Clock::time_point runBegan_{}, stateMade_{};
  bool wanted_ = false, whole_ = false, begun_ = false;
  std::optional<Record> state_;
  std::shared_ptr<const std::string> packed_;  // of state_, once it is sent
  Place statePlace_;
  std::uint64_t stateStep_ = 0, stateEdits_ = 0;
};

// A follower's side. take() and what reads the status are for any thread, the rest for that of the
// session.
class Listener {
 public:
  // Throws InputError for what no lecturer sends.
  void take(const Record& record);
  void forget();  // the lecturer is gone; what was computed stays

  bool hasState() const;
  // Throws what a damaged checkpoint throws, and InputError for one that names files.
  std::unique_ptr<Session> begin(const ExecConfig& config, const ModeFactory& modes,
                                 WorkReport report);
  // Steps, or units of preparation, that the session may be advanced by now.
  std::uint64_t ahead(const Session& session) const;
  // With the lecturer's changes; 0: the changes at this very step.
  void advance(Session& session, std::uint64_t count);
  bool playing() const;
  // Steps per second that keep up without haste; 0: no limit.
  double pace(const Session& session) const;

  enum class Standing { waiting, inStep, behind, differs };
  struct Status {
    Standing standing = Standing::waiting;
    std::uint64_t step = 0, hash = 0;  // compared last
    std::uint64_t compared = 0;        // how often
    std::uint64_t announced = 0;       // the lecturer's step
    double nextState = 0;              // seconds until a state is asked for; of `differs`
  };
  Status status() const;
  bool takeWish();  // a state is wanted: once each time

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMostMarks = 120;  // that wait to be reached: two minutes

  bool settle(const Session& session);
  void compare(const Session& session, const Mark& mark);
  void wish();

  mutable std::mutex mutex_;
  std::optional<Record> state_;
  Place place_;             // of it or of the session, with all changes received
  std::vector<Edit> came_;  // changes received and not yet in course_
  std::deque<Mark> marks_;  // not reached yet; Mark::first: how many changes the run has there
  Mark newest_;
  bool begun_ = false, wishes_ = false;
  int wait_ = 0;  // seconds, until the next wish
  Clock::time_point wished_{};
  Status status_;
  Session::Course course_;  // thread of the session
};

}  // namespace cellscope::lesson
