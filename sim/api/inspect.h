// What is asked of the present state of a mode, and a hand in its run: between steps, from the
// thread of the mode.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/api/frame.h"
#include "sim/base/box.h"
#include "sim/base/digits.h"

namespace cellscope {

// What there is to see in a state as a table: for the window and as CSV.
struct TableCell {
  std::string text;
  double order = 0;  // rows are sorted by this, then by the text
};
inline TableCell wholeCell(std::int64_t value) {
  return {std::to_string(value), static_cast<double>(value)};
}
// By significant(); NaN: empty.
inline TableCell numberCell(double value, int digits) {
  if (std::isnan(value)) return {};
  return {significant(value, digits), value};
}

struct TableColumn {
  std::string name, help;
  bool onlyInFile = false;  // too wide to stand beside a picture
};

struct TableRow {
  std::vector<TableCell> cells;  // one per column
  ParticleId pick = -1;          // what a click picks,
  std::string place;             // or where it goes (findInside()); "": nowhere
  bool wrong = false;
  Vec3d lo{}, hi{};  // of `place`, where only the table knows it
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::string note;  // why there are no rows, or what is left out
};

// Row numbers by a column.
inline std::vector<std::size_t> sortedBy(const Table& table, std::size_t column, bool falling) {
  std::vector<std::size_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (column >= table.columns.size()) return rows;
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    if (falling) std::swap(a, b);
    const TableCell &x = table.rows[a].cells[column], &y = table.rows[b].cells[column];
    return x.order != y.order ? x.order < y.order : x.text < y.text;
  });
  return rows;
}
// A header and a row per line; what holds a comma is quoted.
inline std::string csvOf(const Table& table) {
  std::string text;
  const auto add = [&](const std::string& one, bool first) {
    if (!first) text += ',';
    text += one.find(',') == std::string::npos ? one : '"' + one + '"';
  };
  for (std::size_t k = 0; k < table.columns.size(); ++k) add(table.columns[k].name, k == 0);
  text += '\n';
  for (const TableRow& row : table.rows) {
    for (std::size_t k = 0; k < row.cells.size(); ++k) add(row.cells[k].text, k == 0);
    text += '\n';
  }
  return text;
}

// Another particle near one, or in its list.
struct Neighbour {
  ParticleId id = -1;
  double distance = 0;           // to the nearest image
  bool within = false;           // the cutoff
  std::optional<bool> listed;    // in the list of the one; none: there are no lists
  std::optional<double> energy;  // of the pair, epsilon; none: the law is hard
};

// Single questions, for breakpoints and the inspector of the window. Nothing of the run changes.
class Inspectable {
 public:
  using Rows = std::vector<std::pair<std::string, std::string>>;  // of a card

  virtual ~Inspectable() = default;
  // One value per ModeInfo::observables; NaN where it is undefined. Averages, charts and counters
  // stay as they are, unlike with Mode::sample().
  virtual std::vector<double> valuesNow() = 0;
  // One of them, with the work that this one needs.
  virtual double valueNow(std::size_t observable) { return valuesNow()[observable]; }
  // In the box, in one pass over the particles; none: there is no such particle.
  virtual std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids) = 0;
  virtual Box boxNow() const = 0;
  // Of the method, as the layers of cells show them; none: it has no cells.
  virtual std::optional<CellGridPlace> cellGrid() { return std::nullopt; }
  // Ids of the particles as they lie in memory, slot by slot; empty: the mode has no such slots.
  virtual std::vector<ParticleId> inSlots() { return {}; }
  // Those within the cutoff (hard disks: 1.5 sigma) and those in the list of a particle, by a look
  // at all others.
  virtual std::vector<Neighbour> neighboursOf(ParticleId) { return {}; }
  // Particles that each of the cells has room for; 0: as many as there are.
  virtual int cellCapacity() { return 0; }
  // The nodes of the trees that lists were built from last, and the trial moves of the last step,
  // which are kept from watchMoves(true) on. Without rows: `note` tells why.
  virtual Table treeNodes() { return {{}, {}, "this method has no trees"}; }
  virtual Table lastMoves() { return {{}, {}, "this mode makes no trial moves"}; }
  virtual void watchMoves(bool) {}
  // Why two particles that exist are neighbours or not, beyond their distance.
  virtual Rows aboutPair(ParticleId, ParticleId) { return {}; }
};

// Index along each axis of the cell that a place in the box is in.
struct GridCell {
  int at[3] = {0, 0, 0};
  friend bool operator==(const GridCell&, const GridCell&) = default;
};
inline GridCell cellAt(const CellGridPlace& grid, const Box& box, const Vec3d& r) {
  GridCell index;
  for (int a = 0; a < box.dimension; ++a) {
    double from = r[a] - grid.origin[a];
    if (from < 0) from += box.length[a];
    const int cell = static_cast<int>(from / grid.width[a]);
    index.at[a] = cell < grid.cells[a] ? cell : grid.cells[a] - 1;
  }
  return index;
}

// A hand in a run: what it can do, and the modes that let it. All that decides is in HandMove and
// in the state, so that the same moves at the same steps make the same run.

enum class HandAct { grab, pull, release, add, remove, heat };
inline constexpr int kHandActs = 6;
inline constexpr const char* kHandWords[kHandActs] = {"grab", "pull",   "release",
                                                      "add",  "delete", "heat"};

struct HandMove {
  HandAct act = HandAct::release;
  // Centre of a circle or sphere, in the box; of a pull, where the hand is, also outside the box.
  Vec3d at{0, 0, 0};
  double radius = 0.5;  // sigma
  // grab: spring constant of a particle of mass 1, in epsilon / sigma^2; heat: factor of
  // velocities.
  double strength = 1;
  bool goesOn = false;  // of a stroke: undo goes back to before its beginning
};

// What is held: where its middle is in the box, nearest to that where it is drawn to, and the work
// of the springs since it was grabbed, in epsilon; NaN where there is no spring.
struct Grip {
  std::size_t particles = 0;
  Vec3d at{0, 0, 0}, end{0, 0, 0};
  double work = 0;
};

// Where a hand is, moved into the box from any distance.
inline Vec3d inBox(const Vec3d& r, const Box& box) {
  const auto along = [&](double x, int a) {
    return wrapped(x - box.length[a] * std::floor(x / box.length[a]), box.length[a]);
  };
  return {along(r.x, 0), along(r.y, 1), box.dimension == 3 ? along(r.z, 2) : 0.0};
}

class TakesHands {
 public:
  virtual ~TakesHands() = default;
  // Why this mode has no such act; "": it has.
  virtual std::string refuses(HandAct act) const = 0;
  // What was done, in words; "": there is nothing to do, and nothing has changed. Throws
  // InputError or RunError, and the state is as before.
  virtual std::string hand(const HandMove& move) = 0;
  virtual std::optional<Grip> grip() { return std::nullopt; }  // none: nothing is held
};

}  // namespace cellscope
