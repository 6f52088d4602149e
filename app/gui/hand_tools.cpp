#include "app/gui/viewport.h"

namespace cellscope::gui {
namespace {

struct Tool {
  Icon icon;
  const char *id, *title, *words;
  HandAct act;
  double strength;
};
constexpr Tool kTools[kHandTools] = {
    {Icon::select, "hand:select", "Select", "A click picks a particle; dragging moves the picture.",
     HandAct::release, 1},
    {Icon::grab, "hand:grab", "Grab",
     "Press on particles, drag and let go. In molecular dynamics each is held by a spring, f = -k "
     "(r - r_end) with k = 40 epsilon/sigma^2 for mass 1, whose end follows the mouse with at most "
     "5 sigma/tau; its work is counted with the energy. Hard disks move as far as there is room.",
     HandAct::grab, 40},
    {Icon::add, "hand:add", "Add",
     "Adds particles in the brush where there is room: none may overlap. In molecular dynamics "
     "their velocities are drawn for the temperature.",
     HandAct::add, 1},
    {Icon::remove, "hand:delete", "Delete",
     "Deletes the particles in the brush. Their ids are never used again.", HandAct::remove, 1},
    {Icon::heat, "hand:heat", "Heat", "Multiplies velocities in the brush by 1.1 at each touch.",
     HandAct::heat, 1.1},
    {Icon::cool, "hand:cool", "Cool", "Divides velocities in the brush by 1.1 at each touch.",
     HandAct::heat, 1 / 1.1}};

const Tool& infoOf(HandTool tool) { return kTools[static_cast<int>(tool)]; }
bool isOffered(const Shell& shell, HandTool tool) {
  const HandShown& hand = shell.now->hand;
  return tool == HandTool::select ||
         (hand.takes && !shell.drawingOff && !shell.layerOn("replicas") &&  // a wall of other boxes
          hand.refused[static_cast<int>(infoOf(tool).act)].empty());
}
double& radiusNow(Shell& shell) { return shell.hand.radius[static_cast<int>(toolNow(shell))]; }
void choose(Shell& shell, HandTool tool) {
  shell.hand.tool = tool;
  shell.log->write("hand-tool", infoOf(tool).title);
}
void size(Shell& shell, double factor) {
  constexpr double kLeast = 0.25, kMost = 20;
  radiusNow(shell) = std::clamp(radiusNow(shell) * factor, kLeast, kMost);
  shell.log->write("brush", fmt::format("{:.3g}", radiusNow(shell)));
}

// Where the mouse is: in space on the plane through `depth` that faces the eye.
Vec3d under(const ViewportArea& area, ImVec2 mouse, const Vec3d& depth) {
  const glm::dvec3 at = area.placeAt(mouse, {depth.x, depth.y, depth.z});
  return {at.x, at.y, at.z};
}

void send(Shell& shell, const HandMove& move, const PickQuery& along, bool continues) {
  HandState& hand = shell.hand;
  shell.runner->hand(move, along, continues);
  hand.sentAt = shell.now->number;
  hand.sentFrom = ImGui::GetIO().MousePos;
  shell.log->write("hand", kHandWords[static_cast<int>(move.act)]);
}

void pull(Shell& shell, const ViewportArea& area) {
  constexpr double kSame = 1e-3;  // sigma
  HandState& hand = shell.hand;
  const HandShown& now = shell.now->hand;
  if (!now.grip || !now.at || hand.sentAt >= shell.now->number) return;
  const Vec3d a = under(area, hand.pressedAt, *now.at);
  const Vec3d b = under(area, ImGui::GetIO().MousePos, *now.at);
  const Vec3d to{now.at->x + b.x - a.x, now.at->y + b.y - a.y, now.at->z + b.z - a.z};
  const bool same = std::hypot(to.x - hand.sent.x, to.y - hand.sent.y, to.z - hand.sent.z) < kSame;
  // Without a spring, what barred the way may have gone.
  const bool again = std::isnan(now.grip->work) && shell.now->playing &&
                     std::hypot(to.x - now.grip->at.x, to.y - now.grip->at.y) > 0.02;
  if (same && !again) return;
  hand.sent = to;
  send(shell, {.act = HandAct::pull, .at = to}, {}, true);
}

// One touch of the brush.
void dab(Shell& shell, ViewportArea& area, bool continues) {
  const Tool& tool = infoOf(toolNow(shell));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const double* l = shell.now->frame->box.length;
  const Vec3d at = under(area, mouse, {l[0] / 2, l[1] / 2, l[2] / 2});
  shell.hand.sent = {HUGE_VAL, 0, 0};
  send(shell, {.act = tool.act, .at = at, .radius = radiusNow(shell), .strength = tool.strength},
       area.queryAt(shell, area.pixelAt(mouse)), continues);
}

// A line that winds between two points, and the work beside it.
void springLine(Shell& shell, const ViewportArea& area, const Grip& grip) {
  const ImVec2 a = area.onScreen({grip.at.x, grip.at.y, grip.at.z});
  const ImVec2 b = area.onScreen({grip.end.x, grip.end.y, grip.end.z});
  const float x = b.x - a.x, y = b.y - a.y, far = std::hypot(x, y);
  const int turns = std::clamp(static_cast<int>(far / shell.px(5)), 1, 16);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  const Palette& c = *shell.colours;
  const float wide = turns > 3 ? shell.px(5) / far : 0;
  if (shell.hand.stroke)  // the hand is ahead of the end
    list->AddLine(b, ImGui::GetIO().MousePos, withAlpha(c.accent, 0.5f), shell.px(1));
  for (const auto& [ink, thick] : {std::pair(c.viewport, 5.f), std::pair(c.accent, 2.f)}) {
    for (int k = 0; k <= turns; ++k) {
      const float along = static_cast<float>(k) / static_cast<float>(turns);
      const float side = k == 0 || k == turns ? 0 : k % 2 == 0 ? wide : -wide;
      list->PathLineTo(ImVec2(a.x + along * x - side * y, a.y + along * y + side * x));
    }
    list->PathStroke(ink, 0, shell.px(thick));
    list->AddCircleFilled(b, shell.px(thick + 1), ink);
  }
  const std::string many = fmt::format("{} held", grip.particles);
  const std::string words =
      std::isnan(grip.work) ? many : fmt::format("{}, work {:.4g} epsilon", many, grip.work);
  const ImVec2 size = textSize(shell.fonts.small, words);
  const ImVec2 at(std::min(b.x + shell.px(12), area.hi().x - size.x - shell.px(8)),
                  std::max(b.y - size.y - shell.px(8), area.lo().y + shell.px(4)));
  list->AddRectFilled(at - shell.px(4, 2), at + size + shell.px(4, 2), c.panel, shell.px(3));
  drawText(list, shell.fonts.small, at, c.text, words);
}

void toolButton(Shell& shell, HandTool tool, ImVec2 at, float side) {
  const Tool& info = infoOf(tool);
  const bool on = toolNow(shell) == tool;
  const Palette& c = *shell.colours;
  if (iconButton(shell, info.id, info.icon, at, side, shell.px(14), on ? c.accent : c.muted,
                 on ? c.accent : c.text))
    choose(shell, tool);
  tooltip(shell, fmt::format("{} (U: next tool)", info.title),
          tool == HandTool::select
              ? std::vector<std::string>{info.words}
              : std::vector<std::string>{
                    info.words,
                    "It belongs to the run as a change of a parameter does: averages start over, "
                    "and Ctrl+Z takes it back. Ctrl and the wheel: size of the brush."});
}

}  // namespace

HandTool toolNow(const Shell& shell) {
  return isOffered(shell, shell.hand.tool) && shell.now->frame ? shell.hand.tool : HandTool::select;
}

void nextTool(Shell& shell) {
  int next = static_cast<int>(toolNow(shell));
  do next = (next + 1) % kHandTools;
  while (!isOffered(shell, static_cast<HandTool>(next)));
  choose(shell, static_cast<HandTool>(next));
}

bool wheelSizesBrush(Shell& shell) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.MouseWheel == 0 || toolNow(shell) == HandTool::select) return false;
  size(shell, std::pow(1.15, io.MouseWheel));
  return true;
}

