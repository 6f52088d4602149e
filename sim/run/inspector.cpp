#include "sim/run/inspector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <sstream>

#include "sim/base/digits.h"

namespace cellscope {
namespace {

[[noreturn]] void refusePlace(const std::string& text) {
  throw InputError("'{}' is no place; allowed: {}", text, kPlaces);
}

// Whole numbers separated by spaces, commas and parentheses.
std::vector<std::int64_t> numbersIn(const std::string& numbers, const std::string& text) {
  std::string spaced = numbers;
  for (char& c : spaced)
    if (c == ',' || c == '(' || c == ')') c = ' ';
  std::istringstream in(spaced);
  std::vector<std::int64_t> all;
  for (std::string word; in >> word;) {
    const auto value = wholeFrom(word);
    if (!value) refusePlace(text);
    all.push_back(*value);
  }
  return all;
}

Found particleOf(Mode& mode, ParticleId id) {
  const Vec3d at = whereIs(mode, id);
  return {id, -1, fmt::format("particle {}", id), at, at};
}

Found pairOf(Mode& mode, ParticleId a, ParticleId b) {
  if (a == b) throw InputError("a pair is of two particles");
  particleOf(mode, b);
  Found found = particleOf(mode, a);
  found.second = b;
  found.words += fmt::format(" and particle {}", b);
  return found;
}

Found cellOf(Mode& mode, const std::vector<std::int64_t>& index) {
  const Box box = asked(mode).boxNow();
  const auto d = static_cast<std::size_t>(box.dimension);
  const std::optional<CellGridPlace> grid = asked(mode).cellGrid();
  if (!grid) throw InputError("the method has no cells now");
  if (index.size() != d) throw InputError("a cell has {} numbers here, not {}", d, index.size());
  Found found;
  GridCell cell;
  double lo[3] = {}, hi[3] = {};
  for (std::size_t a = 0; a < d; ++a) {
    if (index[a] < 0 || index[a] >= grid->cells[a])
      throw InputError("there is no cell {} along {}; allowed: 0 to {}", index[a], "xyz"[a],
                       grid -> cells[a] - 1);
    cell.at[a] = static_cast<int>(index[a]);
    lo[a] = wrapped(grid->origin[a] + cell.at[a] * grid->width[a], box.length[a]);
    hi[a] = lo[a] + grid->width[a];
  }
  const Configuration all = mode.configuration();
  std::vector<ParticleId> inside;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (cellAt(*grid, box, all.place(k)) == cell) inside.push_back(all.ids[k]);
  found.words = fmt::format("cell {}: {} particle{}{}{}", inWords(cell, box.dimension),
                            inside.size(), inside.size() == 1 ? "" : "s",
                            inside.empty() ? "" : ", ids ", fmt::join(inside, ", "));
  found.lo = {lo[0], lo[1], lo[2]}, found.hi = {hi[0], hi[1], hi[2]};
  return found;
}

Found slotOf(Mode& mode, std::int64_t slot) {
  const std::vector<ParticleId> ids = asked(mode).inSlots();
  if (ids.empty())
    throw InputError("particles lie in slots of cells here, or there is none: name an id or cell");
  if (slot < 0 || slot >= static_cast<std::int64_t>(ids.size()))
    throw InputError("there is no slot {}; allowed: 0 to {}", slot, ids.size() - 1);
  Found found = particleOf(mode, ids[static_cast<std::size_t>(slot)]);
  found.words += fmt::format(", in slot {}", slot);
  return found;
}

// A row of a table by its place.
Found rowOf(Mode& mode, const std::string& table, const std::string& place) {
  const Table all = tableOf(mode, table);
  for (const TableRow& row : all.rows) {
    if (row.place != place) continue;
    std::string words = place;
    for (std::size_t k = 1; k < row.cells.size(); ++k)
      if (!row.cells[k].text.empty())
        words +=
            fmt::format("{} {} {}", k == 1 ? ":" : ",", all.columns[k].name, row.cells[k].text);
    return {-1, -1, words, row.lo, row.hi};
  }
  throw InputError(
      "there is no {}; {}", place,
      all.note.empty() ? fmt::format("there are {} {}", all.rows.size(), table) : all.note);
}

// By how many boxes the nearest image of b is away from b; "" for b itself.
std::string imageInWords(const Vec3d& a, const Vec3d& b, const Vec3d& d, const Box& box) {
  int image[3] = {};
  for (int k = 0; k < box.dimension; ++k)
    image[k] = static_cast<int>(std::lround((a[k] + d[k] - b[k]) / box.length[k]));
  if (image[0] == 0 && image[1] == 0 && image[2] == 0) return "";
  return fmt::format("({:+d}, {:+d}{})", image[0], image[1],
                     box.dimension == 3 ? fmt::format(", {:+d}", image[2]) : "");
}

// Of two cells: the largest number of cells between them along an axis.
int cellsApart(const GridCell& a, const GridCell& b, const CellGridPlace& grid, int dimension) {
  int most = 0;
  for (int k = 0; k < dimension; ++k) {
    const int d = std::abs(a.at[k] - b.at[k]);
    most = std::max(most, std::min(d, grid.cells[k] - d));
  }
  return most;
}

// Nearest first.
Table neighbourTable(Mode& mode, ParticleId id) {
  Inspectable& of = asked(mode);
  whereIs(mode, id);
  const std::vector<Neighbour> near = of.neighboursOf(id);
  std::vector<ParticleId> ids = {id};
  for (const Neighbour& n : near) ids.push_back(n.id);
  const auto at = of.placesOf(ids);
  const Box box = of.boxNow();
  const auto grid = of.cellGrid();
  Table t{{{"id", "Of the other particle"},
           {"distance", "To its nearest image, sigma"},
           {"image", "Boxes between it and that image; empty: it lies in the box itself"},
           {"cell", "Of the method, where it is now; empty: the method has no cells"},
           {"listed", "In the list of the particle; MISSING: it should be; far: beyond the cutoff"},
           {"energy", "Of the pair, epsilon"}},
          {},
          near.empty() ? "nothing is within the cutoff or in the list" : ""};
  for (std::size_t k = 0; k < near.size(); ++k) {
    const Neighbour& n = near[k];
    const Vec3d a = at[0].value(), b = at[k + 1].value();
    const char* const listed = !n.listed               ? ""
                               : *n.listed != n.within ? *n.listed ? "yes, far" : "MISSING"
                               : *n.listed             ? "yes"
                                                       : "no";
    t.rows.push_back({.cells = {wholeCell(n.id),
                                {fmt::format("{:.4f}", n.distance), n.distance},
                                {imageInWords(a, b, box.minimumImage(b - a), box), 0},
                                {grid ? inWords(cellAt(*grid, box, b), box.dimension) : "", 0},
                                {listed, 0},
                                n.energy ? numberCell(*n.energy, 4) : TableCell{}},
                      .pick = n.id,
                      .wrong = n.within && n.listed && !*n.listed});
  }
  std::ranges::sort(t.rows, {}, [](const TableRow& row) { return row.cells[1].order; });
  return t;
}

Table cellTable(Mode& mode) {
  Table t{{{"cell", "Its number along each axis"},
           {"count", "Particles in it now"},
           {"capacity", "Particles that it has room for; empty: as many as there are"},
           {"overflow", "Particles beyond that"}},
          {},
          ""};
  const auto grid = asked(mode).cellGrid();
  if (!grid) return {{}, {}, "the method has no cells now"};
  const Box box = asked(mode).boxNow();
  const int room = asked(mode).cellCapacity();
  const int nx = grid->cells[0], ny = grid->cells[1];
  std::vector<int> counts(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
                          static_cast<std::size_t>(grid->cells[2]));
  const Configuration all = mode.configuration();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const GridCell c = cellAt(*grid, box, all.place(k));
    ++counts[static_cast<std::size_t>((c.at[2] * ny + c.at[1]) * nx + c.at[0])];
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const int number = static_cast<int>(k);
    const std::string cell =
        inWords(GridCell{{number % nx, number / nx % ny, number / nx / ny}}, box.dimension);
    t.rows.push_back({.cells = {{cell, static_cast<double>(k)},
                                wholeCell(counts[k]),
                                room > 0 ? wholeCell(room) : TableCell{},
                                room > 0 ? wholeCell(std::max(0, counts[k] - room)) : TableCell{}},
                      .place = cell,
                      .wrong = room > 0 && counts[k] > room});
  }
  return t;
}

}  // namespace

