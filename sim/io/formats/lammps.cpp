// Text files of LAMMPS. Data files (docs.lammps.org/read_data.html): read are header, Masses, Atoms
// and Velocities; written is atom style atomic, which has no diameters. Dumps
// (docs.lammps.org/dump.html).
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "sim/io/formats/text_table.h"

namespace cellscope::io {
namespace {

// Columns of Atoms by atom style; behind them three image flags may stand.
constexpr std::pair<const char*, const char*> kStyles[] = {
    {"atomic", "id type x y z"},
    {"charge", "id type q x y z"},
    {"molecular", "id molecule type x y z"},
    {"bond", "id molecule type x y z"},
    {"angle", "id molecule type x y z"},
    {"full", "id molecule type q x y z"},
    {"sphere", "id type diameter density x y z"},
};

// Without a comment.
std::string_view contentOf(std::string_view line, std::string_view* comment = nullptr) {
  const std::size_t at = line.find('#');
  if (comment) *comment = at == line.npos ? "" : line.substr(at + 1);
  return line.substr(0, at);
}

double finiteIn(const TextLines& lines, std::string_view word) {
  const std::optional<double> v = realOf(word);
  if (!v || !std::isfinite(*v)) lines.fail("'{}' is not a finite number", word);
  return *v;
}

class DataFile {
 public:
  explicit DataFile(const std::string& path) : lines_(path) { f_.file = path; }
  FileFrame read() {
    header();
    std::string_view line, comment;
    while (nextContent(line, &comment))
      section(std::string(line.substr(0, line.find_last_not_of(" \t") + 1)), std::string(comment));
    if (f_.n == 0) lines_.fail("there is no section Atoms");
    for (std::size_t i = 0; i < f_.n && !massOf_.empty(); ++i) {
      const Kinds& types = f_.kinds.at(0);
      const auto known = massOf_.find(types.names[types.of[i]]);
      if (known == massOf_.end())
        lines_.fail("Masses: there is none of type {}", types.names[types.of[i]]);
      f_.mass.push_back(known->second);
    }
    return std::move(f_);
  }

