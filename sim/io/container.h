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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