bool handInput(Shell& shell, ViewportArea& area, bool inside) {
  HandState& hand = shell.hand;
  const HandTool tool = toolNow(shell);
  if (shell.now->hand.strokes > hand.strokes) shell.willUndo({});
  hand.strokes = shell.now->hand.strokes;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!hand.stroke) {
    if (tool == HandTool::select) return false;
    if (!inside || !ImGui::IsMouseClicked(0) || !shell.leads()) return inside;
    shell.leaveErrors();
    hand.stroke = true;
    hand.strokeTool = tool;
    hand.pressedAt = mouse;
    dab(shell, area, false);
  } else if (!ImGui::IsMouseDown(0) || tool != hand.strokeTool) {
    hand.stroke = false;
    if (hand.strokeTool == HandTool::grab) send(shell, {.act = HandAct::release}, {}, true);
  } else if (tool == HandTool::grab) {
    pull(shell, area);
  } else if (hand.sentAt < shell.now->number) {
    const double moved = std::hypot(mouse.x - hand.sentFrom.x, mouse.y - hand.sentFrom.y);
    if (inside && moved > 0.4 * radiusNow(shell) * area.unitsPerSigma()) dab(shell, area, true);
  }
  return true;
}

void handPalette(Shell& shell, const ViewportArea& area, float top, bool inRow) {
  if (!shell.now->hand.takes || !shell.now->frame) return;
  const float side = shell.px(26), pad = shell.px(2), line = shell.px(18);
  const bool brush = toolNow(shell) != HandTool::select;
  const bool loose = shell.now->hand.grip && !shell.hand.stroke;
  if (shell.presentation && !brush && !loose) return;
  float count = 0;
  for (int k = 0; k < kHandTools; ++k) count += isOffered(shell, static_cast<HandTool>(k));
  if (count < 2 && !loose) return;  // Select alone is no choice
  const float cell = inRow ? side : line, letGo = inRow ? shell.px(44) : line;  // of words
  const float along = count * side + (brush ? 3 * cell : 0) + (loose ? letGo : 0) + 2 * pad;
  const float across = (inRow ? side : std::max(side, shell.px(34))) + 2 * pad;
  const ImVec2 size = inRow ? ImVec2(along, across) : ImVec2(across, along);
  const ImVec2 at(area.lo().x + shell.px(8), area.lo().y + top + shell.px(inRow ? 4 : 8));
  const Pane pane("hand", paletteLook(shell, at, size));
  float from = pad;
  // Of what is `wide`, in the middle across.
  const auto place = [&](float wide, float length) {
    const ImVec2 next = inRow ? ImVec2(at.x + from + (length - wide) / 2, at.y + pad)
                              : at + ImVec2((size.x - wide) / 2, from);
    from += length;
    return next;
  };
  for (int k = 0; k < kHandTools; ++k) {
    const auto tool = static_cast<HandTool>(k);
    if (!isOffered(shell, tool)) continue;
    toolButton(shell, tool, place(side, side), side);
  }
  const auto word = [&](const char* id, const std::string& words, float length) {
    return wordButton(shell, id, words, place(textSize(shell.fonts.small, words).x, length),
                      shell.colours->muted, shell.colours->text, inRow ? side : line);
  };
  if (loose && word("hand:let-go", "let go", letGo))
    send(shell, {.act = HandAct::release}, {}, true);
  if (!brush) return;
  const char* const words = "Radius of the brush in sigma; Ctrl and the wheel change it, too.";
  if (word("hand:larger", " + ", cell)) gui::size(shell, 1.25);
  tooltip(shell, "Larger brush", {words});
  word("hand:radius", fmt::format("{:.2g}", radiusNow(shell)), cell);
  tooltip(shell, "Brush", {words});
  if (word("hand:smaller", " - ", cell)) gui::size(shell, 0.8);
  tooltip(shell, "Smaller brush", {words});
}

