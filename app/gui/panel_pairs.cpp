// What is wrong with the neighbour list of a file: the verdict, and a table to go to each pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

struct PairColumn {
  const char* name;
  const char* help;
  float weight;
  std::string (*text)(const PairFindings&, const PairFinding&);
  // Where a comes before b.
  bool (*less)(const PairFinding& a, const PairFinding& b);
  bool (*has)(const PairFinding&);  // a column without any is left out
};

std::string lengthWords(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "-"; }

template <double PairFinding::*value>
PairColumn lengthColumn(const char* name, const char* help) {
  return {name,
          help,
          1,
          [](const PairFindings&, const PairFinding& p) { return lengthWords(p.*value); },
          [](const PairFinding& a, const PairFinding& b) {  // those without one come last
            return std::isfinite(a.*value) && !(a.*value >= b.*value);
          },
          [](const PairFinding& p) { return std::isfinite(p.*value); }};
}

const std::vector<PairColumn>& pairColumns() {
  static const std::vector<PairColumn> all = {
      {"Kind", "What is wrong", 1.5f,
       [](const PairFindings& f, const PairFinding& p) { return f.kinds[p.kind]; },
       [](const PairFinding& a, const PairFinding& b) { return a.kind < b.kind; },
       [](const PairFinding&) { return true; }},
      {"i, j", "Numbers of both particles in the file, from 0", 1.5f,
       [](const PairFindings&, const PairFinding& p) { return fmt::format("{}, {}", p.i, p.j); },
       [](const PairFinding& a, const PairFinding& b) {
         return std::pair(a.i, a.j) < std::pair(b.i, b.j);
       },
       [](const PairFinding&) { return true; }},
      lengthColumn<&PairFinding::distance>("r", "Distance of both particles"),
      lengthColumn<&PairFinding::toFace>("Face", "Distance of the nearer one from a box face"),
      lengthColumn<&PairFinding::toWall>("Wall", "Distance of the nearer one from a cell wall"),
      {"Types", "Types of both particles", 1,
       [](const PairFindings&, const PairFinding& p) { return p.types; },
       [](const PairFinding& a, const PairFinding& b) { return a.types < b.types; },
       [](const PairFinding& p) { return !p.types.empty(); }}};
  return all;
}

// The rows of a list, in the order of a column; those of kinds whose layers are off are left out.
struct PairRows {
  std::shared_ptr<const PairFindings> of;
  std::vector<const PairColumn*> columns;
  std::vector<bool> shown;  // of each kind
  std::size_t by = 0;
  bool falling = false;
  std::vector<std::size_t> order;

  void follow(const std::shared_ptr<const PairFindings>& f, std::vector<bool> kinds) {
    if (of == f && shown == kinds) return;
    if (of != f) {
      columns.clear();
      for (const PairColumn& c : pairColumns())
        if (std::any_of(f->pairs.begin(), f->pairs.end(), c.has)) columns.push_back(&c);
    }
    of = f, shown = std::move(kinds);
    order.clear();
    for (std::size_t k = 0; k < of->pairs.size(); ++k)
      if (shown[of->pairs[k].kind]) order.push_back(k);
    sort();
  }
  void sort() {
    std::sort(order.begin(), order.end());
    if (by >= columns.size()) return;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (falling) std::swap(a, b);
      return columns[by]->less(of->pairs[a], of->pairs[b]);
    });
  }
};

// All kinds are shown that no layer is switched off of.
std::vector<bool> kindsShown(const Shell& shell, const PairFindings& f) {
  std::vector<bool> shown(f.kinds.size(), true);
  for (const LayerInfo& layer : shell.now->mode->layers)
    for (std::size_t k = 0; k < f.kinds.size(); ++k)
      if (layer.group == LayerGroup::pairs && layer.label == f.kinds[k])
        shown[k] = shell.layerOn(layer.key);
  return shown;
}

void goToPair(Shell& shell, const PairFinding& p) {
  shell.view.picked = shell.flyOnce = p.pick;
  shell.runner->setView(shell.view);
  shell.log->write("pair", fmt::format("{} {}", p.i, p.j));
}

void sortAsAsked(Shell& shell, PairRows& rows) {
  ImGuiTableSortSpecs* const asked = ImGui::TableGetSortSpecs();
  if (!asked || !asked->SpecsDirty) return;
  asked->SpecsDirty = false;
  if (asked->SpecsCount > 0) {
    rows.by = static_cast<std::size_t>(asked->Specs->ColumnIndex);
    rows.falling = asked->Specs->SortDirection == ImGuiSortDirection_Descending;
    shell.log->write("sorted", fmt::format("{}{}", rows.columns[rows.by]->name,
                                           rows.falling ? ", falling" : ""));
  }
  rows.sort();
}

void pairHeader(Shell& shell, const PairRows& rows) {
  for (const PairColumn* c : rows.columns)
    ImGui::TableSetupColumn(c->name, ImGuiTableColumnFlags_WidthStretch, c->weight);
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    ImGui::TableSetColumnIndex(static_cast<int>(k));
    ImGui::TableHeader(rows.columns[k]->name);
    shell.log->item(fmt::format("pairs-by:{}", rows.columns[k]->name));
    tooltip(shell, rows.columns[k]->name,
            {std::string(rows.columns[k]->help) + ". Click to sort."});
  }
}

void pairRow(Shell& shell, const PairRows& rows, std::size_t row) {
  const PairFinding& p = rows.of->pairs[rows.order[row]];
  ImGui::TableNextRow();
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    ImGui::TableSetColumnIndex(static_cast<int>(k));
    const std::string text = rows.columns[k]->text(*rows.of, p);
    if (k > 0) {
      ImGui::TextUnformatted(text.c_str());
      continue;
    }
    const bool picked = shell.now->frame && shell.now->frame->picked.id == p.pick;
    if (ImGui::Selectable(fmt::format("{}##pair{}", text, p.pick).c_str(), picked,
                          ImGuiSelectableFlags_SpanAllColumns))
      goToPair(shell, p);
    shell.log->item(fmt::format("pair-row:{}", row));
    shell.log->state(fmt::format("pair-row:{}", row),
                     fmt::format("{} {} {} {:.6g}", rows.of->kinds[p.kind], p.i, p.j, p.distance));
  }
}

void pairTable(Shell& shell, PairRows& rows) {
  constexpr std::size_t kPairRows = 12;  // others by scrolling
  const float height = (ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y) *
                           static_cast<float>(std::min(rows.order.size(), kPairRows) + 1) +
                       shell.px(6);
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH |
                                     ImGuiTableFlags_SizingStretchProp |
                                     ImGuiTableFlags_NoSavedSettings;
  if (!ImGui::BeginTable("##pairs", static_cast<int>(rows.columns.size()), kFlags,
                         ImVec2(0, height)))
    return;
  pairHeader(shell, rows);
  sortAsAsked(shell, rows);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.order.size()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      pairRow(shell, rows, static_cast<std::size_t>(row));
  ImGui::EndTable();
}

}  // namespace

bool hasFindings(const Shell& shell) { return shell.now->findings != nullptr; }

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
  static PairRows rows;
  rows.follow(f, kindsShown(shell, *f));
  if (rows.order.size() < f->pairs.size())
    textWrapped(shell,
                fmt::format("{} of {} wrong pairs: the layers of the others are off",
                            rows.order.size(), f->pairs.size()),
                c.text);
  if (!rows.order.empty()) pairTable(shell, rows);
  ImGui::PopFont();
}

}  // namespace cellscope::gui
