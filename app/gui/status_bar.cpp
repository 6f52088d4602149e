// Status bar: step, rates, hardware and self-checks in one line.
#include "app/gui/panels.h"
#include "app/lesson/link.h"
#include "sim/api/frame.h"

namespace cellscope::gui {
namespace {

constexpr double kBusy = 3;  // seconds; shorter work is visible in the rate
// Self-checks shown with their own lamp when space is short; modes list the most important first.
constexpr std::size_t kTelling = 3;
constexpr int kCheckRank = 80;  // rank of a passed check: above rates and hardware
constexpr int kLastRank = 100;  // of the step and of experiments, which are never left out

// A segment of the line. In a narrow window those with the lowest rank are left out first.
struct Segment {
  std::string name, label, value, hover;
  int rank = 0;
  ImU32 valueColour = 0, lamp = 0;  // lamp 0: none
};

float segmentWidth(Shell& shell, const Segment& s) {
  float width = s.lamp ? shell.px(14) : 0;
  if (!s.value.empty()) width += textSize(shell.fonts.smallNumbers, s.value).x;
  if (!s.label.empty()) width += textSize(shell.fonts.small, s.label).x;
  if (!s.value.empty() && !s.label.empty()) width += shell.px(5);
  return width;
}

void drawSegment(Shell& shell, const Segment& s, ImVec2 at, float height) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = at.x;
  const float middle = at.y + height / 2;
  if (s.lamp) {
    list->AddCircleFilled(ImVec2(x + shell.px(4), middle), shell.px(4), s.lamp, 16);
    x += shell.px(14);
  }
  if (!s.value.empty()) {
    const ImVec2 size = textSize(shell.fonts.smallNumbers, s.value);
    drawText(shell.fonts.smallNumbers, ImVec2(x, middle - size.y / 2),
             s.valueColour ? s.valueColour : c.text, s.value);
    x += size.x + shell.px(5);
  }
  drawText(shell.fonts.small, ImVec2(x, middle - textSize(shell.fonts.small, s.label).y / 2),
           s.lamp && s.lamp == c.red ? c.red : c.muted, s.label);
  ImGui::SetCursorScreenPos(at);
  clickable(shell, "status:" + s.name, ImVec2(segmentWidth(shell, s), height));
  if (!s.hover.empty()) tooltip(shell, "", {s.hover});
}

void addSpeed(Shell& shell, std::vector<Segment>& out) {
  const Publication& now = *shell.now;
  const ModeInfo& mode = *now.mode;
  out.push_back({"step", "", mode.stepName + " " + grouped(now.step),
                 "Steps since the start or the last reset.", kLastRank});
  if (shell.lesson) {
    const LessonLink::Words words = shell.lesson->words();
    shell.log->state("lesson", words.text);
    out.push_back({"lesson", words.text, "", words.hover, 97, 0,
                   words.isGood ? shell.colours->green : shell.colours->amber});
  }
  if (now.preparation)
    out.push_back({"preparation", now.preparation->label, percent(now.preparation->progress),
                   now.canCancelPreparation
                       ? "Not sampling yet: averages start after the preparation. Esc cancels it "
                         "and restores the previous state."
                       : "Not sampling yet: averages start after the preparation.",
                   99, shell.colours->amber});
  // The window responds, but the simulation is busy.
  const double busy = shell.setup ? 0 : shell.runner->busySeconds();
  if (busy > kBusy)
    out.push_back({"busy", "busy", fmt::format("{:.0f} s", std::floor(busy)),
                   "Duration of the current operation: a " + mode.stepName +
                       ", a measurement or packing a frame. Commands wait until it ends. Fewer "
                       "particles make it faster.",
                   98, shell.colours->amber});
  if (const std::string words = equilibrating(now.observables); !words.empty() && !now.preparation)
    out.push_back({"equilibration", "equilibrating", "", words, 96, 0, shell.colours->amber});
  const auto measured = [](double speed) { return rate(speed > 0 ? speed : NAN); };
  out.push_back({"rate", mode.stepName + "s/s", measured(now.stepsPerSecond), "", 70});
  if (mode.workUnit != mode.stepName + "s")
    out.push_back({"work", mode.workUnit + "/s", measured(now.workPerSecond), "", 60});
  out.push_back({"frames", "frames/s", fmt::format("{:.0f}", shell.meter.framesPerSecond),
                 "Frames drawn per second; none while nothing changes.", 50});
}

void addHardware(Shell& shell, std::vector<Segment>& out) {
  const Publication& now = *shell.now;
  const std::string backend = now.backend == Backend::cuda ? "CUDA" : "CPU";
  out.push_back({"device", now.device, backend, "The simulation runs on " + now.device, 55});
  const std::string path = shell.renderer->sink().path();
  out.push_back({"path", path, "",
                 "Path of particle data to OpenGL: " + path + " (" + shell.whySink() + ").", 40});
  out.push_back({"particles", "", "N " + grouped(now.particles), "Number of particles.", 65});
  shell.log->state("particles", std::to_string(now.particles));
  if (now.engineBytes > 0)
    out.push_back(
        {"memory", "memory", bytesText(now.engineBytes), "Memory of the simulation's arrays.", 20});
}

// Failed checks, warnings and the first `named` passed ones are listed; the others share a lamp.
void addChecks(Shell& shell, std::size_t named, std::vector<Segment>& out) {
  const Palette& c = *shell.colours;
  if (!shell.now->frame) return;
  const std::vector<SelfCheck>& checks = shell.now->frame->checks;
  std::size_t passed = 0;
  std::string others, failed;
  const auto red = std::ranges::count(checks, false, &SelfCheck::ok);
  for (const SelfCheck& check : checks) {
    const std::string detail = printed(check.label + ": " + check.detail);
    if (!check.ok) failed += (failed.empty() ? "" : ", ") + check.label;
    if (isWarning(check)) {
      out.push_back({"check-warning", "warning", "", printed(check.detail), 98, 0, c.amber});
      continue;
    }
    if (check.ok && passed++ >= named) {
      others += (others.empty() ? "" : "\n") + detail;
      continue;
    }
    const std::string since =
        check.ok ? "" : fmt::format("failed by {} {}", shell.now->mode->stepName, check.since);
    // What is wrong on purpose is counted; beside other red lamps there is room for no more.
    const std::string found = red == 1 ? check.detail : firstClause(check.detail);
    const std::string words = check.ok          ? check.label
                              : check.onPurpose ? check.label + ": " + found
                                                : check.label + " " + since;
    out.push_back({"check-" + check.label, printed(words), "",
                   "Checked while running. " + detail + (check.ok ? "" : ". It had " + since + "."),
                   check.ok ? kCheckRank : 98, 0, check.ok ? c.green : c.red});
  }
  shell.log->state("failed", failed);
  if (passed <= named) return;
  const std::string words = named > 0 ? fmt::format("{} more", passed - named)
                                      : fmt::format("checks {} of {}", passed, checks.size());
  // No red lamp is left out before it.
  out.push_back({"checks", words, "", "Checked while running.\n" + others, red > 0 ? 97 : 98, 0,
                 red > 0 ? c.muted : c.green});
}

// One segment for all experiments, to leave room for the self-checks.
std::string experimentText(const Shell& shell) {
  const std::vector<std::string>& names = shell.now->experiments;
  return names.empty() ? "" : fmt::format("EXPERIMENT: {}", fmt::join(names, ", "));
}

bool fits(Shell& shell, const std::vector<Segment>& all, float room) {
  float width = 0;
  for (const Segment& s : all) width += segmentWidth(shell, s) + shell.px(16);
  return width <= room;
}

std::vector<Segment> segments(Shell& shell, std::size_t namedChecks) {
  std::vector<Segment> all;
  addSpeed(shell, all);
  addHardware(shell, all);
  addChecks(shell, namedChecks, all);
  if (const auto step = shell.now->hand.touched)
    all.push_back({"touched",
                   fmt::format("touched by hand at {} {}", shell.now->mode->stepName, *step), "",
                   "Particles were moved, added, deleted, heated or cooled by hand from there on.",
                   97, 0, shell.colours->amber});
  if (!shell.now->experiments.empty())
    all.push_back({"experiment", experimentText(shell), "",
                   "This breaks the physics on purpose. Do not trust the averages.", kLastRank, 0,
                   shell.colours->red});
  return all;
}

// Leaves out segments below `rank`, lowest first, until the rest fits.
void drop(Shell& shell, std::vector<Segment>& all, float room, int rank) {
  while (!fits(shell, all, room)) {
    const auto least = std::ranges::min_element(all, {}, &Segment::rank);
    if (least->rank >= rank) return;
    all.erase(least);
  }
}

// All checks by name if everything fits; otherwise the first ones, at the cost of other segments;
// in a very narrow window one lamp for all.
std::vector<Segment> fittingSegments(Shell& shell, float room) {
  std::vector<Segment> all = segments(shell, 99);
  drop(shell, all, room, 30);
  if (fits(shell, all, room)) return all;
  all = segments(shell, kTelling);
  drop(shell, all, room, kCheckRank);
  if (fits(shell, all, room)) return all;
  all = segments(shell, 0);
  drop(shell, all, room, kLastRank);
  // What is left of a long experiment is cut.
  float free = room - shell.px(16) * static_cast<float>(all.size());
  for (const Segment& s : all) free -= segmentWidth(shell, s);
  std::string& last = all.back().label;
  if (free < 0) last = fitted(shell.fonts.small, last, textSize(shell.fonts.small, last).x + free);
  return all;
}

}  // namespace

