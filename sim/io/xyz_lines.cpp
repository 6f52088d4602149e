#include "sim/io/xyz_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace cellscope::io {

bool XyzLines::next(std::string_view& line) {
  if (!held_ && !scan_.next()) return false;
  held_ = false;
  line = scan_.line();
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

bool XyzLines::atEnd() {
  for (; held_ || scan_.next(); held_ = false) {
    held_ = true;
    if (scan_.line().find_first_not_of(" \t\r") != std::string_view::npos) return false;
  }
  return true;
}

void XyzLines::failAt(std::uint64_t line, const std::string& what) const {
  throw InputError(fmt::format("{}:{}: {}", path_, line, what));
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; (i = line.find_first_not_of(" \t", i)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", i), line.size());
    out.push_back(line.substr(i, end - i));
    i = end;
  }
  return out;
}

XyzColumns columnsOf(const XyzLines& lines, const std::string& properties) {
  constexpr int kMostColumns = 1000;  // of one property
  std::vector<std::string> parts(1);
  for (const char c : properties) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() % 3 != 0) lines.fail("Properties is not a list of name:type:columns");
  XyzColumns c;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const std::string& name = parts[i];
    const std::optional<int> width = numberOf<int>(parts[i + 2]);
    if (!width || *width < 1 || *width > kMostColumns)
      lines.fail("Properties: '" + parts[i + 2] + "' is not a column count");
    const auto take = [&](int& column, int wanted) {
      if (*width == wanted) column = c.count;
    };
    if (name == "species") take(c.species, 1);
    if (name == "pos") take(c.position, 3);
    if (name == "id") take(c.id, 1);
    if (name == "radius") take(c.radius, 1);
    if (name == "mass" || name == "masses") take(c.mass, 1);
    if (name == "velo") take(c.velocity, 3);
    c.count += *width;
  }
  if (c.position < 0) lines.fail("Properties names no pos:R:3 column");
  return c;
}

}  // namespace cellscope::io
