#include "app/cli/batch_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/commands.h"
#include "sim/base/build.h"
#include "sim/run/inspector.h"

namespace cellscope::cli {

// Errors begin with the option.
static void naming(const std::string& option, const auto& act) {
  try {
    act();
  } catch (const InputError& e) {
    throw InputError("{} {}", option, e.what());
  }
}

BatchRun::BatchRun(const RunOptions& options, const common::InterruptGuard& interrupt,
                   ModeFactory modes)
    : o_(checkedOptions(options)),
      interrupt_(interrupt),
      claim_(o_.plan ? std::string() : o_.checkpoint),
      modes_(std::move(modes)),
      progress_(options.steps, options.seconds, options.quiet),
      deadline_(deadlineOf(options.maxWalltime)) {
  for (const std::string* path :
       {&o_.csv, &o_.curves, &o_.trajectory, &o_.lists, &o_.picture, &o_.checkpoint, &o_.result})
    resultOnStdout_ |= !path->empty() && common::isStandardOutput(*path);
  for (const auto& [name, file] : o_.tables) resultOnStdout_ |= common::isStandardOutput(file);
  resultOnStdout_ |= o_.json;
  start();
  progress_.begin(session_->mode().work());
  first_ = session_->step();
  tellRun();
  std::vector<std::string> holding;  // already
  for (const std::string& text : o_.stopWhen)
    naming("--stop-when", [&] {
      if (breakpoints_.add(text, *session_)) holding.push_back(text);
    });
  checkTables();
  if (!o_.plan) openFiles();
  if (o_.resume.empty()) {  // what was done to the state before it could start
    for (const SelfCheck& c : session_->mode().selfChecks())
      if (c.label == "start") tell("Start: " + c.detail);
    for (const std::string& note : session_->startNotes())
      tell(fmt::format("{}: {}", session_->log().start.configuration, note), common::Tone::warning);
  }
  for (const std::string& text : holding)
    tell(fmt::format("--stop-when \"{}\" holds already: the run stops when it becomes true again",
                     text));
}

// Before the run, of which the last moves are kept.
void BatchRun::checkTables() {
  Mode& mode = session_->mode();
  for (const auto& [name, file] : o_.tables) {
    naming(fmt::format("--table '{}':", name),
           [&, name = name] { tableOfRun(*session_, name, exec_, modes_); });
    if (name == "moves") asked(mode).watchMoves(true);
  }
  if (!o_.looks.select.empty())
    naming("--select", [&] { selectionOf(mode, mode.configuration(), o_.looks.select); });
}

int BatchRun::run() {
  if (o_.plan) return plan();
  workBefore_ = session_->mode().work();
  std::exception_ptr error;
  running_ = true;
  try {
    advance();
  } catch (const Cancelled&) {  // a long step was cancelled: the interrupt is reported below
  } catch (const std::exception&) {
    error = std::current_exception();
  }
  const double seconds = progress_.elapsed();
  progress_.finish();
  // Steps, or where no number of them was asked for the time.
  const bool counts = o_.until > 0 || o_.steps > 0;
  const bool reached =
      broke_.empty() && (counts ? session_->step() >= last_ : stopCause() == "--seconds");
  if (!reached && !error)
    tell(fmt::format("Stopped by {} after step {}", stopCause(), session_->step()));
  finish(seconds, !reached, error);
  if (!reached) return common::kStopped;
  if (o_.result.empty() && !o_.json) return common::kDone;
  const std::string result = resultText();
  if (!o_.result.empty()) {
    io::replaceFile(o_.result, result);
    tell("Result: " + o_.result);
  }
  if (o_.json) common::put(result);
  return common::kDone;
}

std::uint64_t BatchRun::goal() const {
  return o_.until > 0 ? o_.until : o_.steps > 0 ? first_ + o_.steps : ~0ull;
}

std::string BatchRun::stopCause() const {
  if (interrupt_.raised()) return interrupt_.name();
  if (!broke_.empty()) return "--stop-when: " + broke_ + ",";
  return Clock::now() >= deadline_ ? "the limit of the wall time" : "--seconds";
}

void BatchRun::tell(const std::string& line, common::Tone tone) const {
  // If a result goes to standard output, messages go to standard error.
  if (!o_.quiet) (resultOnStdout_ ? common::printError : common::printLine)(line, tone);
}

void BatchRun::start() {
  exec_ = common::chooseHardware(o_.hardware, o_.quiet);
  exec_.drawn = !o_.picture.empty() || !o_.video.empty();
  const WorkReport report = [this](const Preparation& stage) {
    if (running_) {  // a long step is cancelled on interrupt
      if (interrupt_.raised() || Clock::now() >= deadline_) throw Cancelled();
      return progress_.update(session_->mode(), first_, stage.progress);
    }
    progress_.setup(stage);
    if (!interrupt_.raised()) return;
    progress_.finish();
    throw RunError("stopped by {} during set-up: nothing was computed and no file was written",
                   interrupt_.name());
  };
  if (!o_.resume.empty()) return resume(report);
  Scenario scenario = openScenario(o_.scenario, modes_);
  applySettings(scenario, o_.settings, modes_);
  common::replaceConfiguration(scenario, o_);
  if (o_.sampleEvery > 0) scenario.sampleEvery = o_.sampleEvery;
  session_ = std::make_unique<Session>(scenario, exec_, modes_, report);
  if (scenario.configuration.empty()) return;
  // Refuses --set of parameters that a loaded configuration determines, such as n and density.
  for (const auto& [key, text] : splitSettings(o_.settings)) {
    const Parameter& p = session_->mode().parameters().at(key);
    for (const auto& [name, value] : scenario.parameters)
      if (name == key && p.get() != value)
        throw InputError(
            "--set {}={}: the configuration determines '{}', {}; leave it out, or save a "
            "checkpoint and change it with --resume and --set",
            key, text, key, toText(p.get()));
  }
}

void BatchRun::resume(const WorkReport& report) {
  session_ = Session::resume(o_.resume, exec_, modes_, report);
  const std::unique_ptr<Mode> trial = modes_(session_->log().start.mode, ExecConfig{});
  for (const auto& [key, text] : splitSettings(o_.settings)) {
    Parameter& wanted = trial->parameters().at(key);
    wanted.setText(text);
    if (wanted.info.effect == Effect::restart &&
        wanted.get() != session_->mode().parameters().at(key).get())
      throw InputError(
          "--set {}={}: '{}' determines the initial state, and a resumed run keeps its state; "
          "leave it out, or start a new run without --resume",
          key, text, key);
    session_->set(key, wanted.get());
  }
}

// What is said of the run before its files are opened.
void BatchRun::tellRun() const {
  tell(fmt::format("cellscope {}: {}, {} particles, {}", programVersion(),
                   session_->log().start.name, session_->mode().particleCount(),
                   common::describe(exec_)));
  if (!o_.resume.empty())
    tell(fmt::format("Resuming after step {}{}", first_,
                     session_->discarding() && o_.discard == 0
                         ? ", during equilibration: averages will start over"
                         : ""));
  if (const std::string note = common::versionNote(o_.madeWith); !note.empty()) tell(note);
  for (const std::string& e : session_->experiments())
    tell("WRONG ON PURPOSE: experiment '" + e + "' is on", common::Tone::warning);
  for (const auto& [key, text] : splitSettings(o_.settings)) {
    ParameterSet& all = session_->mode().parameters();
    if (!all.acts(all.at(key)))
      tell(fmt::format("--set {}={} does nothing now: '{}' acts with {}", key, text, key,
                       all.at(key).info.actsWith.words()),
           common::Tone::warning);
  }
  if (!o_.lists.empty()) lentBy(session_->mode()).requireLists();
}

void BatchRun::openFiles() {
  if (!o_.video.empty()) videoTarget_ = common::videoTarget(o_.video);
  if (o_.keepsOlderResults()) {  // renamed, so that reusing a name does not overwrite them
    std::string list;
    for (const auto& [name, older] : io::keepOlder(
             {o_.csv, o_.curves, o_.trajectory, o_.lists, o_.picture, o_.checkpoint, o_.result,
              videoTarget_ && !videoTarget_->isSeries() ? videoTarget_->path : ""}))
      list += fmt::format("{}{} is now {}", list.empty() ? "" : ", ", name,
                          std::filesystem::path(older).filename().string());
    if (!list.empty()) tell("Older results were renamed: " + list);
  }
  EarlierPart rows, frames;
  if (!o_.resume.empty()) {  // check both before changing either
    if (!o_.csv.empty()) rows = earlierRows(o_.csv, *session_);
    if (!o_.trajectory.empty())
      frames = earlierFrames(o_.trajectory, *session_, o_.trajectoryFormat);
    cutLater(o_.trajectory, frames, "frame");
    cutLater(o_.csv, rows, "row");
  }
  if (!o_.csv.empty()) {
    csv_.emplace(o_.csv, *session_, common::describe(exec_), rows);
    startRow_ = rows.last == ~0ull;
    // Rows before the checkpoint can be missing after a full disk or a part run without --csv.
    const std::uint64_t newest = session_->history().newestStep();
    if (newest > (startRow_ ? 0 : rows.last)) {
      const std::string gap = csv_->missing(newest);
      if (rows.found)
        tell(fmt::format("'{}': {}, are missing: they were never written", o_.csv, gap));
    }
    session_->onSample(
        [this](std::uint64_t step, const std::vector<double>& values) { csv_->row(step, values); });
  }
  if (!o_.trajectory.empty())
    trajectory_ =
        openTrajectory(o_.trajectory, frames.found ? io::OpenAs::append : io::OpenAs::replace,
                       o_.trajectoryFormat);
  lastFrame_ = frames.last;
  if (!o_.result.empty() && io::isRegularOrAbsent(o_.result))  // of an earlier part, or replaced
    std::filesystem::remove(o_.result);
  if (videoTarget_) {
    if (!videoTarget_->notice.empty()) tell(videoTarget_->notice, common::Tone::warning);
    common::withDemandedSink([&] { painter_.emplace(o_.looks); });
    if (videoTarget_->isSeries()) common::clearSeries(videoTarget_->path, o_.overwrite);
    video_.emplace(*videoTarget_, common::VideoFormat{o_.looks.width, o_.looks.height, o_.videoRate,
                                                      pictureMetadata(*session_)});
  }
  // The frame at the checkpoint may be missing if the disk was full.
  if (frames.found && first_ > 0 && frameIsDue() && !session_->mode().preparation()) writeFrame();
  // Of a trajectory whose disk was full, or whose earlier part was written more rarely.
  const std::uint64_t every = o_.trajectoryEvery;
  if (frames.kept == 0 || every == 0) return;
  const std::uint64_t due = first_ / every * every, next = due == first_ ? due : due + every;
  if (frames.last + every < next)
    tell(fmt::format("'{}': its last frame is of step {}, the next one is of step {}",
                     o_.trajectory, frames.last, next));
}

// Removes what a killed run wrote after its checkpoint.
void BatchRun::cutLater(const std::string& path, const EarlierPart& part, const char* what) const {
  cellscope::cutLater(path, part);
  if (part.torn) tell(fmt::format("'{}': an incomplete {} at the end was removed", path, what));
  if (part.later > 0)
    tell(
        fmt::format("'{}': {} {}{} after step {}, later than the checkpoint, {} removed; the run "
                    "continues from there",
                    path, part.later, what, part.later == 1 ? "" : "s", session_->step(),
                    part.later == 1 ? "was" : "were"));
}

void BatchRun::saveCheckpoint() {
  common::requireSound(session_->mode());  // on failure the previous checkpoint stays
  flushFiles();
  session_->save(o_.checkpoint);
  checkpointed_ = Clock::now();
}

void BatchRun::advance() {
  auto inTime = [&] {
    return !interrupt_.raised() && broke_.empty() && Clock::now() < deadline_ &&
           (o_.seconds <= 0 || progress_.elapsed() < o_.seconds);
  };
  auto proceed = [&] {
    progress_.update(session_->mode(), first_);
    const std::chrono::duration<double> since = Clock::now() - checkpointed_;
    if (!o_.checkpoint.empty() && since.count() > o_.checkpointEvery) {
      completeStep();
      saveCheckpoint();
    }
    return inTime();
  };
  if (o_.discard > 0) session_->discard(o_.discard);
  const std::size_t edits = session_->log().edits.size();
  session_->finishPreparation(proceed);
  std::string list;  // values that the preparation found
  for (std::size_t k = edits; k < session_->log().edits.size(); ++k) {
    const Edit& e = session_->log().edits[k];
    list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", e.key, toText(e.value));
  }
  if (!list.empty()) tell("Found and set: " + list);
  first_ = session_->step();
  if (video_) addToVideo();
  if (csv_ && startRow_ && !session_->mode().preparation()) csv_->start(session_->mode());
  if (first_ == 0 && frameIsDue()) writeFrame();
  const std::uint64_t last = last_ = goal();
  if (first_ >= last) tell(fmt::format("Step {} is complete: nothing left to run", last));
  if (o_.until > 0) progress_.aimAt(last - std::min(first_, last));
  breakpoints_.arm(*session_);  // after the preparation
  while (session_->step() < last && inTime()) {
    const std::uint64_t stop = nextStop(last);
    const bool pictured = (stop == last && !o_.picture.empty()) ||
                          (video_ && o_.videoEvery > 0 && stop % o_.videoEvery == 0);
    session_->advanceTo(pictured ? stop - 1 : stop, proceed);
    if (pictured && session_->step() == stop - 1 && inTime()) makePicturedStep(*session_);
    completeStep();
    if (!breakpoints_.empty()) broke_ = breakpoints_.look(*session_);
    if (isDue(o_.checkpointSteps)) saveCheckpoint();
  }
}

// The next step with a frame, a picture, a checkpoint or conditions to look at, or the last one.
std::uint64_t BatchRun::nextStop(std::uint64_t last) const {
  if (!breakpoints_.empty()) return session_->step() + 1;
  std::uint64_t stop = last;
  for (const std::uint64_t every : {o_.trajectoryEvery, o_.videoEvery, o_.checkpointSteps})
    if (every > 0) stop = std::min(stop, (session_->step() / every + 1) * every);
  return stop;
}

// Output for the step just reached; may be called more than once.
void BatchRun::completeStep() {
  if (session_->step() > first_ && frameIsDue()) writeFrame();
  if (session_->step() > first_ && video_ && isDue(o_.videoEvery)) addToVideo();
}

bool BatchRun::isDue(std::uint64_t every) const {
  return every > 0 && session_->step() % every == 0;
}

void BatchRun::writeFrame(bool end) {
  if (!trajectory_ || lastFrame_ == session_->step()) return;
  lastFrame_ = session_->step();
  appendFrame(*trajectory_, *session_, end);
}

}  // namespace cellscope::cli