void statusBar(Shell& shell, ImVec2 at, ImVec2 size) {
  const std::vector<Segment> all = fittingSegments(shell, size.x - shell.px(16));
  const Pane pane("status", bareLook(at, size));
  ImGui::GetWindowDrawList()->AddLine(at, ImVec2(at.x + size.x, at.y), shell.colours->line);
  if (shell.now->preparation) {
    const float done = static_cast<float>(std::clamp(shell.now->preparation->progress, 0.0, 1.0));
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, at + ImVec2(size.x * done, std::max(2.f, shell.px(3))), shell.colours->amber);
  }
  float x = at.x + shell.px(16);
  shell.log->state("status", fmt::format("{}", fmt::join(each(all, &Segment::name), ", ")));
  for (const Segment& s : all) {
    drawSegment(shell, s, ImVec2(x, at.y), size.y);
    x += segmentWidth(shell, s) + shell.px(16);
  }
}

float experimentNotice(Shell& shell, ImVec2 lo, ImVec2 hi, float top) {
  const std::string text = experimentText(shell);
  if (text.empty()) return 0;
  const ImVec2 size = textSize(shell.fonts.words, text);
  const float pad = shell.px(8), x = (lo.x + hi.x - size.x) / 2;
  const float y = lo.y + top + shell.px(12);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled(ImVec2(x - 2 * pad, y - pad), ImVec2(x + size.x + 2 * pad, y + size.y + pad),
                      withAlpha(shell.colours->panel, 0.92f), shell.px(6));
  drawText(list, shell.fonts.words, ImVec2(x, y), shell.colours->red, text);
  shell.log->rect("notice:experiment", ImVec2(x, y), ImVec2(x + size.x, y + size.y));
  return y + size.y + pad - lo.y - top;
}

