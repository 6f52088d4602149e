#include <fmt/format.h>

#include <type_traits>

#include "sim/io/formats/npz.h"
#include "sim/io/list_file.h"

namespace cellscope::io {
namespace {

template <class T>
std::string memoryOf(const std::vector<T>& v) {
  return {reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T)};
}

class Archive {
 public:
  template <class T>
  void add(const char* name, const std::vector<T>& v, std::uint64_t width = 1) {
    std::vector<std::uint64_t> shape{v.size() / width};
    if (width > 1) shape.push_back(width);
    members_.push_back({name, descr<T>(), memoryOf(v), std::move(shape)});
  }
  template <class T>
  void addAny(const char* name, const std::vector<T>& v, std::uint64_t width = 1) {
    if (!v.empty()) add(name, v, width);
  }
  template <class T>
  void one(const char* name, T value) {
    members_.push_back({name, descr<T>(), memoryOf(std::vector<T>{value}), {}});
  }
  std::string text() const { return npzText(members_); }

 private:
  template <class T>
  static std::string descr() {
    if (std::is_same_v<T, std::uint8_t>) return "|b1";
    return fmt::format("<{}{}",
                       std::is_floating_point_v<T> ? 'f'
                       : std::is_signed_v<T>       ? 'i'
                                                   : 'u',
                       sizeof(T));
  }
  std::vector<NpyMember> members_;
};

}  // namespace

std::string pairListArchive(const PairList& l) {
  Archive a;
  if (l.single)
    a.add("positions", std::vector<float>(l.position.begin(), l.position.end()), 3);
  else
    a.add("positions", l.position, 3);
  a.add("cell", std::vector<double>(std::begin(l.cell), std::end(l.cell)), 3);
  a.add("pbc", std::vector<std::uint8_t>(std::begin(l.periodic), std::end(l.periodic)));
  if (l.types > 0) {
    a.add("types", l.type);
    a.add("cutoffs", l.cutoffs, l.types);
  } else {
    a.one("cutoff", l.cutoff);
  }
  a.add("i", l.i), a.add("j", l.j);
  a.addAny("S", l.shift, 3);
  if (l.half) a.one("half", static_cast<std::uint8_t>(*l.half));
  a.one("nearest", static_cast<std::uint8_t>(l.nearest));
  a.addAny("ids", l.id);
  if (l.cells.any())
    a.addAny("cell_dims", std::vector<std::int64_t>(l.cells.dims, l.cells.dims + 3));
  a.addAny("cell_of", l.cells.of), a.addAny("cell_start", l.cells.start);
  a.addAny("cell_items", l.cells.item);
  a.addAny("left", l.tree.left), a.addAny("right", l.tree.right), a.addAny("rope", l.tree.rope);
  a.addAny("lower", l.tree.lower, 3), a.addAny("upper", l.tree.upper, 3);
  a.addAny("leaf_of", l.tree.leafOf);
  return a.text();
}

}  // namespace cellscope::io
