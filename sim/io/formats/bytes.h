// A regular file by places. Nothing is taken into memory that the file does not hold.
#pragma once
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>

#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/io/formats/format.h"

namespace cellscope::io {

class Bytes {
 public:
  // Throws InputError.
  explicit Bytes(const std::string& path) : path_(path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      throw InputError("cannot read '{}': it is not a regular file", path);
    in_.open(path, std::ios::binary);
    if (!in_) throw InputError("cannot read '{}': {}", path, std::strerror(errno));
    size_ = std::filesystem::file_size(path, error);
  }

  std::uint64_t size() const { return size_; }
  bool holds(std::uint64_t at, std::uint64_t count, std::uint64_t each = 1) const {
    return at <= size_ && count <= (size_ - at) / each;
  }
  // Throw InputError naming the file and `what` unless all of it is there.
  template <class T>
  T value(std::uint64_t at, const char* what) {
    return values<T>(at, 1, what)[0];
  }
  std::string text(std::uint64_t at, std::uint64_t count, const char* what) {
    return values<char, std::string>(at, count, what);
  }
  template <class T, class Values = std::vector<T>>
  Values values(std::uint64_t at, std::uint64_t count, const char* what) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!holds(at, count, sizeof(T)))
      fail(
          "{}: {} values of {} bytes at byte {} were expected, and the file has {} bytes; copy it "
          "again",
          what, count, sizeof(T), at, size_);
    Values v;
    v.resize(static_cast<std::size_t>(count));
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(at));
    in_.read(reinterpret_cast<char*>(v.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!in_) fail("{} cannot be read", what);
    return v;
  }
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... values) const {
    throw InputError("'{}': {}", path_, fmt::format(what, std::forward<Args>(values)...));
  }

 private:
  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

// Kinds of numbers, little-endian.
enum class Number { u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 };
inline constexpr std::uint64_t kBytesOf[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
inline bool isWhole(Number n) { return n < Number::f32; }

template <class To, class From>
std::vector<To> convertedFrom(const std::string& bytes) {
  std::vector<To> out(bytes.size() / sizeof(From));
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = static_cast<To>(rawAt<From>(bytes, k * sizeof(From)));
  return out;
}

// To: double, or std::int64_t for whole numbers.
template <class To>
std::vector<To> converted(Number kind, const std::string& bytes) {
  using Convert = std::vector<To> (*)(const std::string&);
  static constexpr Convert kByKind[] = {
      convertedFrom<To, std::uint8_t>,  convertedFrom<To, std::uint16_t>,
      convertedFrom<To, std::uint32_t>, convertedFrom<To, std::uint64_t>,
      convertedFrom<To, std::int8_t>,   convertedFrom<To, std::int16_t>,
      convertedFrom<To, std::int32_t>,  convertedFrom<To, std::int64_t>,
      convertedFrom<To, float>,         convertedFrom<To, double>};
  return kByKind[static_cast<int>(kind)](bytes);
}

}  // namespace cellscope::io
