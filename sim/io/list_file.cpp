#include "sim/io/list_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "sim/base/error.h"

namespace cellscope::io {
namespace {

constexpr std::uint64_t kMostParticles = std::uint64_t{1} << 31;
constexpr std::int64_t kMostShift = 1'000'000, kMostCells = std::int64_t{1} << 40;

class ListReader {
 public:
  ListReader(const std::string& path, bool isHdf5) : path_(path), in_(arraysOf(path, isHdf5)) {}
  PairList read() {
    l_.file = path_;
    particles();
    pairs();
    shifts();
    l_.half = truth("half");
    l_.nearest = truth("nearest").value_or(false);
    cutoffs(), cells(), tree();
    std::vector<std::string> unused = in_->names();
    std::erase_if(unused, [&](const std::string& name) { return used_.count(name) > 0; });
    if (!unused.empty()) l_.notes.push_back(fmt::format("not used: {}", fmt::join(unused, ", ")));
    return std::move(l_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const std::string& key, fmt::format_string<Args...> what,
                         Args&&... values) const {
    throw InputError("'{}': '{}' {}", path_, key, fmt::format(what, std::forward<Args>(values)...));
  }
  [[noreturn]] void refuseShape(const std::string& key, const Arrays::Array& a,
                                const std::string& allowed) const {
    fail(key, "has the shape ({}); allowed: {}", fmt::join(a.shape, ", "), allowed);
  }
  bool has(const std::string& key) {
    used_.insert(key);
    return in_->has(key);
  }
  std::vector<std::int64_t> numbers(const std::string& key, std::uint64_t n, const char* what) {
    if (!has(key)) return {};
    Arrays::Array a = in_->whole(key);
    if (a.shape.size() != 1 || a.shape[0] != n)
      refuseShape(key, a, fmt::format("({}), one for each {}", n, what));
    return std::move(a.whole);
  }
  double number(const std::string& key, double fallback) {
    if (!has(key)) return fallback;
    const Arrays::Array a = in_->real(key);
    if (a.count() != 1) refuseShape(key, a, "one number");
    requireFinite(key, a.real, false);
    return a.real[0];
  }
  std::optional<bool> truth(const std::string& key) {
    if (!has(key)) return std::nullopt;
    const Arrays::Array a = in_->whole(key);
    if (a.count() != 1) refuseShape(key, a, "one truth value");
    return a.whole[0] != 0;
  }
  void requireFinite(const std::string& key, const std::vector<double>& v, bool negative) const {
    for (std::size_t k = 0; k < v.size(); ++k)
      if (!std::isfinite(v[k]) || (!negative && v[k] < 0))
        fail(key, "has the value {:g} at place {}; allowed: finite{}", v[k], k,
             negative ? "" : ", 0 and above");
  }
  void particles() {
    if (!has("positions")) return;
    const Arrays::Array a = in_->real("positions");
    const bool flat = a.shape.size() == 2 && a.shape[1] == 2;
    if (a.shape.size() != 2 || (a.shape[1] != 3 && !flat) || a.shape[0] >= kMostParticles)
      refuseShape("positions", a, "(N, 3), or (N, 2) in the plane, N below 2^31");
    requireFinite("positions", a.real, true);
    l_.single = a.single;
    l_.dimension = flat ? 2 : 3;
    l_.position = a.real;
    if (flat) {
      l_.position.clear();
      for (std::size_t k = 0; k < a.real.size(); k += 2)
        l_.position.insert(l_.position.end(), {a.real[k], a.real[k + 1], 0.0});
    }
    l_.id = numbers("ids", l_.size(), "particle");
    cell();
  }
  void cell() {
    if (!has("cell")) fail("cell", "is missing: rows are the vectors of the box, (3, 3)");
    const Arrays::Array a = in_->real("cell");
    const std::vector<double>& v = a.real;
    requireFinite("cell", v, true);
    std::fill(std::begin(l_.cell), std::end(l_.cell), 0.0);
    const bool square = a.shape.size() == 2 && a.shape[0] == a.shape[1];
    const std::size_t sides = square ? a.shape[0] : v.size();
    if ((a.shape.size() > 1 && !square) || (sides != 2 && sides != 3))
      refuseShape("cell", a, "(3, 3), (2, 2), or the sides (3), (2)");
    for (std::size_t r = 0; r < sides; ++r)
      for (std::size_t c = 0; c < sides; ++c)
        if (square || r == c) l_.cell[3 * r + c] = v[square ? r * sides + c : r];
    for (bool& p : l_.periodic) p = true;
    if (has("pbc")) {
      const Arrays::Array p = in_->whole("pbc");
      if (p.count() != 1 && p.count() != 3 && !(p.count() == 2 && l_.dimension == 2))
        refuseShape("pbc", p, "(3)");
      for (std::size_t k = 0; k < 3; ++k)
        l_.periodic[k] = p.whole[p.count() == 1 ? 0 : std::min<std::size_t>(k, p.count() - 1)] != 0;
    } else {
      l_.notes.push_back("'pbc' is not given: periodic along all vectors");
    }
    if (l_.dimension == 2 || sides == 2) l_.periodic[2] = false;
    if (l_.dimension == 2) l_.cell[6] = l_.cell[7] = l_.cell[8] = 0;
  }
  void cutoffs() {
    l_.cutoff = number("cutoff", 0);
    l_.skin = number("skin", 0);
    if (has("radii")) {
      const Arrays::Array a = in_->real("radii");
      if (a.shape.size() != 1 || a.count() != l_.size()) refuseShape("radii", a, "(N)");
      requireFinite("radii", a.real, false);
      l_.radius = a.real;
    }
    const std::vector<std::int64_t> types = numbers("types", l_.size(), "particle");
    if (!has("cutoffs")) return;
    const Arrays::Array a = in_->real("cutoffs");
    if (a.shape.size() != 2 || a.shape[0] != a.shape[1] || a.shape[0] == 0 || a.shape[0] > 4096)
      refuseShape("cutoffs", a, "(T, T), T from 1 to 4096");
    requireFinite("cutoffs", a.real, false);
    if (types.empty()) fail("types", "is missing: 'cutoffs' is by the types of a pair");
    l_.cutoffs = a.real;
    l_.types = static_cast<std::uint32_t>(a.shape[0]);
    for (std::size_t p = 0; p < a.shape[0]; ++p)
      for (std::size_t q = 0; q < p; ++q)
        if (a.real[p * l_.types + q] != a.real[q * l_.types + p])
          fail("cutoffs", "is {:g} for types {} and {}, and {:g} for {} and {}; allowed: the same",
               a.real[p * l_.types + q], p, q, a.real[q * l_.types + p], q, p);
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (types[i] < 0 || types[i] >= l_.types)
        fail("types", "has {} for particle {}; allowed: 0 to {}, as 'cutoffs' is {} x {}", types[i],
             i, l_.types - 1, l_.types, l_.types);
      l_.type.push_back(static_cast<std::uint32_t>(types[i]));
    }
  }
  void pairs() {
    const bool both = has("i") && has("j"), edges = has("edge_index"), rows = has("pairs");
    if (both + edges + rows != 1)
      throw InputError(
          "'{}': its pairs are expected in one of: 'i' and 'j'; 'edge_index' (2, P); 'pairs' (P, "
          "2)",
          path_);
    if (both) {
      Arrays::Array a = in_->whole("i"), b = in_->whole("j");
      if (a.shape.size() != 1) refuseShape("i", a, "(P)");
      if (b.shape != a.shape) refuseShape("j", b, fmt::format("({}), as 'i'", a.shape[0]));
      l_.i = std::move(a.whole), l_.j = std::move(b.whole);
      return;
    }
    const char* key = edges ? "edge_index" : "pairs";
    const Arrays::Array a = in_->whole(key);
    if (a.shape.size() != 2 || a.shape[edges ? 0 : 1] != 2)
      refuseShape(key, a, edges ? "(2, P)" : "(P, 2)");
    const std::size_t count = a.whole.size() / 2;
    for (std::size_t k = 0; k < count; ++k) {
      l_.i.push_back(a.whole[edges ? k : 2 * k]);
      l_.j.push_back(a.whole[edges ? count + k : 2 * k + 1]);
    }
  }
  void shifts() {
    if (!has("S")) return;
    const Arrays::Array a = in_->whole("S");
    const bool flat = a.shape.size() == 2 && a.shape[1] == 2 && l_.dimension == 2;
    if (a.shape.size() != 2 || a.shape[0] != l_.i.size() || (a.shape[1] != 3 && !flat))
      refuseShape("S", a, fmt::format("({}, 3), as many as pairs", l_.i.size()));
    const std::size_t width = a.shape[1];
    l_.shift.assign(3 * l_.i.size(), 0);
    for (std::size_t k = 0; k < a.whole.size(); ++k) {
      const std::int64_t s = a.whole[k];
      if (s < -kMostShift || s > kMostShift)
        fail("S", "has {} for pair {}; allowed: {} to {}", s, k / width, -kMostShift, kMostShift);
      if (s != 0 && !l_.periodic[k % width])
        fail("S", "has {} for pair {} along vector {}, along which pbc is false; allowed: 0", s,
             k / width, "abc"[k % width]);
      l_.shift[3 * (k / width) + k % width] = static_cast<std::int32_t>(s);
    }
  }
  void cells() {
    if (has("cell_dims")) {
      const Arrays::Array a = in_->whole("cell_dims");
      if (a.shape.size() != 1 || (a.count() != 3 && !(a.count() == 2 && l_.dimension == 2)))
        refuseShape("cell_dims", a, "(3), or (2) in the plane");
      double all = 1;
      for (std::size_t k = 0; k < 3; ++k) {
        l_.cells.dims[k] = k < a.count() ? a.whole[k] : 1;
        all *= static_cast<double>(l_.cells.dims[k]);
        if (l_.cells.dims[k] < 1 || all > static_cast<double>(kMostCells))
          fail("cell_dims", "has {} cells along vector {}; allowed: 1 and more, 2^40 in all",
               l_.cells.dims[k], "abc"[k]);
      }
    }
    l_.cells.of = numbers("cell_of", l_.size(), "particle");
    l_.cells.item = numbers("cell_items", l_.size(), "particle");
    if (!has("cell_start")) return;
    Arrays::Array a = in_->whole("cell_start");
    const auto wanted = static_cast<std::uint64_t>(l_.cells.count()) + 1;
    if (a.shape.size() != 1 || a.count() < 2 || (l_.cells.any() && a.count() != wanted))
      refuseShape("cell_start", a,
                  l_.cells.any() ? fmt::format("({}): cells and one more", wanted) : "(cells + 1)");
    l_.cells.start = std::move(a.whole);
  }
  void tree() {
    if (!has("left") && !has("right")) {
      for (const char* key : {"rope", "lower", "upper", "leaf_of"})
        if (has(key)) fail(key, "is of a tree, whose 'left' and 'right' are missing");
      return;
    }
    if (!has("left")) fail("left", "is missing: a tree has 'left' and 'right'");
    const Arrays::Array left = in_->whole("left");
    if (left.shape.size() != 1) refuseShape("left", left, "(M)");
    ListedTree& t = l_.tree;
    t.left = left.whole;
    t.right = numbers("right", t.size(), "node");
    if (t.right.size() != t.size()) fail("right", "is missing: a tree has 'left' and 'right'");
    t.rope = numbers("rope", t.size(), "node");
    t.leafOf = numbers("leaf_of", l_.size(), "particle");
    if (has("lower") != has("upper"))
      fail("lower", "and 'upper' are both corners of boxes; allowed: both or none");
    for (const auto& [key, corner] : {std::pair("lower", &t.lower), std::pair("upper", &t.upper)}) {
      if (!has(key)) continue;
      const Arrays::Array a = in_->real(key);
      if (a.shape.size() != 2 || a.shape[0] != t.size() || a.shape[1] != 3)
        refuseShape(key, a, fmt::format("({}, 3), one for each node", t.size()));
      requireFinite(key, a.real, true);
      *corner = a.real;
    }
  }

