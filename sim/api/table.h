// What there is to see in a state as a table: for the window and as CSV.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/box.h"
#include "sim/base/particle_id.h"

namespace cellscope {

struct TableCell {
  std::string text;
  double order = 0;  // rows are sorted by this, then by the text
};
TableCell wholeCell(std::int64_t value);
TableCell numberCell(double value, int digits);  // significant(); NaN: empty

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

}  // namespace cellscope
