#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "sim/io/h5md.h"
#include "sim/io/h5md_handles.h"

namespace cellscope::io {
namespace {

using h5::Handle;

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {
    h5::quiet();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw InputError(fmt::format("'{}' cannot be read: there is no such file", path));
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (id < 0)
      throw InputError(
          fmt::format("'{}' is not a readable HDF5 file: it is of another format, cut "
                      "off, or open in another program; use a whole H5MD file",
                      path));
    file_ = Handle(id, H5Fclose, "");
    findGroup();
  }

  // Number of frames.
  std::uint64_t frames() const { return extentOf(at_ + "position/value", 3)[0]; }

  std::vector<double> numbers(const std::string& name, std::uint64_t frame, bool byFrame) const {
    return slice<double>(name, H5T_NATIVE_DOUBLE, frame, byFrame);
  }
  template <class T>
  std::vector<T> slice(const std::string& name, hid_t type, std::uint64_t frame,
                       bool byFrame) const {
    const Handle d = open(name);
    const std::vector<hsize_t> size = h5::extent(d.get());
    std::array<hsize_t, H5S_MAX_RANK> from{}, part{};
    std::copy(size.begin(), size.end(), part.begin());
    if (byFrame) {
      if (size.empty() || frame >= size[0])
        refuse(fmt::format("'{}' has no frame {}", name, frame));
      from[0] = frame, part[0] = 1;
    }
    hsize_t count = 1;
    for (std::size_t i = 0; i < size.size(); ++i) count *= part[i];
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count == 0) return values;
    const Handle file(H5Dget_space(d.get()), H5Sclose, "no dataspace");
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr);
    const Handle memory(H5Screate_simple(static_cast<int>(size.size()), part.data(), nullptr),
                        H5Sclose, "no dataspace");
    if (H5Dread(d.get(), type, memory.get(), file.get(), H5P_DEFAULT, values.data()) < 0)
      refuse(fmt::format("'{}' cannot be read", name));
    return values;
  }
  std::vector<std::string> texts(const std::string& name) const {
    const Handle d = open(name);
    const Handle type(H5Dget_type(d.get()), H5Tclose, "no type");
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0)
      refuse(fmt::format("'{}' is not a list of texts of one length", name));
    const std::size_t size = H5Tget_size(type.get());
    std::vector<hsize_t> n = h5::extent(d.get());
    const std::size_t count = n.empty() ? 1 : static_cast<std::size_t>(n[0]);
    std::vector<char> all(count * size);
    if (count > 0 && H5Dread(d.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0)
      refuse(fmt::format("'{}' cannot be read", name));
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count; ++k)
      texts.emplace_back(&all[k * size], strnlen(&all[k * size], size));
    return texts;
  }
  std::vector<hsize_t> extentOf(const std::string& name, std::size_t ranks) const {
    const Handle d = open(name);
    const std::vector<hsize_t> n = h5::extent(d.get());
    if (n.size() != ranks)
      refuse(fmt::format("'{}' has {} dimensions, {} were expected", name, n.size(), ranks));
    return n;
  }
  bool has(const std::string& name) const { return h5::has(file_.get(), name); }
  const std::string& at() const { return at_; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(
        fmt::format("'{}': {}; use a whole H5MD file of periodic particles", path_, why));
  }
  // Whether the dataset of an element is one for all frames.
  std::string element(const std::string& name, bool& byFrame) const {
    byFrame = has(at_ + name + "/value");
    return byFrame ? at_ + name + "/value" : at_ + name;
  }

 private:
  Handle open(const std::string& name) const {
    if (!has(name)) refuse(fmt::format("there is no '{}'", name));
    return h5::open(file_.get(), name);
  }
  // particles/all, or the only group of particles.
  void findGroup() {
    if (!has("particles")) refuse("there is no group 'particles'");
    at_ = "particles/all/";
    if (has("particles/all")) return;
    const Handle g(H5Gopen2(file_.get(), "particles", H5P_DEFAULT), H5Gclose, "no group");
    H5G_info_t info{};
    H5Gget_info(g.get(), &info);
    if (info.nlinks != 1)
      refuse(fmt::format("'particles' has {} groups, and none is named 'all'", info.nlinks));
    std::array<char, 256> name{};
    H5Lget_name_by_idx(g.get(), ".", H5_INDEX_NAME, H5_ITER_INC, 0, name.data(), name.size(),
                       H5P_DEFAULT);
    at_ = fmt::format("particles/{}/", name.data());
  }

  std::string path_, at_;
  Handle file_;
};

void readBox(const Reader& r, std::uint64_t frame, std::size_t dimension, Configuration& c) {
  bool byFrame = false;
  const std::string edges = r.element("box/edges", byFrame);
  const std::vector<double> all = r.numbers(edges, frame, byFrame);
  c.box.dimension = static_cast<int>(dimension);
  if (all.size() == dimension)
    for (std::size_t a = 0; a < dimension; ++a) c.box.length[a] = all[a];
  else if (all.size() == dimension * dimension)
    for (std::size_t a = 0; a < dimension; ++a)
      for (std::size_t b = 0; b < dimension; ++b) {
        if (a == b)
          c.box.length[a] = all[a * dimension + b];
        else if (all[a * dimension + b] != 0)
          r.refuse("the box is not a rectangle");
      }
  else
    r.refuse(fmt::format("the box has {} edges", all.size()));
}

