// Legend of a plot: its entries placed and drawn.
#include "app/gui/panels.h"
#include "app/gui/plot.h"

namespace cellscope::gui {
namespace {

// `at`: the middle of its left end.
void drawSwatch(Shell& shell, const LegendItem& item, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float thick = shell.stroke(2), x = at.x, y = at.y, h = shell.px(4);
  const ImVec2 middle(x + width / 2, y), end(x + width, y);
  switch (item.swatch) {
    case Swatch::line:
      return list->AddLine(at, end, item.colour, thick);
    case Swatch::dashes:
      list->AddLine(at, ImVec2(x + width * 0.4f, y), item.colour, thick);
      return list->AddLine(ImVec2(x + width * 0.6f, y), end, item.colour, thick);
    case Swatch::marker:
      return drawMarker(item.marker, middle, shell.px(3), item.colour);
    case Swatch::ring:
      return drawMarker(item.marker, middle, shell.px(3.5f), item.colour, shell.px(1.5f));
    case Swatch::bar:
      return list->AddRectFilled(ImVec2(x + shell.px(1), y - h), ImVec2(end.x - shell.px(1), y + h),
                                 withAlpha(item.colour, 0.9f), shell.px(2));
    case Swatch::winner:
      return list->AddTriangleFilled(ImVec2(middle.x - h, y - h), ImVec2(middle.x + h, y),
                                     ImVec2(middle.x - h, y + h), item.colour);
    case Swatch::steps:
      for (const ImVec2& p : {ImVec2(x, y + h), ImVec2(x, y), ImVec2(middle.x, y),
                              ImVec2(middle.x, y - h), ImVec2(end.x, y - h), ImVec2(end.x, y + h)})
        list->PathLineTo(p);
      return list->PathStroke(item.colour, 0, shell.stroke(1.5f));
    case Swatch::none:
      return;
  }
}

struct PlacedLegend {
  std::vector<LegendItem> entries;
  std::size_t hidden = 0;  // entries for which one line has no room
  float height = 0;
  bool folds = false;  // entries are hidden or cut where it is folded
};

// Rows of entries; `cut`: each of ours on one line, shortened where it must be.
PlacedLegend placeEntries(Shell& shell, const std::vector<LegendItem>& all, float room, bool cut) {
  ImFont* font = shell.fonts.small;
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16), gap = shell.px(12);
  const auto widthOf = [&](const LegendItem& one) {
    return mark + shell.px(6) + gap + textSize(font, one.label).x;
  };
  PlacedLegend legend;
  float x = 0, y = shell.px(2), height = row;
  for (std::size_t i = 0; i < all.size(); ++i) {
    LegendItem item = all[i];
    const float most = room - mark - shell.px(6);
    const bool line = cut && !item.published;
    item.label = line ? fitted(font, item.label, most) : wrapped(font, item.label, most);
    legend.folds = legend.folds || (line && item.label != all[i].label);
    // Width of a group, which stays on one line if it fits.
    float ahead = 0;
    const bool first = item.group && (i == 0 || all[i - 1].group != item.group);
    for (std::size_t k = i; first && k < all.size() && all[k].group == item.group; ++k)
      ahead += widthOf(all[k]);
    const float w = widthOf(item);
    const bool together = ahead - gap <= room && x + ahead - gap > room;
    if (i > 0 && (together || x + w - gap > room)) x = 0, y += height, height = row;
    item.at = ImVec2(x, y);
    item.size = ImVec2(w - gap, textSize(font, item.label).y);
    height = std::max(height, item.size.y + shell.px(3));
    legend.entries.push_back(item);
    x += w;
  }
  legend.height = all.empty() ? 0 : y + height;
  return legend;
}

// Folded it names the first entry, which is ours, all bars, and what is published, marked or dashed
// in sight as far as five lines have room for it; of the others those that fit besides, or into two
// lines.
PlacedLegend placeFolded(Shell& shell, const Plot& plot, const std::vector<LegendItem>& all,
                         float room) {
  const float row = textSize(shell.fonts.small, "X").y + shell.px(3);
  const int more = plot.x.scale == AxisScale::named ? 1 : 0;  // rows have many kinds of marks
  std::vector<bool> kept(all.size());
  const auto placed = [&] {
    std::vector<LegendItem> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (kept[i]) some.push_back(all[i]);
    return placeEntries(shell, some, room, true);
  };
  PlacedLegend legend;
  for (const int rank : {0, 1, 2}) {
    const auto lines = static_cast<float>(rank == 1 ? 5 : 2 + more);
    const float most = std::max(legend.height, shell.px(2) + lines * row);
    for (std::size_t i = 0; i < all.size(); ++i) {
      // Of a group the first one has the name.
      const bool named = !all[i].group || i == 0 || all[i - 1].group != all[i].group || kept[i - 1];
      if (foldRank(all, i) != rank || !named) continue;
      kept[i] = true;
      PlacedLegend next = placed();
      kept[i] = rank == 0 || next.height <= most;
      if (!kept[i]) break;
      legend = std::move(next);
    }
  }
  return legend;
}

PlacedLegend placeLegend(Shell& shell, const Plot& plot, float width, bool folded) {
  const std::vector<LegendItem> whole = legendItems(plot, false), brief = legendItems(plot, true);
  const float room = width - textSize(shell.fonts.small, "more").x - shell.px(8);
  PlacedLegend legend = placeFolded(shell, plot, brief, room);
  legend.hidden = brief.size() - legend.entries.size();
  legend.folds = legend.folds || whole.size() > legend.entries.size();
  if (folded || !legend.folds) return legend;
  legend = placeEntries(shell, whole, room, false);
  legend.folds = true;
  return legend;
}

}  // namespace

