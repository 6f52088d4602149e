// One run of one mode: advances it, samples it, applies changes, and remembers what was done so
// that the run can be saved, undone and replayed. Window and batch use the same object, so that
// the trajectory cannot depend on observers. Used from one thread.
#pragma once
#include <optional>

#include "sim/api/inspect.h"
#include "sim/run/sample_history.h"
#include "sim/run/scenario.h"

namespace cellscope {

namespace io {
struct Container;
}

// "add 3 4.5 0 1.5 1": the act, where, radius and strength, numbers exact, and "+" behind it where
// it goes on. handMoveOf() throws InputError.
std::string handText(const HandMove& move);
HandMove handMoveOf(const std::string& text);

struct Edit {
  std::uint64_t step = 0;       // carried out when this many steps were complete
  std::uint64_t preparing = 0;  // and this many units of preparation after them
  std::string key;
  ParameterValue value;
  bool together = false;  // taken over in one go with the edit before
  friend bool operator==(const Edit&, const Edit&) = default;
};

struct RunLog {
  Scenario start;
  std::vector<Edit> edits;  // in order
};

// Tells runs apart in the files that they leave: a checksum of what shapes the trajectory at its
// start (mode, parameters, loaded configuration, sampling), and, after a "-", one of the edits.
std::string runId(const RunLog& log);

// One edit per line, each number exact; editsFromText() throws InputError (names `file`).
std::string editsText(const std::vector<Edit>& edits);
std::vector<Edit> editsFromText(const std::string& text, const std::string& file);

class Session {
 public:
  // One value per observable, in the order of ModeInfo::observables.
  using SampleHandler = std::function<void(std::uint64_t step, const std::vector<double>& values)>;

  // Throw what startScenario() throws. `report` is called back with the progress of each set-up of
  // a state, this one and those of later restarts; when it throws, the session is as before.
  Session(const Scenario& scenario, const ExecConfig& config, const ModeFactory& modes = makeMode,
          WorkReport report = {});
  // Go on from a checkpoint. Throws InputError when the file is damaged or of another version.
  static std::unique_ptr<Session> resume(const std::string& path, const ExecConfig& config,
                                         const ModeFactory& modes = makeMode,
                                         WorkReport report = {});
  // The same from the bytes of a checkpoint; `name` stands in messages.
  static std::unique_ptr<Session> resumeFrom(const std::string& bytes, const std::string& name,
                                             const ExecConfig& config,
                                             const ModeFactory& modes = makeMode,
                                             WorkReport report = {});
  // What a checkpoint goes on with. Checks the whole file; throws as resume() does.
  static Scenario scenarioOf(const std::string& checkpoint, const ModeFactory& modes = makeMode);
  ~Session();

  Mode& mode() { return *mode_; }
  const Mode& mode() const { return *mode_; }
  const RunLog& log() const { return log_; }
  const SampleHistory& history() const { return history_; }
  std::uint64_t step() const { return mode_->step(); }
  std::uint64_t preparationUnits() const { return preparationUnits_; }  // since the last step
  bool resumed() const { return resumed_; }                             // from a checkpoint
  // What the mode has changed by itself since the run began or was resumed, where it is known after
  // which step.
  const std::vector<Edit>& ownChanges() const { return ownChanges_; }
  // What was done to the configuration that the run began with, and what was left out; a sentence
  // each.
  const std::vector<std::string>& startNotes() const { return startNotes_; }
  void onSample(SampleHandler handler) { handler_ = std::move(handler); }

  // Advance by `count` steps or units of preparation. Samples exactly at the multiples of the
  // scenario's sampleEvery, however the run is cut into calls.
  void advance(std::uint64_t count);
  // Until `step` steps are complete; `proceed` is asked after every batch of about 20 ms.
  void advanceTo(std::uint64_t step, const std::function<bool()>& proceed = {});
  void finishPreparation(const std::function<bool()>& proceed = {});  // until sampling can begin
  void advancePhase();
  // Phases that are left of a step begun by advancePhase().
  void finishStep() {
    while (mode_->nextPhase() != 0) advancePhase();
  }

