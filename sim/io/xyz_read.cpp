#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "sim/io/line_scan.h"
#include "sim/io/xyz.h"

namespace cellscope::io {
namespace {

// A file by lines, one of them in memory: trajectories may be larger than that. A line holds until
// the next one is asked for.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path), scan_(path) {}

  bool next(std::string_view& line) {
    if (!held_ && !scan_.next()) return false;
    held_ = false;
    line = scan_.line();
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return true;
  }
  // Passes over blank lines.
  bool atEnd() {
    for (; held_ || scan_.next(); held_ = false) {
      held_ = true;
      if (scan_.line().find_first_not_of(" \t\r") != std::string_view::npos) return false;
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", path_, scan_.number(), what));
  }

 private:
  const std::string& path_;
  LineScan scan_;
  bool held_ = false;
};

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; (i = line.find_first_not_of(" \t", i)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", i), line.size());
    out.push_back(line.substr(i, end - i));
    i = end;
  }
  return out;
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
  if (r.ec != std::errc() || r.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr int kMostColumns = 1000;  // of one property

struct Columns {
  int count = 0, position = -1, id = -1, radius = -1, velocity = -1;
};

Columns readColumns(const Lines& lines, const std::string& properties) {
  std::vector<std::string> parts(1);
  for (const char c : properties) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() % 3 != 0) lines.fail("Properties is not a list of name:type:columns");
  Columns c;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::optional<int> width = parsed<int>(parts[i + 2]);
    if (!width || *width < 1 || *width > kMostColumns)
      lines.fail("Properties: '" + parts[i + 2] + "' is no column count");
    if (parts[i] == "pos" && *width == 3) c.position = c.count;
    if (parts[i] == "id") c.id = c.count;
    if (parts[i] == "radius") c.radius = c.count;
    if (parts[i] == "velo" && *width == 3) c.velocity = c.count;
    c.count += *width;
  }
  if (c.position < 0) lines.fail("Properties names no pos:R:3 column");
  return c;
}

SceneBox readBox(const Lines& lines, std::string_view comment, int dimension) {
  const std::optional<std::string> lattice = xyzEntry(comment, "Lattice");
  if (!lattice)
    lines.fail(
        "no Lattice=\"...\" in the comment line: the box is unknown; save the file as extended "
        "XYZ");
  const auto numbers = words(*lattice);
  SceneBox box;
  box.dimension = dimension;
  if (numbers.size() != 9) lines.fail("Lattice needs nine numbers");
  for (std::size_t k = 0; k < 9; ++k) {
    const std::optional<double> v = parsed<double>(numbers[k]);
    const bool diagonal = k % 4 == 0;
    if (!v || !std::isfinite(*v) || (diagonal ? *v < 0 : *v != 0))
      lines.fail(fmt::format(
          "Lattice entry '{}': only rectangular boxes can be loaded, with nothing off the diagonal",
          numbers[k]));
    if (diagonal) box.length[k / 4] = *v;
  }
  for (int k = 0; k < dimension; ++k)
    if (!(box.length[k] > 0)) lines.fail("the box has no extent");
  return box;
}

double coordinate(const Lines& lines, std::string_view text, std::uint32_t id, double length,
                  char axis) {
  const std::optional<double> v = parsed<double>(text);
  if (!v || !std::isfinite(*v))
    lines.fail(
        fmt::format("particle {}: {} = '{}' is not a finite number; allowed: 0 <= {} < {}; correct "
                    "it, or load a sound frame",
                    id, axis, text, axis, length));
  if (*v < 0 || *v >= length)
    lines.fail(
        fmt::format("particle {}: {} = {} is outside the box; allowed: 0 <= {} < {}; wrap "
                    "the positions before loading them",
                    id, axis, text, axis, length));
  return *v;
}

void readParticle(const Lines& lines, std::string_view line, const Columns& columns,
                  Configuration& c, std::vector<double>& z) {
  const auto w = words(line);
  if (static_cast<int>(w.size()) != columns.count)
    lines.fail(fmt::format("{} columns found, Properties names {}", w.size(), columns.count));
  std::uint32_t id = static_cast<std::uint32_t>(c.ids.size());
  if (columns.id >= 0) {
    const auto given = parsed<std::uint32_t>(w[static_cast<std::size_t>(columns.id)]);
    if (!given)
      lines.fail(fmt::format(
          "the id '{}' is not a whole number from 0; correct it, or leave out the id column",
          w[static_cast<std::size_t>(columns.id)]));
    id = *given;
  }
  c.ids.push_back(id);
  for (int k = 0; k < 3; ++k) {
    const std::string_view text = w[static_cast<std::size_t>(columns.position + k)];
    const bool flat = k >= c.box.dimension;
    c.positions.push_back(flat ? 0.0 : coordinate(lines, text, id, c.box.length[k], "xyz"[k]));
  }
  z.push_back(parsed<double>(w[static_cast<std::size_t>(columns.position + 2)]).value_or(0));
  for (int k = 0; columns.velocity >= 0 && k < 3; ++k) {
    const auto v = parsed<double>(w[static_cast<std::size_t>(columns.velocity + k)]);
    if (!v || !std::isfinite(*v))
      lines.fail(
          fmt::format("particle {}: the velocity '{}' is not a finite number; correct it, or leave "
                      "out the velo "
                      "columns",
                      id, w[static_cast<std::size_t>(columns.velocity + k)]));
    c.velocities.push_back(*v);
  }
  if (columns.radius >= 0) {
    const auto r = parsed<double>(w[static_cast<std::size_t>(columns.radius)]);
    if (!r || !(*r > 0))
      lines.fail(fmt::format("particle {}: the radius '{}' is no number above 0; correct it", id,
                             w[static_cast<std::size_t>(columns.radius)]));
    if (c.ids.size() > 1 && 2 * *r != c.diameter)
      lines.fail(fmt::format("particle {}: its radius differs; all particles must have one", id));
    c.diameter = 2 * *r;
  }
}

// A 2D file may lie at any height, but all of it at one; a file that is open in z is no 3D one.
void checkDimension(const Lines& lines, const std::vector<double>& z, std::string_view comment,
                    int dimension) {
  const std::vector<std::string> axes = {"two", "three"};
  const auto refuse = [&](const std::string& why) {
    lines.fail(fmt::format("{}; the mode needs a configuration in {} dimensions", why,
                           axes[static_cast<std::size_t>(dimension - 2)]));
  };
  if (dimension == 3) {
    const std::string pbc = xyzEntry(comment, "pbc").value_or("T T T");
    if (!pbc.empty() && pbc.back() == 'F') refuse("the box is not periodic along z");
    return;
  }
  for (std::size_t k = 1; k < z.size(); ++k)
    if (z[k] != z[0])
      refuse(fmt::format("the particles differ in z: {} of the first, {} of number {}", z[0], z[k],
                         k + 1));
}

void checkIds(const Lines& lines, const Configuration& c) {
  std::vector<bool> seen(c.ids.size());
  for (const std::uint32_t id : c.ids) {
    if (id >= seen.size())
      lines.fail(
          fmt::format("id {} in a frame of {}: ids must be 0 to {}, each once; number them "
                      "anew or leave out the id column",
                      id, seen.size(), seen.size() - 1));
    if (seen[id])
      lines.fail(
          fmt::format("id {} appears twice; ids must be 0 to {}, each once; number them anew "
                      "or leave out the id column",
                      id, seen.size() - 1));
    seen[id] = true;
  }
}

Configuration readFrame(Lines& lines, int dimension) {
  std::string_view line;
  lines.next(line);
  const auto count = words(line);
  const auto n = count.size() == 1 ? parsed<std::uint32_t>(count[0]) : std::nullopt;
  if (!n || *n == 0)
    lines.fail(
        "the number of particles was expected, alone in its line; save the file as extended XYZ");
  if (!lines.next(line))
    lines.fail("the file ends before the comment line; copy it again, or remove this frame");
  Configuration c;
  c.box = readBox(lines, line, dimension);
  const Columns columns =
      readColumns(lines, xyzEntry(line, "Properties").value_or("species:S:1:pos:R:3"));
  const std::string comment(line);
  std::vector<double> z;
  for (std::uint32_t i = 0; i < *n; ++i) {
    if (!lines.next(line))
      lines.fail(
          fmt::format("the file ends after {} of {} particles; copy it again, or remove this "
                      "frame",
                      i, *n));
    readParticle(lines, line, columns, c, z);
  }
  checkDimension(lines, z, comment, dimension);
  checkIds(lines, c);
  return c;
}

}  // namespace

std::optional<std::string> xyzEntry(std::string_view line, const std::string& key) {
  for (std::size_t at = 0; (at = line.find(key + "=", at)) != line.npos; ++at) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
    std::string_view value = line.substr(at + key.size() + 1);
    if (value.empty() || value[0] != '"') return std::string(value.substr(0, value.find(' ')));
    value.remove_prefix(1);
    return std::string(value.substr(0, value.find('"')));
  }
  return std::nullopt;
}

Configuration readXyz(const std::string& path, int dimension) {
  Lines lines(path);
  if (lines.atEnd())
    throw InputError(path + ": the file is empty; name one with a configuration as extended XYZ");
  Configuration last;
  while (!lines.atEnd()) last = readFrame(lines, dimension);
  return last;
}

}  // namespace cellscope::io
