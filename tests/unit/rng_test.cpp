// Random numbers: the published known answers of Philox 4x32-10 (Random123, kat_vectors) reach the
// caller through draw(), with the key whole or as round keys; the leap-frog generator against the C
// library.
#include "sim/core/rng.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/algo/md/bath.h"
#include "sim/core/rand48.h"
#include "sim/exec/context.h"
#include "sim/exec/cpu_exec.h"
#include "sim/exec/memory.h"

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
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

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

TEST(Rand48, LeapsAreThePublishedOnes) {
  EXPECT_EQ(rand48Leap(2).a, 0xbb20b4600a69u);
  EXPECT_EQ(rand48Leap(2).c, 0x0040942de6bau);
  EXPECT_EQ(rand48Leap(6144).a, 0x85efae376001u);  // van Meel et al. 2008
  EXPECT_EQ(rand48Leap(6144).c, 0xd4aad0115800u);
  EXPECT_EQ(rand48Leap(1000000).a, 0x84c8b05ab101u);
  EXPECT_EQ(rand48Leap(1000000).c, 0x879086b10040u);
  EXPECT_EQ(rand48Leap(0).of(77), 77u);
  EXPECT_EQ(rand48Seed(12345), 0x00003039330eu);
}

TEST(Rand48, StreamsMakeTheSequenceOfTheLibrary) {
  const exec::Shared shared = exec::makeExec({Backend::cpu, 2});
  auto& cpu = exec::as<exec::CpuExec>(shared);
  for (const long seed : {0L, 42L, 12345L, -1L})
    for (const std::size_t streams : {std::size_t{1}, std::size_t{192}, std::size_t{6144}}) {
      constexpr std::size_t kCount = 20000;
      std::vector<std::uint32_t> out(kCount);
      cpu.forEach("rand48", streams,
                  Rand48Streams{rand48Seed(static_cast<std::uint64_t>(seed)), streams, kCount,
                                out.data(), rand48Leap(streams)});
      srand48(seed);
      for (std::size_t k = 0; k < kCount; ++k)
        ASSERT_EQ(out[k], static_cast<std::uint32_t>(lrand48()))
            << seed << " " << streams << " " << k;
    }
}

// Every particle takes its four numbers from the sequence, in the order of particles and steps:
// drawn serially by the library, they give the same velocities.
TEST(Rand48, NoiseIsTheSerialSequence) {
  BathSettings s{true, 1.3, 2.0, 99};
  s.rand48 = true, s.particles = 7;
  srand48(99);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const Bath bath = Bath::of(s, 0.01, step);
    for (std::uint32_t i = 0; i < 7; ++i) {
      double u[4];
      for (double& x : u) x = drand48();
      const Vec3d v = bath.kicked({0.1, 0.2, 0.3}, step, i, false);
      const double r1 = bath.noise * std::sqrt(-2 * std::log(u[0]));
      const double r2 = bath.noise * std::sqrt(-2 * std::log(u[1]));
      EXPECT_NEAR(v.x, bath.keep * 0.1 + r1 * std::cos(2 * M_PI * u[2]), 1e-9);
      EXPECT_NEAR(v.y, bath.keep * 0.2 + r1 * std::sin(2 * M_PI * u[2]), 1e-9);
      EXPECT_NEAR(v.z, bath.keep * 0.3 + r2 * std::cos(2 * M_PI * u[3]), 1e-9);
    }
  }
}

}  // namespace
}  // namespace cellscope
