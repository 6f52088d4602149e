// Tables beside the picture: neighbours of the picked particle, cells, nodes of trees, moves of the
// last step. A click on a row picks, or goes there.
#include <fmt/format.h>

#include <map>

#include "app/gui/panels.h"
#include "app/gui/table_view.h"

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
     "The trial moves of the last step and what became of each; they are kept while this "
     "table is shown."},
    {"against",
     "What differs one step on, from the same state under other settings, computed on copies: "
     "pairs within the cutoff that are listed or not, decisions of trial moves, particles."}};
std::string wantedTable = "neighbours", otherSettings,
            orderedTable;  // shown, and what the runner was asked for

void chipsOfTables(Shell& shell) {
  const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  for (const TableKind& kind : kTableKinds) {
    const float width = chipWidth(shell, kind.name, "", true);
    if (&kind != kTableKinds) {
      ImGui::SameLine(0, shell.px(4));
      if (ImGui::GetCursorPosX() + width > end) ImGui::NewLine();
    }
    if (chip(shell, fmt::format("table:{}", kind.name).c_str(), kind.name, "",
             wantedTable == kind.name, true))
      wantedTable = kind.name;
    tooltip(shell, kind.name, {kind.help});
  }
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
  if (sectionOpen(shell, "tables", false))
    for (std::size_t k = 0; k < std::size(kTableKinds); ++k)
      if (wantedTable == kTableKinds[k].name) {
        wantedTable = kTableKinds[(k + 1) % std::size(kTableKinds)].name;
        break;
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

}  // namespace cellscope::gui
