// Checkpoints of molecular dynamics: resumed bit for bit; damaged ones and other versions refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <sstream>

#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::contains;
using test::messageOf;
using test::saved;
using test::small;

TEST(MdCheckpoint, ResumesBitForBit) {
  for (int phases : {0, 1, 2}) {
    auto a = small();
    a->advance(20);
    a->sample();
    for (int p = 0; p < phases; ++p) a->advancePhase();
    auto b = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 1, 0});
    test::load(*b, saved(*a));
    EXPECT_EQ(saved(*a), saved(*b));
    a->advance(30);
    b->advance(30);
    EXPECT_EQ(saved(*a), saved(*b)) << phases;
    // As text: what is undefined is not equal to itself.
    EXPECT_EQ(fmt::format("{}", fmt::join(a->sample(), " ")),
              fmt::format("{}", fmt::join(b->sample(), " ")));
  }
}

TEST(MdCheckpoint, RefusesDamagedCheckpoints) {
  auto mode = small();
  const std::string good = saved(*mode);
  for (std::size_t length : {std::size_t{0}, std::size_t{10}, good.size() / 2, good.size() - 1}) {
    std::istringstream in(good.substr(0, length));
    EXPECT_TRUE(contains(messageOf<InputError>([&] { mode->load(in); }), "ends early"));
  }
  int refused = 0;
  for (std::size_t at = 0; at < 200; ++at) {  // 0xff in one byte of the header
    std::string bad = good;
    bad[at] = static_cast<char>(0xff);
    std::istringstream in(bad);
    try {
      mode->load(in);
      test::load(*mode, good);
    } catch (const InputError&) {
      ++refused;
    }
    EXPECT_EQ(saved(*mode), good) << at;
  }
  EXPECT_GT(refused, 40);
  std::string bad = good;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(&bad[good.size() - 3 * sizeof(double) * 256 - 64], &nan, sizeof nan);
  std::istringstream in(bad);
  EXPECT_FALSE(messageOf<InputError>([&] { mode->load(in); }).empty());
}

// The version is the first word.
TEST(MdCheckpoint, RefusesCheckpointsOfAnotherVersion) {
  auto mode = small();
  const std::string good = saved(*mode);
  const auto messageWith = [&](std::uint32_t word) {
    std::string other = good;
    std::memcpy(other.data(), &word, sizeof word);
    std::istringstream in(other);
    return messageOf<InputError>([&] { mode->load(in); });
  };
  std::uint32_t version = 0;
  std::memcpy(&version, good.data(), sizeof version);
  EXPECT_EQ(messageWith(version), "");
  for (const std::uint32_t other : {version + 1, version - 1, 0u})
    EXPECT_TRUE(
        contains(messageWith(other), fmt::format("has version {}, this program reads {}", other,
                                                 fmt::format("version {}", version))));
  EXPECT_EQ(saved(*mode), good);
}

}  // namespace
}  // namespace cellscope
