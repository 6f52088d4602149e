// What all modes share: drafts, words and their versions; which parameters act:
// parameters_act_test.cpp. Changes of a session: those of one drag of a slider are one step to
// undo, and set-ups are given up.
#include "tests/support/modes.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

std::unique_ptr<FakeMode> walkers() {
  auto mode = std::make_unique<FakeMode>();
  mode->restart();
  return mode;
}

std::string valueOf(Mode& mode, const char* key) { return toText(mode.parameters().at(key).get()); }

TEST(Drafts, AreTakenOverWholeOrNotAtAll) {
  const auto mode = walkers();
  mode->advance(3);
  const auto before = mode->configuration().positions;
  assign(*mode, "size=0.4 diameter=1");  // is refused
  EXPECT_THROW(mode->applyParameters(), InputError);
  EXPECT_EQ(valueOf(*mode, "size"), "0.1");
  EXPECT_EQ(valueOf(*mode, "diameter"), "0.5");
  EXPECT_EQ(mode->configuration().positions, before);
  const auto untouched = walkers();
  untouched->advance(8);
  mode->advance(5);
  EXPECT_EQ(mode->configuration().positions, untouched->configuration().positions);

  assign(*mode, "n=13 size=0.2");  // refuses to start
  EXPECT_THROW(mode->restart(), InputError);
  EXPECT_EQ(valueOf(*mode, "n"), "16");
  EXPECT_EQ(valueOf(*mode, "size"), "0.1");
  EXPECT_EQ(mode->step(), 8u);
}

TEST(Drafts, KeepWhatOnlyARestartTakesOver) {
  const auto mode = walkers();
  change(*mode, "n=20 size=0.3");
  EXPECT_EQ(mode->particleCount(), 16u);
  EXPECT_EQ(valueOf(*mode, "n"), "20");
  mode->restart();
  EXPECT_EQ(mode->particleCount(), 20u);
}

TEST(Drafts, AreAppliedAfterTheStepInHand) {
  const auto mode = walkers(), other = walkers();
  mode->advancePhase();
  change(*mode, "size=0.4");
  EXPECT_EQ(mode->nextPhase(), 0);
  EXPECT_EQ(mode->step(), 1u);
  other->advance(1);
  EXPECT_EQ(mode->configuration().positions, other->configuration().positions);
}

TEST(ModeInfo, HasAVersionThatRisesWhenItChanges) {
  const auto mode = walkers();
  const std::uint64_t version = mode->info().version;
  change(*mode, "size=0.3");
  EXPECT_EQ(mode->info().version, version);
  change(*mode, "diagonal=true");
  EXPECT_GT(mode->info().version, version);
  EXPECT_EQ(mode->info().phases.size(), 3u);
  for (int phase = 0; phase < 3; ++phase) mode->advancePhase();
  EXPECT_EQ(mode->step(), 1u);
}

TEST(Choices, HaveWords) {
  const ParameterSet set = describeMode("md").parameters();
  for (const Parameter& p : set.items()) {
    if (p.info.key != "potential") continue;
    EXPECT_EQ(p.info.inWords(std::string("force_shifted")), "force-shifted");
    EXPECT_NE(p.allowed().find("force_shifted"), std::string::npos) << "keys in files";
  }
}

TEST(SessionChange, SeveralParametersAreChangedInOneGo) {
  Session s(fakeScenario(), {}, fakeModes);
  s.advance(4);
  EXPECT_THROW(s.set({{"size", 0.4}, {"diameter", 1.0}}), InputError);
  EXPECT_TRUE(s.log().edits.empty());
  EXPECT_EQ(valueOf(s.mode(), "size"), "0.1");
  s.set({{"size", 0.4}, {"diagonal", true}});
  ASSERT_EQ(s.log().edits.size(), 2u);
  EXPECT_FALSE(s.log().edits[0].together);
  EXPECT_TRUE(s.log().edits[1].together);
  EXPECT_EQ(editsFromText(editsText(s.log().edits), "a"), s.log().edits);
}

// Only a change that begins a preparation needs the state before it.
TEST(SessionChange, SerialisesTheStateOnlyForAnUndo) {
  Session s(fakeScenario(), {}, fakeModes);
  s.advance(4);
  const std::uint64_t before = FakeMode::saves();
  for (const double diameter : {0.3, 0.4, 0.6}) s.set("diameter", diameter);
  s.set("size", 0.2);
  EXPECT_EQ(FakeMode::saves(), before);
  EXPECT_FALSE(s.canUndo());
  s.set("prepare", true);
  EXPECT_EQ(FakeMode::saves(), before + 1);
  EXPECT_TRUE(s.canUndo());
  s.set("prepare", false);  // of several such changes in a row, one state
  EXPECT_EQ(FakeMode::saves(), before + 1);
}

double packingOf(Session& session) { return valueIn(session.mode(), "packing"); }

Session smallHexatic() {
  Scenario s = shipped("hexatic");
  setParameter(s, "n", std::int64_t{64});
  return Session(s, kOneThread);
}

TEST(Session, ChangesOfOneDragAreUndoneTogether) {
  Session session = smallHexatic();
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
  Session session = smallHexatic();
  session.finishPreparation();
  for (double packing : {0.70, 0.69}) {
    session.set("packing", packing);
    session.finishPreparation();
    session.advance(3);
  }
  for (const double packing : {0.70, 0.712}) {
    session.undo();
    EXPECT_DOUBLE_EQ(packingOf(session), packing);
  }
}

TEST(SessionCancel, ACancelledUndoCanBeAskedForAgain) {
  bool cancel = false;
  Session s(fakeScenario(), {}, fakeModes, [&](const Preparation&) {
    if (cancel) throw Cancelled();
  });
  s.advance(9);
  const std::uint64_t hash = hashOf(s);
  s.set("n", std::int64_t{50});
  const std::uint64_t now = hashOf(s);
  cancel = true;
  EXPECT_THROW(s.undo(), Cancelled);
  EXPECT_EQ(hashOf(s), now);
  EXPECT_EQ(valueOf(s.mode(), "n"), "50");
  ASSERT_TRUE(s.canUndo());
  cancel = false;
  s.undo();
  EXPECT_EQ(hashOf(s), hash);
  EXPECT_EQ(s.step(), 9u);
  EXPECT_FALSE(s.canUndo());
}

}  // namespace
}  // namespace cellscope::test
