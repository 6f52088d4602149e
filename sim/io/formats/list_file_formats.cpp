// The files that hold lists: arrays of numpy and HDF5, LAMMPS dump local; and the writing of lists.
#include <unordered_map>

#include "sim/base/digits.h"
#include "sim/io/formats/h5md_input.h"
#include "sim/io/formats/npz.h"
#include "sim/io/list_file.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {
namespace {

class NpzArrays final : public Arrays {
 public:
  explicit NpzArrays(const std::string& path) : file_(path) {}
  bool has(const std::string& name) const override { return file_.has(name); }
  std::vector<std::string> names() const override { return file_.names(); }
  Array real(const std::string& name) override {
    const NpyArray a = read(name);
    return {a.shape, a.as<double>(), {}, a.kind == Number::f32};
  }
  Array whole(const std::string& name) override {
    const NpyArray a = read(name);
    if (!isWhole(a.kind)) file_.fail("'{}' has no whole numbers", name);
    return {a.shape, {}, a.as<std::int64_t>(), false};
  }

 private:
  NpyArray read(const std::string& name) {
    NpyArray a = file_.read(name);
    if (a.isText) file_.fail("'{}' has texts; allowed: numbers", name);
    return a;
  }
  NpzFile file_;
};

class Hdf5Arrays final : public Arrays {
 public:
  explicit Hdf5Arrays(const std::string& path) : in_(path, "HDF5 file of a list") {}
  bool has(const std::string& name) const override { return in_.has(name); }
  Array real(const std::string& name) override {
    const h5::Dataset d = in_.open(name, h5::Content::numbers);
    Array a = shaped(d);
    a.real = in_.numbers(d, h5::wholeOf(d));
    return a;
  }
  Array whole(const std::string& name) override {
    const h5::Dataset d = in_.open(name, h5::Content::wholeNumbers);
    Array a = shaped(d);
    a.whole = in_.read<std::int64_t>(d, H5T_NATIVE_INT64, h5::wholeOf(d));
    return a;
  }

 private:
  static Array shaped(const h5::Dataset& d) {
    Array a;
    a.shape.assign(d.extent.begin(), d.extent.end());
    a.single = d.entry == sizeof(float);
    return a;
  }
  h5::Input in_;
};

}  // namespace

std::unique_ptr<Arrays> arraysOf(const std::string& path, bool isHdf5) {
  if (isHdf5) return std::make_unique<Hdf5Arrays>(path);
  return std::make_unique<NpzArrays>(path);
}

// Of a pair in a LAMMPS dump local, whose numbers are real ones of six digits by default.
static std::int64_t identity(TextLines& in, const std::vector<std::string_view>& words,
                             std::size_t column) {
  const std::string_view word = column < words.size() ? words[column] : "";
  const auto id = wholeFrom(word);
  if (!id) in.fail("the identities of a pair were expected");
  if (word.find_first_of("eE") != word.npos)
    in.fail(
        "'{}' is rounded to a few digits and names no particle; write them all: dump_modify ID "
        "format float %.0f",
        word);
  return *id;
}

// The last step of a LAMMPS `dump local`: its first two columns but "index" are the pair.
void readDumpLocal(const std::string& path, PairList& list) {
  TextLines in(path);
  std::size_t first = 0;
  bool found = false, entries = false;
  for (std::string_view line; in.next(line);) {
    const std::vector<std::string_view> words = wordsOf(line);
    if (!words.empty() && words[0] == "ITEM:") {
      entries = words.size() > 1 && words[1] == "ENTRIES";
      if (!entries) continue;
      found = true;
      list.i.clear(), list.j.clear();
      first = words.size() > 2 && words[2] == "index" ? 1 : 0;
      if (words.size() < first + 4)
        in.fail(
            "the entries have {} columns; allowed: two and more, the identities of a pair first "
            "(compute property/local patom1 patom2)",
            words.size() - 2);
      list.notes = {fmt::format("pairs are the columns {} and {} of the last step",
                                words[first + 2], words[first + 3])};
    } else if (entries && !words.empty()) {
      list.i.push_back(identity(in, words, first));
      list.j.push_back(identity(in, words, first + 1));
    }
  }
  if (!found) throw InputError("'{}': there is no 'ITEM: ENTRIES' as in a LAMMPS dump local", path);
}

void takeParticles(ReadList& read, const Configuration& c, const std::vector<std::int32_t>& boxes) {
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
  for (std::size_t k = 0; k < l.shift.size() && !boxes.empty(); ++k) {
    const std::int64_t i = l.i[k / 3], j = l.j[k / 3];
    if (i >= 0 && j >= 0)
      l.shift[k] += boxes[3 * static_cast<std::size_t>(j) + k % 3] -
                    boxes[3 * static_cast<std::size_t>(i) + k % 3];
  }
}

std::string pairListArchive(const PairList& l) {
  std::vector<NpyMember> all;
  const auto add = [&](const char* name, const auto& values, std::uint64_t width = 1) {
    all.push_back(npyMember(name, values, width));
  };
  const auto addAny = [&](const char* name, const auto& values, std::uint64_t width = 1) {
    if (!values.empty()) add(name, values, width);
  };
  if (l.single)
    add("positions", std::vector<float>(l.position.begin(), l.position.end()), 3);
  else
    add("positions", l.position, 3);
  add("cell", std::vector<double>(std::begin(l.cell), std::end(l.cell)), 3);
  add("pbc", std::vector<std::uint8_t>(std::begin(l.periodic), std::end(l.periodic)));
  if (l.types > 0) {
    add("types", l.type);
    add("cutoffs", l.cutoffs, l.types);
  } else {
    add("cutoff", std::vector<double>{l.cutoff}, 0);
  }
  add("i", l.i), add("j", l.j);
  addAny("S", l.shift, 3);
  if (l.half) add("half", std::vector<std::uint8_t>{*l.half}, 0);
  add("nearest", std::vector<std::uint8_t>{l.nearest}, 0);
  addAny("ids", l.id);
  if (l.cells.any()) addAny("cell_dims", std::vector<std::int64_t>(l.cells.dims, l.cells.dims + 3));
  addAny("cell_of", l.cells.of), addAny("cell_start", l.cells.start);
  addAny("cell_items", l.cells.item);
  addAny("left", l.tree.left), addAny("right", l.tree.right), addAny("rope", l.tree.rope);
  addAny("lower", l.tree.lower, 3), addAny("upper", l.tree.upper, 3);
  addAny("leaf_of", l.tree.leafOf);
  return npzText(all);
}

}  // namespace cellscope::io
