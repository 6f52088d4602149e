// Shared by all panels: the latest publication, the commands, and the state of the window.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <set>
#include <span>

#include "app/common/inside.h"
#include "app/gui/dialogs.h"
#include "app/gui/event_log.h"
#include "app/gui/input_clock.h"
#include "app/gui/theme.h"
#include "render/gl.h"
#include "render/legend.h"
#include "render/renderer.h"
#include "sim/base/box.h"
#include "sim/run/runner.h"

namespace cellscope::gui {

// Tools of a hand in the picture: a palette, the brush under the mouse, and what is held.
struct Shell;
class ViewportArea;

enum class HandTool { select, grab, add, remove, heat, cool };
inline constexpr int kHandTools = 6;

struct HandState {
  HandTool tool = HandTool::select;
  double radius[kHandTools] = {1, 0.5, 1.5, 1.5, 2.5, 2.5};  // sigma
  bool stroke = false;                                       // the mouse is held down
  HandTool strokeTool = HandTool::select;                    // with which it began
  ImVec2 pressedAt, sentFrom;                                // of the mouse
  Vec3d sent{0, 0, 0};                                       // of the last pull
  std::uint64_t sentAt = 0, strokes = 0;                     // publication; strokes known
};

// The tool that acts now; the mode may not have the one that was chosen.
HandTool toolNow(const Shell& shell);
void nextTool(Shell& shell);
bool wheelSizesBrush(Shell& shell);  // Ctrl and the wheel; true when the brush has another radius
// The left button belongs to a tool: it acts on the picture, and true is returned.
bool handInput(Shell& shell, ViewportArea& area, bool inside);
// At the left edge below `top`, or in a row there, where the mode lets a hand do something.
void handPalette(Shell& shell, const ViewportArea& area, float top, bool inRow);
// Chips of Select and of the tool that the scenario names.
void promotedTool(Shell& shell);
void handOverlay(Shell& shell, const ViewportArea& area);

// What the keyboard acts on: Tab and Shift+Tab go through the controls in the order in which they
// are drawn, Enter presses one, arrows move a slider or choose.
class FocusRing {
 public:
  // After the item of a control, which gets a ring with the focus. True: Enter was pressed on it.
  bool item(Shell& shell, bool drawsRing = true);
  bool any() const { return focused_ != 0; }
  bool lastItemHas() const;  // the last ImGui item
  void take();               // to the last ImGui item, as by a click
  void beginHere();          // the last item is where Tab goes first
  void move(int by);
  void press() { pressed_ = focused_ != 0; }
  // Only what is drawn from now on can be reached: a dialog lies over the rest.
  void restart() { order_.clear(); }
  void clear() { focused_ = 0; }
  void endFrame();

 private:
  std::vector<ImGuiID> order_, last_;  // of this frame, of the one before
  ImGuiID focused_ = 0, first_ = 0;
  bool pressed_ = false, moved_ = false;
};

// Arrow keys in hundredths of a range: tenths of that with Shift, ten with Ctrl.
double arrowSteps();

using common::rangeKey;
using common::shownLayers;

// A value sent to the Runner and not yet published back.
struct PendingValue {
  ParameterValue value;
  double sentAt = 0;
};

struct Toast {
  Severity severity = Severity::info;
  std::string text;
  double shownAt = 0;
  std::vector<std::pair<std::string, std::function<void()>>> answers = {};  // of a question
};

// Measured by the window itself.
struct FrameMeter {
  double framesPerSecond = 0, milliseconds = 0;  // over the last half second; work without waiting
  InputClock::Delays input;                      // from input to picture
};

// What Ctrl+Z takes back: the value of a live parameter; with an empty key, what the run takes
// back.
struct UndoStep {
  std::string key;
  ParameterValue before;
  double changedAt = 0;             // last, of a slider that is dragged
  std::string rebuilds;             // parameter that is no live one
  std::uint64_t run = 0, step = 0;  // where in which run (Timeline::run) it was made
};

// Work deferred until the frame is drawn.
struct AfterFrame {
  std::string screenshot;   // PNG of the whole window
  std::string partPicture;  // PNG of a part of it
  std::string plotPicture;  // PNG of a plot with title, source and parameters
  std::string plot;         // its id
  int plotScale = 2;        // times as large as in the window
  ImVec2 partLo, partHi;
  int framesLeft = 0;  // before the pictures are taken
};

// Of an axis, in its coordinates. lo > hi: none yet, or no restriction.
struct AxisRange {
  double lo = 1, hi = 0;

