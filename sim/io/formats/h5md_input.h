// Objects of the HDF5 library, and reading of files that anybody may have written. Every read goes
// through this: what lies under a name, its type and its extent are checked, and no memory is taken
// for more than the file holds. For h5md_*.cpp alone.
#pragma once
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::io::h5 {

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
inline Part wholeOf(const Dataset& d) { return {std::vector<hsize_t>(d.extent.size()), d.extent}; }
// Of a dataset that has it.
inline Part frameOf(const Dataset& d, hsize_t frame) {
  Part part = wholeOf(d);
  part.from[0] = frame, part.size[0] = 1;
  return part;
}
// "2 x 100 x 3".
inline std::string textOf(const std::vector<hsize_t>& extent) {
  return extent.empty() ? "1" : fmt::format("{}", fmt::join(extent, " x "));
}
// 2^64 - 1 for all that is larger.
inline std::uint64_t product(const std::vector<hsize_t>& factors, std::uint64_t value = 1) {
  for (const hsize_t f : factors) {
    if (f == 0) return 0;
    if (value > std::numeric_limits<std::uint64_t>::max() / f)
      value = std::numeric_limits<std::uint64_t>::max() / f;
    value *= f;
  }
  return value;
}

// All members throw InputError naming the file and, where there is one, the dataset.
class Input {
 public:
  // kind: what the file should be, for messages.
  explicit Input(const std::string& path,
                 const std::string& kind = "H5MD file of periodic particles")
      : path_(path), kind_(kind) {
    quiet();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      throw InputError("'{}' cannot be read: there is no such file", path);
    fileBytes_ = std::filesystem::file_size(path, error);
    within_ = sure(H5Pcreate(H5P_LINK_ACCESS), H5Pclose, "");
    H5Pset_elink_cb(within_.get(), refuseOtherFile, nullptr);
    // A run that writes the file has locked it; between two frames it is whole.
    const Handle how(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "no properties");
    H5Pset_file_locking(how.get(), false, true);
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, how.get());
    if (id < 0)
      throw InputError(
          "'{}' is not a readable HDF5 file: it is of another format, cut off, or being written "
          "just now; use a whole {}",
          path, kind_);
    file_ = Handle(id, H5Fclose, "");
  }

  bool has(const std::string& name) const { return at(name) != H5I_BADID; }
  bool isGroup(const std::string& name) const { return at(name) == H5I_GROUP; }
  std::vector<std::string> members(const std::string& group, std::size_t most = 2) const {
    const Handle g = sure(H5Gopen2(file_.get(), group.c_str(), H5P_DEFAULT), H5Gclose, group);
    std::vector<std::string> names;
    H5G_info_t info{};
    H5Gget_info(g.get(), &info);
    for (hsize_t k = 0; k < std::min<hsize_t>(info.nlinks, most); ++k) {
      std::array<char, 256> name{};
      if (H5Lget_name_by_idx(g.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(),
                             H5P_DEFAULT) < 0)
        refuse("'{}' cannot be read", group);
      names.push_back(name.data());
    }
    return names;
  }
  Dataset open(const std::string& name, Content content) const {
    const H5I_type_t found = at(name);
    if (found == H5I_BADID) refuse("there is no '{}'", name);
    if (found != H5I_DATASET)
      refuse("'{}' is {}, a dataset was expected", name, found == H5I_GROUP ? "a group" : "a type");
    Dataset d;
    d.name = name;
    d.handle = object(name);
    measure(d);
    requireContent(d, content);
    const Handle space = sure(H5Dget_space(d.handle.get()), H5Sclose, name);
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) refuse("'{}' is without values", name);
    d.extent.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
    H5Sget_simple_extent_dims(space.get(), d.extent.data(), nullptr);
    return d;
  }

  template <class T>
  std::vector<T> read(const Dataset& d, hid_t type, const Part& part) const {
    std::vector<T> values(requireRoom(d, part));
    if (!values.empty()) read(d, type, part, values.data());
    return values;
  }
  std::vector<double> numbers(const Dataset& d, const Part& part) const {
    return read<double>(d, H5T_NATIVE_DOUBLE, part);
  }
  // Of a list.
  std::vector<std::string> texts(const Dataset& d) const {
    if (d.extent.size() != 1)
      refuse("'{}' has {} dimensions, a list was expected", d.name, d.extent.size());
    const Part all = wholeOf(d);
    const std::size_t count = requireRoom(d, all), size = static_cast<std::size_t>(d.entry);
    const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
    std::vector<char> bytes(count * size);
    if (count > 0) read(d, type.get(), all, bytes.data());
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count; ++k) texts.push_back(untilItsEnd(&bytes[k * size], size));
    return texts;
  }
  // Of the attribute of an object: texts, or one whole number; nothing where there is none.
  std::vector<std::string> attributeTexts(const std::string& name, const char* attribute) const {
    const std::optional<Attribute> a = attributeOf(name, attribute);
    if (!a || a->count == 0) return {};
    const auto refuseIt = [&](const char* why) {
      refuse("the attribute '{}' of '{}' {}", attribute, name, why);
    };
    if (H5Tget_class(a->type.get()) != H5T_STRING) refuseIt("is not a text");
    const std::size_t size = H5Tget_size(a->type.get());
    std::vector<std::string> texts;
    if (H5Tis_variable_str(a->type.get()) > 0) {
      std::vector<char*> all(a->count, nullptr);
      if (H5Aread(a->handle.get(), a->type.get(), all.data()) < 0) refuseIt("cannot be read");
      for (const char* text : all) texts.push_back(text ? text : "");
      H5Dvlen_reclaim(a->type.get(), a->space.get(), H5P_DEFAULT, all.data());
      return texts;
    }
    if (size > fileBytes_ / a->count) refuseIt("is longer than the file");
    std::vector<char> all(a->count * size);
    if (H5Aread(a->handle.get(), a->type.get(), all.data()) < 0) refuseIt("cannot be read");
    for (std::size_t k = 0; k < a->count; ++k) texts.push_back(untilItsEnd(&all[k * size], size));
    return texts;
  }
  std::optional<std::int64_t> attributeNumber(const std::string& name,
                                              const char* attribute) const {
    const std::optional<Attribute> a = attributeOf(name, attribute);
    if (!a) return std::nullopt;
    std::int64_t value = 0;
    if (a->count != 1 || H5Tget_class(a->type.get()) != H5T_INTEGER ||
        H5Aread(a->handle.get(), H5T_NATIVE_INT64, &value) < 0)
      refuse("the attribute '{}' of '{}' is not a whole number", attribute, name);
    return value;
  }

  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... values) const {
    throw InputError("'{}': {}; use a whole {}", path_,
                     fmt::format(why, std::forward<Args>(values)...), kind_);
  }

 private:
  // Bytes that deflate makes of one, at most (zlib).
  static constexpr std::uint64_t kUnpacked = 1032;
  static constexpr std::uint64_t kFree = 64ull << 20;      // bytes that any packed dataset may have
  static constexpr std::uint64_t kMostOfAttribute = 1024;  // entries

  struct Attribute {
    Handle handle, type, space;
    std::size_t count = 0;
  };

  static herr_t refuseOtherFile(const char*, const char*, const char*, const char*, unsigned*,
                                hid_t, void*) {
    return -1;
  }
  static std::string untilItsEnd(const char* text, std::size_t most) {
    std::string all(text, strnlen(text, most));
    all.erase(all.find_last_not_of(' ') + 1);
    return all;
  }
  Handle sure(hid_t id, herr_t (*closing)(hid_t), const std::string& name) const {
    if (id < 0) refuse("'{}' cannot be read", name);
    return {id, closing, ""};
  }
  // What lies under a name; H5I_BADID: nothing.
  H5I_type_t at(const std::string& name) const {
    for (std::size_t end = 0; end != name.npos;) {
      end = name.find('/', end + 1);
      const std::string part = name.substr(0, end);
      if (H5Lexists(file_.get(), part.c_str(), within_.get()) <= 0) return H5I_BADID;
      H5L_info_t link{};
      if (H5Lget_info(file_.get(), part.c_str(), &link, within_.get()) < 0 ||
          (link.type != H5L_TYPE_HARD && link.type != H5L_TYPE_SOFT))
        refuse("'{}' is a link to another file", part);
    }
    return H5Iget_type(object(name).get());
  }
  Handle object(const std::string& name) const {
    const hid_t id = H5Oopen(file_.get(), name.c_str(), within_.get());
    if (id < 0) refuse("'{}' leads to nothing in this file", name);
    return {id, H5Oclose, ""};
  }
  std::optional<Attribute> attributeOf(const std::string& name, const char* attribute) const {
    if (!has(name)) return std::nullopt;
    const Handle owner = object(name);
    if (H5Aexists(owner.get(), attribute) <= 0) return std::nullopt;
    const std::string what = fmt::format("{} ({})", name, attribute);
    Attribute a;
    a.handle = sure(H5Aopen(owner.get(), attribute, H5P_DEFAULT), H5Aclose, what);
    a.type = sure(H5Aget_type(a.handle.get()), H5Tclose, what);
    a.space = sure(H5Aget_space(a.handle.get()), H5Sclose, what);
    const hssize_t count = H5Sget_simple_extent_npoints(a.space.get());
    if (count < 0 || static_cast<std::uint64_t>(count) > kMostOfAttribute)
      refuse("'{}' has {} entries", what, count);
    a.count = static_cast<std::size_t>(count);
    return a;
  }
  void requireContent(Dataset& d, Content content) const {
    const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
    const H5T_class_t kind = H5Tget_class(type.get());
    d.entry = H5Tget_size(type.get());
    const bool fits = content == Content::texts
                          ? kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0
                      : content == Content::numbers ? kind == H5T_FLOAT || kind == H5T_INTEGER
                                                    : kind == H5T_INTEGER || kind == H5T_ENUM;
    if (!fits || d.entry == 0)
      refuse("'{}' is not of {}", d.name,
             content == Content::texts     ? "texts of one length"
             : content == Content::numbers ? "numbers"
                                           : "whole numbers");
  }
  // How much the file can hold of a dataset, and that it holds it itself.
  void measure(Dataset& d) const {
    const Handle made = sure(H5Dget_create_plist(d.handle.get()), H5Pclose, d.name);
    const H5D_layout_t layout = H5Pget_layout(made.get());
    if (layout == H5D_VIRTUAL || H5Pget_external_count(made.get()) > 0)
      refuse("the values of '{}' lie in other files", d.name);
    d.room = std::min<std::uint64_t>(H5Dget_storage_size(d.handle.get()), fileBytes_);
    if (layout != H5D_CHUNKED || H5Pget_nfilters(made.get()) <= 0) return;
    d.room = std::max(kUnpacked * d.room, kFree);
    std::vector<hsize_t> chunk(H5S_MAX_RANK);
    chunk.resize(static_cast<std::size_t>(
        std::max(0, H5Pget_chunk(made.get(), H5S_MAX_RANK, chunk.data()))));
    const Handle type = sure(H5Dget_type(d.handle.get()), H5Tclose, d.name);
    d.chunk = product(chunk, H5Tget_size(type.get()));
  }
  // The number of values.
  std::size_t requireRoom(const Dataset& d, const Part& part) const {
    const std::uint64_t count = product(part.size);
    if (count > 0 && (count > d.room / d.entry || d.chunk > d.room))
      refuse("'{}' declares {} values of {} bytes, and the file holds at most {} bytes of them",
             d.name, textOf(part.size), d.entry, d.room);
    return static_cast<std::size_t>(count);
  }
  void read(const Dataset& d, hid_t type, const Part& part, void* values) const {
    const Handle file = sure(H5Dget_space(d.handle.get()), H5Sclose, d.name);
    if (!part.size.empty())
      H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, part.from.data(), nullptr, part.size.data(),
                          nullptr);
    const Handle memory =
        sure(H5Screate_simple(static_cast<int>(part.size.size()), part.size.data(), nullptr),
             H5Sclose, d.name);
    if (H5Dread(d.handle.get(), type, memory.get(), file.get(), H5P_DEFAULT, values) < 0)
      refuse("'{}' cannot be read", d.name);
  }

  std::string path_, kind_;
  std::uint64_t fileBytes_ = 0;
  Handle within_;  // links are followed in this file only
  Handle file_;
};

}  // namespace cellscope::io::h5
