// Play, single steps and phases, reset and undo, speed.
#include "app/gui/panels.h"

namespace cellscope::gui {

namespace {

constexpr double kSlowest = 1, kFastest = 1e5;  // steps per second; the right end is "no limit"

void playButton(Shell& shell, float width) {
  const bool playing = shell.now->playing;
  if (button(shell, "play", playing ? "Pause" : "Play", playing ? Icon::pause : Icon::play, width,
             true)) {
    shell.play(!playing);
  }
  tooltip(shell, playing ? "Pause (Space)" : "Play (Space)",
          {"The simulation runs on its own thread and is not slowed down by drawing."});
}

void stepButtons(Shell& shell) {
  const ModeInfo& mode = *shell.now->mode;
  const float width = halfWidth();
  if (button(shell, "step", "One " + mode.stepName, Icon::step, width)) shell.step();
  tooltip(shell, "One " + mode.stepName + " ( . )", {"Pauses the run first if it is playing."});
  ImGui::SameLine();
  if (button(shell, "phase", "One phase", Icon::phase, width)) shell.step(true);
  tooltip(shell, "One phase ( , )",
          {"A " + mode.stepName +
           " consists of several phases; the layers show the state after each of them."});
  if (button(shell, "reset", "Reset", Icon::reset, width)) shell.reset();
  tooltip(shell, "Reset (R)", {"Starts over with the current parameters. Can be undone."});
  ImGui::SameLine();
  if (button(shell, "undo", "Undo", Icon::undo, width)) shell.undo();
  tooltip(shell, "Undo (Ctrl+Z)",
          {"Undoes the last change of a parameter, reset, restart or scenario change. Can be "
           "repeated."});
}

// The phases of a step in order; the last completed one is filled.
void phaseRow(Shell& shell) {
  const ModeInfo& mode = *shell.now->mode;
  if (mode.phases.size() < 2) return;
  const Palette& c = *shell.colours;
  // While playing, phases change too fast to be shown: none is marked.
  const bool still = !shell.now->playing;
  int done = still && shell.now->frame ? shell.now->frame->phase : -1;
  // After a complete step the last phase is marked.
  if (still && done < 0 && shell.now->nextPhase == 0 && shell.now->step > 0)
    done = static_cast<int>(mode.phases.size()) - 1;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x, pad = shell.px(6);
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = at.x, y = at.y, height = 0;
  for (std::size_t i = 0; i < mode.phases.size(); ++i) {
    // A long one has lines of its own.
    const std::string words = wrapped(shell.fonts.small, mode.phases[i], right - at.x - 2 * pad);
    const ImVec2 size = textSize(shell.fonts.small, words);
    const float width = size.x + 2 * pad;
    if (x + width > right) x = at.x, y += height + shell.px(4);
    height = size.y + pad;
    const bool current = static_cast<int>(i) == done;
    const bool next = still && static_cast<int>(i) == shell.now->nextPhase;
    const ImVec2 lo(x, y), hi(x + width, y + height);
    list->AddRectFilled(lo, hi, current ? c.accent : c.raised, shell.px(4));
    if (next && !current) list->AddRect(lo, hi, c.accent, shell.px(4), 0, shell.stroke());
    drawText(shell.fonts.small, ImVec2(x + pad, y + pad / 2), current ? c.onAccent : c.muted,
             words);
    shell.log->rect("phase:" + mode.phases[i], lo, hi);
    x += width + shell.px(4);
  }
  ImGui::Dummy(ImVec2(right - at.x, y + height - at.y));
  tooltip(shell, "Phases of a " + mode.stepName,
          {"Filled: last completed. Outlined: next. Press , to run it."});
}

void speedRow(Shell& shell) {
  const double limit = shell.speedLimit;
  const std::string unit = shell.now->mode->stepName + "s/s";
  keyValue(shell, "Speed limit", limit > 0 ? rate(limit) : "none", limit > 0 ? unit : "");
  float at = limit > 0
                 ? static_cast<float>(std::log(limit / kSlowest) / std::log(kFastest / kSlowest))
                 : 1.f;
  at = std::clamp(at, 0.f, 1.f);
  if (slider(shell, "slider:speed", at, shell.colours->accent).changed)
    shell.setSpeedLimit(at >= 0.995f ? 0 : kSlowest * std::pow(kFastest / kSlowest, at));
  tooltip(
      shell, "Speed limit",
      {"Slows the simulation down so that it can be watched; at the right end there is no limit.",
       "The trajectory does not depend on the limit."});
}

// What takes a key elsewhere: for who has the mouse alone.
void lectureRows(Shell& shell) {
  if (bool on = shell.walk.on; switchRow(shell, "walk", "Walk: a phase a second", on))
    setWalk(shell, on);
  tooltip(shell, "Walk (W)",
          {"Goes on by itself, a phase a second (a step, where it has no phases). Phases after "
           "which the picture is the same take no time."});
  switchRow(shell, "pointer", "Pointer", shell.pointer.on);
  tooltip(shell, "Pointer (X, held)",
          {"A large mark at the mouse in the picture. Those who follow a lesson see it at the same "
           "place."});
  if (bool on = !shell.drawingOff; switchRow(shell, "drawing", "Draw pictures", on))
    shell.setDrawing(on);
  tooltip(shell, "Draw pictures (Q)", {"Off: the run goes on, faster where drawing costs time."});
}

void rewindRow(Shell& shell) {
  bool on = shell.rewindOn;
  if (switchRow(shell, "rewind", "Keep snapshots", on)) shell.setRewind(on);
  tooltip(
      shell, "Keep snapshots",
      {fmt::format(
           "Keeps snapshots of the run, so that you can go back: Backspace one step, Page Up and "
           "Page Down by one snapshot, or the strip below the picture. At most {} MiB ({:.1f} "
           "used) and 1 % of the time; when the memory is full, older snapshots become sparser.",
           shell.rewindMiB, static_cast<double>(shell.now->timeline.usedBytes) / (1 << 20)),
       "Continuing from an earlier snapshot repeats the run with the same random numbers; the "
       "first change begins a new branch. Reset and opening something else free the memory."});
}

}  // namespace

void runPanel(Shell& shell) {
  if (!hasSteps(shell)) {
    if (!section(shell, "run", "Run")) return;
    textWrapped(shell, shell.now->mode->noSteps, shell.colours->muted);
    if (button(shell, "reset", "Read the file again", Icon::reset, -1)) shell.reset();
    return;
  }
  if (!section(shell, "run", "Run", grouped(shell.now->step))) return;
  playButton(shell, -1);
  stepButtons(shell);
  phaseRow(shell);
  speedRow(shell);
  rewindRow(shell);
  seedRow(shell);
  const float half = halfWidth();
  if (seedButton(shell, half)) ImGui::SameLine();
  if (button(shell, "averages", "Reset averages", Icon::none, half)) {
    shell.runner->resetAverages();
    shell.log->write("averages");
  }
  tooltip(shell, "Reset averages",
          {"Discards running means and accumulated curves; the state is not changed. Also done "
           "automatically when a parameter changes, so that averages never mix two states.",
           equilibrating(shell.now->observables)});
  lectureRows(shell);
}

void drawingNotice(Shell& shell, ImVec2 lo, ImVec2 hi) {
  const Publication& now = *shell.now;
  const std::string lines[] = {
      "Drawing is off (Q)",
      now.playing ? rate(now.stepsPerSecond) + " " + now.mode->stepName + "s/s" : "paused",
      now.playing ? rate(now.workPerSecond) + " " + now.mode->workUnit + "/s" : ""};
  float y = (lo.y + hi.y) / 2 - shell.px(40);
  for (const std::string& words : lines) {
    ImFont* const font = &words == lines ? shell.fonts.words : shell.fonts.largeNumbers;
    const ImVec2 size = textSize(font, words);
    drawText(ImGui::GetBackgroundDrawList(), font, ImVec2((lo.x + hi.x - size.x) / 2, y),
             &words == lines ? shell.colours->muted : shell.colours->text, words);
    y += size.y + shell.px(6);
  }
  shell.log->state("undrawn-rate", lines[1]);
}

float presentationControl(Shell& shell, ImVec2 lo, ImVec2 hi, ImVec2 legendSize) {
  if (!hasSteps(shell)) return 0;
  const float gap = shell.px(6), play = shell.px(104), side = shell.px(40), height = shell.px(32);
  const bool phases = shell.now->mode->phases.size() > 1;
  const float width = play + side + gap + (phases ? side + gap : 0);
  const float least = lo.x + legendSize.x + shell.px(8);
  const float x = std::max((lo.x + hi.x - width) / 2, std::min(least, hi.x - width - shell.px(16)));
  // Beside the legend, or above it if there is no room.
  const bool beside = x >= least;
  const float above = beside ? shell.px(16) : legendSize.y + shell.px(8);
  const Pane pane("present", bareLook(ImVec2(x, hi.y - height - above), ImVec2(width, height)));
  playButton(shell, play);
  ImGui::SameLine(0, gap);
  if (button(shell, "step", "", Icon::step, side)) shell.step();
  if (phases) {
    ImGui::SameLine(0, gap);
    if (button(shell, "phase", "", Icon::phase, side)) shell.step(true);
  }
  return beside ? 0 : height + shell.px(8);
}

const ObservableSeries* watched(const Shell& shell) {
  for (const ObservableSeries& s : shell.now->observables)
    if (s.info.id == shell.scenario().watch) return &s;
  return nullptr;
}

bool hasPlay(const Shell& shell) {
  return shell.now && (!shell.scenario().promote.key.empty() || !shell.scenario().tool.empty() ||
                       watched(shell));
}

Average watchedAverage(const Shell& shell, const ObservableSeries& s) {
  Average average = averageOf(s, shell.now->mode->stepName);
  if (s.samples > 0 || !shell.now->watched) return average;
  average.value = number(*shell.now->watched, 4);
  average.settled = s.info.grows && !s.info.isMean;  // what has no mean has a value at once
  average.state = average.settled ? "value now"
                                  : shell.now->mode->stepName + " " + grouped(shell.now->step) +
                                        ", no mean yet";
  return average;
}

static void watchedNumber(Shell& shell) {
  const ObservableSeries* s = watched(shell);
  if (!s) return;
  Average average = watchedAverage(shell, *s);
  if (!shell.now->experiments.empty()) average.state = "wrong on purpose: " + average.state;
  const std::string value = average.value.empty() ? "–" : average.value;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 size = textSize(shell.fonts.largeNumbers, value);
  const float x = at.x + width - size.x;
  // Room for the number is reserved: otherwise all below would move whenever it gets a digit.
  const float reserved = textSize(shell.fonts.largeNumbers, "0.0000(00)").x;
  const float room = width - std::max(size.x, reserved) - shell.px(8);
  std::string label = printed(s->info.label);
  if (!s->info.unit.empty() && !s->info.label.ends_with(" " + s->info.unit))
    label += ", " + onOneLine(printedUnit(s->info.unit, shell.now->mode->dimension));
  // Nothing is cut: a label that does not fit beside the number stands above it, in lines.
  const bool beside = textSize(shell.fonts.strong, label).x <= room;
  const std::string lines = beside ? label : wrapped(shell.fonts.strong, label, width);
  const float lower = beside ? 0 : textSize(shell.fonts.strong, lines).y;
  drawText(shell.fonts.strong, at + shell.px(0, 1), shell.colours->text, lines);
  drawText(shell.fonts.largeNumbers, ImVec2(x, at.y + lower), inkOf(shell, average.settled, value),
           value);
  if (const std::string more = average.state + "; +: or more";
      average.isBound && textSize(shell.fonts.small, more).x <= room)
    average.state = more;
  const bool fits = textSize(shell.fonts.small, average.state).x <= room;
  const std::string state = fits ? average.state : wrapped(shell.fonts.small, average.state, width);
  const float stateY = !fits ? lower + size.y : beside ? shell.px(18) : lower + shell.px(9);
  drawText(shell.fonts.small, ImVec2(at.x, at.y + stateY), shell.colours->muted, state);
  const float bottom = std::max(lower + size.y, stateY + textSize(shell.fonts.small, state).y);
  clickable(shell, "watched:" + s->info.id, ImVec2(width, std::max(bottom, shell.px(34))));
  shell.log->state("watched-value", value);
  shell.log->state("watched", average.settled ? "equilibrated" : "equilibrating");
  tooltip(
      shell, printed(s->info.label),
      {printed(s->info.equation), average.errorKnown ? "" : kErrorUnknown, average.explanation});
}

void playPanel(Shell& shell) {
  const ImVec2 lo = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  static float height = 100;  // of the last frame
  const float pad = shell.px(10), width = ImGui::GetContentRegionAvail().x;
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos(lo + ImVec2(pad, shell.px(6)));
  ImGui::BeginGroup();
  // Scrolled out of view it keeps its height: otherwise all below it would jump.
  if (ImGui::BeginChild("play", ImVec2(width - 2 * pad, height), false,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    promotedTool(shell);
    promotedSlider(shell);
    besideRows(shell);
    watchedNumber(shell);
    height = ImGui::GetCursorPosY();
  }
  ImGui::EndChild();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + shell.px(4);
  list->ChannelsSetCurrent(0);
  list->AddRectFilled(lo, ImVec2(lo.x + width, bottom), shell.colours->raised, shell.px(6));
  list->ChannelsMerge();
  shell.log->rect("panel:play", lo, ImVec2(lo.x + width, bottom));
  ImGui::SetCursorScreenPos(ImVec2(lo.x, bottom));
  ImGui::Dummy(ImVec2(width, 0));
}

}  // namespace cellscope::gui
