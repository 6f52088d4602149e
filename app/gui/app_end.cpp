// The window's loop and how it ends: closed by the user, or by a signal after saving the state.
#include <cstdlib>

#include "app/gui/app.h"
#include "sim/base/error.h"
#include "sim/run/session.h"

namespace cellscope::gui {

int App::run() {
  // At logout the display may disappear before the signal arrives.
  onDisplayLoss([this](const std::string& cause) {
    keepState(interrupt_.raised() ? interrupt_.name() : cause);
  });
  try {
    while (!last_) {
      last_ = window_.shouldClose() || interrupt_.raised() || stopped_ ||
              (options_.exitAfterFrames > 0 && frames_ + 1 >= options_.exitAfterFrames);
      frame();
    }
  } catch (const InternalError&) {
    onDisplayLoss({});
    keepState("an internal check", "-failed");
    throw;
  }
  reportAtExit();
  if (window_.shouldClose()) window_.hide();  // the current step may take long
  onDisplayLoss({});
  if (interrupt_.raised()) return codeOf(keepState(interrupt_.name()));
  return codeOf(!shell_.now && !shell_.failure.empty() ? common::kFailed : common::kDone);
}

// Printed to the terminal, since the window is already closed.
int App::codeOf(int code) const {
  for (const std::string& trouble : {pictureTrouble_, log_.trouble()}) {
    if (trouble.empty()) continue;
    common::printError("cellscope: " + trouble);
    code = common::kFailed;
  }
  return code;
}

// Terminal closed, logout or Ctrl-C: save the state without asking, as a batch run does.
int App::keepState(const std::string& cause, const std::string& mark) {
  if (shell_.isLed()) {
    common::printError(
        fmt::format("Stopped by {}; the run is the lecturer's and not saved", cause));
    return common::kDone;
  }
  std::string path;
  std::uint64_t step = 0;
  bool open = true;
  try {
    open = runner_->finish([&](Session& session) {
      step = session.step();
      session.finishStep();
      step = session.step();
      path = common::keepState(session, options_.outputFolder, mark);
    });
  } catch (const std::exception& e) {
    common::printError(fmt::format("cellscope: {}", e.what()));
  }
  if (!open) {
    common::printError(fmt::format(
        "cellscope: stopped by {} before a state existed: there is nothing to save", cause));
    return common::kFailed;
  }
  const std::string stopped = fmt::format("Stopped by {} after step {}", cause, step);
  if (path.empty()) {
    common::printError(
        stopped + "; the state could not be saved anywhere: give a writable folder with --output");
    return common::kFailed;
  }
  log_.write("kept", path);
  common::printError(
      fmt::format("{}. The state was saved in {}; continue with: cellscope window --resume {}",
                  stopped, path, common::forShell(path)));
  return common::kStopped;
}

}  // namespace cellscope::gui

namespace cellscope {

int runWindow(const WindowOptions& options) { return gui::App(options, nullptr).run(); }

bool displayNamed() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value && *value) return true;
  }
  return false;
}

}  // namespace cellscope