// Icons in the picture for what else takes a key.
namespace {

struct BarTool {
  Icon icon;
  unsigned key;
  const char *id, *title, *words;
};
constexpr BarTool kBarTools[] = {
    {Icon::fit, 'F', "tool:fit", "Fit (F)", "Shows the whole box again."},
    {Icon::present, 'P', "tool:present", "Presentation (P)",
     "Large text for a lecture hall: lesson, slider, number and plot beside the picture."},
    {Icon::theme, 'L', "tool:theme", "Light or dark (L)", "For print and bright rooms: light."},
    {Icon::help, '?', "tool:help", "Help (?)", "All keys, the help texts and the tour."},
    {Icon::camera, 'S', "tool:screenshot", "Screenshot (S)",
     "PNG of the whole window with the experiment in its metadata: dropped on a window, it opens "
     "again."}};

}  // namespace

ImVec2 toolbar(Shell& shell, ImVec2 lo, ImVec2 hi, float top, ImVec2 legend, bool inRow) {
  const float side = shell.px(26), pad = shell.px(2), edge = shell.px(12);
  // A presentation needs the way out alone.
  const std::size_t first = shell.presentation ? 1 : 0;
  const std::size_t last = shell.presentation ? 2 : std::size(kBarTools);
  const float length = static_cast<float>(last - first) * side + 2 * pad, width = side + 2 * pad;
  const bool atFoot = !shell.presentation && !inRow && hi.x - lo.x - legend.x > length + 3 * edge;
  const bool flat = atFoot || inRow;
  const ImVec2 size = flat ? ImVec2(length, width) : ImVec2(width, length);
  const ImVec2 at(hi.x - size.x - (flat ? edge : shell.px(4)),
                  atFoot ? hi.y - size.y - edge : lo.y + top + shell.px(inRow ? 4 : 8));
  const Pane pane("toolbar", paletteLook(shell, at, size));
  for (std::size_t k = first; k < last; ++k) {
    const BarTool& tool = kBarTools[k];
    const float along = side * static_cast<float>(k - first);
    const ImVec2 place(at.x + pad + (flat ? along : 0), at.y + pad + (flat ? 0 : along));
    const bool on = tool.icon == Icon::present && shell.presentation;
    if (iconButton(shell, tool.id, tool.icon, place, side, shell.px(13),
                   on ? shell.colours->accent : shell.colours->muted))
      shell.keysOfIcons.push_back(tool.key);
    tooltip(shell, tool.title, {tool.words});
  }
  return atFoot ? ImVec2(size.x + edge, size.y + edge) : ImVec2(0, 0);
}

}  // namespace cellscope::gui
