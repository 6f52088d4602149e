#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sim/base/error.h"
#include "sim/io/xyz.h"
#include "sim/io/xyz_lines.h"

namespace cellscope::io {
namespace {

constexpr const char* kPlainColumns = "species:S:1:pos:R:3";  // of files without Properties

// One frame while it is read.
class Frame {
 public:
  Frame(XyzLines& lines, std::string_view comment);

  void particle(std::string_view line);
  Configuration finish();

 private:
  std::optional<std::string> entry(const std::string& key) const;
  void readPeriodicity();
  void readBox();
  std::string_view column(int first, int k = 0) const {
    return words_[static_cast<std::size_t>(first + k)];
  }
  ParticleId readId() const;
  double readCoordinate(int axis, ParticleId id) const;
  void requireInside(double v, int axis, ParticleId id, std::uint64_t line) const;
  void readVelocity(ParticleId id);
  double readPositive(int column, const char* what, double missing, ParticleId id) const;
  std::uint32_t readType(ParticleId id);
  void settleDimension();

  XyzLines& lines_;
  std::vector<std::pair<std::string, std::string>> entries_;  // of the comment line
  Configuration c_;
  XyzColumns columns_;
  std::optional<int> dimension_;  // as pbc says
  std::vector<std::string_view> words_;
  std::map<std::string, std::uint32_t, std::less<>> types_;
  std::vector<ParticleId> firstOfType_;
  std::uint64_t firstLine_;  // of the particles
};

Frame::Frame(XyzLines& lines, std::string_view comment)
    : lines_(lines), entries_(entriesOf(comment)) {
  c_.species.clear();
  readPeriodicity();
  readBox();
  columns_ = columnsOf(lines, entry("Properties").value_or(kPlainColumns));
  firstLine_ = lines.number() + 1;
}

// A key that is read stands in the line once.
std::optional<std::string> Frame::entry(const std::string& key) const {
  const std::string* found = nullptr;
  for (const auto& [name, value] : entries_) {
    if (name != key) continue;
    if (found) lines_.fail(fmt::format("{} stands twice in the comment line; remove one", key));
    found = &value;
  }
  return found ? std::optional(*found) : std::nullopt;
}

void Frame::readPeriodicity() {
  const std::optional<std::string> pbc = entry("pbc");
  if (!pbc) return;
  std::string axes;
  for (const std::string_view word : wordsOf(*pbc))
    axes += std::string_view("1tT").find(word[0]) != std::string_view::npos ? 'T' : 'F';
  if (axes != "TTT" && axes != "TTF")
    lines_.fail(fmt::format(
        "pbc=\"{}\": only periodic boxes can be loaded; allowed: \"T T T\", and \"T T F\" "
        "in two dimensions",
        *pbc));
  dimension_ = axes == "TTT" ? 3 : 2;
}

void Frame::readBox() {
  const std::optional<std::string> lattice = entry("Lattice");
  if (!lattice)
    lines_.fail(
        "no Lattice=\"...\" in the comment line: the box is unknown; save the file as extended "
        "XYZ");
  const auto numbers = wordsOf(*lattice);
  if (numbers.size() != 9) lines_.fail("Lattice needs nine numbers");
  for (std::size_t k = 0; k < 9; ++k) {
    const std::optional<double> v = realOf(numbers[k]);
    const bool diagonal = k % 4 == 0;
    if (!v || !std::isfinite(*v) || (diagonal ? *v < 0 : *v != 0))
      lines_.fail(fmt::format(
          "Lattice entry '{}': only rectangular boxes can be loaded, with nothing off the diagonal",
          numbers[k]));
    if (diagonal) c_.box.length[k / 4] = *v;
  }
  for (int k = 0; k < dimension_.value_or(2); ++k)
    if (!(c_.box.length[k] > 0)) lines_.fail("Lattice: the box has no extent");
}

ParticleId Frame::readId() const {
  if (columns_.id < 0) return static_cast<ParticleId>(c_.ids.size());
  const auto id = numberOf<ParticleId>(column(columns_.id));
  if (!id || *id < 0)
    lines_.fail(fmt::format(
        "the id '{}' is not a whole number of 0 to 9223372036854775807; correct it, or leave out "
        "the id column",
        column(columns_.id)));
  return *id;
}

void Frame::requireInside(double v, int axis, ParticleId id, std::uint64_t line) const {
  const double length = c_.box.length[axis];
  if (v >= 0 && v < length) return;
  const char name = "xyz"[axis];
  lines_.failAt(line, fmt::format("particle {}: {} = {} is outside the box; allowed: 0 <= {} < {}; "
                                  "wrap the positions before loading them",
                                  id, name, v, name, length));
}

// z is compared with the box when the dimension is known.
double Frame::readCoordinate(int axis, ParticleId id) const {
  const std::string_view text = column(columns_.position, axis);
  const std::optional<double> v = realOf(text);
  const char name = "xyz"[axis];
  if (!v || !std::isfinite(*v))
    lines_.fail(fmt::format(
        "particle {}: {} = '{}' is not a finite number; allowed: {}; correct it, "
        "or load another frame",
        id, name, text,
        axis == 2 && dimension_ != 3 ? "one height for all particles"
                                     : fmt::format("0 <= {} < {}", name, c_.box.length[axis])));
  if (axis < dimension_.value_or(2)) requireInside(*v, axis, id, lines_.number());
  return *v;
}

void Frame::readVelocity(ParticleId id) {
  for (int k = 0; k < 3; ++k) {
    const std::string_view text = column(columns_.velocity, k);
    const auto v = realOf(text);
    if (!v || !std::isfinite(*v))
      lines_.fail(
          fmt::format("particle {}: the velocity '{}' is not a finite number; correct it, or leave "
                      "out the velo columns",
                      id, text));
    c_.velocities.push_back(*v);
  }
}

double Frame::readPositive(int at, const char* what, double missing, ParticleId id) const {
  if (at < 0) return missing;
  const auto v = realOf(column(at));
  if (!v || !(*v > 0) || !std::isfinite(*v))
    lines_.fail(fmt::format("particle {}: the {} '{}' is not a finite number above 0; correct it",
                            id, what, column(at)));
  return *v;
}

// Of one species all have the same radius and mass.
std::uint32_t Frame::readType(ParticleId id) {
  const std::string_view name = columns_.species < 0 ? "X" : column(columns_.species);
  const double radius = readPositive(columns_.radius, "radius", 0.5, id);
  const double mass = readPositive(columns_.mass, "mass", 1, id);
  const auto known = types_.find(name);
  if (known == types_.end()) {
    const auto type = static_cast<std::uint32_t>(c_.species.size());
    types_.emplace(name, type);
    firstOfType_.push_back(id);
    c_.species.push_back({std::string(name), 2 * radius, mass});
    return type;
  }
  const Species& s = c_.species[known->second];
  const auto differs = [&](const char* what, double value, double first) {
    lines_.fail(
        fmt::format("particle {} of species '{}' has {} {}, particle {} of the same species "
                    "{}; all particles of a species have one; name another species",
                    id, name, what, value, firstOfType_[known->second], first));
  };
  if (2 * radius != s.diameter) differs("radius", radius, s.diameter / 2);
  if (mass != s.mass) differs("mass", mass, s.mass);
  return known->second;
}

void Frame::particle(std::string_view line) {
  words_ = wordsOf(line);
  if (static_cast<int>(words_.size()) != columns_.count)
    lines_.fail(
        fmt::format("{} columns found, Properties names {}", words_.size(), columns_.count));
  const ParticleId id = readId();
  for (int axis = 0; axis < 3; ++axis) c_.positions.push_back(readCoordinate(axis, id));
  if (columns_.velocity >= 0) readVelocity(id);
  c_.types.push_back(readType(id));
  c_.ids.push_back(id);
}

// A 2D frame may lie at any height, but all of it at one.
void Frame::settleDimension() {
  const auto z = [&](std::size_t i) -> double& { return c_.positions[3 * i + 2]; };
  std::size_t other = 1;  // first one at another height
  while (other < c_.size() && z(other) == z(0)) ++other;
  const bool flat = c_.size() > 1 && other >= c_.size();
  c_.box.dimension = dimension_.value_or(flat ? 2 : 3);
  if (c_.box.dimension == 3) {
    if (!(c_.box.length[2] > 0)) lines_.failAt(firstLine_ - 1, "Lattice: the box has no extent");
    for (std::size_t i = 0; i < c_.size(); ++i) requireInside(z(i), 2, c_.ids[i], firstLine_ + i);
    return;
  }
  if (other < c_.size())
    lines_.failAt(firstLine_ + other,
                  fmt::format("particle {} has z = {}, particle {} has {}; in two dimensions "
                              "(pbc=\"T T F\") all particles lie at one height",
                              c_.ids[other], z(other), c_.ids[0], z(0)));
  c_.box.length[2] = 1;
  for (std::size_t i = 0; i < c_.size(); ++i) z(i) = 0;
}

Configuration Frame::finish() {
  settleDimension();
  if (c_.species.empty()) c_.species.resize(1);
  if (c_.species.size() == 1) c_.types.clear();
  try {
    requireValid(c_, "frame");
  } catch (const InputError& e) {
    lines_.failAt(firstLine_ - 1, e.what());
  }
  return std::move(c_);
}

Configuration readFrame(XyzLines& lines) {
  std::string_view line;
  lines.next(line);
  const auto count = wordsOf(line);
  const auto n = count.size() == 1 ? numberOf<std::uint32_t>(count[0]) : std::nullopt;
  if (!n)
    lines.fail(
        "the number of particles was expected, alone in its line; save the file as extended XYZ");
  if (!lines.next(line))
    lines.fail("the file ends before the comment line; copy it again, or remove this frame");
  Frame frame(lines, line);
  for (std::uint32_t i = 0; i < *n; ++i) {
    if (!lines.next(line))
      lines.fail(
          fmt::format("the file ends after {} of {} particles; copy it again, or remove this "
                      "frame",
                      i, *n));
    frame.particle(line);
  }
  return frame.finish();
}

}  // namespace

std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key) {
  for (auto& [name, value] : entriesOf(comment))
    if (name == key) return std::move(value);
  return std::nullopt;
}

Configuration readXyz(const std::string& path) {
  XyzLines lines(path);
  if (lines.atEnd())
    throw InputError(path + ": the file is empty; name one with a configuration as extended XYZ");
  Configuration last;
  while (!lines.atEnd()) last = readFrame(lines);
  return last;
}

}  // namespace cellscope::io
