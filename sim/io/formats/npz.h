// Archives of numpy (numpy.org/doc/stable/reference/generated/numpy.lib.format.html): ZIP files of
// arrays, packed or not. Debian has no C or C++ library for them; zlib unpacks.
#pragma once
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/formats/bytes.h"

namespace cellscope::io {

struct NpyArray {
  std::vector<std::uint64_t> shape;  // {}: one value
  bool isText = false;
  Number kind = Number::f64;       // of numbers; truth values are u8
  std::string bytes;               // in C order
  std::vector<std::string> texts;  // where isText

  std::uint64_t count() const {
    std::uint64_t n = 1;
    for (const std::uint64_t s : shape) n *= s;
    return n;
  }
  template <class To>
  std::vector<To> as() const {
    return converted<To>(kind, bytes);
  }
};

// All throw InputError naming file and array. No more is unpacked than its directory tells and
// zlib can make of the file.
class NpzFile : private Bytes {
 public:
  // The directory at the end of the file (APPNOTE.TXT of PKWARE, 4.3).
  explicit NpzFile(const std::string& path) : Bytes(path) {
    constexpr std::uint64_t kEnd = 22, kComment = 65535, kEntry = 46;
    const std::uint64_t tail = std::min(size(), kEnd + kComment);
    const std::string last = text(size() - tail, tail, "the end of the archive");
    const std::size_t end = last.rfind("PK\5\6");
    if (end == last.npos || last.size() - end < kEnd)
      fail("it is not a whole ZIP archive: its directory is missing; copy it again");
    const auto bytes = rawAt<std::uint32_t>(last, end + 12),
               from = rawAt<std::uint32_t>(last, end + 16);
    if (from == 0xffffffff) fail("it has more than 4 GiB; allowed: less");
    const std::string all = text(from, bytes, "the directory of the archive");
    for (std::size_t e = 0; e + kEntry <= all.size();) {
      const std::size_t name = rawAt<std::uint16_t>(all, e + 28),
                        extra = rawAt<std::uint16_t>(all, e + 30),
                        comment = rawAt<std::uint16_t>(all, e + 32);
      if (all.compare(e, 4, "PK\1\2") != 0 || e + kEntry + name + extra + comment > all.size())
        fail("the directory of the archive is damaged");
      Member m;
      m.method = rawAt<std::uint16_t>(all, e + 10);
      m.crc = rawAt<std::uint32_t>(all, e + 16);
      m.packed = rawAt<std::uint32_t>(all, e + 20);
      m.size = rawAt<std::uint32_t>(all, e + 24);
      m.at = rawAt<std::uint32_t>(all, e + 42);
      std::string key = all.substr(e + kEntry, name);
      if (key.ends_with(".npy")) key.resize(key.size() - 4);
      members_[key] = m;
      e += kEntry + name + extra + comment;
    }
    if (members_.empty()) fail("the archive has no array");
  }
  bool has(const std::string& name) const { return members_.count(name) > 0; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, member] : members_) all.push_back(name);
    return all;
  }
  NpyArray read(const std::string& name) {
    std::string all = unpacked(name, members_.at(name));
    const auto refuse = [&](const std::string& why) { fail("'{}' {}", name, why); };
    if (all.size() < 12 || all.compare(0, 6, "\x93NUMPY") != 0) refuse("is no array of numpy");
    const bool small = all[6] == 1;
    const std::size_t head = small ? 10 : 12;
    const std::size_t length = small ? rawAt<std::uint16_t>(all, 8) : rawAt<std::uint32_t>(all, 8);
    if (length > all.size() - head) refuse("is cut off");
    const std::string dictionary = all.substr(head, length),
                      descr = dictionaryEntry(dictionary, "descr");
    const auto shape = shapeOf(dictionaryEntry(dictionary, "shape"));
    if (!shape) refuse("has an impossible shape");
    NpyArray a;
    a.shape = *shape;
    a.bytes = std::move(all.erase(0, head + length));
    std::uint64_t each = 0, unit = 1;
    if (const std::optional<Number> kind = kindOf(descr)) {
      a.kind = *kind;
      each = kBytesOf[static_cast<int>(*kind)];
    } else if (descr.size() > 2 && (descr[1] == 'U' || descr[1] == 'S') && descr[0] != '>') {
      a.isText = true;
      unit = descr[1] == 'U' ? 4 : 1;
      const std::optional<std::vector<std::uint64_t>> n = shapeOf(descr.substr(2));
      each = n && n->size() == 1 ? n->front() * unit : 0;
    }
    if (each == 0)
      refuse(fmt::format(
          "is of type '{}'; allowed: whole and real numbers, truth values and texts, little-endian",
          descr));
    double wanted = static_cast<double>(each);
    for (const std::uint64_t s : a.shape) wanted *= static_cast<double>(s);
    if (wanted != static_cast<double>(a.bytes.size()))
      refuse(fmt::format("has {} bytes, and its shape needs {:g}", a.bytes.size(), wanted));
    if (dictionaryEntry(dictionary, "fortran_order") == "True" && a.shape.size() > 1) {
      if (a.shape.size() > 2) refuse("is in Fortran's order with more than two dimensions");
      a.bytes = inCOrder(a.bytes, a.shape[0], a.shape[1], each);
    }
    if (a.isText) a.texts = textsOf(a.bytes, each, unit);
    return a;
  }
  using Bytes::fail;

 private:
  // Bytes that deflate makes of one, at most (zlib).
  static constexpr std::uint64_t kMostPacking = 1032;

  struct Member {
    std::uint64_t at = 0, packed = 0, size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
  };
  // The value behind a key of the dictionary that describes an array.
  static std::string dictionaryEntry(const std::string& dictionary, const std::string& key) {
    const std::size_t k = dictionary.find("'" + key + "'");
    if (k == dictionary.npos) return "";
    std::size_t from = dictionary.find(':', k);
    if (from == dictionary.npos) return "";
    from = dictionary.find_first_not_of(' ', from + 1);
    if (from == dictionary.npos) return "";
    const char open = dictionary[from];
    const std::size_t end = open == '('    ? dictionary.find(')', from)
                            : open == '\'' ? dictionary.find('\'', from + 1)
                                           : dictionary.find_first_of(",}", from);
    if (end == dictionary.npos) return "";
    const bool enclosed = open == '(' || open == '\'';
    return dictionary.substr(from + enclosed, end - from - enclosed);
  }
  static std::optional<std::vector<std::uint64_t>> shapeOf(const std::string& text) {
    std::vector<std::uint64_t> shape;
    for (std::size_t from = 0; from < text.size();) {
      from = text.find_first_not_of(" ,", from);
      if (from == text.npos) break;
      std::uint64_t v = 0;
      const auto r = std::from_chars(text.data() + from, text.data() + text.size(), v);
      if (r.ec != std::errc() || v > (std::uint64_t{1} << 40) || shape.size() == 8)
        return std::nullopt;
      shape.push_back(v);
      from = static_cast<std::size_t>(r.ptr - text.data());
    }
    return shape;
  }
  static std::optional<Number> kindOf(const std::string& descr) {
    static constexpr std::pair<const char*, Number> kKinds[] = {
        {"u1", Number::u8},  {"u2", Number::u16}, {"u4", Number::u32}, {"u8", Number::u64},
        {"i1", Number::i8},  {"i2", Number::i16}, {"i4", Number::i32}, {"i8", Number::i64},
        {"f4", Number::f32}, {"f8", Number::f64}, {"b1", Number::u8}};
    for (const auto& [name, kind] : kKinds)
      if (descr.size() == 3 && descr.substr(1) == name && descr[0] != '>') return kind;
    return std::nullopt;
  }
  // Of fixed length: bytes (S) or characters of four bytes (U), of which only ASCII is taken.
  static std::vector<std::string> textsOf(const std::string& bytes, std::uint64_t each,
                                          std::uint64_t size) {
    std::vector<std::string> texts(static_cast<std::size_t>(each == 0 ? 0 : bytes.size() / each));
    for (std::size_t k = 0; k < texts.size(); ++k)
      for (std::uint64_t c = 0; c < each; c += size) {
        const char ch = bytes[static_cast<std::size_t>(k * each + c)];
        if (ch == '\0') break;
        texts[k] += ch;
      }
    return texts;
  }
  static std::string inCOrder(const std::string& bytes, std::uint64_t rows, std::uint64_t columns,
                              std::uint64_t each) {
    std::string out(bytes.size(), '\0');
    for (std::uint64_t r = 0; r < rows; ++r)
      for (std::uint64_t c = 0; c < columns; ++c)
        std::memcpy(&out[static_cast<std::size_t>((r * columns + c) * each)],
                    &bytes[static_cast<std::size_t>((c * rows + r) * each)],
                    static_cast<std::size_t>(each));
    return out;
  }
  std::string unpacked(const std::string& name, const Member& m) {
    constexpr std::uint64_t kLocal = 30;
    const std::string head = text(m.at, kLocal, name.c_str());
    if (head.compare(0, 4, "PK\3\4") != 0) fail("'{}' is not where it should be", name);
    const std::uint64_t from =
        m.at + kLocal + rawAt<std::uint16_t>(head, 26) + rawAt<std::uint16_t>(head, 28);
    std::string packed = text(from, m.packed, name.c_str());
    if (m.method != 0 && m.method != Z_DEFLATED)
      fail("'{}' is packed by method {}; allowed: 0 and 8", name, m.method);
    if (m.size > (m.method == 0 ? m.packed : kMostPacking * m.packed))
      fail("'{}' declares {} bytes and has {}", name, m.size, m.packed);
    std::string out =
        m.method == 0 ? std::move(packed) : std::string(static_cast<std::size_t>(m.size), '\0');
    if (m.method != 0) {
      z_stream z{};
      if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
      z.next_in = reinterpret_cast<Bytef*>(packed.data());
      z.avail_in = static_cast<uInt>(packed.size());
      z.next_out = reinterpret_cast<Bytef*>(out.data());
      z.avail_out = static_cast<uInt>(out.size());
      const int code = inflate(&z, Z_FINISH);
      const bool whole = code == Z_STREAM_END && z.avail_out == 0;
      inflateEnd(&z);
      if (!whole) fail("'{}' cannot be unpacked; copy the file again", name);
    }
    if (out.size() != m.size || crc32(0, reinterpret_cast<const Bytef*>(out.data()),
                                      static_cast<uInt>(out.size())) != m.crc)
      fail("'{}' has another checksum than the archive tells; copy it again", name);
    return out;
  }

  std::map<std::string, Member> members_;
};

