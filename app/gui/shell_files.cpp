// Files that a window opens and saves.
#include <exception>
#include <filesystem>

#include "app/common/settings.h"
#include "app/gui/format.h"
#include "app/gui/shell.h"
#include "app/sweep/sweep.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"
#include "sim/run/scenario.h"
#include "sim/run/session.h"

namespace cellscope::gui {

// A configuration replaces the particles of what is open.
Scenario Shell::scenarioWith(const std::string& configuration) const {
  if (!now) throw InputError("open a scenario first: the configuration replaces its particles");
  Scenario s = currentScenario();
  s.configuration = std::filesystem::absolute(configuration).string();
  s.box.clear();
  s.replicate = 1;
  s.otherConfiguration = true;
  return s;
}

// Files of unknown endings that hold no particles are read as checkpoints, whose reader says what
// is wrong.
std::string Shell::tryOpen(const std::string& path) {
  constexpr std::uintmax_t kQuick = 64
                                    << 20;  // bytes that are read at once to report what is wrong
  try {
    if (sweep::isSweep(path)) {
      openSweep(*this, path, true);
      addRecent(remembered.recentFiles, path);
      return "";
    }
    if (isPlan(path) || std::filesystem::is_directory(path)) {
      openPlan(*this, path);
      if (isPlan(path)) addRecent(remembered.recentFiles, path);
      return "";
    }
    if (const std::string why = whyMissing(path); !why.empty())
      throw InputError("'" + path + "' cannot be opened: " + why);
    if (io::holdsPairs(path)) {
      open(common::scenarioOfLists(path));
      addRecent(remembered.recentFiles, path);
      return "";
    }
    FileKind kind = kindOf(path);
    if (kind == FileKind::other && io::formatOfContent(path)) kind = FileKind::configuration;
    switch (kind) {
      case FileKind::scenario:
        open(loadScenario(path));
        break;
      case FileKind::picture: {
        const Scenario scenario = common::scenarioOfPicture(path);
        open(scenario);
        say(Severity::info, "Read back from the picture: \"" +
                                (scenario.title.empty() ? scenario.name : scenario.title) +
                                "\" with its parameters, from step 0.");
        break;
      }
      case FileKind::configuration:
        if (std::filesystem::file_size(path) < kQuick) io::readConfiguration(path);
        open(scenarioWith(path));
        break;
      case FileKind::checkpoint:
      case FileKind::other:
        Session::scenarioOf(path);
        loadCheckpoint(path);
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  addRecent(remembered.recentFiles, path);
  return "";
}

void Shell::openFile(const std::string& path) {
  const std::string error = tryOpen(path);
  if (error.empty()) return;
  say(Severity::error, error);
  if (!now) failure = error;
}

// A second list beside the first one, or instead of it.
void Shell::drop(const std::string& path) {
  const bool list = now && now->scenario && now->scenario->mode == "lists";
  const std::string first = list ? now->scenario->configuration : "";
  if (first.empty() || std::filesystem::absolute(path) == first || !io::holdsPairs(path))
    return openFile(path);
  const auto nameOf = [](const std::string& p) {
    return std::filesystem::path(p).filename().string();
  };
  Toast question{Severity::info, nameOf(path) + " is a neighbour list too.", time};
  question.answers = {{"Compare with " + nameOf(first),
                       [this, first, path] { open(common::scenarioOfLists(first, path)); }},
                      {"Open alone", [this, path] { openFile(path); }}};
  toasts.push_back(std::move(question));
  log->write("question", path);
}

void Shell::saveAs(FileKind kind, const std::string& path) {
  log->write("save", path);
  if (kind == FileKind::scenario) {
    saveScenarioTo = path;
  } else if (kind == FileKind::checkpoint) {
    lastCheckpoint = path;
    runner->saveCheckpoint(path);
  } else {
    runner->saveConfiguration(path);
  }
  if (kind != FileKind::configuration) addRecent(remembered.recentFiles, path);
}

std::string Shell::outputPath(const std::string& what, const std::string& extension) const {
  const std::string stem = now->scenario ? now->scenario->name : "cellscope";
  const std::string base =
      outputFolder + "/" + fileStem(stem + "-" + what) + "-" + std::to_string(now->step);
  std::string path = base + extension;
  for (int n = 2; std::filesystem::exists(path); ++n) {
    path = base + "-" + std::to_string(n) + extension;
  }
  return path;
}

std::string Shell::runPath(const std::string& what, const std::string& extension) {
  const std::string stem = now->scenario ? now->scenario->name : "cellscope";
  const std::string base = outputFolder + "/" + fileStem(what.empty() ? stem : stem + "-" + what);
  std::string path = base + extension;
  for (int n = 2; std::filesystem::exists(path) || promised.contains(path); ++n)
    path = base + "-" + std::to_string(n) + extension;
  promised.insert(path);
  return path;
}

void Shell::saveSeries() {
  const std::string path = runPath("series", ".csv");
  runner->saveSeries(path);
  log->write("series", path);
}

void Shell::screenshot() { after.screenshot = outputPath("window", ".png"); }

}  // namespace cellscope::gui
