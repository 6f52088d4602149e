// A picture carries the experiment that it shows: the scenario with its present parameters, as text
// in its metadata.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace cellscope::common {

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
  std::string checkpoint;             // continued instead of a scenario
  std::string configuration;          // its particles replace those of the scenario; "": none
  std::string box;                    // its sides, where it has none
  std::int64_t replicate = 0;         // copies of them along every axis; 0: as in the scenario
  std::vector<std::string> settings;  // key=value
  std::string version;                // of the program that wrote the line
};

// hexatic --set packing=0.71 seed=3 --made-with 1.2.0
std::string textOf(const ExperimentLine& line);
// The inverse; "cellscope run" or "cellscope window" in front is allowed, and only the first line
// that is not empty is read. Throws InputError for whatever else stands there.
ExperimentLine parseExperimentLine(const std::string& text);
// Whether a word has the form key=value.
bool isSetting(const std::string& word);
// Whether a typed or pasted text is meant as such a line and not as the path of a file.
bool isExperimentLine(const std::string& text);

// What is to be said of a line that another version wrote; "" for this one, or an unknown one.
std::string versionNote(const std::string& version);

}  // namespace cellscope::common