  bool isNone() const { return lo > hi; }
  bool hasLength() const { return lo < hi; }
  double length() const { return hi - lo; }
  bool holds(double at) const { return at >= lo && at <= hi; }
  // By those of the values that are finite.
  void extend(std::span<const double> values);
  void extend(std::initializer_list<double> values) {
    extend(std::span(values.begin(), values.size()));
  }
  // Moves smoothly towards the wanted one; jumps there the first time.
  void follow(AxisRange wanted, double seconds);
};

// The part of an axis that is shown; none: all.
using AxisZoom = std::optional<AxisRange>;

// Range of the step axis that all time plots share.
struct StepRange {
  AxisZoom zoom;
  // Where it is fitted from: the beginning of the run, the last change, that of the averages.
  enum class From { start, change, averages };
  From from = From::start;
  // Where the mouse is in one of the plots, and in which frame it was there.
  double pointedAt = 0;
  int pointedFrame = -9;
};

// x range of a curve with published series: a window around `place`, the x of our own points,
// narrow enough to separate neighbouring points, whatever they are; if it is unknown, about our own
// points, or the whole published range before the first one, and in any case with published lines
// of two points, which mark something. No restriction where nothing is published, of histograms,
// bars and axes that are not linear.
AxisRange focusOf(const Curve& curve, std::optional<double> place);
// The same, extended to include our own points.
AxisRange withOwnPoints(AxisRange focus, const Curve& curve);

// Zoom of one plot. Time plots take x from Shell::steps.
struct PlotZoom {
  AxisZoom x, y;
  AxisRange shownX, shownY;
  std::optional<AxisScale> scale;  // of the values, where another one was chosen
  std::optional<AxisRange> focus;  // chosen when the plot is first drawn
};

// Metadata of a picture or table: program, scenario, step, parameters, and warnings of experiments.
render::Metadata describe(const Publication& now);

// Read a part of the window's framebuffer (pixels, origin upper left; clipped to the window) and
// write it with these notes as metadata. Throws RunError.
void savePicture(const std::string& path, const Publication* now, const render::Metadata& notes,
                 int windowWidth, int windowHeight, int x, int y, int width, int height);

// Small pictures as GL textures, each made on first use.
class Textures {
 public:
  ImTextureID of(const render::SwatchLook& look);
  // A PNG beside the scenario's file, with its name; null: there is none.
  ImTextureID of(const Scenario& scenario);

 private:
  std::vector<std::pair<render::SwatchLook, render::GlTexture>> swatches_;
  std::map<std::string, render::GlTexture> thumbnails_;  // by path of the scenario
};

struct Shell {
  Runner* runner = nullptr;
  EventLog* log = nullptr;
  const render::Renderer* renderer = nullptr;  // of the picture
  LessonLink* lesson = nullptr;                // that is served or followed; null: none
  std::shared_ptr<const Publication> now;      // never null while panels are drawn
  std::optional<Setup> setup;                  // a long command in progress
  std::string failure;                         // error, if nothing is open
  const Palette* colours = nullptr;
  Fonts fonts;
  float scale = 1;
  bool explains = true;               // show tooltips: not right after a click or key press
  double time = 0, frameSeconds = 0;  // of the window; since the last frame
  FrameMeter meter;
  FrameClock clock;
  AfterFrame after;

