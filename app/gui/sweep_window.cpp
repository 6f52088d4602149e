#include <chrono>
#include <filesystem>

#include "app/common/settings.h"
#include "app/gui/panels.h"
#include "sim/api/mode.h"

namespace cellscope::gui {

// The chart of a sweep.
namespace {

using sweep::Overview;
using sweep::PointOverview;

struct Entry {
  std::string key, label;
};
// At `at`; the height it takes.
float chooser(Shell& shell, const std::string& id, const std::string& label, ImVec2 at, float width,
              const std::vector<Entry>& entries, std::string& chosen) {
  std::string shown = chosen;
  for (const Entry& e : entries)
    if (e.key == chosen) shown = e.label;
  const float line = shell.px(18);
  drawText(shell.fonts.small, at, shell.colours->muted, label);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + line));
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo(("##" + id).c_str(), fittedChoice(onScreen(shown)).c_str());
  shell.log->item("choice:" + id);
  for (std::size_t k = 0; open && k < entries.size(); ++k) {
    if (ImGui::Selectable((onScreen(entries[k].label) + "##" + entries[k].key).c_str(),
                          entries[k].key == chosen)) {
      chosen = entries[k].key;
      shell.log->write(id, chosen);
    }
    shell.log->item("choose:" + id + ":" + entries[k].key);
  }
  if (open) ImGui::EndCombo();
  return line + ImGui::GetFrameHeight();
}

void sweepAxes(Shell& shell, const Overview& all) {
  const ModeDescription& mode = describeMode(all.scenario.mode);
  std::vector<Entry> x, series = {{"", "no series"}}, y;
  for (const std::string& key : all.varied) x.push_back({key, all.labels.at(key)});
  for (const Entry& e : x)
    if (e.key != shell.sweep.axes.x) series.push_back(e);
  for (const std::string& id : all.observables) {
    const std::size_t k = columnOf(mode.observables, id);
    y.push_back({id, k < mode.observables.size() ? mode.observables[k].label : id});
  }
  const float gap = shell.px(12), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 begin = at;
  const float height = chooser(shell, "sweep-y", "Average of", at, width, y, shell.sweep.axes.y);
  at.x += width + gap;
  chooser(shell, "sweep-x", "against", at, width, x, shell.sweep.axes.x);
  at.x += width + gap;
  chooser(shell, "sweep-series", "for each", at, width, series, shell.sweep.axes.series);
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height + shell.px(8)));
  shell.sweep.axes = sweep::chooseAxes(all, shell.sweep.axes);
  if (!sweep::hasSeeds(all, shell.sweep.axes)) return;
  ImGui::BeginChild("##means", shell.px(190, 26));
  if (bool& means = shell.sweep.axes.means;
      switchRow(shell, "sweep-means", "Means over seeds", means))
    shell.log->write("sweep-means", means ? "on" : "off");
  tooltip(shell, "Means over seeds",
          {"Points that differ only in their seed are drawn as one: their mean, with the error of "
           "the mean over seeds. A click chooses the first of them."});
  ImGui::EndChild();
}

// A click on a mark chooses its point.
void sweepChart(Shell& shell, const Overview& all, ImVec2 size) {
  SweepWindow& s = shell.sweep;
  if (s.charted != s.seen || s.chartedFor != s.axes) {
    const bool sameMode = shell.now->mode->key == all.scenario.mode;
    s.chart = sweep::chartOf(all, s.axes, sameMode ? shell.now->curves : SharedList<Curve>());
    s.charted = s.seen, s.chartedFor = s.axes;
  }
  Plot plot = curvePlot(shell, s.chart);
  plot.ofPanel = false;
  std::optional<Plot::Mark> clicked;
  plot.clicked = &clicked;
  std::array<double, 2> at{};
  const PointOverview* const chosen = all.find(s.chosen);
  PlotSeries ring{"", {at.data(), 1}, {at.data() + 1, 1}, {}, shell.colours->amber};
  if (chosen && sweep::placeOf(all, s.axes, *chosen, at[0], at[1])) {
    ring.kind = SeriesKind::points;
    ring.emphasis = true;
    ring.inReadout = ring.inLegend = false;
    plot.series.insert(plot.series.begin(), ring);
  }
  const float legend = drawLegend(shell, plot, ImVec2(0, 0), size.x, false);
  drawPlot(shell, plot, shell.zooms[s.chart.id], nullptr,
           ImVec2(size.x, std::max(size.y - legend, leastHeight(shell, plot, size.x))));
  if (!clicked) return;
  for (const sweep::ChartPoint& p : sweep::chartPoints(all, s.axes))
    if (p.x == clicked->x && p.shown.value == clicked->y) s.chosen = p.point->point.id;
  shell.log->write("sweep-point", s.chosen);
}

