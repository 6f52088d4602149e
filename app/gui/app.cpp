#include "app/gui/app.h"

#include "app/gui/panels.h"
#include "app/lesson/link.h"
#include "render/font_atlas.h"

namespace cellscope::gui {

// CUDA runs on the GPU that draws, so that no particle data crosses the bus.
static ExecConfig chooseDevice(const WindowOptions& options) {
  ExecConfig exec = options.exec;
  if (exec.backend == Backend::cuda && options.deviceFromContext && exec.devices == 1) {
    const int device = render::cudaDeviceOfContext();
    if (device >= 0) exec.device = device;
  }
  return exec;
}

App::App(const WindowOptions& options, std::unique_ptr<Runner> runner)
    : options_(options), window_(options), log_(options.logEvents), runner_(std::move(runner)) {
  const auto lecturer = options.lesson ? options.lesson->lecturer() : nullptr;
  if (!runner_ && lecturer) runner_ = std::make_unique<Runner>(chooseDevice(options), lecturer);
  if (!runner_ && !options.resume.empty())
    runner_ = std::make_unique<Runner>(chooseDevice(options), Runner::Checkpoint{options.resume});
  if (!runner_) runner_ = std::make_unique<Runner>(chooseDevice(options), options.scenario);
  // What a lecturer sends is written nowhere.
  if (!lecturer)
    runner_->onInternalError([folder = options.outputFolder](Session& session) {
      return common::keepState(session, folder, "-failed");
    });
  renderer_ = std::make_unique<render::Renderer>(options_.sink, options_.exec.backend);
  shell_.renderer = renderer_.get();
  log_.write("graphics", renderer_->glDescription());
  noteSink();
  shell_.runner = runner_.get();
  shell_.log = &log_;
  shell_.dark = options.theme == Theme::dark;
  shell_.presentation = options.presentation;
  shell_.panelsHidden = options.hidePanels;
  shell_.help = options.help;
  shell_.outputFolder = options.outputFolder;
  shell_.resumed = options.resume;
  shell_.afterLoad = options.settings;
  if (!options.sweep.empty()) openSweep(shell_, options.sweep, false);
  for (const std::string& note : {options.note, render::missingFonts()})
    if (!note.empty()) shell_.say(Severity::warning, note);
  shell_.remembered = written_ = readMemory(options.stateFolder);
  loadGallery();
  if (!options.plan.empty()) openPlan(shell_, options.plan, false);
  // A paused window sleeps until there is something to show.
  runner_->onPublish([this] {
    if (wantsWaking_) GlWindow::wake();
  });
  interrupt_.onSignal(GlWindow::wake);
  shell_.rewindMiB = options.rewindMiB;
  shell_.setRewind(options.rewindMiB > 0);
  if (!options.paused && !lecturer && !(options.resume.empty() && options.scenario.paused))
    runner_->play(true);
  shell_.lesson = options.lesson.get();
  if (shell_.lesson) shell_.lesson->begin(*runner_);
  meterStart_ = meterSince_ = lastFrame_ = monotonicSeconds();
}

App::~App() {
  if (shell_.lesson) shell_.lesson->end();
  onDisplayLoss({});
  runner_->onPublish({});
  interrupt_.onSignal({});
}

// Interop can be lost while running.
void App::noteSink() { log_.state("sink", renderer_->sink().path()); }

void App::takePublication() {
  const std::shared_ptr<const Publication> next = runner_->latest();
  if (!next) return;
  shell_.setup = next->setup;
  if (!next->mode) {
    const bool ended = !next->setup && !next->messages.empty();
    shell_.failure = ended ? next->messages.back().text : "";
    if (ended) shell_.lastMessage = next->messages.back().number;  // shown there, not as a note
    shell_.galleryOpen = ended;
    return;
  }
  const bool fresh = !shell_.now || shell_.now->number != next->number;
  if (fresh && shell_.now) logChanges(*shell_.now, *next);
  // It was played and has paused by itself since.
  if (fresh && shell_.now && !next->playing && next->step > shell_.now->step)
    shell_.played.until = -1;
  if (fresh && shell_.now && next->target.number != shell_.now->target.number) {
    shell_.cellShown = true;
    shell_.targetReached = !next->target.found;
  }
  if (shell_.flyOnce >= 0 && next->frame && next->frame->picked.id == shell_.flyOnce) {
    shell_.flyRequested = true;
    shell_.flyOnce = -1;
  }
  shell_.now = next;
  const Publication& now = *shell_.now;
  if (fresh) lastChange_ = shell_.time;
  // Reopening the same scenario also resets the view to the one that it declares.
  if (!opened_ || now.scenario != opened_) {
    opened_ = now.scenario;
    shell_.adoptScenario();
    shell_.pages.follow(now.scenario.get());
    if (now.frame) area_.fit(now, true);
  }
  const std::string page = shell_.pages.isShown ? shell_.pages.words() : "";
  window_.setTitle((page.empty() ? "" : page + ": ") + shell_.title() + " – cellscope");
  if (now.playing != wasPlaying_) {
    wasPlaying_ = now.playing;
    log_.write("playing", now.playing ? "on" : "off");
  }
}

App::Layout App::layOut() const {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool bare = shell_.panelsHidden || shell_.presentation;
  const Remembered& r = shell_.remembered;
  Layout l;
  const float bar = bare ? 0 : shell_.px(28), strip = shell_.px(28), least = shell_.px(400);
  l.status = ImVec2(screen.x, bar);
  float left = bare ? 0 : shell_.leftOpen ? shell_.px(r.leftWidth) : strip;
  float right = bare ? 0 : shell_.rightOpen ? shell_.px(r.rightWidth) : strip;
  float& second = shell_.rightFirst ? left : right;
  // Plots in a column of their own, if a picture remains beside it.
  float plots = bare || !r.plotsDetached ? 0 : shell_.px(r.plotsWidth);
  const float tight = shell_.px(380);
  if (screen.x - plots - 2 * strip < least) plots = 0;
  if (plots > 0 && screen.x - left - plots - right < least) second = strip;
  // On a projector columns are narrower, so that a slider and a plot are in view together.
  const float narrowLeft = shell_.px(280), narrowRight = shell_.px(304);
  const auto picture = [&] { return screen.x - left - plots - right; };
  if (!bare && !r.widened && picture() < least) {
    const float lefts = std::min(left, narrowLeft), rights = std::min(right, narrowRight),
                narrowPlots = std::min(plots, narrowRight);
    if (screen.x - lefts - narrowPlots - rights >= (plots > 0 ? tight : shell_.px(430)))
      left = lefts, plots = narrowPlots, right = rights;
  }
  // In a presentation the one column has what the lecture is about.
  if (shell_.presentation && !shell_.panelsHidden && screen.x - shell_.px(300) >= shell_.px(330))
    right = shell_.px(300);
  // A small window keeps one column open, a very small one none but what a tour points at.
  if (!bare && picture() < least) second = strip;
  const TourColumn toured = shell_.rightFirst ? TourColumn::right : TourColumn::left;
  if (!bare && picture() < (plots > 0 ? tight : least / 2) && shell_.tour.column != toured)
    (shell_.rightFirst ? right : left) = strip;
  l.left = ImVec2(left, screen.y - bar);
  l.plots = ImVec2(plots, screen.y - bar);
  l.right = ImVec2(right, screen.y - bar);
  l.timeline = bare ? 0 : timelineHeight(shell_);
  l.viewportLo = ImVec2(left, 0);
  l.viewportHi = ImVec2(std::max(left + 1, screen.x - right - plots), screen.y - bar - l.timeline);
  return l;
}

// Until the first state exists: progress of the set-up, or the error that prevented it.
void App::waiting() {
  const std::vector<unsigned> keys = window_.keys();
  if (hasItem(keys, kKeyEscape)) shell_.cancel();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (!shell_.failure.empty()) return galleryWindow(shell_);
  if (setupCard(shell_, ImVec2(screen.x / 2, 0.6f * screen.y), screen.x) > 0) return;
  const std::string what =
      (shell_.isLed() ? shell_.lesson->words().text : "Setting up " + options_.scenario.title) +
      " …";
  const ImVec2 size = textSize(shell_.fonts.words, what);
  drawText(ImGui::GetBackgroundDrawList(), shell_.fonts.words, (screen - size) / 2,
           shell_.colours->muted, what);
}

void App::overlays(const Layout& l) {
  log_.rect("viewport", area_.lo(), area_.hi());
  if (const Frame* f = shell_.now->frame.get())
    log_.rect("box", area_.onScreen({0, f->box.length[1], 0}),
              area_.onScreen({f->box.length[0], 0, 0}));
  log_.state("units-per-sigma", fmt::format("{:.2f}", area_.unitsPerSigma()));
  const ImVec2 taken = legend(shell_, area_);
  shell_.particleDocked = l.right.x > shell_.px(100);
  float top = shell_.presentation ? 0 : layerChips(shell_, l.viewportLo, l.viewportHi);
  if (second_) top += besideCaptions(shell_, area_, second_->area(), top);
  if (shell_.drawingOff) drawingNotice(shell_, l.viewportLo, l.viewportHi);
  // Without the status bar the notice of an active experiment is drawn over the picture.
  if (l.status.y <= 0 && !second_) top += experimentNotice(shell_, l.viewportLo, l.viewportHi, top);
  const float control =
      shell_.presentation ? presentationControl(shell_, l.viewportLo, l.viewportHi, taken) : 0;
  // In a narrow picture they would lie on the box: there they have a row above it.
  const bool inRow =
      !shell_.presentation && l.viewportHi.x - l.viewportLo.x < shell_.px(kNarrowPicture);
  const ImVec2 tools = toolbar(shell_, l.viewportLo, l.viewportHi, top, taken, inRow);
  handPalette(shell_, area_, top, inRow);
  if (inRow) top += shell_.px(36);
  area_.reserve(top, shell_.presentation ? shell_.px(56) : 0, std::max(taken.y + control, tools.y),
                std::max(taken.x, tools.x));
  if (!shell_.presentation) pickedCard(shell_, area_, top, taken);
  sliceOverlay(shell_, area_);
  inspectorOverlay(shell_, area_);
  pointerOverlay(shell_, area_, second_ ? &second_->area() : nullptr);
  handOverlay(shell_, area_);
  enlargedPlot(shell_, l.viewportLo, l.viewportHi);
  galleryWindow(shell_);
  helpSheet(shell_);
  fileWindow(shell_);
  sweepWindow(shell_);
  videoWindow(shell_);
  pageWindow(shell_);
  tourCard(shell_, l.viewportLo, l.viewportHi);
  toasts(shell_, l.viewportLo, l.viewportHi, taken);
}

void App::frame() {
  shell_.clock.begin();
  const bool happened = window_.poll();
  framesSinceEvent_ = happened ? 0 : framesSinceEvent_ + 1;
  shell_.clock.passed(FrameClock::input);
  // Where the processor draws, the engine leaves it to the pictures that answer.
  constexpr double kSettled = 0.5;  // seconds after the last event: nothing reacts any more
  if (render::drawnOnProcessor() && (happened || window_.secondsSinceEvent() <= kSettled))
    runner_->giveWay(true);
  const double start = monotonicSeconds(), before = shell_.time;
  shell_.time = options_.frameSeconds > 0 ? before + options_.frameSeconds : start - meterStart_;
  shell_.frameSeconds = shell_.time - before;
  const std::uint64_t shown = shell_.now ? shell_.now->number : 0;
  takePublication();
  const bool fresh = shell_.now && shell_.now->number != shown;
  if (!beginPanels()) {
    last_ = false;
    return;
  }
  const Layout layout = layOut();
  const float ratio = window_.pixelRatio();
  if (!shell_.now || !shell_.now->beside) {
    second_.reset();
    area_.place(layout.viewportLo, layout.viewportHi, ratio);
  } else {
    if (!second_)
      second_ = std::make_unique<SecondPicture>(
          std::make_unique<render::Renderer>(options_.sink, options_.exec.backend));
    second_->place(area_, layout.viewportLo, layout.viewportHi, ratio);
  }
  if (shell_.now) {
    if (shell_.fitRequested) area_.fit(*shell_.now, false), area_.settle();
    shell_.fitRequested = false;
    second_ ? second_->input(shell_, area_) : area_.input(shell_);
    panels(layout);
    overlays(layout);
    if (!shell_.drawingOff) {
      const bool first = area_.draw(shell_, *renderer_);
      const bool second = second_ && second_->draw(shell_, area_);
      if (first || second) lastChange_ = shell_.time;
      goOnWalking(shell_, area_);
    }
    shell_.clock.passed(FrameClock::picture);
  } else {
    waiting();
    shell_.clock.passed(FrameClock::panels);
  }
  if (const auto path = std::exchange(shell_.saveScenarioTo, std::nullopt); path && shell_.now)
    saveScenario(*path);
  if (shell_.now) recordVideo();
  remember();
  shell_.clock.passed(FrameClock::files);
  // The columns are drawn on the clear colour.
  window_.clear(shell_.now ? shell_.colours->panel : shell_.colours->viewport);
  if (shell_.now && !shell_.drawingOff) {
    area_.show(window_.height());
    if (second_) second_->show(window_.height());
  }
  window_.drawGui();
  shell_.focus.endFrame();
  shell_.clock.passed(FrameClock::panels);
  ++frames_;
  pictures();
  shell_.clock.passed(FrameClock::files);
  measureFrame(monotonicSeconds() - start, fresh);
  const bool answered = !window_.keys().empty();
  const auto answer = window_.swap();
  runner_->giveWay(false);
  shell_.clock.passed(FrameClock::display);
  noteLength(FrameClock::Frame(shell_.clock.end()), answer);
  window_.rest(sleepSeconds());
  wantsWaking_ = false;
  plotPicture();
  if (answered) log_.write("shown", fmt::format("{}", frames_));
}

// Seconds for which the picture stays as it is unless something happens; 0: it may change.
double App::quietSeconds() const {
  if (!shell_.now || shell_.now->playing || shell_.setup || shell_.walk.on) return 0;
  if (shell_.video.recording() || shell_.tour.isPraising(shell_.time)) return 0;
  // A dialog takes some frames to give its field the keyboard, however long they are.
  constexpr int kReact = 5;
  if (framesSinceEvent_ < kReact) return 0;
  if (options_.unlimitedFrames || area_.moving() || runner_->busySeconds() > 0 ||
      window_.secondsSinceInput() <= 0.5 || shell_.time - lastChange_ <= 0.5)
    return 0;
  constexpr double kBlink = 0.2;  // of the cursor in a text field
  constexpr double kPoll = 0.5;   // of a sweep
  double quiet = ImGui::GetIO().WantTextInput ? kBlink : shell_.sweep.isOpen() ? kPoll : HUGE_VAL;
  // Tests and measurements count frames.
  if (options_.exitAfterFrames > 0 || options_.onFrame || options_.frameSeconds > 0) quiet = 0.1;
  return std::min(quiet, secondsOfToasts(shell_));
}

double App::sleepSeconds() {
  const double quiet = last_ ? 0 : quietSeconds();
  if (quiet > 0 && !asleep_) {
    // One more frame, to report that no more are drawn.
    asleep_ = true;
    shell_.meter.framesPerSecond = 0;
    log_.write("asleep", fmt::format("{}", frames_ + 1));
    return 0;
  }
  // Of a publication from now on one is woken; one from before must not be slept over.
  wantsWaking_ = quiet > 0;
  if (quiet > 0 && runner_->latest()->number != shell_.now->number) return 0;
  if (quiet <= 0 && asleep_) log_.write("awake", fmt::format("{}", frames_));
  asleep_ = quiet > 0;
  return quiet;
}

// Frames that are seen to stand still. The window itself is opened in the first one.
void App::noteLength(const FrameClock::Frame& frame,
                     const std::optional<InputClock::Answer>& answer) {
  constexpr double kLong = 0.1, kLate = 0.04;  // seconds
  if (frames_ <= 1) {
    shell_.clock = {};
    window_.forgetInput();
  } else if (frame.seconds() > kLong) {
    log_.write("long-frame",
               fmt::format("{} {:.0f} ms: {}", frames_, 1e3 * frame.seconds(), frame.words()));
  }
  if (frames_ > 1 && answer && answer->seconds > kLate)
    log_.write("late-answer",
               fmt::format("{} {:.0f} ms: waited {:.0f} ms, {}", frames_, 1e3 * answer->seconds,
                           1e3 * answer->waited, frame.words()));
}

void App::measureFrame(double workSeconds, bool fresh) {
  const double now = monotonicSeconds();
  if (frames_ > 1 && frameMilliseconds_.size() < 100000) {
    frameMilliseconds_.push_back(static_cast<float>(1e3 * workSeconds));
    frameIntervals_.push_back(static_cast<float>(1e3 * (now - lastFrame_)));
  }
  if (options_.onFrame && frames_ > 1 && shell_.now)
    stopped_ |= !options_.onFrame(
        {now - lastFrame_, renderer_->glDescription(), fresh, shell_.now->workPerSecond});
  lastFrame_ = now;
  ++meterFrames_;
  meterWork_ += workSeconds;
  if (now - meterSince_ < 0.5 || asleep_) return;
  FrameMeter& meter = shell_.meter;
  meter.framesPerSecond = static_cast<double>(meterFrames_) / (now - meterSince_);
  meter.milliseconds = 1e3 * meterWork_ / static_cast<double>(meterFrames_);
  meter.input = window_.inputDelays();
  meterSince_ = now;
  meterFrames_ = 0;
  meterWork_ = 0;
  noteSink();
  log_.write(
      "meter",
      fmt::format(
          "{:.1f} frames/s, {:.2f} ms host, {:.2f} ms upload, {:.2f} ms drawing, {:.3g} {}/s",
          meter.framesPerSecond, meter.milliseconds, renderer_->uploadMilliseconds(),
          renderer_->drawMilliseconds(), shell_.now ? shell_.now->workPerSecond : 0,
          shell_.now ? shell_.now->mode->workUnit : "steps"));
}

}  // namespace cellscope::gui
