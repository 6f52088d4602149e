#include "app/gui/widgets.h"
#include "app/lesson/link.h"
#include "sim/run/scenario.h"

namespace cellscope::gui {

bool Shell::isLed() const { return lesson && lesson->follows(); }

bool Shell::leads() {
  if (isLed()) say(Severity::info, "The lecturer leads this run: leave the lesson to change it.");
  return !isLed();
}

bool Shell::advances() {
  if (!leads()) return false;
  if (!now->mode || now->mode->noSteps.empty()) return true;
  say(Severity::info, now->mode->noSteps);
  return false;
}

void Shell::play(bool on) {
  if (on ? !advances() : !leads()) return;
  runner->play(on);
  played = {on, time + 1};
  log->write("play", on ? "on" : "off");
}

bool Shell::isPlaying() {
  if (now->playing == played.on) played.until = -1;
  return time < played.until ? played.on : now->playing;
}

void Shell::step(bool isPhase) {
  if (!advances()) return;
  if (now->playing) runner->play(false);
  isPhase ? runner->stepPhase() : runner->step();
  log->write(isPhase ? "phase" : "step");
}

void Shell::reset() {
  if (!leads()) return;
  leaveErrors();
  willUndo({});
  runner->reset();
  log->write("reset");
}

std::string Shell::lengthUnit() const {
  const std::string unit = now && now->mode ? now->mode->lengthUnit : "sigma";
  return unit.empty() ? "" : " " + printed(unit);
}

void Shell::willUndo(UndoStep step) {
  constexpr std::size_t kMost = 200;
  if (now) step.run = now->timeline.run, step.step = now->step;
  undoSteps.push_back(step);
  if (undoSteps.size() > kMost) undoSteps.erase(undoSteps.begin());
}

// Values that follow each other within a moment are one change: those of a slider that is dragged.
bool Shell::noteChange(const std::string& key) {
  constexpr double kMoment = 0.7;  // seconds
  // Since the mouse button was pressed, however slowly it is dragged.
  const ImGuiIO& io = ImGui::GetIO();
  const double held = static_cast<double>(ImGui::IsMouseDown(0) ? io.MouseDownDuration[0]
                                                                : io.MouseDownDurationPrev[0]);
  UndoStep* const last = undoSteps.empty() ? nullptr : &undoSteps.back();
  const double since = last ? time - last->changedAt : 0;
  const ParameterState* const p = stateOf(*this, key);
  if (!p) return false;
  if (p->info.effect != Effect::live) {
    const bool continues = last && last->rebuilds == key && since < held;
    continues ? void(last->changedAt = time) : willUndo({.changedAt = time, .rebuilds = key});
    return continues && !pending.contains(key) && p->info.effect == Effect::rebuild;
  }
  if (last && last->key == key && since < std::max(kMoment, held))
    last->changedAt = time;
  else
    willUndo({key, p->value, time});
  return false;
}

void Shell::undo() {
  if (!leads()) return;
  dismissNotes();  // what they report is undone
  while (!undoSteps.empty()) {
    const UndoStep step = undoSteps.back();
    undoSteps.pop_back();
    // Going back in the run has taken it back already.
    if (step.run == now->timeline.run && step.step > now->step) continue;
    if (step.key.empty()) {
      if (!now->canUndo) continue;  // it was refused, or is taken back already
      break;
    }
    runner->set(step.key, step.before);
    pending[step.key] = {step.before, time};
    log->write("undo", step.key + " " + toText(step.before));
    return;
  }
  if (!now->canUndo)
    return say(Severity::info, "Nothing to undo: no change, reset or scenario change yet.");
  runner->undo();
  pending.clear();
  editing.clear();
  log->write("undo");
}

void Shell::setRewind(bool on) {
  rewindOn = on;
  runner->keepMoments(on ? static_cast<std::size_t>(rewindMiB) << 20 : 0);
  log->write("rewind", on ? "on" : "off");
}

// Held down, the key waits for the step before.
void Shell::stepBack() {
  if (!leads()) return;
  if (!rewindOn) return say(Severity::info, "Going back is switched off (Run panel).");
  constexpr double kWaits = 0.05;
  if (runner->busySeconds() > kWaits && !now->playing) return;
  runner->stepBack();
  log->write("step-back-asked");
}

void Shell::goNear(std::uint64_t step) {
  if (!leads()) return;
  runner->goNear(step);
  log->write("go-near", std::to_string(step));
}

void Shell::goByMoments(int count) {
  const std::vector<std::uint64_t>& kept = now->timeline.steps;
  if (!rewindOn || kept.empty()) return;
  if (count < 0) {
    const auto next = std::ranges::lower_bound(kept, now->step);
    if (next != kept.begin()) goNear(*std::prev(next));
  } else {
    const auto next = std::ranges::upper_bound(kept, now->step);
    next == kept.end() ? forwardToEnd() : goNear(*next);
  }
}

void Shell::forwardToEnd() {
  if (!leads()) return;
  runner->forwardToEnd();
  log->write("forward");
}

void Shell::cancel() {
  if (setup) {
    runner->cancel(setup->number);
    log->write("cancel", setup->name);
  } else if (now && now->canCancelPreparation) {
    undo();
    say(Severity::info, "Cancelled: the previous state was restored.");
  }
}

void Shell::set(const std::string& key, const ParameterValue& value) {
  if (!leads()) return;
  leaveErrors();
  runner->set(key, value, noteChange(key));
  pending[key] = {value, time};
  log->write("set", key + " " + toText(value));
}

void Shell::heat(double factor) {
  if (!leads()) return;
  leaveErrors();
  willUndo({});
  runner->heat(factor, now->selection);
  log->write("heat", fmt::format("{:g} {}", factor, now->selection));
}

// Another state replaces the present one; false: it may not. `checkpoint`: "" for a scenario.
bool Shell::replaceState(const std::string& checkpoint) {
  if (!leads()) return false;
  if (setup) cancel();  // the set-up of another one
  leaveErrors();
  willUndo({});
  resumed = checkpoint;
  afterLoad.clear();
  pending.clear();
  editing.clear();
  galleryOpen = false;
  return true;
}

void Shell::open(const Scenario& scenario) {
  if (!replaceState("")) return;
  runner->open(scenario, !scenario.paused);
  log->write("open", scenario.name);
}

void Shell::loadCheckpoint(const std::string& path) {
  if (!replaceState(path)) return;
  runner->loadCheckpoint(path);
  log->write("load", path);
}

void Shell::detachPlots(bool detached) {
  remembered.plotsDetached = detached;
  if (detached) scrollTo = "Plots";
  log->write("plots", detached ? "detached" : "docked");
}

LayerLook Shell::lookOf(const std::string& layer) const {
  const auto look = view.looks.find(layer);
  return look == view.looks.end() ? LayerLook{} : look->second;
}

std::string Shell::whySink() const {
  const std::string reason = renderer->sinkReason();
  return reason.empty() ? "inside the GPU, without crossing the bus" : reason;
}

// Keep the picked particle, which only the Runner knows.
void Shell::sendView() {
  view.picked = now->frame ? now->frame->picked.id : -1;
  ViewRequest sent = view;
  if (drawingOff) sent.layers.clear();
  runner->setView(sent);
}

void Shell::setDrawing(bool on) {
  drawingOff = !on;
  sendView();
  log->write("drawing", on ? "on" : "off");
}

void Shell::toggleLayer(std::size_t index) {
  if (index >= now->mode->layers.size()) return;
  const std::string& key = now->mode->layers[index].key;
  const bool on = !layerOn(key);
  if (on) {
    view.layers.push_back(key);
    for (const LayerOption& option : now->mode->layers[index].options)
      if (option.few >= 0 && now->mode->dimension == 3 && !view.looks.contains(key))
        view.looks[key].highest = option.few;
  } else {
    view.layers.erase(std::ranges::find(view.layers, key));
  }
  sendView();
  log->write("layer", key + (on ? " on" : " off"));
}

void Shell::setLayer(const std::string& key, bool on) {
  const auto& all = now->mode->layers;
  const auto at = std::ranges::find(all, key, &LayerInfo::key);
  if (at != all.end() && layerOn(key) != on)
    toggleLayer(static_cast<std::size_t>(at - all.begin()));
}

void Shell::setColouring(const std::string& key) {
  view.colouring = key;
  sendView();
  log->write("colouring", key);
}

void Shell::cycleColouring() {
  const auto& all = now->mode->colourings;
  if (all.empty()) return;
  const auto at = std::ranges::find(all, view.colouring, &ColouringInfo::key);
  const std::size_t current = at == all.end() ? 0 : static_cast<std::size_t>(at - all.begin());
  setColouring(all[(current + 1) % all.size()].key);
}

void Shell::setSpeedLimit(double stepsPerSecond) {
  speedLimit = stepsPerSecond;
  runner->setSpeedLimit(stepsPerSecond);
  log->write("speed", number(stepsPerSecond));
}

void Shell::setZoom(float wanted) {
  constexpr float kSmallest = 0.6f, kLargest = 2.5f;
  zoom = std::clamp(wanted, kSmallest, kLargest);
  if (std::abs(zoom - 1) < 0.04f) zoom = 1;
  log->write("zoom", number(zoom, 3));
}

void Shell::say(Severity severity, const std::string& text) {
  // Notes of saved files replace each other, so that they do not cover the picture.
  const bool saved = severity == Severity::info && text.starts_with("Saved ");
  std::erase_if(toasts, [&](const Toast& t) {
    return t.text == text ||
           (saved && t.severity == Severity::info && t.text.starts_with("Saved "));
  });
  toasts.push_back({severity, text, time});
  log->write("message", text);
}

void Shell::leaveErrors() {
  constexpr double kSeen = 3;  // seconds, of an error while a slider sends further values
  const auto gone = std::erase_if(toasts, [&](const Toast& t) {
    return !t.answers.empty() || (t.severity == Severity::error && time - t.shownAt > kSeen);
  });
  if (gone > 0) log->write("left", std::to_string(gone));
}

void Shell::dismissNotes() {
  if (!toasts.empty()) log->write("dismissed", std::to_string(toasts.size()));
  toasts.clear();
}

void Shell::adoptScenario() {
  const Scenario& adopted = scenario();
  view = {};
  view.layers = layersOf(adopted, *now->mode);
  view.looks = looksOf(adopted.layers, *now->mode);
  view.colouring = adopted.colouring;
  view.picked = adopted.picked;
  if (view.colouring.empty() && !now->mode->colourings.empty())
    view.colouring = now->mode->colourings.front().key;
  drawingOff = false;
  hand.tool = HandTool::select;
  hand.stroke = false;
  walk = {};
  runner->setView(view);
  const bool only = adopted.onlyPlay;
  if (only && !presentation) presentation = presentedByScenario = true;
  if (!only && std::exchange(presentedByScenario, false)) presentation = false;
  speedLimit = adopted.speedLimit;
  follow = false;
  resumedWith.clear();
  for (const ParameterState& p : now->parameters) resumedWith[p.info.key] = p.value;
  inside = adopted.inside;
  fullRange.clear();
  colourRanges = adopted.colourRanges;
  hiddenSeries.clear();
  enlarged = adopted.largePlot;
  steps = {};
  zooms.clear();
  // Which plots are initially open depends on their number.
  std::erase_if(collapsed, [&](const auto& section) {
    return section.first.starts_with("plot-") && !chosen.contains(section.first);
  });
  adoptEmphasis(adopted);
  resumedRun = now->timeline.run;
  log->write("scenario", name());
  setAfterLoad();
}

}  // namespace cellscope::gui
