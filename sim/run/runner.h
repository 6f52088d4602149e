// Runs a mode on its own thread. Commands go in through a queue, publications come out through a
// mailbox in which the newest wins; neither side ever waits for the other. The trajectory does not
// depend on how often frames are taken.
#pragma once
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/run/inspector.h"
#include "sim/run/rewind.h"

namespace cellscope {

// What the kernels of a mode did lately: launches and time in the last second or so of the run.
struct KernelUse {
  double seconds = 0;               // that passed; 0: nothing was measured yet
  std::vector<KernelTime> kernels;  // launched meanwhile, each name once; longest first

  // All kernels.
  double secondsIn() const {
    double milliseconds = 0;
    for (const KernelTime& k : kernels) milliseconds += k.milliseconds;
    return milliseconds / 1e3;
  }
  // Of the time in all kernels; of all time that passed. Neither sums to more than 1.
  double shareOfKernels(const KernelTime& kernel) const {
    const double all = secondsIn();
    return all > 0 ? kernel.milliseconds / 1e3 / all : 0;
  }
  // Estimated times may come to a little more than what passed.
  double shareOfTime(const KernelTime& kernel) const {
    const double all = std::max(seconds, secondsIn());
    return all > 0 ? kernel.milliseconds / 1e3 / all : 0;
  }
  // Of all time: none of the kernels ran.
  double shareOutside() const { return seconds > 0 ? std::max(0.0, 1 - secondsIn() / seconds) : 0; }
};

class KernelMeter {
 public:
  static constexpr double kSeconds = 1;

  // While the run goes on: whether update() is wanted, and with the current values of the mode.
  bool due(double now) const { return !running_ || now - begin_ >= kSeconds; }
  void update(const std::vector<KernelTime>& sinceTheStart, double now);
  // The run is paused, or has another state: what is under way now is not counted.
  void interrupt() { running_ = false; }
  void forget() {
    interrupt();
    use_ = {};
  }
  const KernelUse& use() const { return use_; }

 private:
  using Totals = std::map<std::string, KernelTime>;

