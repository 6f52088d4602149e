// Dumps of LAMMPS as text (docs.lammps.org/dump.html).
#include <fmt/format.h>

#include <cmath>

#include "sim/io/formats/format.h"
#include "sim/io/formats/text_table.h"

namespace cellscope::io {
namespace {

constexpr std::string_view kItem = "ITEM: ";

std::vector<double> numbersIn(const TextLines& lines, std::string_view line) {
  std::vector<double> values;
  for (const std::string_view word : wordsOf(line)) {
    const std::optional<double> v = realOf(word);
    if (!v || !std::isfinite(*v)) lines.fail("'{}' is not a finite number", word);
    values.push_back(*v);
  }
  return values;
}

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
    const std::vector<double> v = numbersIn(lines, line);
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
  return {"dump",
          "LAMMPS dump",
          {".dump", ".lammpstrj"},
          true,
          [](std::string_view head) { return head.starts_with(kItem); },
          readDump,
          textSinkOf<dumpText>};
}

}  // namespace cellscope::io
