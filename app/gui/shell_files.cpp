// Files that a window opens and saves.
#include <filesystem>

#include "app/common/settings.h"
#include "app/gui/app.h"
#include "app/gui/plot.h"
#include "app/sweep/sweep.h"
#include "sim/base/build.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"
#include "sim/run/scenario.h"
#include "sim/run/session.h"

namespace cellscope::gui {

static std::string nameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// A configuration replaces the particles of what is open.
Scenario Shell::scenarioWith(const std::string& configuration) const {
  if (!now) throw InputError("open a scenario first: the configuration replaces its particles");
  Scenario s = currentScenario();
  const std::string file = nameOf(configuration);
  const std::string before = s.title.empty() || s.otherConfiguration ? s.name : s.title;
  s.text = "Particles of " + file + ", with the settings of \"" + before + "\".";
  s.title = file;
  s.configuration = std::filesystem::absolute(configuration).string();
  s.box.clear();
  s.replicate = 1;
  s.otherConfiguration = true;
  return s;
}

// Unknown endings without particles are read as checkpoints, whose reader says what is wrong.
static void openAny(Shell& shell, const std::string& path) {
  constexpr std::uintmax_t kQuick = 64 << 20;  // bytes, read at once to report what is wrong
  if (sweep::isSweep(path)) return openSweep(shell, path, true);
  if (isPlan(path) || std::filesystem::is_directory(path)) return openPlan(shell, path);
  if (const std::string why = whyMissing(path); !why.empty())
    throw InputError("'" + path + "' cannot be opened: " + why);
  if (io::holdsPairs(path)) return shell.open(common::scenarioOfLists(path));
  FileKind kind = kindOf(path);
  if (kind == FileKind::other && io::formatOfContent(path)) kind = FileKind::configuration;
  switch (kind) {
    case FileKind::scenario:
      return shell.open(loadScenario(path));
    case FileKind::picture: {
      const Scenario scenario = common::scenarioOfPicture(path);
      shell.open(scenario);
      return shell.say(Severity::info,
                       "Read back from the picture: \"" +
                           (scenario.title.empty() ? scenario.name : scenario.title) +
                           "\" with its parameters, from step 0.");
    }
    case FileKind::configuration:
      if (std::filesystem::file_size(path) < kQuick) io::readConfiguration(path);
      return shell.open(shell.scenarioWith(path));
    case FileKind::checkpoint:
    case FileKind::other:
      Session::scenarioOf(path);
      shell.loadCheckpoint(path);
  }
}

std::string Shell::tryOpen(const std::string& path) {
  try {
    openAny(*this, path);
    const bool ofLessons = std::filesystem::is_directory(path) && !sweep::isSweep(path);
    if (!ofLessons) addRecent(remembered.recentFiles, path);
  } catch (const std::exception& error) {
    return error.what();
  }
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
  const std::string first = scenario().mode == "lists" ? scenario().configuration : "";
  if (first.empty() || std::filesystem::absolute(path) == first || !io::holdsPairs(path))
    return openFile(path);
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

// The first of BASE, BASE-2, ... that is neither there nor promised.
static std::string unusedPath(const Shell& shell, const std::string& what, const std::string& step,
                              const std::string& extension) {
  const Scenario* const open = shell.now->scenario.get();
  const std::string stem = (open ? open->name : "cellscope") + (what.empty() ? "" : "-" + what);
  const std::string base = shell.outputFolder + "/" + fileStem(stem) + step;
  std::string path = base + extension;
  for (int n = 2; std::filesystem::exists(path) || shell.promised.contains(path); ++n)
    path = base + "-" + std::to_string(n) + extension;
  return path;
}

std::string Shell::outputPath(const std::string& what, const std::string& extension) const {
  return unusedPath(*this, what, "-" + std::to_string(now->step), extension);
}

std::string Shell::runPath(const std::string& what, const std::string& extension) {
  return *promised.insert(unusedPath(*this, what, "", extension)).first;
}

void Shell::save(const char* event, const std::string& what, const std::string& path,
                 const std::function<void()>& write) {
  try {
    write();
  } catch (const Failure& error) {
    return say(Severity::error, error.what());
  }
  log->write(event, path);
  say(Severity::info, "Saved " + what + " to " + path + ".");
}

void Shell::saveSeries() {
  const std::string path = runPath("series", ".csv");
  runner->saveSeries(path);
  log->write("series", path);
}

// As the scenario has it at its beginning.
static ParameterValue atFirst(const Scenario& scenario, const ParameterState& p) {
  for (const auto& [key, value] : scenario.parameters)
    if (key == p.info.key) return value;
  return p.fallback;
}

static Scenario opened(const Publication& now) {
  if (now.scenario) return *now.scenario;
  Scenario scenario;
  scenario.mode = now.mode->key;
  return scenario;
}

void Shell::adoptEmphasis(const Scenario& s) {
  if (s.keepColours) keepColours = true;
  if (s.openPlots.empty()) return;
  for (const std::string& id : plotsOf(*now)) {
    const auto& open = s.openPlots;
    const bool isOpen = hasItem(open, id);
    collapsed["plot-" + id] = !isOpen;
    if (isOpen && !hasItem(s.plots, id)) collapsed["more-plots"] = false;
  }
}

Scenario Shell::currentScenario() const {
  Scenario s = opened(*now);
  for (const ParameterState& p : now->parameters)
    if (!(p.value == atFirst(s, p))) setParameter(s, p.info.key, p.value);
  s.layers.clear();
  for (const LayerInfo& layer : now->mode->layers) {
    if (layerOn(layer.key)) s.layers.push_back(layerEntry(layer.key, lookOf(layer.key), layer));
  }
  s.colouring = view.colouring;
  s.speedLimit = speedLimit;
  s.inside = inside;
  if (now->mode->dimension == 2) s.inside.planes = {}, s.inside.orthographic = false;
  s.keepColours = keepColours;
  s.colourRanges = colourRanges;
  s.largePlot = enlarged;
  s.openPlots.clear();
  for (const std::string& id : plotsOf(*now))
    if (const auto section = collapsed.find("plot-" + id);
        section != collapsed.end() && !section->second)
      s.openPlots.push_back(id);
  const bool isPicked = now->frame && now->frame->picked.id >= 0 && !now->frame->picked.deleted;
  s.picked = isPicked ? now->frame->picked.id : -1;
  return s;
}

std::string Shell::experimentLine() const {
  const Scenario s = opened(*now);
  const auto listed = std::ranges::find(gallery, s.path, &Scenario::path);
  // Folders are this computer's business: files are named without them.
  common::ExperimentLine line;
  line.madeWith = programVersion();
  const bool named = listed != gallery.end() || s.path.empty();
  // The run on the screen is the one that a checkpoint was continued with, not a later one.
  const bool continues =
      !resumed.empty() && scenario().path == resumed && now->timeline.run == resumedRun;
  (continues ? line.resume : line.scenario) = named ? s.name : nameOf(s.path);
  if (s.otherConfiguration)
    line.configuration = nameOf(s.configuration), line.box = s.box, line.replicate = s.replicate;
  // The scenario may have been opened with other values than its file has: a file of the gallery is
  // known, of any other one only what is neither set in it nor the default value.
  const auto isImplied = [&](const ParameterState& p) {
    if (!line.resume.empty()) return p.value == atFirst(s, p);
    if (listed != gallery.end()) return p.value == atFirst(*listed, p);
    const bool set = std::ranges::any_of(
        s.parameters, [&](const auto& entry) { return entry.first == p.info.key; });
    return !set && p.value == p.fallback;
  };
  for (const ParameterState& p : now->parameters) {
    // A checkpoint goes on with its own values: what differs from those, or from the scenario's.
    const auto loaded = resumedWith.find(p.info.key);
    const bool changed =
        !line.resume.empty() && loaded != resumedWith.end() && !(p.value == loaded->second);
    if (changed || p.info.key == "seed" || !isImplied(p))
      line.settings.push_back(p.info.key + "=" + toText(p.value));
  }
  return common::textOf(line);
}

// A file without its folder: opened last, or in the output folder.
static std::string found(const std::string& name, const Shell& shell) {
  std::error_code ignored;
  if (name.empty() || name.find('/') != std::string::npos || std::filesystem::exists(name, ignored))
    return name;
  for (const std::string& path : shell.remembered.recentFiles)
    if (std::filesystem::path(path).filename() == name && std::filesystem::exists(path, ignored))
      return path;
  const std::filesystem::path written = std::filesystem::path(shell.outputFolder) / name;
  return std::filesystem::exists(written, ignored) ? written.string() : name;
}

std::string Shell::tryOpenLine(const std::string& text) {
  try {
    common::ExperimentLine line = common::parseExperimentLine(text);
    for (std::string* name : {&line.scenario, &line.resume, &line.configuration})
      *name = found(*name, *this);
    if (!line.resume.empty()) {
      common::checkSettings(Session::scenarioOf(line.resume).mode, line.settings);
      loadCheckpoint(line.resume);
      afterLoad = common::splitSettings(line.settings);
    } else {
      Scenario scenario = common::openScenario(line.scenario);
      common::applySettings(scenario, line.settings);
      common::replaceConfiguration(scenario, line);
      open(scenario);
    }
    if (const std::string note = common::versionNote(line.madeWith); !note.empty())
      say(Severity::warning, note);
  } catch (const UnknownScenario&) {
    constexpr std::size_t kShown = 60;
    const std::string shown = text.substr(0, std::min(kShown, text.find('\n')));
    return "'" + shown + (shown.size() < text.size() ? "…" : "") +
           "' names no scenario of the gallery and no file";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

void Shell::paste() {
  const char* text = ImGui::GetClipboardText();
  const std::string error = tryOpenLine(text ? text : "");
  log->write("pasted", error);
  if (!error.empty()) say(Severity::warning, "The clipboard holds no experiment: " + error);
}

// What a line sets beside a checkpoint, once that is loaded.
void Shell::setAfterLoad() {
  for (const auto& [key, text] : std::exchange(afterLoad, {})) {
    const ParameterState* const p = stateOf(*this, key);
    if (!p) continue;
    ParameterValue value;
    const std::string error = checkText(*p, text, value);
    if (!error.empty())
      say(Severity::error, error);
    else if (value == p->value)
      continue;
    else if (p->info.effect == Effect::restart)
      say(Severity::error,
          "'" + key + "' determines the initial state, and a resumed run keeps its state: " + text +
              " was not set");
    else
      set(key, value);
  }
}

Scenario App::shownScenario() const {
  Scenario scenario = shell_.currentScenario();
  area_.describe(scenario);
  return scenario;
}

render::Metadata App::pictureNotes() const {
  render::Metadata notes = describe(*shell_.now);
  notes.push_back({common::kExperimentKey, scenarioText(shownScenario())});
  return notes;
}

void App::loadGallery() {
  if (options_.galleryFolder.empty()) return;
  try {
    std::vector<std::string> refused;
    shell_.gallery = gallery(options_.galleryFolder, refused);
    shell_.lessons = plansIn(common::lessonFolder(), refused);
    std::error_code none;
    if (const std::string own = common::ownFolder("scenarios");
        std::filesystem::is_directory(own, none))
      for (const Scenario& s : gallery(own, refused)) shell_.gallery.push_back(s);
    for (const LessonPlan& plan : plansIn(common::ownFolder("lessons"), refused))
      shell_.lessons.push_back(plan);
    for (const std::string& why : refused) shell_.say(Severity::warning, why);
  } catch (const std::exception& error) {
    shell_.say(Severity::warning, error.what());
  }
}

void App::saveScenario(const std::string& wanted) {
  const std::string path = wanted.empty() ? shell_.runPath("", ".toml") : wanted;
  const auto change = std::exchange(shell_.saveScenarioAs, nullptr);
  shell_.save("scenario-saved", "the scenario", path, [&] {
    Scenario scenario = shownScenario();
    if (change) change(scenario);
    io::replaceFile(path, scenarioText(scenario));
    if (change) loadGallery();
  });
}

}  // namespace cellscope::gui
