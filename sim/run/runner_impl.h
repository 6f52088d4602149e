// Private parts of Runner. Members below "thread" belong to the Runner's thread alone.
#pragma once
#include <condition_variable>
#include <exception>
#include <thread>

#include "sim/run/lesson.h"
#include "sim/run/runner.h"

namespace cellscope {

inline std::string titleOf(const Scenario& s) { return s.title.empty() ? s.name : s.title; }

struct Runner::Impl {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  enum class Kind { view, set, place, other };
  struct Command {
    bool leads = false;   // it changes the run: refused while another one is followed
    bool isLook = false;  // it changes nothing that is shown, or says so itself
    Kind kind = Kind::other;
    std::string key;    // of set
    std::string setup;  // name of a command that takes long, shown while it is carried out
    std::string then;   // Setup::then
    bool needsSession = true;
    std::function<void(Impl&)> act;
  };

  Impl(const ExecConfig& config, Command first, ModeFactory modes);  // `first` makes the session
  ~Impl();

  // Any thread.
  void post(Command command);
  void lead(Command command) {
    command.leads = true;
    post(std::move(command));
  }
  void end(const std::function<void(Session&)>& lastLook);  // Runner::finish(); again: nothing

  // Thread: the loop (runner_loop.cpp).
  void run();
  bool waitForWork();  // false: stop
  void carryOut(Command& command);
  void guarded(const std::function<void()>& f, bool pauseAlways);
  void say(const std::string& text, Severity severity = Severity::info);
  // Repeated errors are reported once.
  void reportError(const std::string& text) {
    if (text == trouble) return;
    trouble = text;
    say(text, Severity::error);
  }
  std::string keepBroken();  // its report
  static Command opening(const Scenario& scenario);
  static Command loading(const std::string& checkpoint);
  void openScenario(const Scenario& s) {
    replaceSession(std::make_unique<Session>(s, config, modes, workReport()));
    for (const std::string& note : session->startNotes()) say(note, Severity::warning);
  }
  static Command following(std::shared_ptr<lesson::Listener> lecturer);
  void hear();
  void takeLecturersState();
  void beginSetup(const std::string& name, const std::string& then = "");
  bool beginsToTakeLong();
  void beginStep();  // names the current work, in case it takes long
  void watchWork(const Preparation& stage);
  WorkReport workReport() {
    return [this](const Preparation& stage) { watchWork(stage); };
  }
  void adoptSession(std::unique_ptr<Session> next);
  void replaceSession(std::unique_ptr<Session> next);  // undo() goes back to the present one
  // End of a sentence: how to go back.
  std::string wayBack() const {
    return earlier.empty() ? "" : "; Ctrl+Z goes back to " + earlierName;
  }
  bool awaitTurn();  // false: there is a command
  void advanceBatch();
  void advanceWatched(std::uint64_t steps);
  void hand(HandMove move, const PickQuery& along, bool continues);
  void advanceBy(std::uint64_t steps, const std::atomic<bool>& stopped);
  std::uint64_t allowedSteps();
  void pause() { playing = false; }
  // Before a single step: makes the mode record its moves.
  void beStill() {
    if (view.still) return;
    view.still = true;
    session->mode().frame(view);
  }
  void keepUpBeside();

  // Thread: going back in the run (runner.cpp).
  void change(const std::function<void()>& act);
  void keepMoment(bool single);
  void goBack(const std::function<bool()>& act) {
    pause();
    if (act()) batch = 1;
  }

  // Thread: what goes out (runner_publish.cpp).
  bool publicationDue() const;
  Clock::time_point nextPublication() const;
  void publish();
  void fillState();
  void noteSince(std::vector<SelfCheck>& all);
  void fillPicture();
  void addSelected(Frame& frame);
  void watchMoves() {
    if (auto* const of = dynamic_cast<Inspectable*>(&session->mode()))
      of->watchMoves(out.tableName == "moves");
  }
  void refreshTable(const PickedParticle& picked);
  void refreshParameters();
  void refreshCurves();
  void refreshWatched();
  void refreshChecks();
  void measureRate();
  void measureKernels();
  void publishSetup();
  void send(std::shared_ptr<const Publication> p);

  const ExecConfig config;
  const ModeFactory modes;

  std::mutex queueMutex;
  std::condition_variable wake;
  std::deque<Command> queue;
  bool stop = false;
  bool givesWay = false;
  std::uint64_t wayNumber = 0;             // of giveWay()
  std::function<void(Session&)> farewell;  // set before `stop`, called by the thread after it
  std::exception_ptr farewellError;

  std::mutex mailboxMutex;
  std::shared_ptr<const Publication> mailbox;
  std::function<void()> publishedCall;
  std::atomic<std::uint64_t> cancelled{0};  // number of the set-up to give up
  static constexpr Clock::duration kAtRest{};
  std::atomic<Clock::duration> workBegan{kAtRest};  // of the current piece of work
  std::atomic<bool> taken{true};                    // somebody looked at the newest publication

  // Thread.
  std::unique_ptr<Session> session;
  std::shared_ptr<lesson::Listener> lecturer;  // who is followed
  lesson::Listener::Standing standing{};       // seen last
  Rewind rewind;
  Beside beside;
  std::string earlier;  // checkpoint of what was open before, for undo()
  std::string earlierName;
  // What goes out next. Parts that change now and then are kept up to date as they change, the
  // others when it goes out.
  Publication out;
  bool playing = false, leaving = false;
  double speedLimit = 0, credit = 0;
  Clock::time_point creditTime = Clock::now();
  std::uint64_t batch = 1;
  ViewRequest view;
  ParticleId second = -1;    // beside view.picked
  bool strokeBegun = false;  // by a move of the hand that did something
  Clock::time_point tableMade{};
  double tableCost = 0;  // seconds
  Breakpoints breakpoints;
  std::deque<Message> messages;
  std::string trouble;      // last report since the last command
  Keep keep;                // Runner::onInternalError()
  bool keptBroken = false;  // this session was
  std::uint64_t messageNumber = 0;

  std::optional<Setup> setup;
  std::string workName;  // of other current work, in case it takes long
  bool workIsStep = false;
  std::uint64_t setupNumber = 0;
  Clock::time_point setupShown{};

  bool dirty = true;      // a command changed something
  bool advanced = false;  // steps were made since the last publication
  Clock::time_point published{};
  double publishCost = 0;  // seconds
  std::shared_ptr<const Publication> last;
  std::vector<SelfCheck> checks;
  std::map<std::string, std::uint64_t> failing;  // by label: the step where a check began to fail
  bool checksStale = true;
  Clock::time_point checked{};
  double checkCost = 0;
  ParticleId curvesPicked = -2;  // the picked particle of the frame before them
  Clock::time_point curvesMade{};
  double curveCost = 0;
  std::uint64_t watchedVersion = ~0ull, watchedStep = 0;
  std::uint64_t curvesVersion = ~0ull;
  std::uint64_t seriesVersion = ~0ull;
  Clock::time_point rateTime{};
  std::uint64_t rateStep = 0;
  double rateWork = 0;
  KernelMeter kernels;

  std::thread thread;  // last: starts when everything above is ready
};

}  // namespace cellscope
