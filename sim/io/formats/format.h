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

#include "sim/io/files.h"
#include "sim/io/formats/frame.h"

namespace cellscope::io {

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
Format xyzFormat();
Format xyzPackedFormat();
Format h5mdFormat();
Format gsdFormat();
Format lammpsDumpFormat();
Format lammpsDataFormat();
Format pdbFormat();
Format npzFormat();

}  // namespace cellscope::io