Inspectable& asked(Mode& mode) {
  if (auto* const one = dynamic_cast<Inspectable*>(&mode)) return *one;
  throw InputError("mode '{}' answers no questions of its particles and values",
                   mode.description().key);
}

std::string inWords(const GridCell& cell, int dimension) {
  return dimension == 3 ? fmt::format("({}, {}, {})", cell.at[0], cell.at[1], cell.at[2])
                        : fmt::format("({}, {})", cell.at[0], cell.at[1]);
}

Vec3d whereIs(Mode& mode, ParticleId id) {
  if (const std::optional<Vec3d> at = asked(mode).placesOf({id})[0]) return *at;
  const std::vector<ParticleId> ids = mode.configuration().ids;
  if (ids.empty()) throw InputError("there is no particle {}: the box is empty", id);
  const auto [least, most] = std::minmax_element(ids.begin(), ids.end());
  throw InputError("there is no particle {}; there are {}, with ids from {} to {}", id, ids.size(),
                   *least, *most);
}

Found findInside(Mode& mode, const std::string& text) {
  std::istringstream in(text);
  std::string first;
  in >> first;
  if (first == "node" || first == "move") {
    std::string number;
    in >> number;
    return rowOf(mode, first + "s", first + " " + number);
  }
  const bool slot = first == "slot", cell = first == "cell";
  std::string rest = text;
  if (slot || cell) std::getline(in, rest);
  const std::vector<std::int64_t> numbers = numbersIn(rest, text);
  if (slot && numbers.size() == 1) return slotOf(mode, numbers[0]);
  if (slot || numbers.empty()) refusePlace(text);
  if (cell || rest.find_first_of(",(") != std::string::npos) return cellOf(mode, numbers);
  if (numbers.size() == 1) return particleOf(mode, numbers[0]);
  if (numbers.size() == 2) return pairOf(mode, numbers[0], numbers[1]);
  refusePlace(text);
}

