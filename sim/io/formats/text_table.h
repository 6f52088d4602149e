// Lines of columns whose names are known, one line a particle.
#pragma once
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/api/parameter.h"
#include "sim/io/formats/format.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {

class TextTable {
 public:
  explicit TextTable(const TextLines& lines) : lines_(lines) {}

  // The next column, or the next `width` of them.
  void add(const std::string& name, int width) {
    const Meaning m = meaningOf(name);
    const bool fits = m.width == width;
    if (m.field == Field::unknown || !fits) unused_.push_back(name);
    addAs(name, width, fits ? m : Meaning{});
  }
  // What a column that has no name of its own means; Field::unknown: nothing, in silence.
  void addAs(const std::string& name, int width, Meaning meaning) {
    if (meaning.field != Field::unknown) {
      const auto covers = [](const Meaning& m, int axis) {
        return !isVector(m.field) || m.width == 3 || m.axis == axis;
      };
      const auto same = [&](const Column& c) {
        const auto place = [](Field f) { return f == Field::scaled ? Field::position : f; };
        return place(c.meaning.field) == place(meaning.field) &&
               (covers(c.meaning, meaning.axis) || covers(meaning, c.meaning.axis));
      };
      if (std::ranges::any_of(used_, same))  // xu beside x: the first one counts
        unused_.push_back(name);
      else
        used_.push_back({name, columns_, meaning, isKind(meaning.field) ? kinds_++ : 0});
    }
    columns_ += static_cast<std::size_t>(width);
  }
  std::size_t columns() const { return columns_; }
  // After the last column; with those that are not used. Throws InputError unless there are
  // positions, and where one thing stands in several columns.
  void begin(FileFrame& f) const {
    bool axis[3] = {};
    for (const Column& c : used_) {
      if (isKind(c.meaning.field)) f.kinds.push_back({c.name, c.meaning.field, {}, {}});
      if (c.meaning.field == Field::position || c.meaning.field == Field::scaled)
        for (int a = 0; a < 3; ++a) axis[a] |= c.meaning.width == 3 || c.meaning.axis == a;
      if (c.meaning.field == Field::scaled && f.cell.empty())
        lines_.fail("'{}' is in parts of the box, which the file does not have", c.name);
    }
    if (!axis[0] || !axis[1] || !axis[2])
      lines_.fail(
          "there is no position among the columns ({}); needed: pos of three columns, or x, y and "
          "z",
          fmt::join(each(used_, &Column::name), ", "));
    f.unused.insert(f.unused.end(), unused_.begin(), unused_.end());
  }
  // The current line; optional: columns at its end that may be there (ignored) or not.
  void read(std::string_view line, FileFrame& f, std::size_t optional = 0) {
    words_ = wordsOf(line);
    if (words_.size() != columns_ && (optional == 0 || words_.size() != columns_ + optional))
      lines_.fail("{} columns found, {} are named", words_.size(), columns_);
    for (const Column& c : used_) take(c, f);
    ++f.n;
  }

 private:
  struct Column {
    std::string name;
    std::size_t at = 0;
    Meaning meaning;
    std::size_t kinds = 0;  // of FileFrame::kinds
  };
  double real(const Column& c, int k, const FileFrame& f) const {
    const std::string_view text = words_[c.at + static_cast<std::size_t>(k)];
    const std::optional<double> v = realOf(text);
    if (!v)
      lines_.fail("particle {}: {} = '{}' is not a number; correct it, or load another frame", f.n,
                  c.name, text);
    return *v;
  }
  void take(const Column& c, FileFrame& f) const {
    if (std::vector<double>* const to = f.numbersOf(c.meaning.field)) {
      if (isVector(c.meaning.field)) return takeVector(c, *to, f);
      return to->push_back(real(c, 0, f) / (c.meaning.field == Field::diameter ? 2 : 1));
    }
    std::string_view word = words_[c.at];
    if (c.meaning.field == Field::id) {
      if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
      const std::optional<std::int64_t> id = numberOf<std::int64_t>(word);
      if (!id || *id < 0)
        lines_.fail(
            "the id '{}' is not a whole number of 0 to 9223372036854775807; correct it, or leave "
            "out the id column",
            word);
      return f.id.push_back(*id);
    }
    std::string name(word);
    if (c.meaning.field == Field::number) {
      const std::optional<std::int64_t> z = numberOf<std::int64_t>(word);
      if (!z || *z < 0 || *z > 118)
        lines_.fail("{} = '{}' is no atomic number; allowed: 0 to 118", c.name, word);
      name = *z == 0 ? "X" : elementName(*z);
    }
    if (!f.kinds[c.kinds].add(name))
      lines_.fail("the column '{}' has more than {} kinds of particles", c.name, kMostKinds);
  }
  void takeVector(const Column& c, std::vector<double>& to, const FileFrame& f) const {
    to.resize(3 * (f.n + 1));
    for (int k = 0; k < c.meaning.width; ++k) {
      const auto axis = static_cast<std::size_t>(c.meaning.width == 3 ? k : c.meaning.axis);
      double v = real(c, k, f);
      if (c.meaning.field == Field::scaled) v = f.origin[axis] + v * f.cell[4 * axis];
      to[3 * f.n + axis] = v;
    }
  }

  const TextLines& lines_;
  std::vector<Column> used_;
  std::vector<std::string> unused_;
  std::size_t columns_ = 0, kinds_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace cellscope::io