  bool presentedByScenario = false;  // Scenario::onlyPlay
  bool drawingOff = false;           // the run goes on without pictures
  bool dark = true, presentation = false, panelsHidden = false, help = false, galleryOpen = false;
  std::string helpTopic;  // of the help sheet; "": keys and mouse
  double galleryOpenedAt = -1;
  ImVec2 galleryOpenedFrom;           // where the mouse was
  std::vector<unsigned> typedAhead;   // for the text field of a dialog, before it has the keyboard
  std::vector<unsigned> keysOfIcons;  // of the toolbar, for the next frame
  struct {
    bool on = false;
    double until = -1;
  } played;  // what was ordered last, until the run follows
  bool leftOpen = true, rightOpen = true;
  Remembered remembered;       // widths of the columns, files opened last
  bool rightFirst = false;     // if only one column fits: the right one
  bool plotsDetached = false;  // there is a column of plots now
  bool particleDocked = true;  // the right column has room, for the picked particle too
  int leftDrawnAt = -1;        // frame in which the left column was drawn, not folded
  std::string scrollTo;        // name of the panel to scroll to
  bool fitRequested = false, follow = false;
  double speedLimit = 0;
  InsideState inside;
  FocusRing focus;
  HandState hand;
  std::set<std::string> fullRange;            // parameters whose slider spans all that is allowed
  std::optional<std::string> saveScenarioTo;  // path, or "" for a name in the output folder
  std::function<void(Scenario&)> saveScenarioAs;  // changes what is saved; null: nothing
  bool flyRequested = false;                      // to the picked particle
  ParticleId flyOnce = -1;                        // once it is picked, to this one
  bool targetReached = true, cellShown = false;   // of what was gone to by name
  std::string fieldWanted;                        // field of the inspector that is to have the
  double fieldWantedUntil = 0;                    // keyboard; given up then
  bool keepColours = false;  // of particles beside layers that explain a structure
  ViewRequest view;
  ColourRanges colourRanges;  // set by hand
  std::vector<Scenario> gallery;
  std::vector<LessonPlan> lessons;  // of the gallery
  LessonPages pages;                // of the one that is open
  Textures textures;
  std::string outputFolder = ".", lastCheckpoint;
  std::map<std::string, ParameterValue> resumedWith;  // values when the scenario was taken over
  std::string resumed;                                // checkpoint that was loaded last
  std::uint64_t resumedRun = 0;                       // the run that continues it
  std::vector<std::pair<std::string, std::string>> afterLoad;  // to be set once it is loaded
  FileWindow files;
  SweepWindow sweep;
  VideoWindow video;
  PageWindow page;
  Walk walk;
  Pointer pointer;
  TourState tour;
  std::set<std::string> promised;  // paths already written or reserved
  std::map<std::string, PendingValue> pending;
  std::vector<UndoStep> undoSteps;  // the last ones
  std::vector<Toast> toasts;
  std::uint64_t lastMessage = 0;
  std::string editing, editError;  // parameter being edited as text, and its error
  ImGuiID editingRow = 0;          // of the rows that show it
  StepRange steps;
  std::map<std::string, PlotZoom> zooms;
  std::map<std::string, bool> collapsed;
  std::set<std::string> hiddenSeries;  // switched off in legends of plots
  std::string enlarged;                // plot shown over the picture; "": none
  bool onPage = false;  // what is drawn is a page for export, where nothing is clicked
  float zoom = 1;       // of all text and panels, by Ctrl plus and minus
  int rewindMiB = 256;  // memory for earlier moments
  bool rewindOn = false;
  bool allParameters = false;    // those that do nothing now as well
  bool popupOpen = false;        // a menu or the list of a choice, which Esc closes
  std::set<std::string> chosen;  // sections opened or closed by the user
  float legendLift = 0;          // above the card of a preparation
  std::size_t rowsShown = 0;     // rows and series of charts for which plots were opened

