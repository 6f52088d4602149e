#include <toml++/toml.h>

#include "app/gui/panels.h"
#include "sim/base/build.h"

namespace cellscope::gui {
namespace {

constexpr double kPraise = 0.9;    // seconds between a task done and the next step
constexpr double kPatience = 3;    // seconds without a set-up before the tour is given up
constexpr float kCardWidth = 320;  // at scale 1

struct Part {
  ImVec2 lo, hi;
};

template <class Enum, std::size_t N>
Enum oneOf(const char* const (&names)[N], const std::string& name) {
  const auto at = std::ranges::find(names, name);
  return at == std::end(names) ? Enum{} : static_cast<Enum>(at - std::begin(names));
}

TourStep stepOf(const toml::table& table) {
  constexpr const char* kSides[] = {"none", "left", "right"};
  constexpr const char* kTasks[] = {"none", "play", "drag", "enlarge", "layer", "pick"};
  const auto text = [&](const char* key) { return table[key].value_or(std::string()); };
  TourStep step{text("title"), text("text"),  text("asks"),
                text("after"), text("panel"), text("layer")};
  step.column = oneOf<TourColumn>(kSides, text("column"));
  step.task = oneOf<TourTask>(kTasks, text("task"));
  if (const toml::array* targets = table["targets"].as_array())
    for (const toml::node& target : *targets)
      step.targets.push_back(target.value_or(std::string()));
  return step;
}

const TourStep& stepNow(const Shell& shell) {
  return tourOf(shell.tour.mode)->steps[static_cast<std::size_t>(shell.tour.step)];
}

std::string promotedValue(const Shell& shell) {
  const ParameterState* const p = stateOf(shell, shell.scenario().promote.key);
  return p ? toText(p->value) : "";
}

std::int64_t pickedId(const Shell& shell) {
  const auto& frame = shell.now->frame;
  return frame && !frame->picked.deleted ? static_cast<std::int64_t>(frame->picked.id) : -1;
}

bool isDone(const Shell& shell, const TourStep& step) {
  const TourBefore& before = shell.tour.before;
  using enum TourTask;
  if (step.task == play) return shell.now->playing && before.paused;
  if (step.task == drag) return promotedValue(shell) != before.value && !ImGui::IsMouseDown(0);
  if (step.task == enlarge) return !shell.enlarged.empty();
  if (step.task == layer) return shell.layerOn(step.layer);
  const std::int64_t id = pickedId(shell);
  return step.task == pick && id >= 0 && id != before.picked;
}

// The window as the step needs it: with its panel in view, and what it asks for not yet done.
void begin(Shell& shell, int number) {
  if (number >= std::ssize(tourOf(shell.tour.mode)->steps)) return endTour(shell, "done");
  shell.tour.step = number;
  const TourStep& step = stepNow(shell);
  shell.tour.doneAt = -1;
  shell.presentation = shell.panelsHidden = false;
  shell.tour.column = step.column;
  if (step.column != TourColumn::none) {
    shell.rightFirst = step.column == TourColumn::right;
    (shell.rightFirst ? shell.rightOpen : shell.leftOpen) = true;
  }
  if (!step.panel.empty()) shell.scrollTo = step.panel;
  if (step.task == TourTask::play) {
    shell.collapsed["run"] = false;
    if (shell.now->playing) shell.play(false);
  }
  shell.enlarged.clear();
  if (step.task == TourTask::layer) shell.setLayer(step.layer, false);
  shell.tour.before = {promotedValue(shell), pickedId(shell)};
  shell.log->write("tour", fmt::format("step {}", number + 1));
}

// Beside the target where there is room, otherwise over the picture.
ImVec2 placeOf(const Shell& shell, const Part* target, ImVec2 size, ImVec2 lo, ImVec2 hi) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float gap = shell.px(28), edge = shell.px(8);
  const float x1 = screen.x - size.x - edge, y1 = screen.y - size.y - edge;
  const auto inside = [&](ImVec2 at) {
    return ImVec2(std::clamp(at.x, edge, std::max(edge, x1)),
                  std::clamp(at.y, edge, std::max(edge, y1)));
  };
  const ImVec2 fallback = inside(ImVec2((lo.x + hi.x - size.x) / 2, hi.y - size.y - shell.px(72)));
  if (!target) return fallback;
  const ImVec2 a = target->lo, b = target->hi;
  const float midX = (a.x + b.x - size.x) / 2, midY = (a.y + b.y - size.y) / 2;
  const bool large = b.x - a.x > 0.4f * screen.x && b.y - a.y > 0.4f * screen.y;
  if (large) return inside(lo + shell.px(16, 64));
  const std::array<ImVec2, 4> places = {ImVec2(b.x + gap, midY), ImVec2(a.x - gap - size.x, midY),
                                        ImVec2(midX, b.y + gap), ImVec2(midX, a.y - gap - size.y)};
  for (const ImVec2& wanted : places) {
    const ImVec2 at = inside(wanted);
    const bool apart = at.x >= b.x + edge || at.x + size.x <= a.x - edge || at.y >= b.y + edge ||
                       at.y + size.y <= a.y - edge;
    if (apart) return at;
  }
  return fallback;
}

// The outline of the target, and a line that leads to it from the card.
void pointAt(const Shell& shell, const Part& target, const Part& card) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const ImU32 ink = shell.colours->accent;
  const float pad = shell.px(4), thick = shell.px(2.5f);
  const ImVec2 lo(target.lo.x - pad, target.lo.y - pad), hi(target.hi.x + pad, target.hi.y + pad);
  list->AddRect(lo, hi, ink, shell.px(6), 0, thick);
  const auto between = [](float v, float a, float b) { return std::clamp(v, a, std::max(a, b)); };
  const ImVec2 middle = (card.lo + card.hi) / 2;
  const ImVec2 end(between(middle.x, lo.x, hi.x), between(middle.y, lo.y, hi.y));
  const ImVec2 from(between(end.x, card.lo.x, card.hi.x), between(end.y, card.lo.y, card.hi.y));
  const float dx = end.x - from.x, dy = end.y - from.y, length = std::hypot(dx, dy);
  if (length < shell.px(10)) return;  // side by side, or the card lies within
  const float ux = dx / length, uy = dy / length, head = shell.px(9);
  list->AddLine(from, end - ImVec2(head * ux, head * uy), ink, thick);
  list->AddTriangleFilled(end, end - ImVec2(head * (ux - 0.5f * uy), head * (uy + 0.5f * ux)),
                          end - ImVec2(head * (ux + 0.5f * uy), head * (uy - 0.5f * ux)), ink);
}