std::string baseId(const Plot& plot) {
  return plot.id.starts_with(kLarge) ? plot.id.substr(kLarge.size()) : plot.id;
}

std::string hiddenKey(const Plot& plot, const std::string& label) {
  return baseId(plot) + "/" + label;
}

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  const bool large = plot.id.starts_with(kLarge);
  // Over the picture there is room for all entries, beside a presentation for the curve.
  const bool presented = large && shell.presentation && isPicked(shell);
  const std::string name = (presented ? "legend:presented:" : "legend:") + plot.id;
  bool& kept = shell.collapsed.try_emplace(name, !large || presented).first->second;
  bool whole = false;
  bool& folded = shell.onPage ? whole : kept;
  PlacedLegend legend = placeLegend(shell, plot, width, folded);
  if (!draw) return legend.height;
  ImFont* font = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16);
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const bool over = ImGui::IsItemHovered();  // the plot's button
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool clicked = over && ImGui::IsMouseClicked(0);
  const auto holds = [&](ImVec2 lo, ImVec2 hi) {
    return over && mouse.x >= lo.x && mouse.x < hi.x && mouse.y >= lo.y && mouse.y < hi.y;
  };
  for (LegendItem& item : legend.entries) {
    const ImVec2 lo = at + item.at, hi = lo + item.size;
    const std::string key = hiddenKey(plot, item.series);
    const bool can = !item.series.empty();
    const bool off = can && shell.hiddenSeries.contains(key), hot = can && holds(lo, hi);
    if (off) item.colour = withAlpha(item.colour, 0.35f);
    drawSwatch(shell, item, ImVec2(lo.x, lo.y + row / 2 - shell.px(1)), mark);
    const ImU32 ink = hot ? shell.colours->text : withAlpha(shell.colours->muted, off ? 0.5f : 1.f);
    list->AddText(font, size, ImVec2(lo.x + mark + shell.px(6), lo.y), ink,
                  onScreen(item.label).c_str());
    if (off)
      list->AddLine(ImVec2(lo.x + mark + shell.px(6), lo.y + row / 2), ImVec2(hi.x, lo.y + row / 2),
                    ink, shell.stroke());
    if (can) shell.log->rect("entry:" + plot.id + ":" + item.series, lo, hi);
    if (!hot || !clicked) continue;
    if (shell.hiddenSeries.erase(key) == 0) shell.hiddenSeries.insert(key);
    shell.log->write("series", key + (off ? " on" : " off"));
  }
  if (legend.folds && !shell.onPage) {
    // At the right end of the first line; opens, or closes, the rest.
    const std::string word = !folded             ? "less"
                             : legend.hidden > 0 ? "+" + std::to_string(legend.hidden)
                                                 : "more";
    const ImVec2 text = textSize(font, word);
    const ImVec2 lo(at.x + width - text.x, at.y + shell.px(2)), hi(at.x + width, lo.y + text.y);
    const bool hot = holds(lo, hi);
    drawText(font, lo, hot ? shell.colours->text : shell.colours->accent, word);
    shell.log->rect("fold:" + plot.id, lo, hi);
    if (hot && clicked) folded = !folded;
  }
  return legend.height;
}

}  // namespace cellscope::gui
