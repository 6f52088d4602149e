// Archives of numpy (numpy.org/doc/stable/reference/generated/numpy.lib.format.html): ZIP files of
// arrays, packed or not. Debian has no C or C++ library for them; zlib unpacks.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/io/binary.h"
#include "sim/io/formats/bytes.h"

namespace cellscope::io {

struct NpyArray {
  std::vector<std::uint64_t> shape;  // {}: one value
  bool isText = false;
  Number kind = Number::f64;       // of numbers; truth values are u8
  std::string bytes;               // in C order
  std::vector<std::string> texts;  // where isText

  std::uint64_t count() const;
  template <class To>
  std::vector<To> as() const {
    return converted<To>(kind, bytes);
  }
};

// All throw InputError naming file and array. No more is unpacked than its directory tells and
// zlib can make of the file.
class NpzFile {
 public:
  explicit NpzFile(const std::string& path);
  bool has(const std::string& name) const { return members_.count(name) > 0; }
  std::vector<std::string> names() const;
  NpyArray read(const std::string& name);
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... values) const {
    file_.fail(what, std::forward<Args>(values)...);
  }

 private:
  struct Member {
    std::uint64_t at = 0, packed = 0, size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
  };
  std::string unpacked(const std::string& name, const Member& m);

  Bytes file_;
  std::map<std::string, Member> members_;
};

// Array as a member of an archive: `descr` as numpy writes it, "<f8".
struct NpyMember {
  std::string name, descr, bytes;
  std::vector<std::uint64_t> shape;
};
std::string npzText(const std::vector<NpyMember>& members);  // the whole file, not packed

// Rows of `width` values each; 0: the one value alone. Bytes are truth values.
template <class T>
NpyMember npyMember(const std::string& name, const std::vector<T>& values,
                    std::uint64_t width = 1) {
  const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  NpyMember m{name, fmt::format("<{}{}", kind, sizeof(T)), rawOf(values), {}};
  if (std::is_same_v<T, std::uint8_t>) m.descr = "|b1";
  if (width > 0) m.shape.push_back(values.size() / width);
  if (width > 1) m.shape.push_back(width);
  return m;
}

}  // namespace cellscope::io
