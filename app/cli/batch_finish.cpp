// How a batch run ends: its results, whatever happened before.
#include <fmt/format.h>

#include "app/cli/batch_run.h"
#include "app/cli/picture.h"
#include "app/common/kept_state.h"
#include "app/common/terminal.h"

namespace cellscope::cli {
namespace {

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

// One result that cannot be written leaves the others whole. The first error is kept, later ones
// are only said.
void BatchRun::attempt(std::exception_ptr& error, const std::function<void()>& write) const {
  try {
    write();
  } catch (const std::exception& e) {
    if (!error) {
      error = std::current_exception();
    } else if (e.what() != textOf(error)) {
      common::complain(e.what());
    }
  }
}

void BatchRun::finish(double seconds, bool interrupted, std::exception_ptr error) {
  const bool failedBefore = error != nullptr;
  if (!failedBefore) session_->finishStep();
  if (!failedBefore) attempt(error, [&] { flushFiles(); });
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
                  session_->step(), o_.checkpoint, common::forShell(o_.checkpoint));
  if (!error) {
    if (interrupted) tell("The state " + how);
    return;
  }
  if (!o_.checkpoint.empty()) common::complain("The state " + how);
  std::rethrow_exception(error);
}

// Before a checkpoint, which must not know of a step whose row or frame can still be lost.
void BatchRun::flushFiles() {
  if (csv_) csv_->flushToDisk();
  if (trajectory_) trajectory_->flushToDisk();
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
    if (session_->discarding()) csv_->comment("average: the run ended before --discard was over");
    csv_->finish();
    tell("Time series: " + o_.csv);
  });
}

// Where it was wanted, here, or the folder for temporary files.
std::string BatchRun::keepState() {
  std::string path = common::keepState(*session_, "");
  if (!path.empty()) return path;
  o_.checkpoint.clear();
  throw RunError(
      fmt::format("the state after step {} could not be kept anywhere; name a writable "
                  "place by --checkpoint",
                  session_->step()));
}

void BatchRun::report(double seconds) {
  tell(fmt::format("{} {}s in {}", session_->step() - first_, session_->mode().info().stepName,
                   common::duration(seconds)));
  if (session_->discarding())
    tell("  not in equilibrium: the run ended before the steps of --discard were over");
  for (const std::string& line : averageLines(*session_)) tell("  " + line);
  for (const std::string& line : {noSamplesLine(*session_), settlingLine(*session_)})
    if (!line.empty()) tell("  " + line);
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

}  // namespace cellscope::cli
