// The file format of checkpoints: a version, named sections, and a checksum.
//
//   offset  size  content
//        0     8  "CELLSCP\n"
//        8     4  format version (little-endian, as all numbers)
//       12    20  version of the program that wrote it, zero-padded
//       32     8  size of the whole file
//       40     4  number of sections
//       44     -  per section: u32 length of name, name, u64 length of content, content
//      end-8   8  CRC-64/XZ of everything before
//
// The first 32 bytes keep their meaning in every version.
#pragma once
#include <cstdint>
#include <cstring>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope::io {

inline constexpr std::string_view kContainerMark{"CELLSCP\n", 8};
inline constexpr std::uint32_t kContainerVersion = 1;

struct Container {
  std::string program;  // version of the program that wrote it
  std::vector<std::pair<std::string, std::string>> sections;

  // Throws InputError when there is no such section.
  const std::string& section(const std::string& name, const std::string& file) const;
};

std::string pack(const Container& c);
// `file` appears in messages. Throws InputError when the bytes are not a container, are of another
// version (names both), are truncated, or differ in any byte from what was written.
Container unpack(std::string_view bytes, const std::string& file);

// CRC-64/XZ (ECMA-182 polynomial, reflected): finds every change of up to 64 neighbouring bits.
std::uint64_t crc64(std::string_view bytes);

}  // namespace cellscope::io

namespace cellscope {

// Raw values, little-endian: in texts, and in a checkpoint's stream, whose reader names what was
// missing or impossible.

template <class T>
void appendRaw(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// At a place of a text that is known to hold it.
template <class T>
T rawAt(std::string_view text, std::size_t place) {
  T value;
  std::memcpy(&value, text.data() + place, sizeof value);
  return value;
}
template <class T>
std::string rawOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class BinaryWriter {
 public:
  explicit BinaryWriter(std::ostream& out) : out_(out) {}
  template <class T>
  void value(const T& v) {
    array(&v, 1);
  }
  template <class T>
  void vector(const std::vector<T>& v) {
    value(static_cast<std::uint64_t>(v.size()));
    array(v.data(), v.size());
  }
  template <class T>
  void array(const T* data, std::size_t n, const char* = "") {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
  }
  void text(const std::string& s) {
    value(static_cast<std::uint64_t>(s.size()));
    array(s.data(), s.size());
  }
  // As a BinaryReader has them, so that one function can name the fields of both.
  void field(const auto& v, const char*) { value(v); }
  void field(bool v, const char*) { value(static_cast<std::uint8_t>(v)); }
  void field(const auto& v, const char*, std::size_t) { vector(v); }
  void fieldUpTo(const auto& v, const char*, std::size_t) { vector(v); }
  void items(const auto& v, std::size_t, const char*) { array(v.data(), v.size()); }
  std::ostream& stream() { return out_; }

 private:
  std::ostream& out_;
};

class BinaryReader {
 public:
  explicit BinaryReader(std::istream& in) : in_(in) {}
  template <class T>
  T value(const char* what) {
    T v{};
    array(&v, 1, what);
    return v;
  }
  // `expected`: the only size allowed.
  template <class T>
  std::vector<T> vector(const char* what, std::size_t expected) {
    const auto n = value<std::uint64_t>(what);
    if (n != expected)
      throw InputError("checkpoint: {} has {} entries, {} were expected", what, n, expected);
    return items<T>(expected, what);
  }
  // At most `most` entries.
  template <class T>
  std::vector<T> vectorUpTo(const char* what, std::size_t most) {
    const auto n = value<std::uint64_t>(what);
    if (n > most)
      throw InputError("checkpoint: {} has {} entries, at most {} are possible", what, n, most);
    return items<T>(n, what);
  }
  template <class T>
  void array(T* data, std::size_t n, const char* what) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto bytes = static_cast<std::streamsize>(n * sizeof(T));
    in_.read(reinterpret_cast<char*>(data), bytes);
    if (in_.gcount() != bytes) throw InputError("checkpoint: it ends early, {} is missing", what);
  }
  // n entries, which the rest of the stream must hold: no memory is taken for more than there is.
  template <class T>
  std::vector<T> items(std::uint64_t n, const char* what) {
    if (n > left() / sizeof(T)) throw InputError("checkpoint: it ends early, {} is missing", what);
    std::vector<T> v(static_cast<std::size_t>(n));
    array(v.data(), v.size(), what);
    return v;
  }
  std::string text(const char* what, std::size_t longest) {
    const auto n = value<std::uint64_t>(what);
    if (n > longest) throw InputError("checkpoint: {} of {} bytes is impossible", what, n);
    std::string s(n, '\0');
    array(s.data(), n, what);
    return s;
  }
  // Fields: plain values, and vectors with their size, the only one or the largest one allowed, or
  // without.
  void field(auto& v, const char* what) { array(&v, 1, what); }
  void field(bool& v, const char* what) { v = value<std::uint8_t>(what) != 0; }
  template <class T>
  void field(std::vector<T>& v, const char* what, std::size_t expected) {
    v = vector<T>(what, expected);
  }
  template <class T>
  void fieldUpTo(std::vector<T>& v, const char* what, std::size_t most) {
    v = vectorUpTo<T>(what, most);
  }
  template <class T>
  void items(std::vector<T>& v, std::uint64_t n, const char* what) {
    v = items<T>(n, what);
  }
  std::istream& stream() { return in_; }

 private:
  std::uint64_t left() {  // bytes
    const std::istream::pos_type at = in_.tellg();
    in_.seekg(0, std::ios::end);
    const std::streamoff bytes = in_.tellg() - at;
    in_.seekg(at);
    return in_ && bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
  }

  std::istream& in_;
};

}  // namespace cellscope
