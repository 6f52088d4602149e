// Who follows a lesson, and lessons on the thread of a Runner.
#include "sim/run/lesson.h"

#include <tuple>

#include "sim/base/error.h"
#include "sim/io/text_lines.h"
#include "sim/run/runner_impl.h"

namespace cellscope::lesson {
namespace {

auto placeInRun(const Mark& m) { return std::tuple(m.step, m.preparing); }
auto placeInRun(const Session& s) { return std::tuple(s.step(), s.preparationUnits()); }

void requireNoFiles(const Scenario& s) {
  if (!s.configuration.empty() || !s.compare.empty())
    throw InputError("the lecturer's scenario names a file, which is not opened");
  if (!s.name.empty() && !io::isFileName(s.name))
    throw InputError("the name of the lecturer's scenario is not the name of a file");
}

}  // namespace

void Listener::take(const Record& record) {
  const std::lock_guard lock(mutex_);
  if (record.kind == RecordKind::scenario || record.kind == RecordKind::state) {
    Record state = record;
    const Place place = takePlace(state.body);
    state_ = std::move(state);
    place_ = place;
    came_.clear();
    marks_.clear();
    status_.standing = Standing::waiting;
    wishes_ = false;
  } else if (record.kind == RecordKind::mark) {
    Mark m = markFromText(record.body);
    if (m.course != place_.course || m.first != place_.edits) return wish();
    came_.insert(came_.end(), m.edits.begin(), m.edits.end());
    m.first = place_.edits += m.edits.size();
    m.edits.clear();
    status_.announced = m.step;
    newest_ = m;
    // A lecturer who is busy, or paused, repeats the mark before.
    if (!marks_.empty() && placeInRun(marks_.back()) == placeInRun(m) &&
        marks_.back().first == m.first)
      return;
    marks_.push_back(std::move(m));
    if (marks_.size() <= kMostMarks) return;
    marks_.pop_front();
    wish();
  } else {
    throw InputError("this is no lesson: a record came out of turn");
  }
}

void Listener::forget() {
  const std::lock_guard lock(mutex_);
  place_ = {};
  came_.clear();
  marks_.clear();
  begun_ = wishes_ = newest_.playing = false;
  wait_ = 0;
  wished_ = {};
  status_.standing = Standing::waiting;
}

// The first time at once, then more and more seldom: where two processors round differently each
// state holds for a moment only.
void Listener::wish() {
  constexpr int kSeldom = 64;  // seconds
  if (Clock::now() - wished_ < std::chrono::seconds(wait_)) return;
  wait_ = std::min(kSeldom, wait_ == 0 ? 4 : 2 * wait_);
  wished_ = Clock::now();
  wishes_ = true;
}

std::unique_ptr<Session> Listener::begin(const ExecConfig& config, const ModeFactory& modes,
                                         WorkReport report) {
  Record record;
  std::uint64_t edits = 0;
  {
    const std::lock_guard lock(mutex_);
    record = std::move(*state_);
    state_.reset();
    edits = place_.edits - came_.size();
    begun_ = false;
  }
  constexpr const char* kFrom = "the lecturer's state";
  std::unique_ptr<Session> session;
  if (record.kind == RecordKind::scenario) {
    const std::size_t end = std::min(record.body.find('\n'), record.body.size());
    Scenario scenario =
        parseScenario(record.body.substr(std::min(end + 1, record.body.size())), kFrom, modes);
    scenario.path.clear();
    scenario.name = record.body.substr(0, end);
    requireNoFiles(scenario);
    session = std::make_unique<Session>(scenario, config, modes, std::move(report));
  } else {
    session = Session::resumeFrom(record.body, kFrom, config, modes, std::move(report));
    requireNoFiles(session->log().start);
  }
  if (session->log().edits.size() != edits)
    throw InputError("this is no lesson: a state has another number of changes");
  course_ = {session->log().edits, {}};
  const std::lock_guard lock(mutex_);
  begun_ = !state_;  // otherwise a newer one has come meanwhile
  return session;
}

std::uint64_t Listener::ahead(const Session& session) const {
  const std::lock_guard lock(mutex_);
  if (!begun_ || state_ || marks_.empty()) return 0;
  const Mark& m = marks_.front();
  if (m.step > session.step()) return m.step - session.step();
  if (m.step < session.step() || m.preparing <= session.preparationUnits()) return 0;
  return m.preparing - session.preparationUnits();
}

void Listener::advance(Session& session, std::uint64_t count) {
  do {
    {
      const std::lock_guard lock(mutex_);
      if (!begun_ || state_ || marks_.empty()) return;
      // A change at the step of the mark may come after it.
      const std::size_t known = course_.edits.size();
      const std::size_t fresh =
          marks_.front().first - std::min<std::uint64_t>(known, marks_.front().first);
      const auto end = came_.begin() + static_cast<std::ptrdiff_t>(std::min(fresh, came_.size()));
      course_.edits.insert(course_.edits.end(), came_.begin(), end);
      came_.erase(came_.begin(), end);
    }
    try {
      session.follow(course_, std::exchange(count, 0));
    } catch (const InputError&) {  // a change that this program does not know
      const std::lock_guard lock(mutex_);
      begun_ = false;
      status_.standing = Standing::differs;
      wish();
      throw;
    }
  } while (settle(session));
}

// The next mark was reached.
bool Listener::settle(const Session& session) {
  Mark m;
  {
    const std::lock_guard lock(mutex_);
    if (state_ || marks_.empty()) return false;
    m = marks_.front();
    if (placeInRun(session) < placeInRun(m) || session.log().edits.size() < m.first) return false;
    marks_.pop_front();
  }
  compare(session, m);
  return true;
}

void Listener::compare(const Session& session, const Mark& m) {
  const std::uint64_t hash = stateHash(session.mode());
  const std::lock_guard lock(mutex_);
  if (state_) return;
  status_.step = session.step();
  status_.hash = hash;
  ++status_.compared;
  const bool same = placeInRun(session) == placeInRun(m) && hash == m.hash;
  status_.standing = same ? Standing::inStep : Standing::differs;
  if (!same) return wish();
  if (Clock::now() - wished_ > 2 * std::chrono::seconds(wait_)) wait_ = 0;
}

double Listener::pace(const Session& session) const {
  constexpr std::size_t kUsual = 2;  // marks; with more it hurries
  constexpr double kHaste = 1.2;
  const std::lock_guard lock(mutex_);
  if (marks_.size() > kUsual || newest_.step <= session.step()) return 0;
  return kHaste * static_cast<double>(newest_.step - session.step());
}

Listener::Status Listener::status() const {
  constexpr std::size_t kLate = 3;  // marks that wait
  const std::lock_guard lock(mutex_);
  Status s = status_;
  if (s.standing == Standing::inStep && marks_.size() > kLate) s.standing = Standing::behind;
  const std::chrono::duration<double> since = Clock::now() - wished_;
  if (s.standing == Standing::differs) s.nextState = std::max(0.0, wait_ - since.count());
  return s;
}

// The lecturer of a lesson.
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
  if (again)
    state_ = {RecordKind::scenario,
              stateText(statePlace_, start.name + "\n" + scenarioText(start))};
  else
    state_ = {RecordKind::state, stateText(statePlace_, session.checkpoint(false))};
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

namespace cellscope {

Runner::Runner(const ExecConfig& config, std::shared_ptr<lesson::Listener> lecturer,
               const ModeFactory& modes)
    : impl_(std::make_unique<Impl>(config, Impl::following(std::move(lecturer)), modes)) {}

void Runner::follow(std::shared_ptr<lesson::Listener> lecturer) {
  impl_->post(Impl::following(std::move(lecturer)));
}

// Of several that wait one is enough.
void Runner::heard() {
  impl_->post({.isLook = true,
               .kind = Impl::Kind::view,
               .key = "heard",
               .needsSession = false,
               .act = [](Impl& i) { i.hear(); }});
}

void Runner::publish() {
  impl_->post({.kind = Impl::Kind::view, .key = "publish", .act = [](Impl&) {}});
}

void Runner::visit(std::function<void(Session&, bool playing)> look) {
  impl_->post({.isLook = true,
               .kind = Impl::Kind::view,
               .key = "visit",
               .act = [look = std::move(look)](Impl& i) { look(*i.session, i.playing); }});
}

Runner::Impl::Command Runner::Impl::following(std::shared_ptr<lesson::Listener> lecturer) {
  return {.needsSession = false, .act = [lecturer = std::move(lecturer)](Impl& i) {
            i.lecturer = lecturer;
            if (lecturer) return i.hear();
            i.pause();
            if (i.out.scenario) i.speedLimit = i.out.scenario->speedLimit;
          }};
}

void Runner::Impl::hear() {
  if (!lecturer) return;
  if (lecturer->hasState()) takeLecturersState();
  if (!session) return;
  const bool played = playing;
  lecturer->advance(*session, 0);
  playing = lecturer->playing();
  speedLimit = lecturer->pace(*session);
  const lesson::Listener::Standing now = lecturer->status().standing;
  dirty |= playing != played || std::exchange(standing, now) != now;
}

// The view stays where it is the same scenario.
void Runner::Impl::takeLecturersState() {
  const std::shared_ptr<const Scenario> before = out.scenario;
  const ViewRequest looks = view;
  workName = "Taking over the lecturer's state";
  beginSetup(workName);
  try {
    adoptSession(lecturer->begin(config, modes, workReport()));
  } catch (...) {
    setup.reset();
    throw;
  }
  setup.reset();
  dirty = true;
  earlier.clear();
  checksStale = true;
  if (!before || before->name != out.scenario->name || before->mode != out.scenario->mode) return;
  out.scenario = before;
  view = looks;
}

}  // namespace cellscope
