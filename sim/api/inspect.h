// Single questions about the present state of a mode, for breakpoints and the inspector of the
// window. Asked between steps, from the thread of the mode; nothing of the run changes.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/api/frame.h"
#include "sim/base/box.h"
#include "sim/base/digits.h"
#include "sim/base/particle_id.h"

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
std::vector<std::size_t> sortedBy(const Table& table, std::size_t column, bool falling);
// A header and a row per line; what holds a comma is quoted.
std::string csvOf(const Table& table);

// Another particle near one, or in its list.
struct Neighbour {
  ParticleId id = -1;
  double distance = 0;           // to the nearest image
  bool within = false;           // the cutoff
  std::optional<bool> listed;    // in the list of the one; none: there are no lists
  std::optional<double> energy;  // of the pair, epsilon; none: the law is hard
};

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
  const double place[3] = {r.x, r.y, r.z};
  for (int a = 0; a < box.dimension; ++a) {
    double from = place[a] - grid.origin[a];
    if (from < 0) from += box.length[a];
    const int cell = static_cast<int>(from / grid.width[a]);
    index.at[a] = cell < grid.cells[a] ? cell : grid.cells[a] - 1;
  }
  return index;
}

}  // namespace cellscope