  std::string path_;
  std::unique_ptr<Arrays> in_;
  std::set<std::string> used_;
  PairList l_;
};

constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";

std::string startOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char head[8] = {};
  in.read(head, sizeof head);
  return {head, static_cast<std::size_t>(in.gcount())};
}

}  // namespace

bool holdsPairs(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe is read once
  try {
    const std::string start = startOf(path);
    if (start != kHdf5 && !start.starts_with("PK")) return false;
    const std::unique_ptr<Arrays> in = arraysOf(path, start == kHdf5);
    return (in->has("i") && in->has("j")) || in->has("edge_index") || in->has("pairs");
  } catch (const std::exception&) {
    return false;
  }
}

ReadList readPairList(const std::string& path) {
  const std::string start = startOf(path);
  ReadList read;
  read.list.file = path;
  if (start.starts_with("ITEM:")) {
    read.fromOne = true;
    read.list.half = true;
    readDumpLocal(path, read.list);
  } else if (start == kHdf5 || start.starts_with("PK") || !std::ifstream(path).is_open()) {
    read.list = ListReader(path, start == kHdf5).read();
  } else {
    throw InputError(
        "'{}' is no list: allowed are a numpy archive (.npz), HDF5 and a LAMMPS dump local", path);
  }
  return read;
}

}  // namespace cellscope::io
