#include "sim/io/container.h"

#include <fmt/format.h>

#include <array>

#include "sim/base/build.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"

namespace cellscope::io {
namespace {

constexpr std::uint64_t kPolynomial = 0xc96c5795d7870f42ull;
using Tables = std::array<std::array<std::uint64_t, 256>, 8>;

// table[k][b]: effect of byte b followed by k zero bytes, so that eight bytes go in one step.
constexpr Tables makeTables() {
  Tables t{};
  for (std::uint64_t b = 0; b < 256; ++b) {
    std::uint64_t r = b;
    for (int bit = 0; bit < 8; ++bit) r = (r >> 1) ^ ((r & 1) ? kPolynomial : 0);
    t[0][b] = r;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b) t[k][b] = (t[k - 1][b] >> 8) ^ t[0][t[k - 1][b] & 0xff];
  return t;
}

constexpr Tables kTables = makeTables();

constexpr std::size_t kProgramLength = 20, kPrefix = 44, kChecksum = 8;

std::string wayOut(const std::string& file) {
  const std::string older = newestOlder(file);
  return older.empty() ? "; use an older checkpoint, or run its scenario again"
                       : fmt::format("; '{}' is an older one", older);
}

[[noreturn]] void damaged(const std::string& file, const std::string& what) {
  throw InputError("'{}' is damaged: {}{}", file, what, wayOut(file));
}

void checkPrefix(std::string_view bytes, const std::string& file) {
  if (bytes.size() < kContainerMark.size() ||
      bytes.substr(0, kContainerMark.size()) != kContainerMark)
    throw InputError(
        bytes.empty()
            ? fmt::format("'{}' is not a checkpoint: it is empty{}", file, wayOut(file))
            : fmt::format("'{}' is not a checkpoint of this program, or its beginning is damaged{}",
                          file, wayOut(file)));
  if (bytes.size() < kPrefix + kChecksum)
    damaged(file, fmt::format("it ends after {} bytes", bytes.size()));
  const auto version = rawAt<std::uint32_t>(bytes, 8);
  if (version != kContainerVersion) {
    const std::string_view program = bytes.substr(12, kProgramLength);
    throw InputError(
        "'{}' has checkpoint format version {} (written by cellscope {}); this program, cellscope "
        "{}, reads version {}; resume with the program that wrote it",
        file, version, program.substr(0, program.find('\0')), programVersion(), kContainerVersion);
  }
}

}  // namespace

std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t r = ~0ull;
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; p += 8, n -= 8) {
    r ^= rawAt<std::uint64_t>({p, 8}, 0);
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) next ^= kTables[7 - k][(r >> (8 * k)) & 0xff];
    r = next;
  }
  for (; n > 0; ++p, --n) r = (r >> 8) ^ kTables[0][(r ^ static_cast<unsigned char>(*p)) & 0xff];
  return ~r;
}

const std::string& Container::section(const std::string& name, const std::string& file) const {
  for (const auto& [key, content] : sections)
    if (key == name) return content;
  damaged(file, fmt::format("it has no section '{}'", name));
}

std::string pack(const Container& c) {
  std::uint64_t size = kPrefix + kChecksum;
  for (const auto& [name, content] : c.sections) size += 12 + name.size() + content.size();
  std::string out;
  out.reserve(size);
  out += kContainerMark;
  appendRaw(out, kContainerVersion);
  std::string program = c.program;
  program.resize(kProgramLength);
  out += program;
  appendRaw(out, size);
  appendRaw(out, static_cast<std::uint32_t>(c.sections.size()));
  for (const auto& [name, content] : c.sections) {
    appendRaw(out, static_cast<std::uint32_t>(name.size()));
    out += name;
    appendRaw(out, static_cast<std::uint64_t>(content.size()));
    out += content;
  }
  appendRaw(out, crc64(out));
  return out;
}

Container unpack(std::string_view bytes, const std::string& file) {
  checkPrefix(bytes, file);
  const auto size = rawAt<std::uint64_t>(bytes, 32);
  if (size != bytes.size())
    damaged(file, fmt::format("{} bytes are there, {} were written", bytes.size(), size));
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksum);
  if (rawAt<std::uint64_t>(bytes, body.size()) != crc64(body))
    damaged(file, "its checksum does not fit its content");
  Container c;
  const std::string_view program = bytes.substr(12, kProgramLength);
  c.program = program.substr(0, program.find('\0'));
  std::size_t at = kPrefix - 4;
  const auto take = [&](std::uint64_t n) {
    if (n > body.size() - at) damaged(file, "a section is longer than the file");
    return body.substr(std::exchange(at, at + n), n);
  };
  const auto count = rawAt<std::uint32_t>(take(4), 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name(take(rawAt<std::uint32_t>(take(4), 0)));
    std::string content(take(rawAt<std::uint64_t>(take(8), 0)));
    for (const auto& [earlier, unused] : c.sections)
      if (earlier == name)
        damaged(file, fmt::format("section '{}' is there twice", shortened(name)));
    c.sections.emplace_back(std::move(name), std::move(content));
  }
  if (at < body.size()) damaged(file, "bytes follow the last section");
  return c;
}

}  // namespace cellscope::io
