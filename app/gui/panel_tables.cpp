// Tables beside the picture: neighbours of the picked particle, cells, nodes of trees, moves of the
// last step. A click on a row picks, or goes there.
#include <numeric>

#include "app/gui/panels.h"

namespace cellscope::gui {
namespace {

struct TableKind {
  const char* name;
  const char* help;
};
constexpr TableKind kTableKinds[] = {
    {"neighbours",
     "Those within the cutoff of the picked particle (hard disks: 1.5 diameters) and those in its "
     "list. What should be in the list and is not is red."},
    {"cells", "How many particles lie in each cell of the method, and how many it has room for."},
    {"nodes", "The nodes of the trees that the neighbour lists were built from last."},
    {"moves",
     "The trial moves of the last step and what became of each; they are kept while this table is "
     "shown."},
    {"against",
     "What differs one step on, from the same state under other settings, computed on copies: "
     "pairs within the cutoff that are listed or not, decisions of trial moves, particles."}};
std::string wantedTable = "neighbours", otherSettings,
            orderedTable;  // shown, and what the runner was asked for

void chipsOfTables(Shell& shell) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const ImVec2 gap(shell.px(4), ImGui::GetStyle().ItemSpacing.y);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, gap);
  for (const TableKind& kind : kTableKinds) {
    const float end = &kind == kTableKinds ? 0 : right;
    if (chipInLine(shell, fmt::format("table:{}", kind.name), kind.name, "", end,
                   wantedTable == kind.name, true))
      wantedTable = kind.name;
    tooltip(shell, kind.name, {kind.help});
  }
  ImGui::PopStyleVar();
}

// As the runner is asked for it; "": not yet.
std::string fullName() {
  if (wantedTable != "against") return wantedTable;
  return otherSettings.empty() ? "" : "against " + otherSettings;
}

void goToRow(Shell& shell, const TableRow& row) {
  shell.log->write("row", row.pick >= 0 ? std::to_string(row.pick) : row.place);
  if (row.pick < 0) return row.place.empty() ? void() : shell.runner->goTo(row.place);
  const ParticleId picked = shell.now->frame->picked.id;
  if (ImGui::GetIO().KeyShift && picked >= 0 && picked != row.pick)
    return shell.runner->goTo(fmt::format("{} {}", picked, row.pick));
  shell.view.picked = row.pick;
  shell.runner->setView(shell.view);
}

}  // namespace

void nextTable(Shell& shell) {
  if (shell.presentation) return;
  if (sectionOpen(shell, "tables", false)) {
    const auto at = std::ranges::find(kTableKinds, wantedTable, &TableKind::name);
    wantedTable = kTableKinds[(at - kTableKinds + 1) % std::ssize(kTableKinds)].name;
  }
  shell.panelsHidden = false;
  shell.rightOpen = shell.rightFirst = true;
  shell.collapsed["tables"] = false;
  shell.scrollTo = "Tables";
}

void tablesPanel(Shell& shell) {
  static std::map<std::string, TableView> views;
  const std::shared_ptr<const Table> table =
      shell.now->tableName == fullName() ? shell.now->table : nullptr;
  const bool open =
      section(shell, "tables", "Tables",
              table && !table->rows.empty() ? std::to_string(table->rows.size()) : "", false);
  static bool wasOpen = false;
  if (open && !wasOpen) shell.scrollTo = "Tables";  // it moves to the top
  wasOpen = open;
  const std::string wanted = open ? fullName() : "";
  if (wanted != shell.now->tableName && wanted != orderedTable) shell.runner->wantTable(wanted);
  orderedTable = wanted;
  if (!open) return;
  const std::string before = fullName();
  chipsOfTables(shell);
  static std::string typed;
  if (wantedTable == "against" && commandField(shell, "against", "method=tree", typed))
    otherSettings = typed;
  if (!table || fullName() != before) return;
  ImGui::PushFont(shell.fonts.small);
  if (!table->note.empty()) textWrapped(shell, table->note, shell.colours->muted);
  shell.log->state("table-note", table->note.substr(0, table->note.find('\n')));
  shell.log->state("table", fmt::format("{} {}", wantedTable, table->rows.size()));
  if (!table->rows.empty())
    views[wantedTable].draw(shell, wantedTable, table, shell.now->frame->picked.id,
                            [&](const TableRow& row) { goToRow(shell, row); });
  ImGui::PopFont();
  if (table->rows.empty()) return;
  if (button(shell, "copy-table", "Copy as CSV")) {
    ImGui::SetClipboardText(csvOf(*table).c_str());
    shell.say(Severity::info, "The table is in the clipboard.");
  }
  tooltip(shell, "Copy as CSV",
          {"All rows with a header, for a spreadsheet or a script. The same from a terminal: "
           "cellscope run SCENARIO --table " +
           (wantedTable == "neighbours" ? "\"neighbours ID\"" : "\"" + fullName() + "\"") +
           " FILE. A click on a row picks its particle or goes there; with Shift the particle "
           "becomes the second one, and the card tells why both are neighbours or not."});
}

