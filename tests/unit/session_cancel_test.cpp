// Set-ups of a session that are given up.
#include <gtest/gtest.h>

#include "sim/run/session.h"
#include "tests/support/fake_mode.h"
#include "tests/support/replay.h"

namespace cellscope {
namespace {

using test::hashOf;

TEST(SessionCancel, ACancelledSetupKeepsEverything) {
  bool cancel = false;
  Session s(test::fakeScenario(), {}, test::fakeModes, [&](const Preparation&) {
    if (cancel) throw Cancelled();
  });
  s.advance(9);
  s.set("size", 0.3);
  const std::uint64_t hash = hashOf(s);
  cancel = true;
  EXPECT_THROW(s.reset(), Cancelled);
  EXPECT_THROW(s.set("n", std::int64_t{50}), Cancelled);
  EXPECT_EQ(hashOf(s), hash);
  EXPECT_FALSE(s.canUndo());
  EXPECT_EQ(std::get<std::int64_t>(s.mode().parameters().at("n").get()), 16);
  EXPECT_EQ(s.log().edits.size(), 1u);
  s.advance(3);
  EXPECT_EQ(hashOf(*test::replay(s.log(), 12, {}, test::fakeModes)), hashOf(s));
}

TEST(SessionCancel, ACancelledUndoCanBeAskedForAgain) {
  bool cancel = false;
  Session s(test::fakeScenario(), {}, test::fakeModes, [&](const Preparation&) {
    if (cancel) throw Cancelled();
  });
  s.advance(9);
  const std::uint64_t hash = hashOf(s);
  s.set("n", std::int64_t{50});
  const std::uint64_t now = hashOf(s);
  cancel = true;
  EXPECT_THROW(s.undo(), Cancelled);
  EXPECT_EQ(hashOf(s), now);
  EXPECT_EQ(std::get<std::int64_t>(s.mode().parameters().at("n").get()), 50);
  ASSERT_TRUE(s.canUndo());
  cancel = false;
  s.undo();
  EXPECT_EQ(hashOf(s), hash);
  EXPECT_EQ(s.step(), 9u);
  EXPECT_FALSE(s.canUndo());
}

}  // namespace
}  // namespace cellscope
