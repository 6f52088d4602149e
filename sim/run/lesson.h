// A run that a class follows. The lecturer's changes travel with the step at which they act, and
// every follower computes the same run; a hash of the state shows that it is the same. A follower
// begins from the scenario, or from a checkpoint where the run has gone on for long, was resumed,
// or does not go on from where it was (a step back, an undo, another scenario).
#pragma once
#include <chrono>
#include <deque>
#include <mutex>
#include <string_view>

#include "sim/run/session.h"

namespace cellscope::lesson {

// What travels from a lecturer to those who follow: records of one byte for the kind, four for the
// size as sent, four for the size unpacked (little-endian), and the body, packed by zlib where that
// is shorter. Every size is bounded, and what is larger, damaged or of another kind is refused.
enum class RecordKind : char {
  welcome = 'W',   // version and instruction set, a line each
  refusal = 'R',   // why nobody is let in
  scenario = 'S',  // a run from its beginning: Place, a line with the name, the scenario
  state = 'C',     // a run from here on: Place, a checkpoint that names no files
  mark = 'M',      // Mark
  shown = 'P'      // Shown (app/lesson/link.h)
};

struct Record {
  RecordKind kind = RecordKind::mark;
  std::string body;
};

inline constexpr std::size_t kHeaderBytes = 9;
std::size_t mostBytes(RecordKind kind);  // of a body, unpacked; 0: there is no such kind

// Throws InputError for a body that is too large.
std::string packRecord(RecordKind kind, std::string_view body);

// Records out of a stream of bytes, of which it holds at most one record and what was added last.
class RecordReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  // Nothing: its end has not come yet. Throws InputError where the bytes are no record.
  std::optional<Record> next();

 private:
  std::string buffer_;
};

// Up to where the lecturer's run has come: its followers go so far and no further.
struct Mark {
  std::uint64_t course = 0;  // another number: the run does not go on from the mark before
  std::uint64_t step = 0, preparing = 0;  // as in Edit
  std::uint64_t hash = 0;                 // stateHash() there
  bool playing = false;
  std::uint64_t first = 0;  // changes of the run before `edits`
  std::vector<Edit> edits;  // since the mark before
};
std::string markText(const Mark& mark);
Mark markFromText(const std::string& text);  // throws InputError

// What a follower has, and where a state lies.
struct Place {
  std::uint64_t course = 0;
  std::uint64_t edits = 0;  // changes of the run that it contains
};
std::string stateText(const Place& place, std::string_view body);
// The rest of the text is the body. Throws InputError.
Place takePlace(std::string& text);

// Of step, box and particles, whatever order these are stored in: the same number for the same bits
// on any machine.
std::uint64_t stateHash(const Mode& mode);

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

  bool hasState() const {
    const std::lock_guard lock(mutex_);
    return state_.has_value();
  }
  // Throws what a damaged checkpoint throws, and InputError for one that names files.
  std::unique_ptr<Session> begin(const ExecConfig& config, const ModeFactory& modes,
                                 WorkReport report);
  // Steps, or units of preparation, that the session may be advanced by now.
  std::uint64_t ahead(const Session& session) const;
  // With the lecturer's changes; 0: the changes at this very step.
  void advance(Session& session, std::uint64_t count);
  bool playing() const {
    const std::lock_guard lock(mutex_);
    return newest_.playing || !marks_.empty();
  }
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
  // A state is wanted: once each time.
  bool takeWish() {
    const std::lock_guard lock(mutex_);
    return std::exchange(wishes_, false);
  }

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
