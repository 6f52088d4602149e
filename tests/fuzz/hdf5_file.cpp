// HDF5 files whose contents, and not whose bytes, are changed: libhdf5 itself does not survive
// every damage. Each byte of an input is a decision; 0 is the usual one, so that an input of no
// bytes is a good file.
#include "tests/fuzz/hdf5_file.h"

#include <hdf5.h>

#include <cstdlib>
#include <limits>
#include <vector>

namespace cellscope::fuzz {
namespace {

class Decisions {
 public:
  Decisions(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  std::size_t below(std::size_t n) { return at_ < end_ ? *at_++ % n : 0; }
  bool unusual() { return below(8) == 7; }

 private:
  const std::uint8_t *at_, *end_;
};

struct Item {
  const char* name;
  bool whole;
  std::vector<hsize_t> shape;
  bool usual = true;  // the file has it
};

std::vector<double> values(const Item& item, std::size_t count, Decisions& d) {
  constexpr double kUnusual[] = {-1,
                                 1e300,
                                 std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(),
                                 4294967296.0,
                                 -9.3e18,
                                 1e-320,
                                 0};
  std::vector<double> v(count);
  for (std::size_t k = 0; k < count; ++k) {
    v[k] = item.whole ? static_cast<double>(k % 2) : 0.5 + static_cast<double>(k % 3);
    if (d.unusual()) v[k] = kUnusual[d.below(std::size(kUnusual))];
  }
  return v;
}

void writeDataset(hid_t to, const char* name, const Item& item, Decisions& d) {
  std::vector<hsize_t> shape = item.shape;
  if (d.unusual()) shape.resize(d.below(5), 1);
  for (hsize_t& extent : shape)
    if (d.unusual()) extent = d.below(5);
  std::size_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 3);
  const hid_t types[] = {item.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE,
                         H5T_IEEE_F32LE,
                         H5T_STD_I32BE,
                         H5T_STD_U64LE,
                         H5T_STD_I8LE,
                         text,
                         H5T_IEEE_F64BE};
  const hid_t type = types[d.unusual() ? d.below(std::size(types)) : 0];
  const hid_t space = shape.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t set = H5Dcreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> v = values(item, count, d);
  if (set >= 0 && count > 0 && type != text && !d.unusual())
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v.data());
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(text);
}

// As a dataset or as a group of its values, steps and times by frame.
void writeElement(hid_t to, const Item& item, Decisions& d) {
  const bool byFrame = item.shape.size() > 1;
  if (item.usual == d.unusual()) return;
  if (byFrame == d.unusual()) return writeDataset(to, item.name, item, d);
  const hid_t group = H5Gcreate2(to, item.name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0) return;
  if (!d.unusual()) writeDataset(group, "value", item, d);
  if (!d.unusual()) writeDataset(group, "step", {"", true, {2}}, d);
  if (!d.unusual()) writeDataset(group, "time", {"", false, {2}}, d);
  H5Gclose(group);
}

void writeParticles(hid_t file, Decisions& d) {
  const hid_t particles = H5Gcreate2(file, "particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t all = H5Gcreate2(particles, "all", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (const Item& item : {Item{"position", false, {2, 2, 3}}, Item{"velocity", false, {2, 2, 3}},
                           Item{"species", true, {2, 2}}, Item{"id", true, {2, 2}},
                           Item{"mass", false, {2}}, Item{"momentum", false, {2, 2, 3}, false}})
    writeElement(all, item, d);
  const hid_t box = H5Gcreate2(all, "box", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  writeElement(box, {"edges", false, {3}}, d);
  const hid_t parameters = H5Gcreate2(file, "parameters", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t species = H5Gcreate2(parameters, "species", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* name : {"name", "diameter", "mass"})
    if (d.unusual()) writeDataset(species, name, {"", false, {2}}, d);
  for (const hid_t group : {species, parameters, box, all, particles}) H5Gclose(group);
}

void writeList(hid_t file, Decisions& d) {
  static const Item kItems[] = {{"positions", false, {3, 3}},
                                {"cell", false, {3, 3}},
                                {"pbc", true, {3}},
                                {"cutoff", false, {}},
                                {"i", true, {2}},
                                {"j", true, {2}},
                                {"S", true, {2, 3}},
                                {"half", true, {}},
                                {"nearest", true, {}, false},
                                {"skin", false, {}, false},
                                {"types", true, {3}, false},
                                {"cutoffs", false, {2, 2}, false},
                                {"radii", false, {3}, false},
                                {"cell_dims", true, {3}, false},
                                {"cell_of", true, {3}, false},
                                {"cell_start", true, {2}, false},
                                {"cell_items", true, {3}, false},
                                {"left", true, {3}, false},
                                {"right", true, {3}, false},
                                {"rope", true, {3}, false},
                                {"lower", false, {3, 3}, false},
                                {"upper", false, {3, 3}, false},
                                {"leaf_of", true, {3}, false},
                                {"ids", true, {3}, false},
                                {"pairs", true, {2, 2}, false},
                                {"edge_index", true, {2, 2}, false}};
  for (const Item& item : kItems)
    if (item.usual != d.unusual()) writeDataset(file, item.name, item, d);
}

}  // namespace

void writeHdf5(const std::string& path, bool list, const std::uint8_t* data, std::size_t size) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) std::abort();
  Decisions decisions(data, size);
  list ? writeList(file, decisions) : writeParticles(file, decisions);
  H5Fclose(file);
}

}  // namespace cellscope::fuzz
