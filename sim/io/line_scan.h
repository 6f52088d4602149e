// A text file line by line, of any size, with the place of each line in it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cellscope::io {

class LineScan {
 public:
  explicit LineScan(const std::string& path);  // throws InputError when it cannot be read
  ~LineScan();
  LineScan(const LineScan&) = delete;
  LineScan& operator=(const LineScan&) = delete;

  bool next();                                      // false at the end of the file
  std::string_view line() const;                    // without its line end
  bool complete() const { return complete_; }       // it has a line end
  std::uint64_t begin() const { return begin_; }    // bytes in front of it
  std::uint64_t end() const { return end_; }        // bytes up to and with its line end
  std::uint64_t number() const { return number_; }  // from 1

 private:
  std::string path_;
  std::FILE* file_;
  char* text_ = nullptr;  // getline() enlarges it
  std::size_t room_ = 0, length_ = 0;
  bool complete_ = false;
  std::uint64_t begin_ = 0, end_ = 0, number_ = 0;
};

}  // namespace cellscope::io
