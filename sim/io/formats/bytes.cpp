#include "sim/io/formats/bytes.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error.h"

namespace cellscope::io {

Bytes::Bytes(const std::string& path) : path_(path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(fmt::format("cannot read '{}': it is not a regular file", path));
  size_ = std::filesystem::file_size(path, error);
  in_.open(path, std::ios::binary);
  if (!in_) throw InputError(fmt::format("cannot read '{}'", path));
}

void Bytes::fail(const std::string& what) const {
  throw InputError(fmt::format("'{}': {}", path_, what));
}

void Bytes::require(std::uint64_t at, std::uint64_t count, std::uint64_t each,
                    const char* what) const {
  if (!holds(at, count, each))
    fail(fmt::format(
        "{}: {} values of {} bytes at byte {} were expected, and the file has {} bytes; "
        "copy it again",
        what, count, each, at, size_));
}

void Bytes::read(std::uint64_t at, void* to, std::uint64_t count, std::uint64_t each,
                 const char* what) {
  require(at, count, each, what);
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(at));
  in_.read(static_cast<char*>(to), static_cast<std::streamsize>(count * each));
  if (!in_) fail(fmt::format("{} cannot be read", what));
}

std::string Bytes::text(std::uint64_t at, std::uint64_t count, const char* what) {
  require(at, count, 1, what);
  std::string t(static_cast<std::size_t>(count), '\0');
  if (count > 0) read(at, t.data(), count, 1, what);
  return t;
}

}  // namespace cellscope::io
