// Random numbers: the published known answers of Philox 4x32-10 (Random123, kat_vectors) reach the
// caller through draw(), with the key whole or as round keys.
#include "sim/core/rng.h"

#include <gtest/gtest.h>

#include <array>

namespace cellscope {
namespace {

struct KnownAnswer {
  std::array<std::uint32_t, 4> counter;
  RngKey key;
  std::array<std::uint32_t, 4> words;
};

const KnownAnswer kAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST(Rng, KnownAnswers) {
  for (const KnownAnswer& a : kAnswers) {
    // The counter holds id, block, the step's low word, and purpose with the step's high bits.
    const auto purpose = static_cast<RngPurpose>(a.counter[3] >> 24);
    const std::uint64_t step = std::uint64_t{a.counter[3] & 0xffffffu} << 32 | a.counter[2];
    const Random4 whole = draw(a.key, purpose, step, a.counter[0], a.counter[1]);
    const Random4 rounds = draw(roundKeys(a.key), purpose, step, a.counter[0], a.counter[1]);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(whole.w[i], a.words[i]);
      EXPECT_EQ(rounds.w[i], a.words[i]);
    }
  }
}

}  // namespace
}  // namespace cellscope
