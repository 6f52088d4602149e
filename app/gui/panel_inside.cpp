// Seeing inside a scene in space: projection, slices, selection, depth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/option_row.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr const char* kPlanes[] = {"X", "Y", "Z", "View"};

void words(Shell& shell, const char* text) {
  ImGui::PushFont(shell.fonts.small);
  textMuted(shell, text);
  ImGui::PopFont();
}

// Names of the types of particles, from the options of the first layer that has any.
std::vector<std::string> typeNames(const Shell& shell) {
  for (const LayerInfo& layer : shell.now->mode->layers)
    for (const LayerOption& option : layer.options)
      if (option.kind == LayerOption::Kind::types) return option.names;
  return {};
}

void projection(Shell& shell) {
  int chosen = shell.inside.orthographic ? 1 : 0;
  if (choiceRow(shell, "projection", {"Perspective", "Orthographic"}, chosen)) {
    shell.inside.orthographic = chosen == 1;
    shell.log->write("projection", chosen == 1 ? "orthographic" : "perspective");
  }
  tooltip(shell, "Projection",
          {"Perspective shows depth; orthographic keeps lengths and right angles comparable."});
}

void switchPlanes(Shell& shell) {
  const float part = ImGui::GetContentRegionAvail().x / 4, gap = ImGui::GetStyle().ItemSpacing.x;
  for (std::size_t i = 0; i < 4; ++i) {
    SlicePlane& plane = shell.inside.planes[i];
    if (i > 0) ImGui::SameLine();
    const std::string id = fmt::format("slice-{}", kPlanes[i]);
    if (button(shell, id.c_str(), kPlanes[i], Icon::none, part - gap * 0.75f, plane.on)) {
      plane.on = !plane.on;
      if (i == kViewPlane) shell.inside.cutToPicked = false;
      shell.log->write("slice", fmt::format("{} {}", kPlanes[i], plane.on ? "on" : "off"));
    }
    tooltip(shell,
            i == kViewPlane ? "Slice across the line of sight"
                            : fmt::format("Slice across the {} axis", kPlanes[i]),
            {"Leaves out what lies before the plane. The round handle in the picture, the slider "
             "and Shift+wheel move it."});
  }
}

void planeRows(Shell& shell, std::size_t i) {
  SlicePlane& plane = shell.inside.planes[i];
  if (!plane.on) return;
  const Box& box = shell.now->frame->box;
  const double whole =
      i < 3 ? box.length[i] : std::max({box.length[0], box.length[1], box.length[2]});
  const std::string name = kPlanes[i];
  const bool bound = i == kViewPlane && shell.inside.cutToPicked;
  const std::string place =
      bound   ? "at the picked particle"
      : i < 3 ? fmt::format("{} {}", number(plane.at * whole, 3), printed("sigma"))
              : percent(plane.at);
  double at = plane.at;
  if (optionRow(shell, {"slice-" + name + ".at", name + ", position", place}, at)) {
    plane.at = at;
    if (i == kViewPlane) shell.inside.cutToPicked = false;
    shell.log->write("slice-at", fmt::format("{} {:.3f}", name, at));
  }
  const double thickest = whole;
  double thick = plane.halfSpace ? thickest : std::min(plane.thickness, thickest);
  const std::string shown =
      plane.halfSpace ? "all behind the plane" : number(thick, 3) + printed(" sigma");
  if (optionRow(shell, {"slice-" + name + ".thickness", name + ", thickness", shown, 0.1, thickest},
                thick)) {
    plane.halfSpace = thick >= 0.99 * thickest;
    plane.thickness = thick;
    shell.log->write("slice-thickness",
                     plane.halfSpace ? name + " all" : fmt::format("{} {:.3f}", name, thick));
  }
}

void selection(Shell& shell) {
  InsideState& s = shell.inside;
  const std::vector<std::string> types = typeNames(shell);
  std::vector<std::string> kinds = {"All", "Near the picked"};
  if (types.size() > 1) kinds.push_back("One type");
  int chosen = static_cast<int>(s.selection);
  if (choiceRow(shell, "selection", kinds, chosen)) {
    s.selection = static_cast<Selection>(chosen);
    shell.log->write("selection", kinds[static_cast<std::size_t>(chosen)]);
  }
  tooltip(shell, "Selection", {"Other particles are dimmed, or hidden."});
  if (s.selection == Selection::all) return;
  if (s.selection == Selection::nearPicked) {
    if (!isPicked(shell)) words(shell, "Click a particle to select it and its neighbours.");
    optionRow(shell,
              {"selection.radius", "Within", number(s.radius, 3) + printed(" sigma"), 0.5, 6},
              s.radius);
  } else {
    int type = std::clamp(s.type, 0, static_cast<int>(types.size()) - 1);
    std::vector<std::string> names;
    for (const std::string& name : types) names.push_back(printed(name));
    choiceRow(shell, "type", names, type);
    s.type = type;
  }
  if (switchRow(shell, "hide-rest", "Hide the others", s.hideRest))
    shell.log->write("hide-rest", s.hideRest ? "on" : "off");
}

}  // namespace

bool isInSpace(const Shell& shell) {
  return shell.now && shell.now->frame && shell.now->frame->box.dimension == 3;
}

void insidePanel(Shell& shell) {
  if (!section(shell, "inside", "Inside view", "", shell.inside != InsideState{})) return;
  projection(shell);
  words(shell, "Slices");
  switchPlanes(shell);
  for (std::size_t i = 0; i < 4; ++i) planeRows(shell, i);
  words(shell, "Show");
  selection(shell);
  optionRow(shell, {"depth-cue", "Fading with depth", percent(shell.inside.depthCue)},
            shell.inside.depthCue);
  tooltip(shell, "Fading with depth",
          {"Share of the background in the farthest corner of the box. Larger: depth is "
           "easier to judge, distant particles are fainter."});
}

}  // namespace cellscope::gui
