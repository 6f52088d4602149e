// `cellscope run`: a scenario without a window.
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/picture.h"
#include "app/cli/progress.h"
#include "app/cli/run_options_check.h"
#include "app/cli/terminal.h"
#include "sim/io/output_file.h"
#include "sim/io/xyz.h"
#include "sim/run/csv_log.h"
#include "sim/run/version.h"

namespace cellscope::cli {
namespace {

using Clock = std::chrono::steady_clock;

// One batch run: the session and its open files.
class BatchRun {
 public:
  BatchRun(const RunOptions& options, const InterruptGuard& interrupt)
      : o_(options),
        interrupt_(interrupt),
        progress_(options.steps, options.seconds, options.quiet) {
    checkRunOptions(o_);
    start();
    progress_.begin();
    first_ = session_->step();
    openFiles();
  }

  int run() {
    std::exception_ptr error;
    try {
      advance();
    } catch (const std::exception&) {
      error = std::current_exception();
    }
    const double seconds = progress_.elapsed();
    progress_.finish();
    if (interrupt_.raised())
      tell(fmt::format("Stopped by {} after step {}", interrupt_.name(), session_->step()));
    finish(seconds, interrupt_.raised(), error);
    checkItself();
    return 0;
  }

 private:
  void start();
  void resume(const SetupReport& report);
  void openFiles();
  void refuseWhatTheConfigurationBrings();
  void advance();
  void writeFrame();
  void finish(double seconds, bool interrupted, std::exception_ptr error);
  void writeFiles(std::exception_ptr& error);
  void attempt(std::exception_ptr& error, const std::function<void()>& write) const;
  std::string keepState();
  void report(double seconds);
  void drawPicture();
  void checkItself();
  void tell(const std::string& line) const {
    if (!o_.quiet) say(line);
  }