// Array as a member of an archive: `descr` as numpy writes it, "<f8".
struct NpyMember {
  std::string name, descr, bytes;
  std::vector<std::uint64_t> shape;
};
// The whole file, not packed.
inline std::string npzText(const std::vector<NpyMember>& members) {
  std::string file, directory;
  for (const NpyMember& m : members) {
    std::string shape;
    for (const std::uint64_t s : m.shape) shape += fmt::format("{},", s);
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", m.descr, shape);
    dictionary.append(64 - (10 + dictionary.size() + 1) % 64, ' ');
    dictionary += '\n';
    std::string array("\x93NUMPY\1\0", 8);
    appendRaw(array, static_cast<std::uint16_t>(dictionary.size()));
    array += dictionary + m.bytes;
    if (file.size() + array.size() > 0xfffffff0)
      throw RunError("an archive of more than 4 GiB cannot be written; use .gsd or .h5");
    const std::string name = m.name + ".npy";
    const auto size = static_cast<std::uint32_t>(array.size());
    std::string common;                            // of local header and directory
    appendRaw<std::uint32_t>(common, 20);          // version, no flags
    appendRaw<std::uint16_t>(common, 0);           // not packed
    appendRaw<std::uint32_t>(common, 0x00210000);  // 1980-01-01
    appendRaw(common, static_cast<std::uint32_t>(
                          crc32(0, reinterpret_cast<const Bytef*>(array.data()), size)));
    appendRaw(common, size);
    appendRaw(common, size);
    appendRaw(common, static_cast<std::uint16_t>(name.size()));
    appendRaw<std::uint16_t>(common, 0);
    directory += std::string("PK\1\2") + std::string("\x14\0", 2) + common;
    directory.append(10, '\0');  // comment, disk, attributes
    appendRaw(directory, static_cast<std::uint32_t>(file.size()));
    directory += name;
    file += "PK\3\4" + common + name + array;
  }
  const auto at = static_cast<std::uint32_t>(file.size());
  file += directory + std::string("PK\5\6\0\0\0\0", 8);
  appendRaw(file, static_cast<std::uint16_t>(members.size()));
  appendRaw(file, static_cast<std::uint16_t>(members.size()));
  appendRaw(file, static_cast<std::uint32_t>(directory.size()));
  appendRaw(file, at);
  appendRaw<std::uint16_t>(file, 0);
  return file;
}

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
