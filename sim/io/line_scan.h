// A text file line by line, of any size, with the place of each line in it. Files packed by gzip
// are unpacked: places are those in the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

struct gzFile_s;  // of zlib

namespace cellscope::io {

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes

class LineScan {
 public:
  explicit LineScan(const std::string& path);  // throws InputError unless it is a readable file
  ~LineScan();
  LineScan(const LineScan&) = delete;
  LineScan& operator=(const LineScan&) = delete;

  // False at the end of the file. Throws InputError for a line longer than kLongestLine.
  bool next();
  std::string_view line() const;                    // without its line end; valid until next()
  bool complete() const { return complete_; }       // it has a line end
  std::uint64_t begin() const { return begin_; }    // bytes in front of it
  std::uint64_t end() const { return end_; }        // bytes up to and with its line end
  std::uint64_t number() const { return number_; }  // from 1

 private:
  bool fill();  // false at the end of the file

  std::string path_;
  gzFile_s* file_;
  std::string buffer_;
  std::size_t from_ = 0, length_ = 0;  // of the line, in the buffer
  std::size_t next_ = 0;               // where the next line begins in the buffer
  bool complete_ = false;
  std::uint64_t begin_ = 0, end_ = 0, number_ = 0;
};

}  // namespace cellscope::io
