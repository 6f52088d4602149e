#include "sim/run/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

namespace fs = std::filesystem;

LessonPlan planOfFolder(const std::string& folder) {
  fs::path whole = fs::absolute(folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // "mine/"
  LessonPlan plan{folder, whole.filename().string(), "", {}};
  plan.title = plan.name;
  std::vector<std::string> refused;
  for (const Scenario& s : gallery(folder, refused)) plan.scenarios.push_back(s.path);
  if (!refused.empty()) throw InputError(refused.front());
  if (plan.scenarios.empty())
    throw InputError(fmt::format("'{}' is a folder without scenarios (.toml)", folder));
  return plan;
}

// A name in the gallery, or a file beside that of the lesson.
std::string placeOf(const std::string& entry, const std::string& path) {
  const fs::path file(entry);
  if (file.extension() != ".toml" && entry.find('/') == std::string::npos) return entry;
  return (fs::absolute(path).parent_path() / file).lexically_normal().string();
}

}  // namespace

LessonPlan loadPlan(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return planOfFolder(path);
  const toml::table file = parseToml(io::readText(path), path);
  LessonPlan plan{path, fs::path(path).stem().string(), "", {}};
  plan.title = plan.name;
  Section top(file, "", path);
  top.read("title", plan.title);
  const toml::node* node = top.find("scenarios");
  top.readTexts(node, "scenarios", plan.scenarios,
                [&](const toml::node&, const std::string& entry) { return entry; });
  if (plan.scenarios.empty())
    throw InputError(fmt::format(
        "{}:{}: scenarios: is empty; name scenarios of the gallery, or files beside this one", path,
        node ? node->source().begin.line : 1u));
  top.refuseOthers();
  for (std::string& entry : plan.scenarios) entry = placeOf(entry, path);
  return plan;
}

bool isPlan(const std::string& path) {
  std::error_code ignored;
  if (fs::path(path).extension() != ".toml" || !fs::is_regular_file(path, ignored)) return false;
  try {
    const toml::table file = parseToml(io::readText(path), path);
    return file.contains("scenarios") && !file.contains("mode");
  } catch (const InputError&) {
    return false;  // what is wrong is said by who reads a scenario
  }
}

std::vector<LessonPlan> plansIn(const std::string& folder, std::vector<std::string>& refused) {
  std::vector<LessonPlan> plans;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".toml") continue;
    try {
      plans.push_back(loadPlan(entry.path().string()));
    } catch (const InputError& e) {
      refused.push_back(e.what());
    }
  }
  std::sort(plans.begin(), plans.end(),
            [](const LessonPlan& a, const LessonPlan& b) { return a.name < b.name; });
  return plans;
}

std::vector<Scenario> pagesOf(const LessonPlan& plan, const OpenScenario& open) {
  std::vector<Scenario> pages;
  for (const std::string& entry : plan.scenarios) {
    try {
      pages.push_back(open(entry));
    } catch (const UnknownScenario& e) {
      throw InputError(fmt::format("{}: scenarios: {}", plan.path, e.what()));
    }
  }
  return pages;
}

}  // namespace cellscope
