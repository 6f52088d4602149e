// The window's loop: input, panels, picture.
#pragma once
#include <atomic>

#include "app/common/terminal.h"
#include "app/gui/gl_window.h"
#include "app/gui/shell.h"
#include "app/gui/viewport.h"
#include "app/window.h"
#include "render/renderer.h"

namespace cellscope::gui {

// The picture of the run beside the one that is open (Scenario::against): at the right of it, with
// the same camera, layers and ranges of colours.
class SecondPicture {
 public:
  explicit SecondPicture(std::unique_ptr<render::Renderer> renderer)
      : renderer_(std::move(renderer)) {}

  // Parts the rectangle in two halves.
  void place(ViewportArea& first, ImVec2 lo, ImVec2 hi, float pixelRatio);
  // The mouse in it moves the camera of the first; a drag stays in the picture where it began.
  void input(Shell& shell, ViewportArea& first);
  bool draw(Shell& shell, const ViewportArea& first);  // true: something has changed
  void show(int windowHeight) const { area_.show(windowHeight); }
  const ViewportArea& area() const { return area_; }

 private:
  std::unique_ptr<render::Renderer> renderer_;
  ViewportArea area_;
  bool isRight_ = false;  // where the mouse is
};

// What differs, and the number to watch of both, above the two pictures; the height it takes.
float besideCaptions(Shell& shell, const ViewportArea& first, const ViewportArea& second,
                     float top);

class App {
 public:
  // Tests pass a Runner; otherwise one is created for the scenario.
  App(const WindowOptions& options, std::unique_ptr<Runner> runner);
  ~App();
  int run();  // the exit code

 private:
  struct Layout {
    ImVec2 left, plots, right, status;  // sizes; 0 when hidden
    ImVec2 viewportLo, viewportHi;
    float timeline = 0;  // height of the strip below the picture
  };
  void noteSink();
  void loadGallery();
  void frame();
  bool beginPanels();
  void takePublication();
  void logChanges(const Publication& before, const Publication& now);
  Layout layOut() const;
  void panels(const Layout& layout);
  void waiting();
  void overlays(const Layout& layout);
  void pictures();
  void plotPicture();
  void saveScenario(const std::string& wanted);
  Scenario shownScenario() const;         // with the camera
  render::Metadata pictureNotes() const;  // metadata of pictures
  void beginVideo();
  void recordVideo();
  void takeVideoPicture();
  void endVideo(const std::string& why);
  void remember();
  void measureFrame(double workSeconds, bool fresh);
  void noteLength(const FrameClock::Frame& frame, const std::optional<InputClock::Answer>& answer);
  double sleepSeconds();
  double quietSeconds() const;
  void reportAtExit();
  int keepState(const std::string& cause, const std::string& mark = "");
  int codeOf(int code) const;  // kFailed if a file could not be written

  // First member: destroyed last, so that signals are caught during the whole lifetime.
  common::InterruptGuard interrupt_;
  WindowOptions options_;
  GlWindow window_;
  EventLog log_;
  std::unique_ptr<render::Renderer> renderer_;
  std::unique_ptr<Runner> runner_;
  ViewportArea area_;
  std::unique_ptr<SecondPicture> second_;  // of the run beside; null: there is none
  Shell shell_;
  std::shared_ptr<const Scenario> opened_;  // scenario whose view was adopted
  bool wasPlaying_ = false, last_ = false;  // last_: the current frame is the last
  bool stopped_ = false;                    // by onFrame
  std::uint64_t frames_ = 0, meterFrames_ = 0;
  double meterStart_ = 0, meterSince_ = 0, meterWork_ = 0, lastChange_ = 0;
  std::vector<float> frameMilliseconds_;  // work and interval, for reportAtExit()
  std::vector<float> frameIntervals_;
  double lastFrame_ = 0;
  float zoomed_ = 1;  // of the last frame, by the keys and by the presentation
  int framesSinceEvent_ = 0;
  bool asleep_ = false;                   // nothing is drawn until something happens
  std::atomic<bool> wantsWaking_{false};  // by the Runner when it publishes
  std::string pictureTrouble_;            // why there is no picture of the last frame
  ImVec2 actedAt_;                        // where the mouse was at the last click or key
  int loggedWidth_ = 0, loggedHeight_ = 0;
  int videoWidth_ = 0, videoHeight_ = 0;
  Remembered written_;  // as it is in the state folder
  std::string memoryTrouble_;
  bool writtenDetached_ = false;
};

}  // namespace cellscope::gui
