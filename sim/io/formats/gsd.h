// The layout of GSD files (gsd.readthedocs.io, file layer 1 and 2) and the names of schema
// hoomd 1.x. Debian has the library for Python alone, so that reader and writer are the program's
// own.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "sim/io/formats/format.h"

namespace cellscope::io::gsd {

inline constexpr std::uint64_t kMagic = 0x65DF65DF65DF65DFull;

struct Header {
  std::uint64_t magic = kMagic, indexAt = 0, indexSize = 0, namesAt = 0, namesSize = 0;
  std::uint32_t schema = 0x00010004, version = 0x00020000;
  char application[64] = {}, schemaName[64] = {}, reserved[80] = {};
};
static_assert(sizeof(Header) == 256);

// A chunk of rows x columns values.
struct Entry {
  std::uint64_t frame = 0, rows = 0;
  std::int64_t at = 0;  // 0: the entry is not used
  std::uint32_t columns = 0;
  std::uint16_t name = 0;
  std::uint8_t type = 0, flags = 0;  // type: 1 to 10 as io::Number, from 0; 11: characters
};
static_assert(sizeof(Entry) == 32);
inline constexpr std::uint64_t kNameBytes = 64;  // unit of the list of names

// Beyond the schema, which keeps particles in the order of their ids and has neither ids nor times.
inline constexpr const char* kIdName = "log/particles/cellscope/id";
inline constexpr const char* kTimeName = "log/cellscope/time";
// All that is written and read.
inline constexpr const char* kNames[] = {"configuration/step",
                                         "configuration/dimensions",
                                         "configuration/box",
                                         "particles/N",
                                         "particles/types",
                                         "particles/typeid",
                                         "particles/mass",
                                         "particles/diameter",
                                         "particles/position",
                                         "particles/velocity",
                                         kIdName,
                                         kTimeName};

// In float32, as HOOMD writes them, particles in the order of their ids.
std::unique_ptr<FrameSink> create(const std::string& path, const std::string& program, bool append);

}  // namespace cellscope::io::gsd
