// A table of what is near the picked particle, or in its list: sortable, a click picks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/gui/panels.h"
#include "app/gui/widgets.h"
#include "sim/base/digits.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNeighbourColumns[] = {"id", "distance", "image", "cell", "listed", "energy"};
constexpr int kNeighbourColumnCount = 6, kRowsAtOnce = 12;  // shown without scrolling

std::vector<std::string> textsOf(const NeighbourRow& n, int dimension) {
  return {std::to_string(n.id),
          fmt::format("{:.4f}", n.distance),
          n.image,
          n.cell ? inWords(*n.cell, dimension) : "",
          !n.listed               ? ""
          : *n.listed == n.within ? *n.listed ? "yes" : "no"
          : *n.listed             ? "yes, far"
                                  : "MISSING",
          n.energy ? significant(*n.energy, 4) : ""};
}

// By the numbers behind the texts.
bool comesBefore(const NeighbourRow& a, const NeighbourRow& b, int column, int dimension) {
  if (column == 0) return a.id < b.id;
  if (column == 1) return a.distance < b.distance;
  if (column == 5) return a.energy.value_or(0) < b.energy.value_or(0);
  const auto at = static_cast<std::size_t>(column);
  return textsOf(a, dimension)[at] < textsOf(b, dimension)[at];
}

void sortAsChosen(std::vector<NeighbourRow>& rows, int dimension) {
  const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (!specs || specs->SpecsCount == 0) return;
  const ImGuiTableColumnSortSpecs& by = specs->Specs[0];
  std::stable_sort(rows.begin(), rows.end(), [&](const NeighbourRow& a, const NeighbourRow& b) {
    return by.SortDirection == ImGuiSortDirection_Descending
               ? comesBefore(b, a, by.ColumnIndex, dimension)
               : comesBefore(a, b, by.ColumnIndex, dimension);
  });
}

void pickRow(Shell& shell, ParticleId id) {
  shell.log->write("row", std::to_string(id));
  if (ImGui::GetIO().KeyShift)
    return shell.runner->goTo(fmt::format("{} {}", shell.now->frame->picked.id, id));
  shell.view.picked = id;
  shell.runner->setView(shell.view);
}

void neighbourTableRow(Shell& shell, const NeighbourRow& n, int dimension) {
  const std::vector<std::string> texts = textsOf(n, dimension);
  const bool wrong = n.within && n.listed && !*n.listed;
  ImGui::TableNextRow();
  for (std::size_t k = 0; k < texts.size(); ++k) {
    ImGui::TableNextColumn();
    if (k == 0) {
      if (ImGui::Selectable(texts[0].c_str(), false, ImGuiSelectableFlags_SpanAllColumns))
        pickRow(shell, n.id);
      shell.log->item("neighbour:" + texts[0]);
      continue;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, wrong ? shell.colours->red : shell.colours->text);
    put(texts[k]);
    ImGui::PopStyleColor();
  }
}

std::string csvOf(const std::vector<NeighbourRow>& rows, int dimension) {
  std::string text = fmt::format("{}\n", fmt::join(kNeighbourColumns, ","));
  for (const NeighbourRow& n : rows) {
    std::vector<std::string> all = textsOf(n, dimension);
    for (std::string& one : all)
      if (one.find(',') != std::string::npos) one = '"' + one + '"';
    text += fmt::format("{}\n", fmt::join(all, ","));
  }
  return text;
}

}  // namespace

void neighboursPanel(Shell& shell) {
  static bool wanted = false;
  std::vector<NeighbourRow> rows = shell.now->neighbours;
  const bool open = section(shell, "neighbours", "Neighbours",
                            rows.empty() ? "" : std::to_string(rows.size()), false);
  if (open != wanted) shell.runner->wantNeighbours(wanted = open);
  if (!open) return;
  const int d = shell.now->frame->box.dimension;
  ImGui::PushFont(shell.fonts.small);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const auto shown = static_cast<float>(std::min<std::size_t>(rows.size(), kRowsAtOnce));
  if (ImGui::BeginTable("##neighbours", kNeighbourColumnCount,
                        ImGuiTableFlags_Sortable | ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                            ImGuiTableFlags_SizingFixedFit,
                        ImVec2(0, (shown + 1.5f) * line))) {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (int k = 0; k < kNeighbourColumnCount; ++k)
      ImGui::TableSetupColumn(kNeighbourColumns[k], k == 1 ? ImGuiTableColumnFlags_DefaultSort
                                                           : ImGuiTableColumnFlags_None);
    ImGui::TableHeadersRow();
    sortAsChosen(rows, d);
    std::string order;
    for (const NeighbourRow& n : rows) order += (order.empty() ? "" : " ") + std::to_string(n.id);
    shell.log->state("neighbours", order);
    for (const NeighbourRow& n : rows) neighbourTableRow(shell, n, d);
    ImGui::EndTable();
  }
  ImGui::PopFont();
  if (button(shell, "copy-neighbours", "Copy as CSV")) {
    ImGui::SetClipboardText(csvOf(rows, d).c_str());
    shell.say(Severity::info, "The table is in the clipboard.");
  }
  tooltip(shell, "Neighbours",
          {"Those within the cutoff (hard disks: 1.5 diameters) and those in its list; sorted by a "
           "click on a heading. A click on a row picks that particle; with Shift it becomes the "
           "second one, and the card tells why they are neighbours or not."});
}

}  // namespace cellscope::gui
