// Handles of the HDF5 library and small helpers. For h5md_*.cpp alone.
#pragma once
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::io::h5 {

// Closes what it holds.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closing)(hid_t), const std::string& what) : id_(id), close_(closing) {
    if (id < 0) throw RunError(what);
  }
  Handle(Handle&& o) noexcept : id_(std::exchange(o.id_, -1)), close_(o.close_) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// Errors are reported by exceptions, not printed by the library: to be called first, by each thread
// that uses it. At the end of the program the library writes nothing: all files that can be closed
// are closed by then, and of one whose disk is full it would follow pointers that it has freed.
inline void quiet() {
  static const herr_t once = H5dont_atexit();
  static_cast<void>(once);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

inline void require(bool ok, const std::string& what) {
  if (!ok) throw RunError(what);
}

inline std::vector<hsize_t> extent(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "no dataspace");
  std::vector<hsize_t> n(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), n.data(), nullptr);
  return n;
}

inline Handle open(hid_t at, const std::string& path) {
  return {H5Dopen2(at, path.c_str(), H5P_DEFAULT), H5Dclose, path + " cannot be opened"};
}

// Fixed-length text of `size` bytes.
inline Handle textType(std::size_t size) {
  Handle t(H5Tcopy(H5T_C_S1), H5Tclose, "no text type");
  H5Tset_size(t.get(), size);
  return t;
}

}  // namespace cellscope::io::h5
