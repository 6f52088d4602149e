// Checkpoints of molecular dynamics: resumed bit for bit; damaged ones and other versions refused.
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
    std::istringstream in(saved(*a));
    auto b = std::make_unique<MdMode>(ExecConfig{Backend::cpu, 1, 0});
    b->load(in);
    EXPECT_EQ(saved(*a), saved(*b));
    a->advance(30);
    b->advance(30);
    EXPECT_EQ(saved(*a), saved(*b)) << phases;
    EXPECT_EQ(a->sample(), b->sample());
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
      std::istringstream again(good);
      mode->load(again);
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

// The version is the first word. Before there was one, the step stood there.
TEST(MdCheckpoint, RefusesCheckpointsOfAnotherVersion) {
  auto mode = small();
  const std::string good = saved(*mode);
  const auto messageWith = [&](std::uint64_t word) {
    std::string other = good;
    std::memcpy(other.data(), &word, sizeof word);
    std::istringstream in(other);
    return messageOf<InputError>([&] { mode->load(in); });
  };
  std::uint64_t word = 0;
  std::memcpy(&word, good.data(), sizeof word);
  EXPECT_EQ(messageWith(word), "");
  EXPECT_TRUE(contains(messageWith(word + 1), "has version 4, this program reads version 3"));
  for (std::uint64_t step : {0, 1, 2, 1000000})
    EXPECT_TRUE(contains(messageWith(step), "has version 1, this program reads version 3")) << step;
  EXPECT_EQ(saved(*mode), good);
}

}  // namespace
}  // namespace cellscope
