// A lesson: scenarios in the order in which they are shown, as a file
//
//   title = "Order without attraction"
//   scenarios = ["four_disks", "hexatic", "mine.toml"]   # names in the gallery, or files beside it
//
// or as a folder of scenarios, in their order.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sim/run/scenario.h"

namespace cellscope {

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
