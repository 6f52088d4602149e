// Objects of the HDF5 library, and reading of files that anybody may have written. Every read goes
// through this: what lies under a name, its type and its extent are checked, and no memory is taken
// for more than the file holds. For h5md_*.cpp alone.
#pragma once
#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <optional>
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

// Make groups, and datasets and attributes with their values; count 0: one value.
inline void attribute(hid_t at, const char* name, hid_t type, hsize_t count, const void* values) {
  const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr),
                     H5Sclose, "no dataspace");
  const Handle a(H5Acreate2(at, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                 std::string(name) + " cannot be made");
  require(H5Awrite(a.get(), type, values) >= 0, std::string(name) + " cannot be written");
}
inline void textAttribute(hid_t at, const char* name, const std::string& text) {
  attribute(at, name, textType(std::max<std::size_t>(1, text.size())).get(), 0, text.data());
}
inline Handle group(hid_t at, const char* path) {
  const Handle parents(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "no properties");
  H5Pset_create_intermediate_group(parents.get(), 1);
  return {H5Gcreate2(at, path, parents.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          std::string(path) + " cannot be made"};
}
inline void dataset(hid_t at, const char* path, hid_t type, hsize_t count, const void* values) {
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "no dataspace");
  const Handle d(H5Dcreate2(at, path, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose, std::string(path) + " cannot be made");
  require(H5Dwrite(d.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0,
          std::string(path) + " cannot be written");
}

enum class Content { numbers, wholeNumbers, texts };  // texts: all of one length

struct Dataset {
  std::string name;  // in the file
  Handle handle;
  std::vector<hsize_t> extent;
  bool byFrame = false;     // the first dimension counts frames
  std::uint64_t entry = 0;  // bytes of one in the file
  std::uint64_t room = 0;   // bytes that the file can hold of it
  std::uint64_t chunk = 0;  // bytes of a part that is unpacked as a whole; 0: none is
};

// What a read takes: from where on, and how much in each dimension.
struct Part {
  std::vector<hsize_t> from, size;
};
Part wholeOf(const Dataset& d);
Part frameOf(const Dataset& d, hsize_t frame);  // of a dataset that has it

std::string textOf(const std::vector<hsize_t>& extent);  // "2 x 100 x 3"

// All members throw InputError naming the file and, where there is one, the dataset.
class Input {
 public:
  // kind: what the file should be, for messages.
  explicit Input(const std::string& path,
                 const std::string& kind = "H5MD file of periodic particles");

  bool has(const std::string& name) const { return at(name) != H5I_BADID; }
  bool isGroup(const std::string& name) const { return at(name) == H5I_GROUP; }
  std::vector<std::string> members(const std::string& group, std::size_t most = 2) const;
  Dataset open(const std::string& name, Content content) const;

  template <class T>
  std::vector<T> read(const Dataset& d, hid_t type, const Part& part) const {
    std::vector<T> values(requireRoom(d, part));
    if (!values.empty()) read(d, type, part, values.data());
    return values;
  }
  std::vector<double> numbers(const Dataset& d, const Part& part) const {
    return read<double>(d, H5T_NATIVE_DOUBLE, part);
  }
  std::vector<std::string> texts(const Dataset& d) const;  // of a list
  // Of the attribute of an object: texts, or one whole number; nothing where there is none.
  std::vector<std::string> attributeTexts(const std::string& name, const char* attribute) const;
  std::optional<std::int64_t> attributeNumber(const std::string& name, const char* attribute) const;

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... values) const {
    throw InputError("'{}': {}; use a whole {}", path_,
                     fmt::format(why, std::forward<Args>(values)...), kind_);
  }

 private:
  struct Attribute {
    Handle handle, type, space;
    std::size_t count = 0;
  };

  Handle sure(hid_t id, herr_t (*closing)(hid_t), const std::string& name) const;
  H5I_type_t at(const std::string& name) const;
  Handle object(const std::string& name) const;
  std::optional<Attribute> attributeOf(const std::string& name, const char* attribute) const;
  void requireContent(Dataset& d, Content content) const;
  void measure(Dataset& d) const;
  std::size_t requireRoom(const Dataset& d, const Part& part) const;
  void read(const Dataset& d, hid_t type, const Part& part, void* values) const;

  std::string path_, kind_;
  std::uint64_t fileBytes_ = 0;
  Handle within_;  // links are followed in this file only
  Handle file_;
};

}  // namespace cellscope::io::h5
