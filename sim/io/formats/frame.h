// One frame of anybody's file as it stands there, and the rules that make a configuration of it:
// one set of rules for all formats.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/configuration.h"

namespace cellscope::io {

// What a name in a file means. One that stands for several coordinates has a width of 3 (2 in a
// plane); one coordinate has a width of 1 and its axis.
enum class Field {
  unknown,
  position,
  scaled,
  velocity,
  momentum,
  radius,
  diameter,
  mass,
  id,
  name,
  type,
  number
};
inline bool isVector(Field f) {
  return f == Field::position || f == Field::scaled || f == Field::velocity || f == Field::momentum;
}
inline bool isKind(Field f) { return f == Field::name || f == Field::type || f == Field::number; }
struct Meaning {
  Field field = Field::unknown;
  int width = 1, axis = 0;
};
// Names that the codes of the field use: pos, positions, velo, vx, masses, typeid, Z, ...
Meaning meaningOf(std::string_view name);

// Particles by kind as one column or array has them.
struct Kinds {
  std::string column;               // its name in the file
  Field field = Field::name;        // name, type or number
  std::vector<std::string> names;   // of the kinds
  std::vector<std::uint32_t> of;    // n, index into names
  bool add(std::string_view name);  // of the next particle; false: too many kinds
};
inline constexpr std::size_t kMostKinds = 1000;

struct FileFrame {
  std::string file;
  std::uint64_t headLine = 0;   // of a text: the line of its box; 0: not a text
  std::uint64_t firstLine = 0;  // of a text: that of the first particle, one line each
  std::size_t n = 0;
  std::uint64_t step = 0;
  double time = 0;
  std::vector<double> cell;      // 9, rows are the vectors of the box; empty: the file has no box
  double origin[3] = {0, 0, 0};  // lower corner of the box
  std::string periodic;          // T or F for each axis; "": the file does not tell
  int dimension = 0;             // 2 or 3; 0: the file does not tell
  // n or 3 n values each; empty: the file has none.
  std::vector<double> position, velocity, momentum, radius, mass;
  std::vector<std::int64_t> id;
  std::vector<Kinds> kinds;       // names count before types and numbers
  std::vector<Species> declared;  // of kinds[0], where a file lists them with diameters and masses
  std::vector<std::string> unused;  // what the file has beyond this, by its names
  std::vector<std::string> units;   // "position in nm"
  std::vector<std::string> notes;

  // Where numbers of this meaning go, diameters as radii; null: it has no numbers.
  std::vector<double>* numbersOf(Field f) {
    return f == Field::position || f == Field::scaled   ? &position
           : f == Field::velocity                       ? &velocity
           : f == Field::momentum                       ? &momentum
           : f == Field::radius || f == Field::diameter ? &radius
           : f == Field::mass                           ? &mass
                                                        : nullptr;
  }
};

std::string elementName(std::int64_t number);  // "" unless 1 to 118
bool isElement(std::string_view name);         // X for any, too
bool onlyElements(const Configuration& c);     // all its species: ASE reads no other symbols

struct LoadedFrame {
  Configuration configuration;  // valid
  std::uint64_t step = 0;
  double time = 0;
  std::vector<std::int32_t> boxes;  // 3 n: by how many boxes they were moved; empty: none was
  std::vector<std::string> notes;   // what was done to it and what was left out, a sentence each
};

// The vectors of a box as rows, of the numbers that files have: sides (2, 3), vectors (4, 9), or
// Lx, Ly, Lz, xy, xz, yz as HOOMD has them (6). A plane is 1 high. Empty: another number of them.
std::vector<double> boxVectors(const std::vector<double>& numbers);

// "12 8 9", "12,8,9" or "12x8x9", two or three finite lengths above 0; one: a cube. Throws
// InputError.
std::vector<double> parseSides(const std::string& text);

// sides: of the box of a file that has none (parseSides()), or "". Throws InputError naming file,
// line and particle where there are any.
LoadedFrame settle(FileFrame frame, const std::string& sides = "");

}  // namespace cellscope::io
