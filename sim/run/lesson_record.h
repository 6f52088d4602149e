// What travels from a lecturer to those who follow: records of one byte for the kind, four for the
// size as sent, four for the size unpacked (little-endian), and the body, packed by zlib where that
// is shorter. Every size is bounded, and what is larger, damaged or of another kind is refused.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/run/session.h"

namespace cellscope::lesson {

enum class RecordKind : char {
  welcome = 'W',   // version and instruction set, a line each
  refusal = 'R',   // why nobody is let in
  scenario = 'S',  // a run from its beginning: StateHead, a line with the name, the scenario
  state = 'C',     // a run from here on: StateHead, a checkpoint that names no files
  mark = 'M',      // Mark
  shown = 'P'      // Shown (app/lesson/link.h)
};

struct Record {
  RecordKind kind = RecordKind::mark;
  std::string body;
};

inline constexpr std::size_t kHeaderBytes = 9;
std::size_t mostBytes(RecordKind kind);  // of a body, unpacked; 0: there is no such kind

// Throws InputError for a body that is too large.
std::string packRecord(RecordKind kind, std::string_view body);

// Records out of a stream of bytes, of which it holds at most one record and what was added last.
class RecordReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  // Nothing: its end has not come yet. Throws InputError where the bytes are no record.
  std::optional<Record> next();

 private:
  std::string buffer_;
};

// Up to where the lecturer's run has come: its followers go so far and no further.
struct Mark {
  std::uint64_t course = 0;  // another number: the run does not go on from the mark before
  std::uint64_t step = 0, preparing = 0;  // as in Edit
  std::uint64_t hash = 0;                 // stateHash() there
  bool playing = false;
  std::uint64_t first = 0;  // changes of the run before `edits`
  std::vector<Edit> edits;  // since the mark before
};
std::string markText(const Mark& mark);
Mark markFromText(const std::string& text);  // throws InputError

struct StateHead {
  std::uint64_t course = 0;
  std::uint64_t edits = 0;  // changes of the run that it contains
};
std::string stateText(const StateHead& head, std::string_view body);
// The rest of the text is the body. Throws InputError.
StateHead takeStateHead(std::string& text);

// Of step, box and particles, whatever order these are stored in: the same number for the same bits
// on any machine.
std::uint64_t stateHash(const Mode& mode);

}  // namespace cellscope::lesson
