// Dialogs of the window, each with its state, and what it remembers; what guides through a run:
// pages of a lesson, a pointer in the picture, a run walked through, and a tour of the window.
#pragma once
#include <imgui.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/common/child.h"
#include "app/common/video.h"
#include "app/lesson/link.h"
#include "app/sweep/sweep.h"
#include "sim/run/runner.h"
#include "sim/run/scenario.h"

namespace cellscope::gui {

// Files of a folder that fit what is being typed, and the completion of a path.
enum class FileKind { scenario, checkpoint, configuration, picture, other };
FileKind kindOf(const std::string& path);  // by the end of the name
// Of a small file of particles: "64 particles (Ar, Kr), box 6 x 6 x 6" and what was done to it, or
// what is wrong with it; "" for others.
std::string previewOf(const std::string& path);

struct FileEntry {
  std::string name;  // without its folder
  bool isFolder = false, isSweep = false;
  FileKind kind = FileKind::other;
  std::uintmax_t bytes = 0;
};

struct Listing {
  std::string folder;              // absolute
  std::vector<FileEntry> entries;  // folders first, each in alphabetical order
  std::string trouble;             // why the folder cannot be listed
  std::size_t left = 0;            // entries beyond the first kMostEntries
};
inline constexpr std::size_t kMostEntries = 500;

std::string withHome(const std::string& typed);  // "~" and "~/..." begin with the home folder
// What begins with the last part of `typed` (upper and lower case alike), in the folder before it;
// relative paths start at `base`. Files of these kinds; hidden ones only where a point is typed.
Listing listFor(const std::string& typed, const std::string& base,
                const std::vector<FileKind>& kinds);
// `typed` continued as far as all entries agree; a folder that is the only one with its slash.
std::string completed(const std::string& typed, const Listing& listing);
std::string folderPart(const std::string& typed);  // to its last slash
// The path of an entry as it is to be typed.
std::string pathOf(const std::string& typed, const FileEntry& entry);

// What the window remembers between two starts: files opened last, and its columns.
struct Remembered {
  std::vector<std::string> recentFiles;                       // absolute paths, the newest first
  float leftWidth = 320, rightWidth = 360, plotsWidth = 360;  // at scale 1
  bool widened = false;                                       // by hand
  bool plotsDetached = false;                                 // plots in a column of their own
  bool operator==(const Remembered&) const = default;
};

inline constexpr float kNarrowestColumn = 260, kWidestColumn = 760;  // at scale 1
inline constexpr std::size_t kMostRecent = 8;

// From window.toml in this folder. What is missing or makes no sense is as at the first start.
Remembered readMemory(const std::string& folder);
// Why it could not be written, or "".
std::string writeMemory(const std::string& folder, const Remembered& what);

// Puts a file first; relative paths are made absolute.
void addRecent(std::vector<std::string>& recent, const std::string& path);
// Why a file cannot be opened at present, in two or three words; "": it can.
std::string whyMissing(const std::string& path);

class Pane;
class ViewportArea;
struct Shell;

// To open and save a file: a path with completion, files of its folder, and those opened last.
struct FileWindow {
  enum class Task { none, open, save };
  Task task = Task::none;
  std::string typed;       // path; relative to the output folder
  std::string clicked;     // as it was typed by a click in the list, which stays as it is then
  std::string error;       // beside the field
  std::string overwrites;  // asks whether this file is to be replaced
  FileKind saves = FileKind::scenario;
  int filter = 0;         // of the list: all kinds, or one
  int chosen = -1;        // entry chosen by the arrow keys
  bool focus = false;     // the field is to get the keyboard
  std::string listedFor;  // what `listing` was made from
  Listing listing;
  std::string preview;  // of the file that is typed
  double listedAt = -1, checkedAt = -1;
  std::vector<std::string> missing;  // why each recent file cannot be opened; "": it can
};

void openFileWindow(Shell& shell, FileWindow::Task task);
void fileWindow(Shell& shell);
// One row for each recent file; true when one was chosen, which is then `path`.
bool recentRows(Shell& shell, std::string& path);

// The dialog that makes a page of a lesson: what is on the screen, a text, and the parameters that
// the class may move, as one scenario file.
struct PageWindow {
  bool open = false;
  std::string title, lesson, file;  // lesson: one sentence
  std::array<char, 4096> text{};
  std::string from, to;              // of the first slider
  std::vector<std::string> sliders;  // keys; the first one is the large one
  int watch = 0;                     // observable, from 1 on; 0: none
  bool alone = true;                 // everything else is hidden
  std::string error, overwrites;     // the file that saving once more replaces
  bool focus = false;
};

void openPageWindow(Shell& shell);
void pageWindow(Shell& shell);

// Recording a video from the window: pictures after a fixed number of steps each.
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

// A sweep in the window: a chart of its averages, its points, and what computes them here.
struct SweepWindow {
  std::string folder;  // "": there is none
  bool shown = false;
  std::shared_ptr<const sweep::Overview> seen;  // null until it has been read
  std::future<std::shared_ptr<const sweep::Overview>> look;
  double lookedAt = -1;
  std::string trouble;
  sweep::SweepAxes axes;
  Curve chart;  // of these points and axes
  std::shared_ptr<const sweep::Overview> charted;
  sweep::SweepAxes chartedFor;
  std::string chosen;  // id of a point
  common::Worker worker;
  // What a sweep of a slider is to be, as it is typed.
  struct Plan {
    std::string key, from, to, points = "9", seeds = "1", steps = "10000", error;
  } plan;  // key "": the dialog is closed