void readSpecies(const Reader& r, std::uint64_t frame, const std::vector<std::size_t>& kept,
                 Configuration& c) {
  std::vector<std::string> names;
  if (r.has("parameters/species/name")) names = r.texts("parameters/species/name");
  std::vector<double> diameter(names.size(), 1), mass(names.size(), 1);
  if (r.has("parameters/species/diameter"))
    diameter = r.numbers("parameters/species/diameter", 0, false);
  if (r.has("parameters/species/mass")) mass = r.numbers("parameters/species/mass", 0, false);
  if (diameter.size() != names.size() || mass.size() != names.size())
    r.refuse("parameters/species has lists of different lengths");
  bool byFrame = false;
  const std::string name = r.element("species", byFrame);
  std::vector<std::int32_t> all;
  if (r.has(name)) all = r.slice<std::int32_t>(name, H5T_NATIVE_INT32, frame, byFrame);
  for (const std::size_t i : kept) {
    const std::int32_t s = i < all.size() ? all[i] : 0;
    if (s < 0 || s > 255)
      r.refuse(fmt::format("particle {} is of species {}; allowed: 0 to 255", i, s));
    while (names.size() <= static_cast<std::size_t>(s)) {
      names.push_back(names.empty() ? "X" : fmt::format("X{}", names.size()));
      diameter.push_back(1), mass.push_back(1);
    }
    c.types.push_back(static_cast<std::uint32_t>(s));
  }
  if (names.empty()) return;
  c.species.clear();
  for (std::size_t k = 0; k < names.size(); ++k)
    c.species.push_back({names[k], diameter[k], mass[k]});
}

}  // namespace

bool isH5mdName(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  return suffix == ".h5" || suffix == ".h5md";
}

Configuration readH5md(const std::string& path) {
  const Reader r(path);
  const std::vector<hsize_t> size = r.extentOf(r.at() + "position/value", 3);
  if (size[0] == 0) r.refuse("it has no frame");
  if (size[2] != 2 && size[2] != 3) r.refuse(fmt::format("positions have {} coordinates", size[2]));
  const std::uint64_t frame = size[0] - 1;
  const auto n = static_cast<std::size_t>(size[1]), d = static_cast<std::size_t>(size[2]);
  Configuration c;
  readBox(r, frame, d, c);
  bool byFrame = false;
  const std::string ids = r.element("id", byFrame);
  std::vector<std::int64_t> id;
  if (r.has(ids)) id = r.slice<std::int64_t>(ids, H5T_NATIVE_INT64, frame, byFrame);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i)
    if (id.size() != n || id[i] >= 0) kept.push_back(i);
  const std::vector<double> position = r.numbers(r.at() + "position/value", frame, true);
  std::vector<double> velocity;
  if (r.has(r.at() + "velocity/value"))
    velocity = r.numbers(r.at() + "velocity/value", frame, true);
  for (const std::size_t i : kept) {
    c.ids.push_back(id.size() == n ? id[i] : static_cast<ParticleId>(i));
    for (std::size_t a = 0; a < 3; ++a) {
      double x = a < d ? position[i * d + a] : 0;
      const double l = c.box.length[a];
      if (a < d && !(x >= 0 && x < l)) x -= l * std::floor(x / l);
      c.positions.push_back(a < d && x >= l ? 0.0 : x);
      if (!velocity.empty()) c.velocities.push_back(a < d ? velocity[i * d + a] : 0);
    }
  }
  readSpecies(r, frame, kept, c);
  requireValid(c, fmt::format("'{}'", path));
  return c;
}

std::vector<H5mdFrame> h5mdFrames(const std::string& path) {
  const Reader r(path);
  const std::vector<hsize_t> count = r.extentOf(r.at() + "position/step", 1);
  const std::vector<std::int64_t> step =
      r.slice<std::int64_t>(r.at() + "position/step", H5T_NATIVE_INT64, 0, false);
  if (!r.has("cellscope/run") || !r.has("cellscope/end"))
    r.refuse("it was written by another program and cannot be continued");
  const std::vector<std::string> run = r.texts("cellscope/run");
  const std::vector<std::uint8_t> end =
      r.slice<std::uint8_t>("cellscope/end", H5T_NATIVE_UINT8, 0, false);
  std::vector<H5mdFrame> frames;
  for (std::size_t k = 0; k < std::min({step.size(), run.size(), end.size()}); ++k)
    frames.push_back({static_cast<std::uint64_t>(step[k]), {run[k], end[k] != 0}});
  return frames;
}

void cutH5md(const std::string& path, std::uint64_t frames) {
  h5::quiet();
  const std::string failed = fmt::format("'{}' cannot be changed", path);
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, failed);
  for (const char* name : {"particles/all/position/value", "particles/all/velocity/value",
                           "particles/all/species/value", "particles/all/id/value",
                           "particles/all/box/edges/value", "particles/all/position/step",
                           "particles/all/position/time", "cellscope/run", "cellscope/end"}) {
    if (!h5::has(file.get(), name)) continue;
    const Handle d = h5::open(file.get(), name);
    std::vector<hsize_t> n = h5::extent(d.get());
    n[0] = std::min<hsize_t>(n[0], frames);
    h5::require(H5Dset_extent(d.get(), n.data()) >= 0, failed);
  }
  h5::require(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0, failed);
}

}  // namespace cellscope::io
