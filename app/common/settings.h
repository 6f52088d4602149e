// Scenarios as the command line and pasted experiments name them, and the settings after them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "render/renderer.h"
#include "sim/base/backend.h"
#include "sim/run/scenario.h"

namespace cellscope::common {

// Applies `key=value` settings to a scenario. Throws InputError for unknown keys and bad values.
void applySettings(Scenario& scenario, const std::vector<std::string>& settings,
                   const ModeFactory& modes = {});
// Key and value of each key=value. Throws InputError, also for duplicate keys.
std::vector<std::pair<std::string, std::string>> splitSettings(
    const std::vector<std::string>& settings, const char* option = "--set");
// A second run beside it (Scenario::against): key=value settings that differ, or another scenario
// of the same mode, whose parameters it has. Throws InputError.
void setAgainst(Scenario& scenario, const std::vector<std::string>& settingsOrScenario);
// Throws InputError for a key or value that the mode does not know.
void checkSettings(const std::string& mode, const std::vector<std::string>& settings);

std::string galleryFolder();
std::string lessonFolder();
// The file or folder of a lesson (sim/run/scenario.h); "": it is none. asLesson: by its name, or
// a folder of scenarios, as well.
std::string planPath(const std::string& nameOrPath, bool asLesson);
// Its scenarios, by openScenario(). Throws InputError.
std::vector<Scenario> pagesOf(const LessonPlan& plan);
// To look at the neighbour lists of a file (sim/io/list_file.h).
Scenario scenarioOfLists(const std::string& path, const std::string& compare = "");
// As findScenario(); a PNG file stands for the experiment in its metadata, a checkpoint for the
// scenario that it was begun with, and a file of lists for itself.
Scenario openScenario(const std::string& nameOrPath, const ModeFactory& modes = {});

struct HardwareOptions {
  std::string backend = "auto";  // auto, cpu, cuda
  int threads = 0;
  int device = -1;  // CUDA device; negative: not given, use the first
  // Of one system: parts; devices that they are on, from `device` on; 0: not given, one.
  int domains = 0, gpus = 0;
  bool throughHost = false;
  int together = 1;  // runs of this process that share the device
};

// Resolves "auto" to a backend and prints which and why (unless `quiet`).
ExecConfig chooseHardware(const HardwareOptions& options, bool quiet);
std::string describe(const ExecConfig& config);  // "cpu, 2 threads", "cuda, NVIDIA H200"

// auto, interop or copy.
render::SinkChoice sinkOf(const std::string& name);

// Runs `work`; if interop was requested but is not available, the error explains the alternatives.
void withDemandedSink(const std::function<void()>& work);

// Where the window keeps what it remembers between two starts.

// $XDG_STATE_HOME/cellscope, by default ~/.local/state/cellscope (XDG Base Directory
// Specification); "" where neither variable names an absolute path.
std::string stateFolder();
// A folder of one's own, "scenarios" or "lessons", in $XDG_CONFIG_HOME/cellscope, by default
// ~/.config/cellscope; "" where neither variable names an absolute path.
std::string ownFolder(const std::string& of);

// The texts of `cellscope help` and of the window's help sheet: assets/help/NAME.txt.
struct HelpTopic {
  std::string name, title, text;  // title: the first line of the file; text: the lines below
};

// In alphabetical order. Throws RunError when the folder has none.
std::vector<HelpTopic> helpTopics();

// A picture carries the experiment that it shows: the scenario with its present parameters, as text
// in its metadata.
inline constexpr const char* kExperimentKey = "Experiment";  // keyword of the text chunk

// The scenario that a picture saved by this program shows, from its beginning. Throws InputError:
// no PNG file, no such metadata, or a scenario that this version cannot open.
Scenario scenarioOfPicture(const std::string& path);

// Whether this is a file with a checkpoint, whatever its name.
bool isCheckpoint(const std::string& path);

// Whether the name ends with .png, in any case.
bool isPictureName(const std::string& path);

// An experiment as one line: the arguments of `cellscope run` and `cellscope window`, which another
// window takes from the clipboard or in its Open dialog as well.
struct ExperimentLine {
  std::string scenario;               // name in the gallery, or path of a file
  std::string resume;                 // a checkpoint, continued instead of a scenario
  std::string configuration;          // its particles replace those of the scenario; "": none
  std::string box;                    // its sides, where it has none
  std::int64_t replicate = 0;         // copies of them along every axis; 0: as in the scenario
  std::vector<std::string> settings;  // key=value
  std::string madeWith;               // version that wrote the line; "": unknown
};

// hexatic --set packing=0.71 seed=3 --made-with 1.2.0
std::string textOf(const ExperimentLine& line);
// The inverse; "cellscope run" or "cellscope window" in front is allowed, and only the first line
// that is not empty is read. Throws InputError for whatever else stands there.
ExperimentLine parseExperimentLine(const std::string& text);
// The particles of its configuration take the place of those of the scenario.
void replaceConfiguration(Scenario& scenario, const ExperimentLine& line);
// Whether a word has the form key=value.
bool isSetting(const std::string& word);
// Whether a typed or pasted text is meant as such a line and not as the path of a file.
bool isExperimentLine(const std::string& text);

// What is to be said of a line that another version wrote; "" for this one, or an unknown one.
std::string versionNote(const std::string& version);

}  // namespace cellscope::common
