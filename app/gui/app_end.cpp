// The window's loop and how it ends: closed by the person, or by a signal that keeps the state.
#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/kept_state.h"
#include "app/cli/terminal.h"
#include "app/gui/app.h"
#include "app/gui/display_loss.h"
#include "app/gui/screenshot.h"
#include "sim/run/session.h"

namespace cellscope::gui {

int App::run() {
  // Logging out may end the display before the signal comes.
  onDisplayLoss(
      [this] { keepState(interrupt_.raised() ? interrupt_.name() : "the loss of the display"); });
  while (!last_) {
    last_ = ending();
    frame();
  }
  reportAtExit();
  onDisplayLoss({});
  if (interrupt_.raised()) return codeOf(keepState(interrupt_.name()));
  return codeOf(!shell_.now && !shell_.failure.empty() ? cli::kFailed : cli::kDone);
}

// Said on the terminal: the window, where such things are shown otherwise, is gone.
int App::codeOf(int code) const {
  for (const std::string& trouble : {pictureTrouble_, log_.trouble()}) {
    if (trouble.empty()) continue;
    cli::complain("cellscope: " + trouble);
    code = cli::kFailed;
  }
  return code;
}

void App::pictureAtExit() {
  const int w = window_.width(), h = window_.height();
  try {
    savePicture(options_.screenshotAtExit, shell_.now.get(), w, h, 0, 0, w, h);
  } catch (const RunError& error) {
    pictureTrouble_ = error.what();
  }
}

bool App::ending() const {
  return window_.shouldClose() || interrupt_.raised() ||
         (options_.exitAfterFrames > 0 && frames_ + 1 >= options_.exitAfterFrames);
}

// The terminal was closed, the person logs out, Ctrl-C: nobody is there to be asked, and what was
// computed is kept as a batch run keeps it.
int App::keepState(const std::string& cause) {
  std::string path;
  std::uint64_t step = 0;
  bool open = true;
  try {
    open = runner_->finish([&](Session& session) {
      step = session.step();
      session.finishStep();
      step = session.step();
      path = cli::keepState(session, options_.outputFolder);
    });
  } catch (const std::exception& e) {
    cli::complain(fmt::format("cellscope: {}", e.what()));
  }
  if (!open) {
    cli::complain(
        fmt::format("cellscope: stopped by {} before anything was open: nothing is lost", cause));
    return cli::kFailed;
  }
  const std::string stopped = fmt::format("Stopped by {} after step {}", cause, step);
  if (path.empty()) {
    cli::complain(stopped +
                  "; the state could not be kept anywhere: name a writable folder by --output");
    return cli::kFailed;
  }
  log_.write("kept", path);
  cli::complain(
      fmt::format("{}. The state was kept in {}; go on with: cellscope window --resume {}", stopped,
                  path, path));
  return cli::kDone;
}

}  // namespace cellscope::gui
