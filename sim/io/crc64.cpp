#include "sim/io/crc64.h"

#include <array>
#include <cstring>

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

}  // namespace

std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t r = ~0ull;
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; p += 8, n -= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);  // little-endian, as every platform with CUDA
    r ^= word;
    std::uint64_t next = 0;
    for (std::size_t k = 0; k < 8; ++k) next ^= kTables[7 - k][(r >> (8 * k)) & 0xff];
    r = next;
  }
  for (; n > 0; ++p, --n) r = (r >> 8) ^ kTables[0][(r ^ static_cast<unsigned char>(*p)) & 0xff];
  return ~r;
}

}  // namespace cellscope::io