std::optional<PickedPair> addPair(Mode& mode, PickedParticle& picked, ParticleId second) {
  auto* const of = dynamic_cast<Inspectable*>(&mode);
  if (!of) return std::nullopt;
  const auto add = [&](const std::string& label, const std::string& value) {
    picked.rows.push_back({fmt::format("pair {} {}, {}", picked.id, second, label), value});
  };
  const auto at = of->placesOf({picked.id, second});
  if (!at[0] || !at[1]) {
    add("gone", fmt::format("there is no particle {} any more", at[0] ? second : picked.id));
    return std::nullopt;
  }
  const Vec3d a = *at[0], b = *at[1];
  const Box box = of->boxNow();
  const Vec3d d = box.minimumImage(b - a);
  add("distance", fmt::format("{:.4f} sigma", std::sqrt(dot(d, d))));
  const std::string image = imageInWords(a, b, d, box);
  add("image", image.empty() ? "in the box itself" : image + ", across a face of the box");
  if (const auto grid = of->cellGrid()) {
    const GridCell own = cellAt(*grid, box, a), other = cellAt(*grid, box, b);
    const int apart = cellsApart(own, other, *grid, box.dimension);
    add("cells now",
        fmt::format("{} and {}: {}", inWords(own, box.dimension), inWords(other, box.dimension),
                    apart == 0   ? "the same"
                    : apart == 1 ? "next to each other"
                                 : fmt::format("{} apart", apart)));
  }
  for (const auto& [label, value] : of->aboutPair(picked.id, second)) add(label, value);
  return PickedPair{second, a, a + d};
}

// Tables of a state: those that every mode has alike, and which there are.
Table tableOf(Mode& mode, const std::string& name) {
  Words words(name);
  const std::string what = words.take("the name of a table: " + std::string(kTables));
  if (what == "neighbours") {
    const ParticleId id = words.id();
    words.requireEnd(kTables);
    return neighbourTable(mode, id);
  }
  words.requireEnd(kTables);
  if (what == "cells") return cellTable(mode);
  if (what == "nodes") return asked(mode).treeNodes();
  if (what == "moves") return asked(mode).lastMoves();
  throw InputError("'{}' is no table; allowed: {}", what, kTables);
}

}  // namespace cellscope
