// A scenario: one TOML file that window, batch, tests and benchmarks open alike.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/api/frame.h"
#include "sim/api/mode.h"
#include "sim/api/parameter.h"

namespace cellscope {

// One slice: across an axis of the box, or, the last, across the line of sight.
struct SlicePlane {
  bool on = false;
  double at = 0.5;        // of the box's extent along the normal
  double thickness = 2;   // sigma
  bool halfSpace = true;  // all that lies behind it, as seen from the eye, instead
  bool operator==(const SlicePlane&) const = default;
};
inline constexpr std::size_t kViewPlane = 3;

// block: cells of a thread block in the last move; treeLevels: boxes of a hierarchy, no particles.
enum class Selection { all, nearPicked, type, cellLayer, block, treeLevels };

struct InsideState {
  std::array<SlicePlane, 4> planes{};  // x, y, z, view; in space only
  bool cutToPicked = false;            // the view plane stands just before the picked particle
  bool orthographic = false;           // in space only
  Selection selection = Selection::all;
  bool hideRest = false;  // otherwise dimmed
  double radius = 1.5;    // sigma, about the picked particle
  int type = 0;
  int axis = 2, layer = 0;                // of cells: the axis across them, and which one
  int block = 0;                          // of threads
  int lowestLevel = 0, highestLevel = 3;  // of trees; the root has 0
  double depthCue = 0.75;  // in space only: share of the background in the farthest corner
  bool operator==(const InsideState&) const = default;
  bool anySlice() const { return std::ranges::any_of(planes, &SlicePlane::on); }
};

// Range of a colour map that was set by hand; otherwise the simulation's own.
struct ColourRange {
  double lo = 0, hi = 1;
  bool operator==(const ColourRange&) const = default;
};
using ColourRanges = std::map<std::string, ColourRange>;  // by "LAYER/QUANTITY"

// The one parameter to play with, and the range in which something happens (equal: that of the
// parameter, or a switch or choice).
struct Promoted {
  std::string key;
  double lo = 0, hi = 0;
  friend bool operator==(const Promoted&, const Promoted&) = default;
};

struct Scenario {
  std::string path;   // file it came from
  std::string name;   // file stem, used on the command line
  std::string title;  // gallery
  std::string text;   // explanation shown to the user
  std::string mode = "hard_disks";
  Settings parameters;
  std::string configuration;   // optional file with the initial state (sim/io/formats)
  std::string compare;         // another file, where the mode shows one beside the other
  std::string box;             // its sides, where it has none: io::parseSides()
  std::int64_t replicate = 1;  // copies of it along every axis
  // The configuration was named beside the scenario: its number and density of particles replace
  // the scenario's own instead of contradicting them.
  bool otherConfiguration = false;
  // Keys that are on, or all relative to the mode's defaults: "+lbvh" is on as well, "-disks" is
  // not. Empty = the defaults.
  std::vector<std::string> layers;
  std::string colouring;                // "" = the mode's default
  std::vector<std::string> plots;       // ObservableInfo::plot or Curve::id, in order; empty = all
  std::uint64_t sampleEvery = 10;       // steps between samples of the observables
  double speedLimit = 0;                // steps per second in the window; 0 = none
  double cameraZoom = 1;                // 1 = whole box
  double cameraCentre[2] = {0.5, 0.5};  // in box lengths
  double cameraYaw = 35, cameraPitch = 25;  // degrees, 3D only
  std::int64_t order = 1000;                // place in the gallery
  std::string lesson;                       // one sentence: what is to be learned
  std::string level, topic;                 // headings and search in the gallery
  bool onlyPlay = false;                    // the window hides all but `promote` and `beside`
  // Settings of a second run, which is otherwise the same, shown beside this one; none: there is
  // none.
  Settings against;
  bool paused = false;              // the window does not start it
  Promoted promote;                 // key "": none
  std::vector<std::string> beside;  // parameters shown with the promoted one
  std::string watch;                // ObservableInfo::id of the number to watch; "": none
  std::string tool;                 // of a hand, offered beside them; "": none
  InsideState inside;
  bool keepColours = false;            // of particles beside cells and boxes
  ColourRanges colourRanges;           // the others follow the values
  std::vector<std::string> openPlots;  // of `plots` and of the others; empty: as many as fit
  std::string largePlot;               // of all plots, enlarged over the picture at first; "": none
  std::int64_t picked = -1;            // id of the particle that is picked at the start; -1: none
};

// Read and check a scenario file. Throws InputError naming file, line, key and allowed values for
// unknown keys, wrong types and values out of range (parameter ranges included).
Scenario loadScenario(const std::string& path, const ModeFactory& modes = {});
// The same from text; `path` appears in messages, and relative file names start at its folder.
Scenario parseScenario(const std::string& text, const std::string& path,
                       const ModeFactory& modes = {});
// The values of `level`, the easiest first.
const std::vector<std::string>& scenarioLevels();
// The scenario as a file that parseScenario() reads back, every number exactly.
std::string scenarioText(const Scenario& scenario);
// Neither a file nor in the gallery.
class UnknownScenario : public InputError {
  using InputError::InputError;
};
// By name in the installed gallery, or by path. Throws UnknownScenario, or InputError about what
// stands in the file.
Scenario findScenario(const std::string& nameOrPath, const std::string& galleryFolder,
                      const ModeFactory& modes = {});
// All that can be read, in their order; what is wrong with the others goes to `refused`. Throws
// InputError when there is no such folder.
std::vector<Scenario> gallery(const std::string& galleryFolder, std::vector<std::string>& refused);
// Replaces or appends one parameter.
void setParameter(Scenario& scenario, const std::string& key, const ParameterValue& value);
// Keys of the layers that are on at first, in the mode's order.
std::vector<std::string> layersOf(const Scenario& scenario, const ModeWords& mode);
// Create the scenario's mode with its parameters set and its state built (restart or adopt).
std::unique_ptr<Mode> startScenario(const Scenario& scenario, const ExecConfig& config);
// The same with a mode at hand. Returns what is to be told of the configuration that was loaded.
std::vector<std::string> startMode(Mode& mode, const Scenario& scenario);

// Plots over time (ObservableInfo::plot) and curves (Curve::id) of a mode, in the mode's order.
std::vector<std::string> plotsOf(const ModeDescription& mode);

inline constexpr std::int64_t kMostCopies = 4096;  // along one axis
// In all, as many as any mode takes: refused before memory is filled with them.
inline constexpr std::int64_t kMostReplicated = 4'000'000'000;

// `copies` of the configuration along every axis of its box, with ids of their own from 0 on.
// Structure shorter than the small box stays in equilibrium; longer waves have to grow.
// Throws InputError beyond kMostReplicated particles.
Configuration replicated(const Configuration& one, std::int64_t copies);

// The layer's key with its sign, without options.
inline std::string layerName(const std::string& entry) { return entry.substr(0, entry.find(' ')); }
// The options of an entry. Throws InputError naming the option, its value and what is allowed.
LayerLook lookOfEntry(const std::string& entry, const LayerInfo& layer);
// The options that may follow a name in an entry, a text for each.
std::vector<std::string> optionTexts(const LayerInfo& layer);
// The entry that lookOfEntry() reads back; only what differs from the default.
std::string layerEntry(const std::string& name, const LayerLook& look, const LayerInfo& layer);
// Looks of the layers that a scenario shows otherwise than by default.
std::map<std::string, LayerLook> looksOf(const std::vector<std::string>& entries,
                                         const ModeWords& mode);

// A lesson: scenarios in the order in which they are shown, as a file
//
//   title = "Order without attraction"
//   scenarios = ["four_disks", "hexatic", "mine.toml"]   # names in the gallery, or files beside it
//
// or as a folder of scenarios, in their order.
struct LessonPlan {
  std::string path, name, title;
  std::vector<std::string> scenarios;  // names in the gallery, or paths
};

// Throws InputError naming file, line, key and what is allowed.
LessonPlan loadPlan(const std::string& path);
bool isPlan(const std::string& path);  // a file with such a list: no scenario
// All of a folder, by name; none where there is no such folder.
std::vector<LessonPlan> plansIn(const std::string& folder, std::vector<std::string>& refused);
// Its scenarios, each by `open` of its name or path, which throws UnknownScenario where there is
// none. Throws InputError for the first that cannot be read.
using OpenScenario = std::function<Scenario(const std::string& nameOrPath)>;
std::vector<Scenario> pagesOf(const LessonPlan& plan, const OpenScenario& open);

}  // namespace cellscope