  // That is open; a run without one has an empty one.
  const Scenario& scenario() const {
    static const Scenario none;
    return now && now->scenario ? *now->scenario : none;
  }
  // Of the scenario, otherwise of the mode.
  std::string name() const { return now->scenario ? scenario().name : now->mode->key; }
  std::string title() const { return now->scenario ? scenario().title : now->mode->label; }
  bool dialogOpen() const {
    return files.task != FileWindow::Task::none || video.open || sweep.isOpen() || page.open;
  }
  float px(float at1x) const { return at1x * scale; }
  ImVec2 px(float x, float y) const { return ImVec2(px(x), px(y)); }
  float stroke(float at1x = 1) const { return std::max(1.f, px(at1x)); }  // a pixel at least

  // Commands; each is written to the event log.
  bool isLed() const;  // a lecturer's run is followed: commands that change it are refused
  bool leads();        // otherwise; when not, it is reported why
  bool advances();     // otherwise it is reported why not
  void play(bool on);
  bool isPlaying();  // or will be, as ordered last
  void step(bool isPhase = false);
  void reset();
  void undo();
  void willUndo(UndoStep step);
  void setRewind(bool on);
  void stepBack();
  void goNear(std::uint64_t step);
  void goByMoments(int count);  // kept moments earlier (negative) or later
  void forwardToEnd();
  // Before it is sent; true: it continues the one before, of a slider that is dragged.
  bool noteChange(const std::string& key);
  void cancel();  // the current set-up or preparation
  void set(const std::string& key, const ParameterValue& value);
  void heat(double factor);  // velocities of the selected particles
  bool replaceState(const std::string& checkpoint);
  void open(const Scenario& scenario);
  void loadCheckpoint(const std::string& path);
  // A scenario, checkpoint, configuration or picture; why it cannot be opened, or "".
  std::string tryOpen(const std::string& path);
  void openFile(const std::string& path);               // the same; errors are shown in a note
  void saveAs(FileKind kind, const std::string& path);  // replaces what is there
  void detachPlots(bool detached);                      // into a column of their own
  void toggleLayer(std::size_t index);
  void setLayer(const std::string& key, bool on);  // nothing where the mode has no such layer
  void setColouring(const std::string& key);
  void cycleColouring();
  void setSpeedLimit(double stepsPerSecond);
  void setDrawing(bool on);
  void setZoom(float zoom);
  void say(Severity severity, const std::string& text);
  void drop(const std::string& path);  // a file on the window
  std::string lengthUnit() const;      // behind a number; "": not known
  // Writes a file and says "Saved `what` to `path`.", or why it could not be written.
  void save(const char* event, const std::string& what, const std::string& path,
            const std::function<void()>& write);
  void dismissNotes();
  // Dismisses errors about the previous state before the state changes.
  void leaveErrors();
  void screenshot() { after.screenshot = outputPath("window", ".png"); }
  void saveSeries();  // of all observables, as CSV
  // What is on the screen, without the camera: parameters, layers, slices, speed.
  Scenario currentScenario() const;
  void adoptEmphasis(const Scenario& scenario);  // colours, open plots
  Scenario scenarioWith(const std::string& configuration) const;
  // One line that `cellscope run` and another window open (common::ExperimentLine).
  std::string experimentLine() const;
  std::string tryOpenLine(const std::string& text);  // such a line; what is wrong, or ""
  void paste();                                      // opens the one in the clipboard
  void setAfterLoad();
  // File in the output folder: "<scenario>-<what>-<step><extension>".
  std::string outputPath(const std::string& what, const std::string& extension) const;
  // The same without the step, for files that the simulation writes later.
  std::string runPath(const std::string& what, const std::string& extension);

  void sendView();
  bool layerOn(const std::string& key) const { return view.shows(key); }
  LayerLook lookOf(const std::string& layer) const;
  std::string whySink() const;  // particles take this path to the picture
  void adoptScenario();         // adopts layers, colouring and speed limit of the open scenario
};

}  // namespace cellscope::gui
