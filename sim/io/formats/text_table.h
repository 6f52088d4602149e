// Lines of columns whose names are known, one line a particle.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/io/formats/frame.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {

class TextTable {
 public:
  explicit TextTable(const TextLines& lines) : lines_(lines) {}

  // The next column, or the next `width` of them.
  void add(const std::string& name, int width);
  // What a column that has no name of its own means; Field::unknown: nothing, in silence.
  void addAs(const std::string& name, int width, Meaning meaning);
  std::size_t columns() const { return columns_; }
  // After the last column; with those that are not used. Throws InputError unless there are
  // positions, and where one thing stands in several columns.
  void begin(FileFrame& frame) const;
  // The current line; optional: columns at its end that may be there (ignored) or not.
  void read(std::string_view line, FileFrame& frame, std::size_t optional = 0);

 private:
  struct Column {
    std::string name;
    std::size_t at = 0;
    Meaning meaning;
    std::size_t kinds = 0;  // of FileFrame::kinds
  };
  double real(const Column& c, int k, const FileFrame& frame) const;
  void take(const Column& c, FileFrame& frame) const;
  void takeVector(const Column& c, std::vector<double>& to, const FileFrame& frame) const;

  const TextLines& lines_;
  std::vector<Column> used_;
  std::vector<std::string> unused_;
  std::size_t columns_ = 0, kinds_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace cellscope::io