void heading(Shell& shell, const TourStep& step, int count, float width) {
  const std::string place = fmt::format("{} of {}", shell.tour.step + 1, count);
  const float numbers = textSize(shell.fonts.small, place).x;
  textStrong(shell, fitted(shell.fonts.strong, step.title, width - numbers - shell.px(8)));
  ImGui::SameLine(shell.px(16) + width - numbers);
  textSmall(shell, place);
}

// Text and task of the step; true when it is to go on now.
bool content(Shell& shell, const TourStep& step, int count, float width) {
  heading(shell, step, count, width);
  const bool done = shell.tour.doneAt >= 0, stays = done && !step.after.empty();
  textWrapped(shell, stays ? step.after : step.text, shell.colours->text);
  if (!stays)
    textStrong(shell, done ? "Done." : step.asks,
               done ? shell.colours->muted : shell.colours->accent);
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  const bool last = shell.tour.step + 1 == count;
  const float half = (width - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (!stays && button(shell, "tour-skip", "Skip tour", Icon::none, half)) {
    endTour(shell, "skipped");
    return false;
  }
  if (!stays) ImGui::SameLine();
  const bool next =
      button(shell, "tour-next", last ? "Finish" : "Next", Icon::none, stays ? width : half, stays);
  return next || (done && !stays && shell.time - shell.tour.doneAt > kPraise);
}

}  // namespace

std::vector<Tour> readTours(const std::string& path) {
  toml::table file;
  try {
    file = toml::parse_file(path);
  } catch (const toml::parse_error&) {
    return {};
  }
  const auto forEachTable = [](toml::node_view<toml::node> list, const auto& act) {
    if (const toml::array* const all = list.as_array())
      for (const toml::node& one : *all)
        if (one.is_table()) act(*one.as_table());
  };
  std::vector<Tour> tours;
  forEachTable(file["tour"], [&](toml::table table) {
    tours.push_back(
        {table["mode"].value_or(std::string()), table["scenario"].value_or(std::string()), {}});
    forEachTable(table["step"],
                 [&](const toml::table& step) { tours.back().steps.push_back(stepOf(step)); });
  });
  return tours;
}

