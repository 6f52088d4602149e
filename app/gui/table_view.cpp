#include "app/gui/table_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// Names before commas, as tests read them.
std::string withoutCommas(std::string text) {
  std::erase(text, ',');
  return text;
}

// Digits stand below each other.
ImFont* fontOf(const Shell& shell, const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789.,+-e ") == std::string::npos;
  return digits ? shell.fonts.smallNumbers : shell.fonts.small;
}

}  // namespace

std::optional<std::size_t> pageOf(const Table& table, const std::vector<std::size_t>& order,
                                  ParticleId picked, std::size_t most) {
  if (picked < 0) return {};
  for (std::size_t place = 0; place < order.size(); ++place)
    if (table.rows[order[place]].pick == picked) return place / most * most;
  return {};
}

std::vector<float> TableView::widths(Shell& shell) const {
  constexpr std::size_t kLookedAt = 200;  // rows
  std::vector<float> all;
  for (const std::size_t c : columns_) {
    float widest = textSize(shell.fonts.small, of_->columns[c].name).x + shell.px(14);  // the arrow
    for (std::size_t r = 0; r < std::min(order_.size(), kLookedAt); ++r) {
      const std::string& text = row(r).cells[c].text;
      widest = std::max(widest, textSize(fontOf(shell, text), text).x);
    }
    all.push_back(widest + shell.px(2));
  }
  return all;
}

void TableView::header(Shell& shell, const std::string& id, const std::vector<float>& wide,
                       bool scrolls) {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    ImGui::TableSetupColumn(
        of_->columns[columns_[k]].name.c_str(),
        scrolls ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch, wide[k]);
  ImGui::TableSetupScrollFreeze(scrolls ? 1 : 0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const TableColumn& c = of_->columns[columns_[k]];
    ImGui::TableSetColumnIndex(static_cast<int>(k));
    ImGui::TableHeader(c.name.c_str());
    shell.log->item(fmt::format("{}-by:{}", id, c.name));
    tooltip(shell, c.name, {c.help + ". Click to sort, once more to sort downwards."});
  }
}

void TableView::sortAsAsked(Shell& shell) {
  ImGuiTableSortSpecs* const asked = ImGui::TableGetSortSpecs();
  if (!asked || !asked->SpecsDirty) return;
  asked->SpecsDirty = false;
  by_ = kAsGiven;
  if (asked->SpecsCount > 0) {
    by_ = columns_[static_cast<std::size_t>(asked->Specs->ColumnIndex)];
    falling_ = asked->Specs->SortDirection == ImGuiSortDirection_Descending;
    shell.log->write("sorted",
                     fmt::format("{}{}", of_->columns[by_].name, falling_ ? ", falling" : ""));
  }
  order_ = sortedBy(*of_, by_, falling_), first_ = 0;
}

void TableView::draw(Shell& shell, const std::string& id, const std::shared_ptr<const Table>& table,
                     ParticleId picked, const std::function<void(const TableRow&)>& clicked,
                     std::size_t most) {
  if (of_ != table) {
    of_ = table;
    columns_.clear();
    for (std::size_t c = 0; c < of_->columns.size(); ++c)
      if (!of_->columns[c].onlyInFile) columns_.push_back(c);
    order_ = sortedBy(*of_, by_, falling_);
  }
  if (std::exchange(picked_, picked) != picked)
    first_ = pageOf(*of_, order_, picked, most).value_or(first_);
  if (first_ >= order_.size()) first_ = 0;
  const float height = (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y) *
                       static_cast<float>(std::min(order_.size(), most) + 1);
  // Columns that have no room side by side are not cut.
  const std::vector<float> wide = widths(shell);
  const float padding = 2 * ImGui::GetStyle().CellPadding.x * static_cast<float>(wide.size());
  const bool scrolls =
      std::accumulate(wide.begin(), wide.end(), padding) > ImGui::GetContentRegionAvail().x;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                                     ImGuiTableFlags_SizingStretchProp |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable(("##" + id).c_str(), static_cast<int>(columns_.size()),
                         kFlags | (scrolls ? ImGuiTableFlags_ScrollX : 0),
                         ImVec2(0, scrolls ? height + ImGui::GetStyle().ScrollbarSize : 0)))
    return;
  header(shell, id, wide, scrolls);
  sortAsAsked(shell);
  for (std::size_t place = first_; place < std::min(first_ + most, order_.size()); ++place) {
    const TableRow& r = row(place);
    const std::string name = fmt::format("{}-row:{}", id, place - first_);
    std::string told;
    ImGui::TableNextRow();
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const std::string& text = r.cells[columns_[k]].text;
      told += (k == 0 ? "" : " ") + withoutCommas(text);
      ImGui::TableSetColumnIndex(static_cast<int>(k));
      ImGui::PushStyleColor(ImGuiCol_Text, r.wrong ? shell.colours->red : shell.colours->text);
      ImGui::PushFont(fontOf(shell, text));
      if (k > 0) {
        put(text);
      } else {
        if (ImGui::Selectable(fmt::format("{}##{}", text, name).c_str(),
                              r.pick >= 0 && r.pick == picked, ImGuiSelectableFlags_SpanAllColumns))
          clicked(r);
        shell.log->item(name);
      }
      ImGui::PopFont();
      ImGui::PopStyleColor();
    }
    shell.log->state(name, told);
  }
  ImGui::EndTable();
  if (order_.size() > most) pages(shell, id, most);
}

void TableView::pages(Shell& shell, const std::string& id, std::size_t most) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t last = std::min(first_ + most, order_.size());
  const std::string words = fmt::format("{} to {} of {}", first_ + 1, last, order_.size());
  drawText(ImGui::GetWindowDrawList(), shell.fonts.small, at, c.muted, words);
  float x = at.x + textSize(shell.fonts.small, words).x + shell.px(16);
  const auto go = [&](const char* label, bool can) {
    if (!can) return false;
    const bool pressed = wordButton(shell, fmt::format("{}-page:{}", id, label), label,
                                    ImVec2(x, at.y), c.accent, c.text);
    x += textSize(shell.fonts.small, label).x + shell.px(16);
    return pressed;
  };
  const bool back = go("previous", first_ > 0), on = go("next", last < order_.size());
  if (back) first_ -= std::min(first_, most);
  if (on) first_ = last;
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + ImGui::GetTextLineHeight() + shell.px(4)));
  ImGui::Dummy(ImVec2(0, 0));
}

}  // namespace cellscope::gui
