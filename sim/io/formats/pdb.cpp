// PDB files (wwpdb.org, version 3.3): CRYST1 and ATOM or HETATM of each MODEL. Lengths are in
// angstrom by the format; eight columns hold a coordinate, three digits behind the point.
#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {
namespace {

// Columns from 1, as the format counts them.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
  if (line.size() < first) return {};
  std::string_view part = line.substr(first - 1, last - first + 1);
  while (part.starts_with(' ')) part.remove_prefix(1);
  while (part.ends_with(' ')) part.remove_suffix(1);
  return part;
}

double realIn(const TextLines& lines, std::string_view line, std::size_t first, std::size_t last,
              const char* what) {
  const std::string_view text = columns(line, first, last);
  const std::optional<double> v = realOf(text);
  if (!v || !std::isfinite(*v))
    lines.fail("{} = '{}' in columns {} to {} is not a finite number", what, text, first, last);
  return *v;
}

// 1 1 1, or with some programs 0 0 0, stands where there is no crystal.
std::vector<double> cellOf(const TextLines& lines, std::string_view line) {
  std::vector<double> cell(9, 0.0);
  for (std::size_t a = 0; a < 3; ++a)
    cell[4 * a] = realIn(lines, line, 7 + 9 * a, 15 + 9 * a, "a side of CRYST1");
  for (const double none : {0.0, 1.0})
    if (cell[0] == none && cell[4] == none && cell[8] == none) return {};
  for (std::size_t a = 0; a < 3; ++a) {
    const double angle = realIn(lines, line, 34 + 7 * a, 40 + 7 * a, "an angle of CRYST1");
    if (angle != 90)
      lines.fail("CRYST1: the box is tilted: an angle is {}; only rectangular boxes can be loaded",
                 angle);
  }
  return cell;
}

std::string nameOf(std::string_view line) {
  std::string name(columns(line, 77, 78));
  if (name.empty() || name == "X") name = columns(line, 13, 16);
  if (name.empty()) name = "X";
  // AR is argon, as Ar.
  if (name.size() == 2 && name[1] >= 'A' && name[1] <= 'Z') {
    const std::string usual = {name[0], static_cast<char>(name[1] - 'A' + 'a')};
    if (isElement(usual)) return usual;
  }
  return name;
}

FileFrame begun(const std::string& path) {
  FileFrame f;
  f.file = path;
  f.kinds.push_back({"name", Field::name, {}, {}});
  f.units.push_back("lengths in angstrom, as in all PDB files");
  return f;
}

void readPdb(const std::string& path, bool, const TakeFrame& take) {
  TextLines lines(path);
  FileFrame f = begun(path);
  std::vector<double> cell;
  const auto finish = [&] {
    if (f.n == 0) return;
    f.cell = cell;
    take(std::exchange(f, begun(path)));
  };
  for (std::string_view line; lines.next(line);) {
    const std::string_view record = columns(line, 1, 6);
    if (record == "CRYST1") {
      finish();
      cell = cellOf(lines, line);
    } else if (record == "ATOM" || record == "HETATM") {
      for (std::size_t a = 0; a < 3; ++a)
        f.position.push_back(realIn(lines, line, 31 + 8 * a, 38 + 8 * a, "a coordinate"));
      if (!f.kinds[0].add(nameOf(line)))
        lines.fail("there are more than {} kinds of particles", kMostKinds);
      ++f.n;
    } else if (record == "MODEL" || record == "ENDMDL" || record == "END") {
      finish();
    } else if (record == "ANISOU" || record.starts_with("SCALE") || record.starts_with("MTRIX")) {
      f.unused.emplace_back(record);
    }
  }
  finish();
}

bool isPdb(std::string_view head) {
  for (const char* record : {"HEADER", "TITLE ", "CRYST1", "REMARK", "ATOM  ", "HETATM", "MODEL ",
                             "COMPND", "OBSLTE", "SPLIT ", "CAVEAT"})
    if (head.starts_with(record)) return true;
  return false;
}

std::string pdbText(const Configuration& c, const FrameNotes& notes) {
  double longest = 0;
  for (int a = 0; a < c.box.dimension; ++a) longest = std::max(longest, c.box.length[a]);
  if (longest >= 9999)
    throw RunError("a box of {} is too long for PDB; allowed: below 9999", longest);
  const bool flat = c.box.dimension == 2;
  std::string text = fmt::format(
      "MODEL     {:4}\nCRYST1{:9.3f}{:9.3f}{:9.3f}{:7.2f}{:7.2f}{:7.2f} P 1           1\n",
      notes.step % 10000, c.box.length[0], c.box.length[1],
      flat ? c.largestDiameter() : c.box.length[2], 90., 90., 90.);
  auto to = std::back_inserter(text);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::string& name = c.speciesOf(i).name;
    fmt::format_to(
        to,
        "HETATM{:5} {:<4.4} UNK A   1    {:8.3f}{:8.3f}{:8.3f}{:6.2f}{:6.2f}          {:>2.2}\n",
        (i + 1) % 100000, name, c.positions[3 * i], c.positions[3 * i + 1], c.positions[3 * i + 2],
        1., 0., isElement(name) ? name : "X");
  }
  return text + "ENDMDL\n";
}

}  // namespace

Format pdbFormat() {
  return Format("pdb", "PDB", {".pdb", ".ent"}, true, isPdb, readPdb, textSinkOf<pdbText>,
                "velocities, masses, diameters, ids, and more than three digits of a coordinate");
}

}  // namespace cellscope::io