// Those without one come last. Of an unknown unit they may be of any size.
static TableCell lengthCell(double x, const std::string& unit) {
  if (!std::isfinite(x)) return {"-", HUGE_VAL};
  return {unit.empty() ? fmt::format("{:.4g}", x) : fmt::format("{:.3f}", x), x};
}

// Pairs of the kinds that are shown. A column without any value is left out. unit: of lengths.
static Table pairTable(const PairFindings& f, const std::vector<bool>& shown,
                       const std::string& unit) {
  const std::string in = unit.empty() ? "" : "," + unit;
  const auto named = [&](const char* name) {
    return unit.empty() ? std::string(name) : fmt::format("{} ({})", name, unit.substr(1));
  };
  Table t{{{"Kind", "What is wrong"},
           {"i, j", "Numbers of both particles in the file, from 0"},
           {"Types", "Types of both particles"},
           {named("distance"), "Distance of both particles" + in},
           {named("to face"), "Distance of the nearer one from a face of the box" + in},
           {named("to wall"), "Distance of the nearer one from a wall of a cell" + in}},
          {},
          ""};
  const auto any = [&](const auto& has) { return std::ranges::any_of(f.pairs, has); };
  t.columns[0].onlyInFile = !any([&](const auto& p) { return p.kind != f.pairs.front().kind; });
  t.columns[2].onlyInFile = !any([](const auto& p) { return !p.types.empty(); });
  t.columns[3].onlyInFile = !any([](const auto& p) { return std::isfinite(p.distance); });
  t.columns[4].onlyInFile = !any([](const auto& p) { return std::isfinite(p.toFace); });
  t.columns[5].onlyInFile = !any([](const auto& p) { return std::isfinite(p.toWall); });
  for (const PairFinding& p : f.pairs) {
    if (!shown[p.kind]) continue;
    constexpr double kBeyond = 1 << 27;  // above all numbers of particles
    t.rows.push_back({{{f.kinds[p.kind], static_cast<double>(p.kind)},
                       {fmt::format("{}, {}", p.i, p.j),
                        static_cast<double>(p.i) * kBeyond + static_cast<double>(p.j)},
                       {p.types, 0},
                       lengthCell(p.distance, unit),
                       lengthCell(p.toFace, unit),
                       lengthCell(p.toWall, unit)},
                      p.pick,
                      ""});
  }
  return t;
}

// As tests read it.
static std::string withoutCommas(std::string text) {
  std::erase(text, ',');
  return text;
}

void pairsPanel(Shell& shell) {
  const std::shared_ptr<const PairFindings> f = shell.now->findings;
  const Palette& c = *shell.colours;
  shell.log->state("verdict", f->verdict);
  if (!section(shell, "pairs", "Pairs of the list", f->right ? "right" : "wrong", true, 0,
               f->right ? c.green : c.red))
    return;
  textWrapped(shell, f->verdict, f->right ? c.green : c.red);
  ImGui::PushFont(shell.fonts.small);
  for (const std::string& line : f->words) textWrapped(shell, sentence(line), c.muted);
  static TableView view;
  static std::shared_ptr<const PairFindings> of;
  static std::vector<bool> shown;
  static std::shared_ptr<const Table> table;
  std::vector<bool> now(f->kinds.size(), true);  // kinds that no layer is switched off of
  for (const LayerInfo& layer : shell.now->mode->layers)
    for (std::size_t k = 0; k < f->kinds.size(); ++k)
      if (layer.group == LayerGroup::pairs && layer.label == f->kinds[k])
        now[k] = shell.layerOn(layer.key);
  if (of != f || shown != now) {
    of = f, shown = std::move(now);
    table = std::make_shared<const Table>(pairTable(*f, shown, shell.lengthUnit()));
  }
  if (table->rows.size() < f->pairs.size())
    textWrapped(shell,
                fmt::format("{} of {} wrong pairs: the layers of the others are off",
                            table->rows.size(), f->pairs.size()),
                c.text);
  constexpr std::size_t kFew = 6;  // leave room for the plots
  if (!table->rows.empty())
    view.draw(
        shell, "pair", table, shell.now->frame ? shell.now->frame->picked.id : -1,
        [&](const TableRow& row) {
          shell.view.picked = shell.flyOnce = row.pick;
          shell.runner->setView(shell.view);
          shell.log->write("pair", withoutCommas(row.cells[1].text));
        },
        kFew);
  ImGui::PopFont();
}

// Digits stand below each other.
static ImFont* fontOf(const Shell& shell, const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789.,+-e ") == std::string::npos;
  return digits ? shell.fonts.smallNumbers : shell.fonts.small;
}

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
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::size_t last = std::min(first_ + most, order_.size());
  const std::string words = fmt::format("{} to {} of {}", first_ + 1, last, order_.size());
  drawText(shell.fonts.small, at, shell.colours->muted, words);
  float x = at.x + textSize(shell.fonts.small, words).x + shell.px(16);
  const auto go = [&](const char* label, bool can) {
    if (!can) return false;
    const bool pressed =
        wordButton(shell, fmt::format("{}-page:{}", id, label), label, ImVec2(x, at.y));
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
