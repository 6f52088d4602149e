// Lists of identities: LAMMPS dump local, and particles from another file.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/base/number_text.h"
#include "sim/io/line_scan.h"
#include "sim/io/list_file.h"

namespace cellscope::io {
namespace {

std::vector<std::string_view> columnsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

// The last step of a LAMMPS `dump local`: its first two columns but "index" are the pair.
void readDumpLocal(const std::string& path, PairList& list) {
  LineScan in(path);
  std::size_t first = 0, second = 1;
  bool found = false, entries = false;
  while (in.next()) {
    const std::vector<std::string_view> words = columnsOf(in.line());
    if (!words.empty() && words[0] == "ITEM:") {
      entries = words.size() > 1 && words[1] == "ENTRIES";
      if (!entries) continue;
      found = true;
      list.i.clear(), list.j.clear();
      first = words.size() > 2 && words[2] == "index" ? 1 : 0, second = first + 1;
      if (words.size() < second + 3)
        throw InputError(fmt::format(
            "'{}', line {}: the entries have {} columns; allowed: two and more, the identities of "
            "a pair first (compute property/local patom1 patom2)",
            path, in.number(), words.size() - 2));
      list.notes = {fmt::format("pairs are the columns {} and {} of the last step",
                                words[first + 2], words[second + 2])};
    } else if (entries && !words.empty()) {
      const auto a = words.size() > second ? wholeFrom(words[first]) : std::nullopt;
      const auto b = words.size() > second ? wholeFrom(words[second]) : std::nullopt;
      if (!a || !b)
        throw InputError(fmt::format("'{}', line {}: the identities of a pair were expected", path,
                                     in.number()));
      list.i.push_back(*a), list.j.push_back(*b);
    }
  }
  if (!found)
    throw InputError(
        fmt::format("'{}': there is no 'ITEM: ENTRIES' as in a LAMMPS dump local", path));
}

void takeParticles(ReadList& read, const Configuration& c) {
  PairList& l = read.list;
  l.position = c.positions;
  l.dimension = c.box.dimension;
  std::fill(std::begin(l.cell), std::end(l.cell), 0.0);
  for (std::size_t a = 0; a < 3; ++a) {
    l.periodic[a] = static_cast<int>(a) < l.dimension;
    if (l.periodic[a]) l.cell[4 * a] = c.box.length[a];
  }
  l.id.assign(c.ids.begin(), c.ids.end());
  std::unordered_map<std::int64_t, std::int64_t> place;
  for (std::size_t k = 0; k < l.id.size(); ++k) place[l.id[k]] = static_cast<std::int64_t>(k);
  // A file without identities counts its particles from 0.
  const std::int64_t less = read.fromOne && place.count(0) > 0 ? 1 : 0;
  for (std::vector<std::int64_t>* v : {&l.i, &l.j})
    for (std::int64_t& x : *v) {
      const auto at = place.find(x - less);
      x = at == place.end() ? -1 : at->second;
    }
}

}  // namespace cellscope::io
