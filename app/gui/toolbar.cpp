// Icons at the right edge of the picture for what else takes a key.
#include <iterator>

#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

struct Tool {
  Icon icon;
  unsigned key;
  const char *id, *title, *words;
};
constexpr Tool kTools[] = {
    {Icon::fit, 'F', "tool:fit", "Fit (F)", "Shows the whole box again."},
    {Icon::present, 'P', "tool:present", "Presentation (P)",
     "Large text for a lecture hall: lesson, slider, number and plot beside the picture."},
    {Icon::theme, 'L', "tool:theme", "Light or dark (L)", "For print and bright rooms: light."},
    {Icon::help, '?', "tool:help", "Help (?)", "All keys, the help texts and the tour."},
    {Icon::camera, 'S', "tool:screenshot", "Screenshot (S)",
     "PNG of the whole window with the experiment in its metadata: dropped on a window, it opens "
     "again."}};

}  // namespace

void toolbar(Shell& shell, ImVec2 upperRight) {
  const float side = shell.px(26), pad = shell.px(2);
  const auto count = static_cast<float>(std::size(kTools));
  const ImVec2 size(side + 2 * pad, count * side + 2 * pad);
  const ImVec2 at(upperRight.x - size.x - shell.px(8), upperRight.y + shell.px(8));
  const Pane pane("toolbar", {.at = at,
                              .size = size,
                              .padding = ImVec2(pad, pad),
                              .more = kCardPane | ImGuiWindowFlags_NoBringToFrontOnFocus,
                              .opacity = 0.7f});
  for (std::size_t k = 0; k < std::size(kTools); ++k) {
    const Tool& tool = kTools[k];
    const ImVec2 place(at.x + pad, at.y + pad + side * static_cast<float>(k));
    const bool on = tool.icon == Icon::present && shell.presentation;
    if (iconButton(shell, tool.id, tool.icon, place, side, shell.px(13),
                   on ? shell.colours->accent : shell.colours->muted, shell.colours->text))
      shell.keysOfIcons.push_back(tool.key);
    tooltip(shell, tool.title, {tool.words});
  }
}

}  // namespace cellscope::gui
