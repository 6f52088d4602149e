// Changes of a session: those of one drag of a slider are one step to undo, and set-ups are given
// up.
#include <gtest/gtest.h>

#include "sim/run/session.h"
#include "test_paths.h"
#include "tests/support/fake_mode.h"
#include "tests/support/replay.h"

namespace cellscope {
namespace {

double packingOf(Session& session) {
  return std::get<double>(const_cast<Mode&>(session.mode()).parameters().at("packing").get());
}

TEST(Session, ChangesOfOneDragAreUndoneTogether) {
  Scenario s = findScenario("hexatic", CELLSCOPE_SOURCE_DIR "/assets/scenarios");
  setParameter(s, "n", std::int64_t{64});
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.finishPreparation();
  session.advance(5);
  const std::vector<double> before = session.mode().configuration().positions;
  session.set("packing", 0.70);
  session.finishPreparation();
  for (double packing : {0.69, 0.68}) {  // dragged on, after the one before was reached
    session.set({{"packing", packing}}, true);
    session.finishPreparation();
    session.advance(3);
  }
  EXPECT_DOUBLE_EQ(packingOf(session), 0.68);
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.712);
  EXPECT_EQ(session.mode().configuration().positions, before);
  EXPECT_FALSE(session.canUndo());
}

TEST(Session, ChangesOfTwoDragsAreUndoneOneByOne) {
  Scenario s = findScenario("hexatic", CELLSCOPE_SOURCE_DIR "/assets/scenarios");
  setParameter(s, "n", std::int64_t{64});
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.finishPreparation();
  for (double packing : {0.70, 0.69}) {
    session.set("packing", packing);
    session.finishPreparation();
    session.advance(3);
  }
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.70);
  session.undo();
  EXPECT_DOUBLE_EQ(packingOf(session), 0.712);
}

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
