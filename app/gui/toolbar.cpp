// Icons in the picture for what else takes a key.
#include <iterator>

#include "app/gui/panels.h"

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

ImVec2 toolbar(Shell& shell, ImVec2 lo, ImVec2 hi, float top, ImVec2 legend, bool inRow) {
  const float side = shell.px(26), pad = shell.px(2), edge = shell.px(12);
  // A presentation needs the way out alone.
  const std::size_t first = shell.presentation ? 1 : 0;
  const std::size_t last = shell.presentation ? 2 : std::size(kTools);
  const float length = static_cast<float>(last - first) * side + 2 * pad, width = side + 2 * pad;
  const bool atFoot = !shell.presentation && !inRow && hi.x - lo.x - legend.x > length + 3 * edge;
  const bool flat = atFoot || inRow;
  const ImVec2 size = flat ? ImVec2(length, width) : ImVec2(width, length);
  const ImVec2 at(hi.x - size.x - (flat ? edge : shell.px(4)),
                  atFoot ? hi.y - size.y - edge : lo.y + top + shell.px(inRow ? 4 : 8));
  const Pane pane("toolbar", {.at = at,
                              .size = size,
                              .padding = ImVec2(pad, pad),
                              .more = kCardPane | ImGuiWindowFlags_NoBringToFrontOnFocus,
                              .opacity = 0.7f});
  for (std::size_t k = first; k < last; ++k) {
    const Tool& tool = kTools[k];
    const float along = side * static_cast<float>(k - first);
    const ImVec2 place(at.x + pad + (flat ? along : 0), at.y + pad + (flat ? 0 : along));
    const bool on = tool.icon == Icon::present && shell.presentation;
    if (iconButton(shell, tool.id, tool.icon, place, side, shell.px(13),
                   on ? shell.colours->accent : shell.colours->muted, shell.colours->text))
      shell.keysOfIcons.push_back(tool.key);
    tooltip(shell, tool.title, {tool.words});
  }
  return atFoot ? ImVec2(size.x + edge, size.y + edge) : ImVec2(0, 0);
}

}  // namespace cellscope::gui