  // Change parameters between two steps: live, rebuilding, or restarting as they declare. Several
  // are taken over in one go, all or none. Throws InputError or RunError, and the state is as
  // before.
  // `continues`: of a slider that is dragged on; undo() goes back to before the first of them.
  void set(const std::string& key, const ParameterValue& value) { set({{key, value}}); }
  void set(const Settings& settings, bool continues = false);
  // Velocities of selected particles times a factor, which undo() takes back: "1.1 speed > 2" (see
  // sim/run/inspector.h). A change like others, with the key kHeat; set() does the same with it.
  // How many they are. Throws InputError.
  static constexpr const char* kHeat = "heat";
  std::size_t heat(const std::string& factorAndSelection);
  // A hand that grabs, adds, deletes or heats what is in a circle or sphere (sim/run/session.h):
  // another such change, with the key kHand. What was done, in words; "": there was nothing to do,
  // and nothing is logged. Throws InputError or RunError, and the state is as before.
  static constexpr const char* kHand = "hand";
  std::string hand(const std::string& move);
  // Step of the first change of this run by a hand; none: it was not touched.
  std::optional<std::uint64_t> touchedAt() const {
    for (const Edit& e : log_.edits)
      if (e.key == kHeat || e.key == kHand) return e.step;
    return std::nullopt;
  }
  void reset();                                      // a new state from the current parameters
  bool canUndo() const { return !before_.empty(); }  // by undo()
  // Back to before the last reset, restart or change that began a preparation, and the next time to
  // before the one before it; nothing when there was none.
  void undo();
  // The preparation going on began with a change that undo() takes back.
  bool canCancelPreparation() const {
    return preparing_ && !before_.empty() && before_.back().beganPreparation;
  }
  void resetAverages() {
    mode_->resetAverages();
    history_.startEpoch(mode_->step());
    startChosen_ = false;
  }
  // At step 0, before any sample: plots begin with the values of this state, which no average
  // contains. No change of the run.
  void showStart(const std::vector<double>& values) { history_.showStart(values); }
  // Equilibration: averages start over when `steps` more steps are complete, after a preparation
  // that is going on. Checkpoints know of it; a new state does not.
  void discard(std::uint64_t steps) {
    toDiscard_ = steps;
    discardEnd_ = 0;
    endEquilibration();
  }
  bool discarding() const { return toDiscard_ > 0 || discardEnd_ > 0; }
  // The present averages began where discard() set it.
  bool averagesStartChosen() const { return startChosen_; }
  // Labels of the parameters that break the physics on purpose and are on.
  std::vector<std::string> experiments() const;

  // A state to go back to.
  struct Past {
    std::string state;  // Mode::save, parameters included
    SampleHistory history;
    std::uint64_t preparationUnits = 0;
    bool startChosen = false;
  };
  // The run at one moment, whole: what goTo() goes to. The columns of its history share the memory
  // of the session's.
  struct Moment : Past {
    std::uint64_t step = 0;
    std::size_t edits = 0;  // of RunLog::edits, those until then
    std::uint64_t toDiscard = 0, discardEnd = 0;
    std::uint64_t newestUndo = 0;  // number of what undo() went back to; 0: nothing
    bool beganPreparation = false;
    std::size_t bytes() const { return state.size() + history.ownBytes() + sizeof(Moment); }
  };
  // What belongs to all moments of a run: its changes, and what undo() goes back to.
  struct Course;
  std::shared_ptr<const Moment> moment() const;
  std::shared_ptr<const Course> course() const;
  // To an earlier or later moment of the run that `course` is of. Throws what Mode::load throws.
  void goTo(const Moment& moment, const Course& course);
  // The run again: advances by `count` steps or units of preparation, with the changes of `course`
  // that come on the way, those at the last step included.
  void follow(const Course& course, std::uint64_t count);
  // All changes of `course` were made.
  bool atEndOf(const Course& course) const;
  // Rises whenever the state is replaced by that of another run; undo() across that goes back to
  // the number that it had.
  std::uint64_t run() const { return run_; }

  // Checkpoint file; throws RunError when it cannot be written (an older file stays whole).
  void save(const std::string& path);
  // The same bytes in memory. Without `files` it does not name those that the run began with.
  std::string checkpoint(bool files = true);

 private:
  struct Snapshot : Past {
    RunLog log;
    std::uint64_t run = 0;
  };
  struct Undo {
    std::shared_ptr<const Snapshot> before;
    bool beganPreparation = false;  // taken before a change that the mode prepares for
    std::uint64_t number = 0;       // rises
  };
  explicit Session(std::unique_ptr<Mode> mode);
  void begin(const Scenario& scenario);
  void restartMode(bool keepConfiguration);
  void madeChanges(const std::vector<Edit>& edits);
  void afterAdvance(std::uint64_t before, std::uint64_t units);
  void endEquilibration();
  void addSample(std::uint64_t step, const std::vector<double>& values);
  void tellAverages();  // to charts that follow them
  void watchMode();     // notices what the mode changed by itself
  void noteOwnChanges();
  Past present() const;
  void goBackTo(const Past& past);
  std::shared_ptr<const Snapshot> snapshot() const {
    return std::make_shared<const Snapshot>(Snapshot{present(), log_, run_});
  }
  void keepForUndo(std::shared_ptr<const Snapshot> snapshot, bool beganPreparation = false);
  void makeDueChanges(const Course& course);
  void takeOver(const io::Container& checkpoint, const std::string& file);

  std::unique_ptr<Mode> mode_;
  RunLog log_;
  SampleHistory history_;
  SampleHandler handler_;
  std::vector<Undo> before_;           // the last one is undone first
  std::vector<ParameterValue> known_;  // parameter values after the last change seen
  std::uint64_t run_ = 0, undoNumber_ = 0;
  std::vector<Edit> ownChanges_;
  std::vector<std::string> startNotes_;
  bool preparing_ = false, resumed_ = false;
  std::uint64_t preparationUnits_ = 0;  // since the last complete step
  // Steps of equilibration that begin after the preparation; the step that ends it. 0: none.
  std::uint64_t toDiscard_ = 0, discardEnd_ = 0;
  bool startChosen_ = false;
};

struct Session::Course {
  std::vector<Edit> edits;
  std::vector<Undo> undo;
};

}  // namespace cellscope