  bool running_ = false;
  double begin_ = 0;
  Totals start_;
  KernelUse use_;
};

struct ParameterState {
  ParameterInfo info;
  ParameterValue value, fallback;
  bool acts = true;  // ParameterSet::acts()
};

enum class Severity { info, warning, error };
struct Message {
  Severity severity = Severity::info;
  std::string text;
  std::uint64_t number = 0;  // rises; the window shows those it has not shown
};

// Lengthy work in progress: the set-up of a state, a file, a long step.
struct Setup {
  std::uint64_t number = 0;  // for Runner::cancel(); long steps in a row have one
  std::string name;          // "Reset", "Opening A dilute gas", "Step 12"
  std::optional<Preparation> stage;
  std::chrono::steady_clock::time_point began{};
  bool isStep = false;  // a long step, not a command
  std::string then;     // what comes after it, as "then the run is ready"; "": nothing to wait for
};

// What was asked for by Runner::goTo(): where it is in the box, or why there is no such thing.
struct Target {
  std::uint64_t number = 0;  // rises
  bool found = false;
  std::string words;
  Vec3d lo{}, hi{};  // of a cell; of a particle both are its place
};

// What a hand can do in the run and does, for the window.
struct HandShown {
  bool takes = false;                    // the mode lets a hand do something
  std::string refused[kHandActs];        // why an act is not to be had; "": it is
  std::optional<Grip> grip;              // none: nothing is held
  std::optional<Vec3d> at;               // where the last act took place
  std::string done;                      // what it did
  std::uint64_t strokes = 0;             // that changed something
  std::optional<std::uint64_t> touched;  // step of the first act in this run
};

// Everything the window draws, immutable. Lists are shared with the publication before while
// nothing in them has changed; what has grown shares what was there.
struct Publication {
  std::uint64_t number = 0;
  std::shared_ptr<const Frame> frame;
  std::shared_ptr<const ModeInfo> mode;
  std::shared_ptr<const Scenario> scenario;
  SharedList<ParameterState> parameters;
  SharedList<ObservableSeries> observables;
  std::optional<double> watched;  // the number to watch now, before its first sample
  SharedList<Curve> curves;
  SharedList<ReferenceValue> references;
  std::shared_ptr<const PairFindings> findings;  // null: the mode has none
  KernelUse kernels;
  SharedList<Message> messages;  // the last 20
  bool heats = false;            // heat() does something
  HandShown hand;
  SharedList<std::string> experiments;  // labels of experiments that are on
  std::optional<Preparation> preparation;
  bool canCancelPreparation = false;  // by undo()
  std::optional<Setup> setup;         // something that takes long is going on
  bool playing = false;
  std::uint64_t step = 0;
  int nextPhase = 0;
  double stepsPerSecond = 0, workPerSecond = 0;
  std::size_t particles = 0, engineBytes = 0;
  Backend backend = Backend::cpu;
  std::string device;  // "2 threads" or the GPU's name
  bool canUndo = false;
  Timeline timeline;
  std::shared_ptr<const BesideState> beside;  // null: no run beside it
  SharedList<std::string> breakpoints;
  Target target;
  std::optional<PickedPair> pair;
  std::shared_ptr<const Table> table;  // that of Runner::wantTable(); null: none
  std::string tableName;
  std::string selection;     // that of Runner::select(); "": none
  std::size_t selected = 0;  // particles
};

std::string deviceName(const ExecConfig& config);  // "2 threads" or the GPU's name

namespace lesson {
class Listener;  // sim/run/lesson.h
}

class Runner {
 public:
  // Starts the thread and loads the scenario there; construction does not wait for it.
  Runner(const ExecConfig& config, const Scenario& scenario, const ModeFactory& modes = {});
  // Resumes from a checkpoint instead (Session::resume).
  struct Checkpoint {
    std::string path;
  };
  Runner(const ExecConfig& config, const Checkpoint& checkpoint, const ModeFactory& modes = {});
  // Follows a lecturer from the beginning.
  Runner(const ExecConfig& config, std::shared_ptr<lesson::Listener> lecturer,
         const ModeFactory& modes = {});
  ~Runner();  // cancels a set-up or a long step in progress; a short one is completed
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Commands: thread-safe, return at once, carried out in order between steps.
  void play(bool on);
  void step();
  // `steps` steps at once, then one publication: for pictures at fixed distances. Ends early,
  // between batches, where `stopped` becomes true.
  void advance(std::uint64_t steps, std::shared_ptr<const std::atomic<bool>> stopped);
  void stepPhase();
  void reset();  // restart from the current parameters; can be undone
  void undo();   // the last reset, restart, rebuild or scenario change; again: the one before
  // Moments of the run are kept in at most this memory (and the present one beside them, after
  // going back), so that one can go back; 0, as at first: none, and those kept are freed.
  void keepMoments(std::size_t bytes);
  // These pause. One step back, computed again from the moment kept before it; to the moment kept
  // nearest to this step; to where the run was before going back. Advancing from an earlier moment
  // repeats the run, its changes included, until another change begins a new branch.
  void stepBack();
  void goNear(std::uint64_t step);
  void forwardToEnd();
  void set(const std::string& key, const ParameterValue& value, bool continues = false);
  void heat(double factor, const std::string& selection);  // Session::heat(); can be undone
  // Session::hand(); can be undone. In space the act takes place at the depth of the particle that
  // `along` meets, if any. continues: of a stroke.
  void hand(const HandMove& move, const PickQuery& along, bool continues);
  void saveSeries(const std::string& path);  // time series of all observables, as --csv
  void setView(const ViewRequest& view);
  void pick(const PickQuery& query);        // the answer is Frame::picked of a later publication
  void pickSecond(const PickQuery& query);  // beside the picked one, or instead of none
  // As tableOf(), "neighbours" alone of the picked particle; "": none.
  void wantTable(const std::string& name);
  // Particles by an expression (inspector.h), marked in the pictures; "": none.
  void select(const std::string& expression);
  // What findInside() finds is picked; Publication::target tells where it is.
  void goTo(const std::string& text);
  // While there are some, the run advances step by step and pauses where one becomes true.
  void addBreakpoint(const std::string& condition);
  void removeBreakpoint(std::size_t index);
  void setSpeedLimit(double stepsPerSecond);                   // 0 = none
  void open(const Scenario& scenario, bool thenPlay = false);  // otherwise it is paused
  // Cancel the work of this number (Setup::number) if it is still in progress: the state stays as
  // it was before. After a cancelled step the run is paused.
  void cancel(std::uint64_t setup);
  void saveCheckpoint(const std::string& path);
  void loadCheckpoint(const std::string& path);
  void saveTrajectoryFrame(const std::string& path);
  // Extended XYZ, or H5MD by the name; an older file is replaced as a whole.
  void saveConfiguration(const std::string& path);
  void resetAverages();

  // Follow a lecturer's run: commands that change the run are refused meanwhile. Null: no more; the
  // run is paused and stays as it is.
  void follow(std::shared_ptr<lesson::Listener> lecturer);
  void heard();    // something came from the lecturer
  void publish();  // once more, for what is shown beside the run
  // Calls `look` on the Runner's thread as soon as no work is in progress there.
  void visit(std::function<void(Session&, bool playing)> look);

  // The end: cancels a set-up or a long step in progress and calls `last` with the state, on the
  // Runner's thread. Waits for it and throws what it throws. False: there is no state. No command
  // is carried out afterwards.
  bool finish(const std::function<void(Session&)>& last);

  // Where an internal check fails (sim/base/error.h) the run is paused, and `keep` is called with
  // the state, on the Runner's thread, once for each session: it saves it and returns the path, ""
  // where it could not.
  using Keep = std::function<std::string(Session&)>;
  void onInternalError(Keep keep);

  // The processors are wanted for a picture, from now until giveWay(false), at most for 50 ms: no
  // further batch of steps begins, but for one after each picture. From any thread.
  void giveWay(bool on);

  // Seconds spent on the present piece of work: a command, a batch of steps, a picture. 0 when
  // idle. Commands wait at least until it is done.
  double busySeconds() const;

  // The newest publication, or null before the first. Never waits for a step: only a pointer is
  // copied under the lock.
  std::shared_ptr<const Publication> latest() const;
  // Called after every publication, on the Runner's thread: it must not wait or call the Runner.
  // After this returns, the one before is not called any more.
  void onPublish(std::function<void()> call);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cellscope
