// Runs a scenario without a window, and draws it.
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "app/common/video.h"
#include "render/renderer.h"
#include "sim/api/mode.h"
#include "sim/io/files.h"
#include "sim/run/csv_log.h"
#include "sim/run/inspector.h"
#include "sim/run/session.h"

namespace cellscope::cli {

struct PictureOptions {
  int width = 1200, height = 1200;
  bool legend = false;       // with a scale bar
  bool keepColours = false;  // of particles beside layers that explain a structure
  render::SinkChoice sink = render::SinkChoice::automatic;
  std::string select;  // particles to be marked (sim/run/inspector.h); "": none
};

// One step, made so that layers of one step can be drawn after it: phase by phase if a layer
// that the scenario names has nothing to show before.
void makePicturedStep(Session& session);

// Draws the scenario's view, again and again with one renderer. Members throw RunError when OpenGL
// or the requested sink is not available.
class PicturePainter {
 public:
  explicit PicturePainter(const PictureOptions& options) : options_(options) {}
  // `notes`: missing items: a legend, a selection, a range of colours, a layer.
  render::Image draw(Session& session, std::vector<std::string>& notes);

 private:
  PictureOptions options_;
  render::OffscreenContext context_;
  std::optional<render::Renderer> renderer_;  // made with the first frame, which knows its backend
};

// Metadata of a picture: the experiment, its parameters and the step.
render::Metadata pictureMetadata(Session& session);

// OpenGL version, renderer and sink, or why there is none; for `cellscope info`.
std::string describeGraphics(Backend backend);

struct RunOptions : common::ExperimentLine {
  std::uint64_t steps = 0;            // 0: no limit
  std::uint64_t until = 0;            // last step, counted from the start of the run; 0: no limit
  double seconds = 0;                 // the goal where there is no other; 0: no limit
  double maxWalltime = 0;             // stop in order before it is over; 0: no limit
  std::vector<std::string> stopWhen;  // conditions (sim/run/inspector.h)
  std::vector<std::pair<std::string, std::string>> tables;  // of the end (tableOf()), and files
  std::uint64_t discard = 0;                                // steps before averages start
  std::uint64_t sampleEvery = 0;                            // 0: the scenario's
  std::string csv, curves, trajectory, lists, picture, checkpoint;
  std::string result;                 // JSON, only if the goal was reached
  std::string trajectoryFormat;       // io::Format::key; "": by the suffix
  std::uint64_t trajectoryEvery = 0;  // 0: last configuration only
  double checkpointEvery = 600;       // seconds
  std::uint64_t checkpointSteps = 0;  // steps between checkpoints; 0: by time alone
  PictureOptions looks;               // of picture and video
  std::string video;
  std::uint64_t videoEvery = 0;  // steps between its pictures
  int videoRate = 25;            // pictures per second
  bool pictureNeeded = true;     // false: a missing picture is only reported
  bool overwrite = false;        // false: older results are renamed
  bool quiet = false;
  bool json = false;  // the result, or the plan, on standard output
  bool plan = false;  // what the run would need, and no run
  common::HardwareOptions hardware;

  // Whether older results are renamed before this run writes. A resumed run continues its own files
  // and refuses those of another run.
  bool keepsOlderResults() const { return resume.empty() && !overwrite; }
};

using common::applySettings;
using common::galleryFolder;
using common::openScenario;
using common::splitSettings;

// For --lists. Throws InputError where the mode has no lists at all.
LendsLists& lentBy(Mode& mode);

// One batch run: the session and its open files.
class BatchRun {
 public:
  // Set-up until before the first step. Throws InputError or RunError.
  BatchRun(const RunOptions& options, const common::InterruptGuard& interrupt,
           ModeFactory modes = makeMode);
  // The exit code. With RunOptions::plan nothing is kept but what it would need is printed.
  int run();
  std::size_t particles() const { return session_->mode().particleCount(); }

 private:
  void start();
  void tellRun() const;
  void checkTables();
  void resume(const WorkReport& report);
  void openFiles();
  void advance();
  std::uint64_t goal() const;  // the last step; ~0: none
  std::string stopCause() const;
  nlohmann::ordered_json goalJson() const;
  std::string resultText() const;  // of --result and --json
  struct Trial;
  Trial measure();
  int plan();
  std::uint64_t nextStop(std::uint64_t last) const;
  void cutLater(const std::string& path, const EarlierPart& part, const char* what) const;
  void completeStep();
  bool isDue(std::uint64_t every) const;  // at this step
  bool frameIsDue() const { return isDue(o_.trajectoryEvery); }
  void writeFrame(bool end = false);
  void finish(double seconds, bool stopped, std::exception_ptr error);
  void flushFiles();
  void saveCheckpoint();  // of a complete step that passes the self-checks
  void writeFiles(const std::exception_ptr& wrong, const std::vector<SelfCheck>& named,
                  std::exception_ptr& error);
  void report(double seconds);
  void addToVideo();
  void tell(const std::string& line, common::Tone tone = common::Tone::plain) const;

  using Clock = std::chrono::steady_clock;
  RunOptions o_;
  const common::InterruptGuard& interrupt_;
  io::FileClaim claim_;  // of the checkpoint file, held for the whole run
  ModeFactory modes_;
  ExecConfig exec_;
  common::Progress progress_;
  std::unique_ptr<Session> session_;
  std::uint64_t first_ = 0, last_ = ~0ull;  // steps at which the run begins, and ends
  bool startRow_ = true;                    // the time series has no rows yet
  std::uint64_t lastFrame_ = ~0ull;
  double workBefore_ = 0;  // Mode::work() when the run began
  std::optional<CsvLog> csv_;
  std::unique_ptr<io::FrameSink> trajectory_;
  std::optional<common::VideoTarget> videoTarget_;
  std::optional<PicturePainter> painter_;  // of the video
  std::optional<common::Video> video_;
  std::uint64_t lastPictured_ = ~0ull;
  std::vector<std::string> videoNotes_;  // of its last picture
  Breakpoints breakpoints_;
  std::string broke_;  // the one that stopped the run, or ""
  Clock::time_point checkpointed_ = Clock::now(), deadline_ = Clock::time_point::max();
  bool resultOnStdout_ = false, running_ = false;
};

}  // namespace cellscope::cli