  RunOptions o_;
  const InterruptGuard& interrupt_;
  ExecConfig exec_;
  Progress progress_;
  std::unique_ptr<Session> session_;
  std::vector<std::pair<std::string, ParameterValue>> asked_;  // of the mode
  std::uint64_t first_ = 0, lastFrame_ = ~0ull;
  std::optional<CsvLog> csv_;
  std::optional<io::OutputFile> trajectory_;
  Clock::time_point checkpointed_ = Clock::now();
  bool discarding_ = false;
};

void BatchRun::start() {
  exec_ = chooseHardware(o_.hardware, o_.quiet);
  const SetupReport report = [this](const Preparation& stage) {
    progress_.setup(stage);
    if (!interrupt_.raised()) return;
    progress_.finish();
    throw RunError(fmt::format(
        "stopped by {} while the state was being set up: nothing was computed yet, no file was "
        "written",
        interrupt_.name()));
  };
  if (!o_.resume.empty()) return resume(report);
  Scenario scenario = findScenario(o_.scenario, galleryFolder());
  applySettings(scenario, o_.settings);
  asked_ = scenario.parameters;
  if (!o_.configuration.empty()) scenario.configuration = o_.configuration;
  if (o_.sampleEvery > 0) scenario.sampleEvery = o_.sampleEvery;
  session_ = std::make_unique<Session>(scenario, exec_, makeMode, report);
  if (!scenario.configuration.empty()) refuseWhatTheConfigurationBrings();
}

// Asked for and not there: a loaded configuration has its own number and density of particles.
void BatchRun::refuseWhatTheConfigurationBrings() {
  for (const std::string& setting : o_.settings) {
    const auto [key, text] = splitSetting(setting);
    const Parameter& p = session_->mode().parameters().at(key);
    for (const auto& [name, value] : asked_)
      if (name == key && p.get() != value)
        throw InputError(fmt::format(
            "--set {}: the configuration brings its own '{}', {}; leave it out, or keep "
            "a checkpoint and change it by --resume with --set",
            setting, key, toText(p.get())));
  }
}

void BatchRun::resume(const SetupReport& report) {
  session_ = Session::resume(o_.resume, exec_, makeMode, report);
  const std::unique_ptr<Mode> trial = makeMode(session_->log().start.mode, ExecConfig{});
  for (const std::string& setting : o_.settings) {
    const auto [key, text] = splitSetting(setting);
    Parameter& wanted = trial->parameters().at(key);
    wanted.setText(text);
    if (wanted.info.effect == Effect::restart &&
        wanted.get() != session_->mode().parameters().at(key).get())
      throw InputError(
          fmt::format("--set {}: '{}' shapes the initial state, and a resumed run keeps its state; "
                      "leave it out, or start a run without --resume",
                      setting, key));
    session_->set(key, wanted.get());
  }
}

void BatchRun::openFiles() {
  const bool append = !o_.resume.empty();
  tell(fmt::format("cellscope {}: {}, {} particles, {}", programVersion(),
                   session_->log().start.name, session_->mode().particleCount(), describe(exec_)));
  for (const std::string& e : session_->experiments())
    tell("WRONG ON PURPOSE: experiment '" + e + "' is on");
  if (!o_.csv.empty()) {
    csv_.emplace(o_.csv, *session_, describe(exec_), append);
    session_->onSample(
        [this](std::uint64_t step, const std::vector<double>& values) { csv_->row(step, values); });
  }
  if (!o_.trajectory.empty())
    trajectory_.emplace(o_.trajectory, append ? io::OpenAs::append : io::OpenAs::replace);
}

void BatchRun::advance() {
  auto inTime = [&] {
    return !interrupt_.raised() && (o_.seconds <= 0 || progress_.elapsed() < o_.seconds);
  };
  auto proceed = [&] {
    progress_.update(session_->mode(), first_);
    const std::chrono::duration<double> since = Clock::now() - checkpointed_;
    if (!o_.checkpoint.empty() && since.count() > o_.checkpointEvery) {
      session_->save(o_.checkpoint);
      checkpointed_ = Clock::now();
    }
    return inTime();
  };
  discarding_ = o_.discard > 0;
  session_->finishPreparation(proceed);
  first_ = session_->step();
  const std::uint64_t last = o_.steps > 0 ? first_ + o_.steps : ~0ull;
  const std::uint64_t discard = o_.discard > 0 ? first_ + o_.discard : 0;
  while (session_->step() < last && inTime()) {
    const std::uint64_t now = session_->step();
    std::uint64_t stop = last;
    if (o_.trajectoryEvery > 0)
      stop = std::min(stop, (now / o_.trajectoryEvery + 1) * o_.trajectoryEvery);
    if (now < discard) stop = std::min(stop, discard);
    session_->advanceTo(stop, proceed);
    if (session_->step() != stop) continue;
    if (stop == discard) {
      session_->resetAverages();
      discarding_ = false;
    }
    if (o_.trajectoryEvery > 0 && stop % o_.trajectoryEvery == 0) writeFrame();
  }
}

void BatchRun::writeFrame() {
  if (!trajectory_ || lastFrame_ == session_->step()) return;
  lastFrame_ = session_->step();
  io::writeXyzFrame(*trajectory_, session_->mode().configuration(), session_->step(),
                    {{"Program", fmt::format("cellscope {}", programVersion())},
                     {"Scenario", session_->log().start.name},
                     {"Experiments", fmt::format("{}", fmt::join(session_->experiments(), ", "))}});
}

// One result that cannot be written leaves the others whole. The first error is kept, later ones
// are only said.
void BatchRun::attempt(std::exception_ptr& error, const std::function<void()>& write) const {
  try {
    write();
  } catch (const std::exception& e) {
    if (error) return complain(e.what());
    error = std::current_exception();
  }
}

void BatchRun::finish(double seconds, bool interrupted, std::exception_ptr error) {
  const bool failedBefore = error != nullptr;
  if (!failedBefore) session_->finishStep();
  bool kept = false;
  if (!o_.checkpoint.empty())
    attempt(error, [&] {
      session_->save(o_.checkpoint);
      kept = true;
      tell("Checkpoint: " + o_.checkpoint);
    });
  writeFiles(error);
  if (!error) report(seconds);
  if (!o_.picture.empty() && !failedBefore) attempt(error, [&] { drawPicture(); });
  if (!kept && (interrupted || error)) attempt(error, [&] { o_.checkpoint = keepState(); });
  const std::string how =
      fmt::format("after step {} was kept in {}; go on with: cellscope run --resume {}",
                  session_->step(), o_.checkpoint, o_.checkpoint);
  if (!error) {
    if (interrupted) tell("The state " + how);
    return;
  }
  if (!o_.checkpoint.empty()) complain("The state " + how);
  std::rethrow_exception(error);
}

void BatchRun::writeFiles(std::exception_ptr& error) {
  if (trajectory_)
    attempt(error, [&] {
      writeFrame();
      trajectory_->close();
      tell("Trajectory: " + o_.trajectory);
    });
  if (!csv_) return;
  attempt(error, [&] {
    if (discarding_) csv_->comment("average: the run ended before --discard was over");
    csv_->finish();
    tell("Time series: " + o_.csv);
  });
}

// The first place that takes it: where it was wanted, here, or the folder for temporary files.
// Never over another run's checkpoint that nobody named.
std::string BatchRun::keepState() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::string stem = session_->log().start.name;
  for (const fs::path& folder : {fs::path(), fs::temp_directory_path(ignored)}) {
    fs::path path = folder / (stem + ".checkpoint");
    for (int k = 2; fs::exists(path, ignored); ++k)
      path = folder / fmt::format("{}-{}.checkpoint", stem, k);
    try {
      session_->save(path.string());
      return path.string();
    } catch (const RunError& e) {
      complain(e.what());
    }
  }
  o_.checkpoint.clear();
  throw RunError(
      fmt::format("the state after step {} could not be kept anywhere; name a writable "
                  "place by --checkpoint",
                  session_->step()));
}

void BatchRun::report(double seconds) {
  tell(fmt::format("{} {}s in {}", session_->step() - first_, session_->mode().info().stepName,
                   duration(seconds)));
  if (discarding_)
    tell(fmt::format("  not in equilibrium: the run ended before the {} steps of --discard",
                     o_.discard));
  for (const std::string& line : averageLines(*session_)) tell("  " + line);
}

void BatchRun::drawPicture() {
  try {
    writePicture(o_.picture, *session_, o_.pictureWidth, o_.pictureHeight);
    tell("Picture: " + o_.picture);
  } catch (const RunError& e) {
    if (o_.pictureNeeded) throw;
    tell(fmt::format("No picture: {}", e.what()));
  }
}

void BatchRun::checkItself() {
  for (const SelfCheck& c : session_->mode().selfChecks()) {
    if (c.ok) continue;
    if (!c.onPurpose) throw RunError(fmt::format("self-check '{}' failed: {}", c.label, c.detail));
    tell(fmt::format("Self-check '{}': {}", c.label, c.detail));
  }
}

// A folder for the results of a run that nobody gave a place: here, else among temporary files.
std::filesystem::path demoFolder() {
  namespace fs = std::filesystem;
  const fs::path name = "cellscope-output";
  std::error_code error;
  const fs::path here = fs::absolute(name, error);
  try {
    if (error) throw InputError("the folder that you are in is gone");
    io::createFolder(here.string());
    io::checkWritable((here / "hexatic.csv").string());
    return here;
  } catch (const InputError& e) {
    const fs::path other = fs::temp_directory_path() / name;
    say(fmt::format("{}: results go to {}", e.what(), other.string()));
    io::createFolder(other.string());
    return other;
  }
}

}  // namespace

int runCommand(const RunOptions& options) {
  // A reader that leaves, as head does, is no reason to lose what is being computed.
  std::signal(SIGPIPE, SIG_IGN);
  const InterruptGuard interrupt;
  return BatchRun(options, interrupt).run();
}

int headlessDemo(const std::string& reason) {
  say(
      fmt::format("No window: {}\nRunning the default scenario without one for 10 s; see "
                  "`cellscope run --help` for more.",
                  reason));
  const std::filesystem::path folder = demoFolder();
  RunOptions o;
  o.scenario = "hexatic";
  o.seconds = 10;
  o.pictureNeeded = false;
  o.csv = (folder / "hexatic.csv").string();
  o.trajectory = (folder / "hexatic.xyz").string();
  o.picture = (folder / "hexatic.png").string();
  return runCommand(o);
}

}  // namespace cellscope::cli