 private:
  using Words = std::vector<std::string_view>;
  // The next line that is not blank.
  bool nextContent(std::string_view& line, std::string_view* comment = nullptr) {
    while (lines_.next(line)) {
      line = contentOf(line, comment);
      if (!wordsOf(line).empty()) return true;
    }
    return false;
  }
  // Until the first section, whose name is the next line again.
  void header() {
    std::string_view line;
    lines_.next(line);  // a title
    const std::size_t unit = line.find("units = ");
    if (unit != line.npos) {
      const Words name = wordsOf(line.substr(unit + 8));
      if (!name.empty() && name[0] != "lj")
        f_.units.push_back(fmt::format("LAMMPS units {}", name[0]));
    }
    f_.cell.assign(9, 0.0);
    while (nextContent(line)) {
      const Words w = wordsOf(line);
      if (!realOf(w[0])) {
        lines_.back();
        break;
      }
      const std::string_view last = w.back();
      const auto count = numberOf<std::uint64_t>(w[0]);
      if (w.size() == 2 && last == "atoms") {
        if (!count) lines_.fail("'{}' is not a number of atoms", w[0]);
        atoms_ = *count;
      } else if (w.size() == 4 && last.size() == 3 && last.substr(1) == "hi") {
        const std::size_t a = std::string_view("xyz").find(last[0]);
        if (a > 2) lines_.fail("'{}' is no axis", last);
        f_.origin[a] = number(w[0]);
        f_.cell[4 * a] = number(w[1]) - f_.origin[a];
        bounded_[a] = true;
        f_.headLine = lines_.number();
      } else if (w.size() == 6 && w[3] == "xy") {
        f_.cell[3] = number(w[0]), f_.cell[6] = number(w[1]), f_.cell[7] = number(w[2]);
        f_.headLine = lines_.number();
      } else if (w.size() == 3 && last == "types" && w[1] == "atom") {
        types_ = count.value_or(0);
      } else if (w.size() > 1 && count.value_or(1) > 0) {
        bonded_ = bonded_ || last == "bonds";
        f_.unused.push_back(
            fmt::format("{}", fmt::join(w.begin() + 1, w.end(), " ")));  // bonds, ...
      }
    }
    if (!bounded_[0] || !bounded_[1] || !bounded_[2])
      lines_.fail("the box is not complete: xlo xhi, ylo yhi and zlo zhi are needed");
  }
  void section(const std::string& name, std::string_view style) {
    if (name == "Masses") return masses();
    if (name == "Atoms") return atoms(style);
    if (name == "Velocities") return velocities();
    f_.unused.push_back(name);
    std::string_view line;
    while (nextContent(line))
      if (!realOf(wordsOf(line)[0])) return lines_.back();
  }
  void atoms(std::string_view style) {
    const Words named = wordsOf(style);
    std::string_view line;
    if (atoms_ == 0 || !nextContent(line)) lines_.fail("Atoms: there is no particle");
    f_.firstLine = lines_.number();
    const std::size_t found = wordsOf(line).size();
    const auto columns = [&]() -> std::string_view {
      for (const auto& [name, all] : kStyles)
        if (!named.empty() && named[0] == name) return all;
      if (!named.empty())
        lines_.fail(
            "the atom style '{}' is not known; allowed: atomic, charge, molecular, bond, angle, "
            "full, sphere",
            named[0]);
      // Of the styles of so many columns, those with a charge alone or with diameters have no
      // bonds.
      const auto isStyle = [&](int row) {
        const std::size_t own = wordsOf(kStyles[row].second).size();
        return found == own || found == own + 3;
      };
      for (const int row : {2, 5})
        if (bonded_ && isStyle(row)) {
          f_.notes.push_back(fmt::format("Read as atom style {}: it has bonds and {} columns.",
                                         kStyles[row].first, found));
          return kStyles[row].second;
        }
      if (found != 5 && found != 8)
        lines_.fail(
            "{} columns, and no atom style is named; write it behind the name of the section, for "
            "example Atoms # full",
            found);
      return kStyles[0].second;
    }();
    TextTable table(lines_);
    for (const std::string_view name : wordsOf(columns)) table.add(std::string(name), 1);
    table.begin(f_);
    for (std::uint64_t i = 0; i < atoms_; ++i) {
      if (i > 0 && !nextContent(line))
        lines_.fail("the file ends after {} of {} particles", i, atoms_);
      table.read(line, f_, 3);
    }
  }
  void masses() {
    std::string_view line;
    for (std::uint64_t k = 0; k < types_; ++k) {
      if (!nextContent(line) || wordsOf(line).size() < 2)
        lines_.fail("Masses: {} of {} types have one", k, types_);
      const Words w = wordsOf(line);
      massOf_[std::string(w[0])] = number(w[1]);
    }
  }
  // In any order.
  void velocities() {
    std::map<std::int64_t, std::size_t> place;
    for (std::size_t i = 0; i < f_.id.size(); ++i) place[f_.id[i]] = i;
    if (place.empty()) lines_.fail("Velocities come before Atoms");
    f_.velocity.assign(3 * f_.n, 0.0);
    std::string_view line;
    for (std::size_t k = 0; k < f_.n; ++k) {
      if (!nextContent(line) || wordsOf(line).size() < 4)
        lines_.fail("Velocities: {} of {} particles have one", k, f_.n);
      const Words w = wordsOf(line);
      const auto id = numberOf<std::int64_t>(w[0]);
      const auto at = id ? place.find(*id) : place.end();
      if (at == place.end()) lines_.fail("Velocities: there is no particle '{}'", w[0]);
      for (std::size_t a = 0; a < 3; ++a) f_.velocity[3 * at->second + a] = number(w[1 + a]);
      place.erase(at);
    }
  }
  double number(std::string_view word) const { return finiteIn(lines_, word); }
  TextLines lines_;
  FileFrame f_;
  std::uint64_t atoms_ = 0, types_ = 0;
  bool bounded_[3] = {}, bonded_ = false;
  std::map<std::string, double, std::less<>> massOf_;  // by type
};

bool isData(std::string_view head) {
  for (std::size_t from = 0; from < head.size();) {
    const std::size_t end = std::min(head.find('\n', from), head.size());
    const std::vector<std::string_view> w = wordsOf(contentOf(head.substr(from, end - from)));
    if (w.size() == 2 && w[1].substr(0, 5) == "atoms" && numberOf<std::uint64_t>(w[0])) return true;
    from = end + 1;
  }
  return false;
}

void readData(const std::string& path, bool, const TakeFrame& take) { take(DataFile(path).read()); }

std::string dataText(const Configuration& c, const FrameNotes& notes) {
  const bool flat = c.box.dimension == 2;
  std::string text = fmt::format(
      "LAMMPS data file, timestep = {}, units = lj\n\n{} atoms\n{} atom types\n\n0 {} xlo xhi\n"
      "0 {} ylo yhi\n{} {} zlo zhi\n\nMasses\n\n",
      notes.step, c.size(), c.species.size(), c.box.length[0], c.box.length[1], flat ? -0.5 : 0,
      flat ? 0.5 : c.box.length[2]);
  auto to = std::back_inserter(text);
  for (std::size_t s = 0; s < c.species.size(); ++s)
    fmt::format_to(to, "{} {} # {}\n", s + 1, c.species[s].mass, c.species[s].name);
  text += "\nAtoms # atomic\n\n";
  for (std::size_t i = 0; i < c.size(); ++i)
    fmt::format_to(to, "{} {} {} {} {}\n", c.ids[i], c.typeOf(i) + 1, c.positions[3 * i],
                   c.positions[3 * i + 1], c.positions[3 * i + 2]);
  if (!c.velocities.empty()) text += "\nVelocities\n\n";
  for (std::size_t k = 0; k < c.velocities.size(); k += 3)
    fmt::format_to(to, "{} {} {} {}\n", c.ids[k / 3], c.velocities[k], c.velocities[k + 1],
                   c.velocities[k + 2]);
  return text;
}

}  // namespace

Format lammpsDataFormat() {
  return {"data", "LAMMPS data", {".data", ".lmp"},    false,
          isData, readData,      textSinkOf<dataText>, "diameters"};
}

namespace {

constexpr std::string_view kItem = "ITEM: ";

// What stands behind BOX BOUNDS: tilt factors, and pp, ff, ... for each axis.
void readBounds(TextLines& lines, std::string_view rest, FileFrame& f) {
  const std::vector<std::string_view> words = wordsOf(rest);
  const bool tilted = words.size() >= 3 && words[0] == "xy";
  if (!words.empty() && words[0] == "abc")
    lines.fail("the box is a general triclinic one; only rectangular boxes can be loaded");
  for (const std::string_view w : words)
    if (w.size() == 2 && std::string_view("pfsm").find(w[0]) != std::string_view::npos)
      f.periodic += w == "pp" ? 'T' : 'F';
  if (!f.periodic.empty() && f.periodic.size() != 3) lines.fail("BOX BOUNDS needs three axes");
  f.headLine = lines.number();
  f.cell.assign(9, 0.0);
  for (std::size_t a = 0; a < 3; ++a) {
    std::string_view line;
    if (!lines.next(line)) lines.fail("the file ends within BOX BOUNDS");
    std::vector<double> v;
    for (const std::string_view word : wordsOf(line)) v.push_back(finiteIn(lines, word));
    if (v.size() != (tilted ? 3u : 2u)) lines.fail("BOX BOUNDS: two limits of an axis are needed");
    f.origin[a] = v[0];
    f.cell[4 * a] = v[1] - v[0];
    if (tilted) f.cell[a == 0 ? 3 : a == 1 ? 6 : 7] = v[2];  // xy, xz, yz
  }
}

std::uint64_t wholeIn(TextLines& lines, const char* what) {
  std::string_view line;
  if (!lines.next(line)) lines.fail("the file ends before the {}", what);
  const std::vector<std::string_view> words = wordsOf(line);
  const auto v = words.size() == 1 ? numberOf<std::uint64_t>(words[0]) : std::nullopt;
  if (!v) lines.fail("the {} '{}' is not a whole number from 0", what, line);
  return *v;
}

void readAtoms(TextLines& lines, std::string_view names, std::uint64_t n, FileFrame& f) {
  TextTable table(lines);
  for (const std::string_view name : wordsOf(names)) table.add(std::string(name), 1);
  table.begin(f);
  f.firstLine = lines.number() + 1;
  std::string_view line;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (!lines.next(line) || line.starts_with(kItem))
      lines.fail("the frame ends after {} of {} particles; copy the file again", i, n);
    table.read(line, f);
  }
}

FileFrame readDumpFrame(TextLines& lines) {
  FileFrame f;
  f.file = lines.path();
  std::uint64_t n = 0;
  bool counted = false;
  for (std::string_view line; lines.next(line);) {
    if (!line.starts_with(kItem))
      lines.fail("'ITEM: ...' was expected, as dumps of LAMMPS have it");
    const std::string item(line.substr(kItem.size()));
    if (item == "TIMESTEP") {
      f.step = wholeIn(lines, "time step");
    } else if (item == "NUMBER OF ATOMS") {
      n = wholeIn(lines, "number of atoms");
      counted = true;
    } else if (item.starts_with("BOX BOUNDS")) {
      readBounds(lines, std::string_view(item).substr(10), f);
    } else if (item == "UNITS" || item == "TIME") {
      if (!lines.next(line)) lines.fail("the file ends too early");
      const std::vector<std::string_view> word = wordsOf(line);
      if (item == "TIME" && word.size() == 1) f.time = realOf(word[0]).value_or(0);
      if (item == "UNITS" && word.size() == 1 && word[0] != "lj")
        f.units.push_back(fmt::format("LAMMPS units {}", word[0]));
    } else if (item.starts_with("ATOMS")) {
      if (!counted || f.cell.empty())
        lines.fail("NUMBER OF ATOMS and BOX BOUNDS are needed before ATOMS");
      readAtoms(lines, std::string_view(item).substr(5), n, f);
      return f;
    } else {
      lines.fail(
          "'{}' is not known; allowed: TIMESTEP, TIME, UNITS, NUMBER OF ATOMS, BOX BOUNDS, ATOMS",
          item);
    }
  }
  lines.fail("the file ends before the atoms");
}

void readDump(const std::string& path, bool, const TakeFrame& take) {
  TextLines lines(path);
  while (!lines.atEnd()) take(readDumpFrame(lines));
}

// A plane lies in the middle of a slab as high as LAMMPS' examples have it.
std::string dumpText(const Configuration& c, const FrameNotes& notes) {
  const bool flat = c.box.dimension == 2, named = onlyElements(c);
  std::string text = fmt::format(
      "ITEM: UNITS\nlj\nITEM: TIME\n{}\nITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n"
      "ITEM: BOX BOUNDS pp pp {}\n0 {}\n0 {}\n{} {}\nITEM: ATOMS id type{} x y z{} mass radius\n",
      notes.time, notes.step, c.size(), flat ? "ff" : "pp", c.box.length[0], c.box.length[1],
      flat ? -0.5 : 0, flat ? 0.5 : c.box.length[2], named ? " element" : "",
      c.velocities.empty() ? "" : " vx vy vz");
  auto to = std::back_inserter(text);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Species& s = c.speciesOf(i);
    const double* r = &c.positions[3 * i];
    fmt::format_to(to, "{} {}{}{} {} {} {}", c.ids[i], c.typeOf(i) + 1, named ? " " : "",
                   named ? s.name : "", r[0], r[1], r[2]);
    if (!c.velocities.empty())
      fmt::format_to(to, " {} {} {}", c.velocities[3 * i], c.velocities[3 * i + 1],
                     c.velocities[3 * i + 2]);
    fmt::format_to(to, " {} {}\n", s.mass, s.diameter / 2);
  }
  return text;
}

}  // namespace

Format lammpsDumpFormat() {
  return Format(
      "dump", "LAMMPS dump", {".dump", ".lammpstrj"}, true,
      [](std::string_view head) { return head.starts_with(kItem); }, readDump,
      textSinkOf<dumpText>);
}

}  // namespace cellscope::io
