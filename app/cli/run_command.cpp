// `cellscope run`: a scenario without a window.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/picture.h"
#include "app/cli/progress.h"
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
  explicit BatchRun(const RunOptions& options)
      : o_(options), progress_(options.steps, options.seconds, options.quiet) {
    checkOutputs();
    start();
    progress_.begin();
    first_ = session_->step();
    openFiles();
  }

  int run() {
    InterruptGuard interrupt;
    try {
      advance(interrupt);
      progress_.finish();
      if (interrupt.raised()) stopEarly(interrupt);
      finish(progress_.elapsed());
    } catch (const std::exception&) {
      progress_.finish();
      keepWhatIsThere();
      throw;
    }
    checkItself();
    return 0;
  }

 private:
  void checkOutputs() const;
  void start();
  void openFiles();
  void advance(const InterruptGuard& interrupt);
  void writeFrame();
  void stopEarly(const InterruptGuard& interrupt);
  void keepWhatIsThere();
  void finish(double seconds);
  void drawPicture();
  void checkItself();
  void say(const std::string& line) const {
    if (!o_.quiet) fmt::print("{}\n", line);
  }

  RunOptions o_;
  ExecConfig exec_;
  Progress progress_;
  std::unique_ptr<Session> session_;
  std::uint64_t first_ = 0, lastFrame_ = ~0ull;
  std::optional<CsvLog> csv_;
  std::optional<io::OutputFile> trajectory_;
  Clock::time_point checkpointed_ = Clock::now();
};

// Everything that could keep a result from being written is found before the first step.
void BatchRun::checkOutputs() const {
  const std::pair<const char*, const std::string*> all[] = {{"--csv", &o_.csv},
                                                            {"--trajectory", &o_.trajectory},
                                                            {"--picture", &o_.picture},
                                                            {"--checkpoint", &o_.checkpoint}};
  for (const auto& [option, path] : all) {
    if (path->empty()) continue;
    io::checkWritable(*path, path == &o_.checkpoint);
    for (const auto& [other, same] : all)
      if (same != path && *same == *path && !path->starts_with("/dev/"))
        throw InputError(
            fmt::format("{} and {} both name '{}': give each its own file", option, other, *path));
  }
}

void BatchRun::start() {
  exec_ = chooseHardware(o_.hardware, o_.quiet);
  const SetupReport report = [this](const Preparation& stage) { progress_.setup(stage); };
  if (!o_.resume.empty()) {
    if (!o_.scenario.empty() || !o_.configuration.empty() || o_.sampleEvery > 0)
      throw InputError(
          "--resume brings its own scenario: leave out SCENARIO, --load-configuration "
          "and --sample-every");
    session_ = Session::resume(o_.resume, exec_, makeMode, report);
    for (const std::string& setting : o_.settings) {
      const auto [key, text] = splitSetting(setting);
      const std::unique_ptr<Mode> trial = makeMode(session_->log().start.mode, ExecConfig{});
      trial->parameters().at(key).setText(text);
      session_->set(key, trial->parameters().at(key).get());
    }
    return;
  }
  if (o_.scenario.empty())
    throw InputError("name a scenario (cellscope list shows them) or give --resume FILE");
  Scenario scenario = findScenario(o_.scenario, galleryFolder());
  applySettings(scenario, o_.settings);
  if (!o_.configuration.empty()) scenario.configuration = o_.configuration;
  if (o_.sampleEvery > 0) scenario.sampleEvery = o_.sampleEvery;
  session_ = std::make_unique<Session>(scenario, exec_, makeMode, report);
}

void BatchRun::openFiles() {
  const bool append = !o_.resume.empty();
  say(fmt::format("cellscope {}: {}, {} particles, {}", programVersion(),
                  session_->log().start.name, session_->mode().particleCount(), describe(exec_)));
  for (const std::string& e : session_->experiments())
    say("WRONG ON PURPOSE: experiment '" + e + "' is on");
  if (!o_.csv.empty()) {
    csv_.emplace(o_.csv, *session_, describe(exec_), append && std::filesystem::exists(o_.csv));
    session_->onSample(
        [this](std::uint64_t step, const std::vector<double>& values) { csv_->row(step, values); });
  }
  if (!o_.trajectory.empty())
    trajectory_.emplace(o_.trajectory, append ? io::OpenAs::append : io::OpenAs::replace);
}

void BatchRun::advance(const InterruptGuard& interrupt) {
  auto inTime = [&] {
    return !interrupt.raised() && (o_.seconds <= 0 || progress_.elapsed() < o_.seconds);
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
    if (stop == discard) session_->resetAverages();
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

void BatchRun::stopEarly(const InterruptGuard& interrupt) {
  if (o_.checkpoint.empty()) o_.checkpoint = session_->log().start.name + ".checkpoint";
  say(fmt::format("Stopped by {} after step {}; go on with: cellscope run --resume {}",
                  interrupt.name(), session_->step(), o_.checkpoint));
}

// After an error: whatever can still be written is.
void BatchRun::keepWhatIsThere() {
  const std::string path =
      o_.checkpoint.empty() ? session_->log().start.name + ".checkpoint" : o_.checkpoint;
  try {
    session_->save(path);
    fmt::print(stderr, "The state after step {} was kept in {}; resume with --resume {}\n",
               session_->step(), path, path);
  } catch (const std::exception& e) {
    fmt::print(stderr, "The state could not be kept either: {}\n", e.what());
  }
}

void BatchRun::finish(double seconds) {
  session_->finishStep();
  if (!o_.checkpoint.empty()) {
    session_->save(o_.checkpoint);
    say("Checkpoint: " + o_.checkpoint);
  }
  writeFrame();
  if (trajectory_) {
    trajectory_->close();
    say("Trajectory: " + o_.trajectory);
  }
  if (csv_) {
    csv_->finish(*session_);
    say("Time series: " + o_.csv);
  }
  say(fmt::format("{} {}s in {}", session_->step() - first_, session_->mode().info().stepName,
                  duration(seconds)));
  for (const std::string& line : averageLines(*session_)) say("  " + line);
  if (!o_.picture.empty()) drawPicture();
}

void BatchRun::drawPicture() {
  try {
    writePicture(o_.picture, *session_, o_.pictureWidth, o_.pictureHeight);
    say("Picture: " + o_.picture);
  } catch (const RunError& e) {
    if (o_.pictureNeeded) throw;
    say(fmt::format("No picture: {}", e.what()));
  }
}

void BatchRun::checkItself() {
  for (const SelfCheck& c : session_->mode().selfChecks()) {
    if (c.ok) continue;
    if (!c.onPurpose) throw RunError(fmt::format("self-check '{}' failed: {}", c.label, c.detail));
    say(fmt::format("Self-check '{}': {}", c.label, c.detail));
  }
}

}  // namespace

int runCommand(const RunOptions& options) { return BatchRun(options).run(); }

int headlessDemo(const std::string& reason) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute("cellscope-output");
  std::error_code error;
  fs::create_directories(folder, error);
  fmt::print(
      "No window: {}.\nRunning the default scenario without one for 10 s; see "
      "`cellscope run --help` for more.\n",
      reason);
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
