// What all modes share: drafts, words and their versions; which parameters act:
// parameters_act_test.cpp. Changes of a session: those of one drag of a slider are one step to
// undo, and set-ups are given up. Parameters: declared once, validated with messages that name key,
// value and range; the thread mappings as values of one.
#include "sim/modes/hard_disks/parameters.h"
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

struct Sample {
  bool flag = false;
  std::int64_t count = 4, seed = 1;
  double size = 0.5;
  Choice colour{1};

  template <class V>
  void visit(V& v) {
    v({.key = "flag", .label = "Flag"}, flag);
    v({.key = "count", .label = "Count", .min = 1, .max = 8}, count);
    v({.key = "seed", .label = "Seed", .max = 9007199254740992.0}, seed);
    v({.key = "size", .label = "Size", .unit = "sigma", .min = 0.1, .max = 1}, size);
    v({.key = "colour", .label = "Colour", .choices = {"red", "green"}}, colour);
  }
};

TEST(Parameter, StoresThroughTheDeclaration) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  set.at("count").setText("7");
  set.at("size").set(std::int64_t{1});
  set.at("flag").setText("true");
  set.at("colour").setText("red");
  EXPECT_EQ(s.count, 7);
  EXPECT_EQ(s.size, 1.0);
  EXPECT_TRUE(s.flag);
  EXPECT_EQ(s.colour.index, 0);
  EXPECT_EQ(toText(set.at("colour").get()), "red");
  EXPECT_EQ(toText(set.at("colour").fallback), "green");
}

struct Chained {
  std::int64_t count = 0;
  Choice kind{0};
  double size = 0.5;
  bool exact = false;

  template <class V>
  void visit(V& v) {
    v({.key = "count", .label = "Count", .max = 8}, count);
    v({.key = "kind", .label = "Kind", .choices = {"a", "b", "c"}, .actsWith = {"count", {}}},
      kind);
    v({.key = "size", .label = "Size", .max = 1, .actsWith = {"kind", {"b", "c"}}}, size);
    v({.key = "exact", .label = "Exact", .actsWith = {"size", {}}}, exact);
  }
};

// A parameter acts where what it acts with has one of its values, and acts itself.
TEST(Parameter, ActsAlongAChain) {
  Chained s;
  ParameterSet set = ParameterSet::of(s);
  const auto acting = [&] {
    std::string keys;
    for (const Parameter& p : set.items())
      if (set.acts(p)) keys += p.info.key + " ";
    return keys;
  };
  EXPECT_EQ(acting(), "count ");
  set.at("kind").setText("b");
  EXPECT_EQ(acting(), "count ");
  set.at("count").setText("2");
  EXPECT_EQ(acting(), "count kind size exact ");
  set.at("size").setText("0");
  EXPECT_EQ(acting(), "count kind size ");
  set.at("kind").setText("a");
  EXPECT_EQ(acting(), "count kind ");
  EXPECT_EQ(set.at("kind").info.actsWith.words(), "count > 0");
  EXPECT_EQ(set.at("size").info.actsWith.words(), "kind = b, c");
}

TEST(Parameter, RefusesAndKeepsTheOldValue) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  const auto refusalOf = [&](const char* key, const char* text) {
    return messageOf<InputError>([&] { set.at(key).setText(text); });
  };
  for (const char* bad : {"9", "0", "1.5", "x", "", "nan"}) {
    SCOPED_TRACE(bad);
    expectWords(refusalOf("count", bad), {"'count'", "1 to 8"});
  }
  for (const char* bad : {"nan", "inf", "0.05", "1.5", "two"})
    expectWords(refusalOf("size", bad), {"0.1 to 1 sigma"});
  expectWords(refusalOf("colour", "blue"), {"red, green"});
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.size, 0.5);
  EXPECT_EQ(s.colour.index, 1);
}

TEST(Parameter, WholeIsWhatHasAWholeValue) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  for (const char* five : {"5", "+5", "5.0", "5.", "0.5e1", "50e-1", "05"}) {
    set.at("count").setText("1");
    set.at("count").setText(five);
    EXPECT_EQ(s.count, 5) << five;
  }
  set.at("count").set(2.0);
  EXPECT_EQ(s.count, 2);
  set.at("seed").setText("1e15");
  EXPECT_EQ(s.seed, 1'000'000'000'000'000);
  set.at("size").setText("+5e-1");
  EXPECT_EQ(s.size, 0.5);
  for (const char* bad :
       {"2.5", "0x2", "1_0", "+-2", "++2", "+", "2e", " 2", "2 ", "1e400", "inf"}) {
    SCOPED_TRACE(bad);
    expectRefusal([&] { set.at("count").setText(bad); },
                  {"is not a whole number; allowed: whole number 1 to 8"});
  }
  EXPECT_THROW(set.at("count").set(2.5), InputError);
  EXPECT_EQ(s.count, 2);
  // As doubles the two are equal.
  set.at("seed").setText("9007199254740992");
  EXPECT_THROW(set.at("seed").setText("9007199254740993"), InputError);
}

TEST(Parameter, UnknownKeySuggestsTheNearest) {
  Sample s;
  ParameterSet set = ParameterSet::of(s);
  expectRefusal([&] { set.at("cuont"); }, {"did you mean 'count'"});
}

TEST(Mappings, ParameterOffersAutoAndThemAll) {
  ASSERT_EQ(mappingChoices().size(), kMpmcMappings.size() + 1);
  HardDiskParameters p;
  EXPECT_FALSE(p.chosenMapping());
  for (std::size_t i = 0; i < kMpmcMappings.size(); ++i) {
    EXPECT_EQ(mappingChoices()[i + 1], kMpmcMappings[i].key);
    p.mapping.index = static_cast<std::int64_t>(i) + 1;
    EXPECT_EQ(p.chosenMapping(), &kMpmcMappings[i]);
  }
}

}  // namespace
}  // namespace cellscope::test