void promotedTool(Shell& shell) {
  if (shell.scenario().tool.empty()) return;
  const std::string wanted = "hand:" + shell.scenario().tool;
  const auto k = static_cast<int>(std::ranges::find(kTools, wanted, &Tool::id) - kTools);
  if (k == kHandTools || !isOffered(shell, static_cast<HandTool>(k))) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float high = shell.px(24), text = textSize(shell.fonts.strong, "Tool").y;
  drawText(shell.fonts.strong, ImVec2(at.x, at.y + (high - text) / 2), shell.colours->text, "Tool");
  float x = at.x + ImGui::GetContentRegionAvail().x;
  for (const int tool : {k, static_cast<int>(HandTool::select)}) {
    const Tool& info = kTools[tool];
    const std::string key = tool == k ? "U" : "";
    x -= chipWidth(shell, info.title, key, true);
    ImGui::SetCursorScreenPos(ImVec2(x, at.y));
    const bool on = toolNow(shell) == static_cast<HandTool>(tool);
    if (chip(shell, fmt::format("play-{}", info.id), info.title, key, on, true))
      choose(shell, static_cast<HandTool>(tool));
    tooltip(shell, info.title, {info.words});
    x -= shell.px(6);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + high + shell.px(6)));
  ImGui::Dummy(ImVec2(0, 0));
}

void handOverlay(Shell& shell, const ViewportArea& area) {
  const HandShown& hand = shell.now->hand;
  shell.log->state("hand-done", hand.done);
  shell.log->state("hand-touched", hand.touched ? std::to_string(*hand.touched) : "no");
  shell.log->state(
      "hand-held",
      hand.grip ? fmt::format("{} {:.6g}", hand.grip->particles, hand.grip->work) : "none");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->PushClipRect(area.lo(), area.hi());
  if (hand.grip) {
    Grip grip = *hand.grip;
    // What waits for room is led by the mouse.
    if (std::isnan(grip.work) && shell.hand.stroke) grip.end = under(area, mouse, grip.at);
    springLine(shell, area, grip);
  }
  const bool over = area.holds(mouse) && !ImGui::GetIO().WantCaptureMouse;
  if (over && toolNow(shell) != HandTool::select && !hand.grip) {
    // A sphere about the mouse, at the depth of what was touched last, or of the box's middle.
    const double* l = shell.now->frame->box.length;
    const Vec3d at = under(area, mouse, hand.at.value_or(Vec3d{l[0] / 2, l[1] / 2, l[2] / 2}));
    const glm::dvec3 right(glm::transpose(area.camera().view())[0]);
    const double r = radiusNow(shell);
    const bool flat = area.camera().dimension == 2;
    const ImVec2 rim =
        area.onScreen({at.x + (flat ? r : r * right.x), at.y + (flat ? 0 : r * right.y),
                       at.z + (flat ? 0 : r * right.z)});
    const float radius = std::max(shell.px(3), std::hypot(rim.x - mouse.x, rim.y - mouse.y));
    list->AddCircle(mouse, radius, shell.colours->viewport, 0, shell.px(4));
    list->AddCircle(mouse, radius, shell.colours->accent, 0, shell.px(2));
  }
  list->PopClipRect();
}

}  // namespace cellscope::gui