using sweep::PointState;

constexpr double kLookSeconds = 0.5;  // between two looks at the folder

// Looks at the folder beside the window: there may be very many points.
void poll(Shell& shell) {
  SweepWindow& s = shell.sweep;
  if (s.look.valid() && s.look.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    try {
      s.seen = s.look.get();
      s.trouble.clear();
      s.axes = sweep::chooseAxes(*s.seen, s.axes);
      shell.log->state("sweep", sweep::countsOf(*s.seen));
    } catch (const std::exception& e) {
      s.trouble = e.what();
      shell.log->state("sweep", s.trouble);
    }
    s.lookedAt = shell.time;
  }
  if (s.look.valid() || shell.time - s.lookedAt < kLookSeconds) return;
  s.look = std::async(std::launch::async, [folder = s.folder, before = s.seen] {
    return sweep::look(folder, before.get());
  });
}

ImU32 inkOf(const Shell& shell, PointState state) {
  const Palette& c = *shell.colours;
  return state == PointState::done      ? c.text
         : state == PointState::failed  ? c.red
         : state == PointState::running ? c.accent
                                        : c.muted;
}

// Continues a point's checkpoint in the window, or begins it.
void openHere(Shell& shell, const Overview& all, const PointOverview& p) {
  try {
    if (std::filesystem::exists(p.point.checkpoint())) {
      shell.loadCheckpoint(p.point.checkpoint().string());
    } else {
      Scenario scenario = all.scenario;
      common::applySettings(scenario, sweep::settingsOf(p.point));
      shell.open(scenario);
    }
    shell.sweep.shown = false;
  } catch (const std::exception& e) {
    shell.say(Severity::error, e.what());
  }
}

void chosenPoint(Shell& shell, const Overview& all, const PointOverview& p) {
  textStrong(shell, sweep::wordsOf(all, p));
  for (const auto& [key, value] : p.parameters)
    if (!hasItem(all.varied, key)) keyValue(shell, all.labels.at(key), toText(value));
  keyValue(shell, "state", sweep::nameOf(p.state));
  if (p.step > 0) keyValue(shell, "steps", grouped(p.step));
  if (!p.message.empty()) textWrapped(shell, sentence(p.message), shell.colours->red);
  if (button(shell, "open-here", "Open here", Icon::none, -1, true)) openHere(shell, all, p);
  tooltip(shell, "Open here",
          {"Continues the checkpoint of this point in the window: its last one, or its final "
           "state. The files of the sweep stay as they are."});
  const auto& known = describeMode(all.scenario.mode).observables;
  for (const auto& [id, m] : p.averages) {
    const std::size_t k = columnOf(known, id);
    keyValue(
        shell,
        (k < known.size() ? known[k].label : id) + (m.equilibrated ? "" : ", not in equilibrium"),
        valueWithError(m.value, m.error));
  }
}

