// What readers of text files are made of: lines, words and numbers.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"

struct gzFile_s;  // of zlib

namespace cellscope::io {

// Text for files that others read: names of files may hold any bytes, readers expect UTF-8.

// Bytes of the character at the beginning of a text, 0 if none begins there: no overlong forms, no
// surrogates, nothing above U+10FFFF (Unicode 15, table 3-7).
std::size_t characterBytes(std::string_view text);

// Every byte that belongs to no UTF-8 character becomes U+FFFD, the replacement character.
std::string validUtf8(std::string_view text);

// The same as one line: a space for every line end and other control character.
std::string oneLine(std::string_view text);

// At most `most` bytes of it as one line, for messages; "..." stands for the rest.
std::string shortened(std::string_view text, std::size_t most = 80);

// Whether a file can have this name: one part of a path, 1 to 255 bytes, not "." or "..". To be
// asked of every name that comes out of a file before results are named after it.
bool isFileName(std::string_view name);

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes

// A text file of any size by lines, one of them in memory, with the place of each in the file.
// Files packed by gzip are unpacked: places are those in the text.
class TextLines {
 public:
  explicit TextLines(const std::string& path);  // throws InputError unless it is a readable file
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  // False at the end of the file. Throws InputError for a line longer than kLongestLine.
  bool next();
  bool next(std::string_view& line);  // without \r at its end and a byte order mark
  bool atEnd();                       // passes over blank lines
  void back() { held_ = true; }       // the next line is this one again
  // Without its line end; valid until next().
  std::string_view line() const { return {buffer_.data() + from_, length_}; }
  bool complete() const { return complete_; }       // it has a line end
  std::uint64_t end() const { return end_; }        // bytes up to and with its line end
  std::uint64_t number() const { return number_; }  // from 1

  // Throws InputError with the file and the current line.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... values) const {
    throw InputError("{}:{}: {}", path_, number(),
                     fmt::format(what, std::forward<Args>(values)...));
  }
  const std::string& path() const { return path_; }

 private:
  bool fill();  // false at the end of the file

  std::string path_;
  gzFile_s* file_;
  std::string buffer_;
  std::size_t from_ = 0, length_ = 0;  // of the line, in the buffer
  std::size_t next_ = 0;               // where the next line begins in the buffer
  bool complete_ = false, held_ = false;
  std::uint64_t end_ = 0, number_ = 0;
};

std::vector<std::string_view> wordsOf(std::string_view line);
// The parts between separators, the empty ones too.
std::vector<std::string> splitAt(std::string_view text, char separator);

// Pairs of a comment line in their order: key=value, with spaces around the sign or without. A
// value is a word, a text in quotes ("", '') or an array in brackets ([], {}), whose brackets and
// commas become spaces. A word alone is a key of the value "T".
std::vector<std::pair<std::string, std::string>> entriesOf(std::string_view comment);

// The whole text as a number, or nothing.
template <class T>
std::optional<T> numberOf(std::string_view text) {
  T value{};
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
  if (r.ec != std::errc() || r.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// The same as Fortran writes it too: 1.0D0, +1.
std::optional<double> realOf(std::string_view text);

}  // namespace cellscope::io
