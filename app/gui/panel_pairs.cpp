// What is wrong with the neighbour list of a file: the verdict, and a table to go to each pair.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panels.h"
#include "app/gui/table_view.h"

namespace cellscope::gui {
namespace {

// Those without one come last. Of an unknown unit they may be of any size.
TableCell lengthCell(double x, const std::string& unit) {
  if (!std::isfinite(x)) return {"-", HUGE_VAL};
  return {unit.empty() ? fmt::format("{:.4g}", x) : fmt::format("{:.3f}", x), x};
}

// Pairs of the kinds that are shown. A column without any value is left out. unit: of lengths.
Table pairTable(const PairFindings& f, const std::vector<bool>& shown, const std::string& unit) {
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
  const auto any = [&](const auto& has) {
    return std::any_of(f.pairs.begin(), f.pairs.end(), has);
  };
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

// All kinds are shown that no layer is switched off of.
std::vector<bool> kindsShown(const Shell& shell, const PairFindings& f) {
  std::vector<bool> shown(f.kinds.size(), true);
  for (const LayerInfo& layer : shell.now->mode->layers)
    for (std::size_t k = 0; k < f.kinds.size(); ++k)
      if (layer.group == LayerGroup::pairs && layer.label == f.kinds[k])
        shown[k] = shell.layerOn(layer.key);
  return shown;
}

void goToPair(Shell& shell, const TableRow& row) {
  shell.view.picked = shell.flyOnce = row.pick;
  shell.runner->setView(shell.view);
  std::string pair = row.cells[1].text;
  std::erase(pair, ',');
  shell.log->write("pair", pair);
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
  static TableView view;
  static std::shared_ptr<const PairFindings> of;
  static std::vector<bool> shown;
  static std::shared_ptr<const Table> table;
  if (std::vector<bool> now = kindsShown(shell, *f); of != f || shown != now) {
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
        [&](const TableRow& row) { goToPair(shell, row); }, kFew);
  ImGui::PopFont();
}

}  // namespace cellscope::gui
