// The list of file formats, and what is done with files of any of them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/api/configuration.h"
#include "sim/io/files.h"

namespace cellscope::io {

// One frame of anybody's file as it stands there, and the rules that make a configuration of it:
// one set of rules for all formats.

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

// What a frame tells beside its configuration.
struct FrameNotes {
  std::uint64_t step = 0;
  double time = 0;   // Mode::time()
  std::string run;   // which run wrote it (H5MD: up to 63 characters are kept)
  bool end = false;  // written only because the run ends
  std::vector<std::pair<std::string, std::string>> texts;  // {"packing", "0.7"}
};

// Where frames go. Members throw RunError.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void append(const Configuration& c, const FrameNotes& notes) = 0;
  virtual void flushToDisk() = 0;
  virtual void close() = 0;
};

using TakeFrame = std::function<void(FileFrame)>;

struct Format {
  const char* key;  // --format
  const char* label;
  std::vector<const char*> suffixes;
  bool manyFrames = true;
  // By the first bytes of a file, unpacked.
  bool (*recognises)(std::string_view head) = nullptr;
  // All frames in their order, or at least the last one. Throws InputError.
  void (*read)(const std::string& path, bool lastOnly, const TakeFrame& take) = nullptr;
  // program: name and version. append: the file is continued; throws InputError where the format
  // cannot.
  std::unique_ptr<FrameSink> (*create)(const std::string& path, const std::string& program,
                                       bool append) = nullptr;
  const char* lacks = "";  // what of a configuration its files have no place for
};

// A sink of a format whose frames stand one behind the other.
using WriteFrame = void (*)(OutputFile& file, const Configuration& c, const FrameNotes& notes);
std::unique_ptr<FrameSink> fileSink(const std::string& path, WriteFrame write, bool append);
[[noreturn]] void refuseToContinue(const std::string& path);
// The same where each is one text, and the file cannot be continued (`append`: throws InputError).
template <std::string (*text)(const Configuration& c, const FrameNotes& notes)>
std::unique_ptr<FrameSink> textSinkOf(const std::string& path, const std::string&, bool append) {
  if (append) refuseToContinue(path);
  return fileSink(
      path,
      [](OutputFile& file, const Configuration& c, const FrameNotes& notes) {
        file.write(text(c, notes));
        file.flush();
      },
      false);
}

const std::vector<Format>& formats();
std::string formatKeys();  // "xyz, h5md, ..."
// Of a name that is written to: by key, or where that is "" by the suffix. Devices and pipes
// without a known suffix are written as extended XYZ. Throws InputError naming the suffixes.
const Format& formatToWrite(const std::string& path, const std::string& key = "");
// By the suffix; null for none that is known.
const Format* formatOfName(const std::string& path);
// By what the file holds; null: nothing that is known.
const Format* formatOfContent(const std::string& path);
// The same, or where that tells nothing by its suffix. Throws InputError.
const Format& formatOfFile(const std::string& path);

// The last frame of a file; sides: as of settle(). Throws InputError.
LoadedFrame readConfiguration(const std::string& path, const std::string& sides = "");
// All frames in their order.
void readFrames(const std::string& path, const std::string& sides,
                const std::function<void(LoadedFrame)>& take);

// Extended XYZ files: one frame is the number of particles, a comment line of key="value" pairs
// (Lattice, Properties, pbc, Step), and a line per particle. OVITO, ASE and VMD read them. The
// number of particles may differ from frame to frame.
//
// Columns written: species (type where a name is no chemical symbol: ASE reads no others), pos
// (sigma, wrapped into the box; z = 0 in 2D), id, radius (sigma), mass when a species has one other
// than 1, and velo (reduced units) when there are velocities. Numbers are the shortest decimals
// that read back as the same double. In 2D (pbc="T T F") the third lattice vector is as long as the
// largest diameter and not periodic.

// Value of a key in a comment line: a word, a text in quotes or an array in brackets.
std::optional<std::string> xyzEntry(std::string_view comment, const std::string& key);

// An H5MD file. creator: program and version. keep: the file exists and is continued after its
// frames. Frames are copied, and written by another thread while the run goes on; at most two wait.
// Each is flushed: a run that is killed leaves all frames but those that wait, and of a full disk
// nothing is written of the frame that has no room. Members throw RunError with what has gone wrong
// since, the removal of the file included.
std::unique_ptr<FrameSink> createH5md(const std::string& path, const std::string& creator,
                                      bool keep);

// What was noted of all whole frames of an H5MD file, but for times; none where a run was killed
// before its first one. Throws InputError when this program cannot continue the file.
std::vector<FrameNotes> h5mdFrames(const std::string& path);
// Leaves the first `frames` frames, as if no other had been written. Throws RunError.
void cutH5md(const std::string& path, std::uint64_t frames);

// One of each file of this folder.
Format xyzFormat(), xyzPackedFormat(), h5mdFormat(), gsdFormat(), lammpsDumpFormat(),
    lammpsDataFormat(), pdbFormat(), npzFormat();

}  // namespace cellscope::io