void pointList(Shell& shell, const Overview& all) {
  const float height = shell.px(22);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(all.points.size()), height);
  while (clipper.Step())
    for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k) {
      const PointOverview& p = all.points[static_cast<std::size_t>(k)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::GetContentRegionAvail().x;
      if (ImGui::InvisibleButton(p.point.id.c_str(), ImVec2(width, height))) {
        shell.sweep.chosen = p.point.id;
        shell.log->write("sweep-point", p.point.id);
      }
      shell.log->item(fmt::format("point:{}", k));
      const bool chosen = p.point.id == shell.sweep.chosen;
      if (chosen || ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(
            at, at + ImVec2(width, height),
            mix(shell.colours->panel, shell.colours->accent, chosen ? 0.3f : 0.16f), shell.px(3));
      const std::string state = sweep::nameOf(p.state);
      const float room = width - textSize(shell.fonts.small, state).x - shell.px(12);
      drawText(shell.fonts.small, at + shell.px(4, 4), shell.colours->text,
               fitted(shell.fonts.small, sweep::wordsOf(all, p), room));
      drawText(shell.fonts.small, ImVec2(at.x + room + shell.px(8), at.y + shell.px(4)),
               inkOf(shell, p.state), state);
    }
}

// Counts, progress of the worker of this window, and the buttons.
void head(Shell& shell) {
  SweepWindow& s = shell.sweep;
  const float width = shell.px(128), right = ImGui::GetContentRegionMax().x;
  const bool works = s.worker.running();
  shell.log->state("sweep-worker", works ? "on" : "off");
  ImGui::AlignTextToFramePadding();
  const std::string name = std::filesystem::path(s.folder + "/").parent_path().filename().string();
  textStrong(shell, fitted(shell.fonts.strong, "Sweep " + name, right - 2 * width - shell.px(24)));
  ImGui::SameLine(right - 2 * width - shell.px(8));
  if (works) {
    if (button(shell, "sweep-stop", "Stop", Icon::close, width)) s.worker.stop();
    tooltip(shell, "Stop", {"The points are stopped in order and can be resumed."});
  } else {
    if (button(shell, "sweep-work", "Compute here", Icon::play, width)) try {
        s.worker.start({"sweep", "work", s.folder, "--backend", toString(shell.now->backend)},
                       s.folder + "/work.log");
      } catch (const std::exception& e) {
        shell.say(Severity::error, e.what());
      }
    tooltip(shell, "Compute here",
            {"Starts cellscope sweep work on this machine, beside the window: what is done stays, "
             "what was stopped goes on. It ends with the window."});
  }
  ImGui::SameLine(right - width);
  if (button(shell, "close-sweep", "Close", Icon::close, width)) s.shown = false;
  if (!s.trouble.empty())
    textSmall(shell, sentence(s.trouble), shell.colours->red);
  else
    textSmall(shell, s.seen ? sweep::countsOf(*s.seen) : "Reading the points …");
  if (!works || !s.seen) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float whole = ImGui::GetContentRegionAvail().x, height = shell.px(4);
  const float share = static_cast<float>(s.seen->counts[0]) /
                      static_cast<float>(std::max<std::size_t>(1, s.seen->points.size()));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, at + ImVec2(whole, height), shell.colours->raised, height / 2);
  list->AddRectFilled(at, at + ImVec2(whole * share, height), shell.colours->accent, height / 2);
  ImGui::Dummy(ImVec2(whole, height));
}

void points(Shell& shell, const Overview& all) {
  if (const PointOverview* p = all.find(shell.sweep.chosen)) {
    chosenPoint(shell, all, *p);
    ImGui::Dummy(ImVec2(1, shell.px(6)));
  } else {
    textMuted(shell, "Click a mark or a line to see its values.");
  }
  pointList(shell, all);
}

// Beside the chart, or below it where there is no room, and scrolled with it then.
void content(Shell& shell, const Overview& all) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float gap = shell.px(16), column = shell.px(300), least = shell.px(250);
  const bool beside = room.x > 2 * column && room.y > least;
  ImGui::BeginChild("##sweep-chart", ImVec2(beside ? room.x - column - gap : 0, 0));
  sweepAxes(shell, all);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  sweepChart(shell, all, ImVec2(size.x, beside ? size.y - shell.px(8) : least));
  if (!beside) points(shell, all);
  ImGui::EndChild();
  if (!beside) return;
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("##sweep-points");
  points(shell, all);
  ImGui::EndChild();
}

}  // namespace

void openSweep(Shell& shell, const std::string& folder, bool opens) {
  SweepWindow& s = shell.sweep;
  if (opens) shell.open(sweep::scenarioOf(folder));
  if (s.folder != folder) {
    s.seen = nullptr;
    s.look = {};
    s.axes = {};
    s.chosen.clear();
    s.folder = folder;
  }
  s.shown = true;
  s.lookedAt = -1;
  shell.log->write("sweep-opened", folder);
}

bool sweepDialog(Shell& shell, const char* name, ImVec2 size, std::optional<Pane>& pane) {
  if (dimRest(shell, std::string(name) + "-rest")) return false;
  if (!shell.popupOpen) ImGui::SetNextWindowFocus();  // lists of choices and menus stay above it
  pane.emplace(name, dialogLook(size));
  return true;
}

void sweepWindow(Shell& shell) {
  SweepWindow& s = shell.sweep;
  if (!s.plan.key.empty()) return sweepPlanDialog(shell);
  if (!s.shown) return;
  poll(shell);
  const ImVec2 size = withinScreen(shell, ImVec2(1240, 920), ImVec2(32, 24));
  std::optional<Pane> pane;
  s.shown = sweepDialog(shell, "sweep", size, pane);
  if (!s.shown) return;
  shell.log->window("sweep");
  head(shell);
  if (s.seen) content(shell, *s.seen);
}

}  // namespace cellscope::gui
