// Recording a video from the window: pictures after a fixed number of steps each.
#pragma once
#include <imgui.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "app/common/video.h"

namespace cellscope::gui {

struct Shell;

struct VideoWindow {
  bool open = false;  // the dialog
  double every = 10, count = 250, rate = 25;
  bool legend = true;
  std::string error;    // in the dialog
  bool wanted = false;  // to be begun by the loop
  bool cancelled = false, finishEarly = false;

  // A recording in progress.
  std::unique_ptr<common::Video> video;
  std::shared_ptr<std::atomic<bool>> stopped;  // ends the present piece of the run early
  std::uint64_t due = 0, stepsEach = 1;        // step of the next picture
  std::size_t pictures = 0;                    // that it is to have
  bool armed = false;                          // the run is paused between two steps
  bool writing = false;                        // all are taken
  std::shared_ptr<const void> scenario;        // of which it is
  bool recording() const { return video != nullptr; }
};

void openVideoWindow(Shell& shell);
void videoWindow(Shell& shell);
// Progress of a recording with its lower edge at `bottom`; returns its height.
float recordingCard(Shell& shell, ImVec2 bottom, float room);

}  // namespace cellscope::gui