const Tour* tourOf(const std::string& mode) {
  static const std::vector<Tour> all = readTours(assetFolder() + "/help/tours.toml");
  const auto at = std::ranges::find(all, mode, &Tour::mode);
  return at == all.end() ? nullptr : &*at;
}

void startTour(Shell& shell, const std::string& mode) {
  const Tour* const tour = tourOf(mode);
  const std::string name = tour ? tour->scenario : "";
  const bool open = shell.scenario().name == name;
  const auto found = std::ranges::find(shell.gallery, name, &Scenario::name);
  if (name.empty() || (!open && found == shell.gallery.end()))
    return shell.say(Severity::warning, "The tour needs the scenario '" + name +
                                            "', which the gallery folder does not contain.");
  shell.help = shell.galleryOpen = false;
  shell.tour = {};
  shell.tour.mode = mode;
  shell.tour.waitingSince = shell.time;
  shell.log->write("tour", "start " + mode);
  if (open) return;
  Scenario quiet = *found;
  quiet.paused = true;
  shell.open(quiet);
}

void endTour(Shell& shell, const char* how) {
  shell.log->write("tour", how);
  shell.tour = {};
  shell.log->watch({});
}

void tourCard(Shell& shell, ImVec2 lo, ImVec2 hi) {
  if (!shell.tour.on()) return;
  if (shell.tour.step < 0) {  // until its scenario is open
    if (shell.setup) shell.tour.waitingSince = shell.time;
    if (!shell.setup && shell.scenario().name == tourOf(shell.tour.mode)->scenario)
      begin(shell, 0);
    else if (shell.time - shell.tour.waitingSince > kPatience)
      endTour(shell, "failed");
  }
  if (!shell.tour.on() || shell.tour.step < 0 || shell.galleryOpen || shell.help) return;
  const TourStep& step = stepNow(shell);
  const int count = static_cast<int>(tourOf(shell.tour.mode)->steps.size());
  if (!shell.now->playing) shell.tour.before.paused = true;
  if (shell.tour.doneAt < 0 && isDone(shell, step)) {
    shell.tour.doneAt = shell.time;
    shell.log->write("tour", fmt::format("did {}", shell.tour.step + 1));
  }
  Part target;
  const bool seen = shell.log->watched(target.lo, target.hi);
  // The widgets of a step; once something is picked, that.
  const bool picked = step.task == TourTask::pick && shell.tour.doneAt >= 0;
  shell.log->watch(picked ? std::vector<std::string>{"card:particle", "section:particle"}
                          : step.targets);
  const float width = std::min(shell.px(kCardWidth), ImGui::GetIO().DisplaySize.x - shell.px(16));
  const ImVec2 size(width, shell.tour.height);
  const ImVec2 at = placeOf(shell, seen ? &target : nullptr, size, lo, hi);
  ImGui::PushStyleColor(ImGuiCol_Border, shell.colours->accent);
  Pane pane("tour", {.at = at,
                     .size = ImVec2(width, 0),
                     .padding = shell.px(16, 12),
                     .more = kCardPane,
                     .border = shell.px(2)});
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const bool goOn = content(shell, step, count, width - shell.px(32));
  const Part card{at, at + ImVec2(width, ImGui::GetWindowSize().y)};
  shell.log->rect("tour", card.lo, card.hi);
  pane.end();
  ImGui::PopStyleColor();
  if (!shell.tour.on()) return;
  const bool known = shell.tour.height > 0;
  shell.tour.height = card.hi.y - card.lo.y;
  if (seen && known) {
    pointAt(shell, target, card);
    shell.log->rect("tour-target", target.lo, target.hi);
  }
  if (!goOn) return;
  // What comes next needs a run.
  if (step.task == TourTask::play && !shell.now->playing) shell.play(true);
  begin(shell, shell.tour.step + 1);
}

}  // namespace cellscope::gui