  bool isOpen() const { return shown || !plan.key.empty(); }
};

// opens: its scenario becomes that of the window.
void openSweep(Shell& shell, const std::string& folder, bool opens);
// Asks for a sweep of this parameter over the range of its slider.
void planSweep(Shell& shell, const ParameterState& p);
void sweepWindow(Shell& shell);
// A dialog in the middle, over a dimmed window; false: a click beside it, and there is no pane.
bool sweepDialog(Shell& shell, const char* name, ImVec2 size, std::optional<Pane>& pane);
void sweepPlanDialog(Shell& shell);

// The lesson that is open in the window: its scenarios in order, one of which is shown.
struct LessonPages {
  std::string title;
  std::vector<Scenario> pages;
  std::size_t at = 0;
  bool isShown = true;  // page `at`; otherwise a scenario of no page is open
  bool isOpen() const { return !pages.empty(); }
  void follow(const Scenario* open);  // which was opened, by whatever way
  std::string words() const;          // "2 of 5"; "" where none is open
};

// With its first scenario; `opens`: false where that one is open already. Throws InputError.
void openPlan(Shell& shell, const std::string& path, bool opens = true);
void turnPage(Shell& shell, int by);  // says so at the first and the last one
void pagesRow(Shell& shell);          // title, number and buttons; nothing where no lesson is open

// A mark at the lecturer's mouse, which those who follow see at the same place of the box.
struct Pointer {
  bool on = false;  // switched on, without a key held down
  lesson::Shown shown;
  double sentAt = -1;
};

// Own mark, sent to those who follow, or that of the lecturer; in the picture beside it as well.
void pointerOverlay(Shell& shell, const ViewportArea& area, const ViewportArea* second);

// A run walked through: a phase a second; those that leave the picture as it was take no time.
struct Walk {
  bool on = false;
  double next = 0;             // when the next phase is due
  bool ordered = false;        // one is under way
  std::uint64_t step = 0;      // where it was ordered
  int phase = 0, skipped = 0;  // skipped: in a row
  std::uint64_t picture = 0;   // hash of the last one
};

void setWalk(Shell& shell, bool on);
void goOnWalking(Shell& shell, const ViewportArea& area);  // once a frame, after the picture

// A tour of five steps for each mode, in the window itself: each step points at what it explains,
// may ask for one action, and goes on when that is done.

// What a step looks at when it begins, to see later that something was done.
struct TourBefore {
  std::string value;  // of the promoted parameter
  std::int64_t picked = -1;
  bool paused = false;  // seen since: the order to pause takes a moment
};

enum class TourTask { none, play, drag, enlarge, layer, pick };
enum class TourColumn { none, left, right };

// assets/help/tours.toml explains the fields.
struct TourStep {
  std::string title, text, asks, after, panel, layer;
  std::vector<std::string> targets;
  TourColumn column = TourColumn::none;
  TourTask task = TourTask::none;
};

struct Tour {
  std::string mode, scenario;  // where it takes place
  std::vector<TourStep> steps;
};

// Of a file; none where it is missing or damaged.
std::vector<Tour> readTours(const std::string& path);
const Tour* tourOf(const std::string& mode);  // that of a mode in the program's assets, or null

struct TourState {
  std::string mode;    // "": no tour
  int step = -1;       // of the mode; -1: its scenario is being opened
  double doneAt = -1;  // when the task was done; -1: not yet
  double waitingSince = 0;
  TourBefore before;
  float height = 0;                      // of the card in the last frame
  TourColumn column = TourColumn::none;  // kept open
  bool on() const { return !mode.empty(); }
  bool isPraising(double now) const { return doneAt >= 0 && now - doneAt < 2; }
};

void startTour(Shell& shell, const std::string& mode);
void endTour(Shell& shell, const char* how);
// Card and outline of the present step, over everything else.
void tourCard(Shell& shell, ImVec2 viewportLo, ImVec2 viewportHi);

}  // namespace cellscope::gui
