// What all modes share: drafts, words and their versions, declared reactions that act. Changes of a
// session: those of one drag of a slider are one step to undo, and set-ups are given up.
#include <gtest/gtest.h>

#include "sim/run/session.h"
#include "test_paths.h"
#include "tests/support/acting.h"
#include "tests/support/fake_mode.h"
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

// The walkers declare `shape` and ignore it; the other two take time only, which no result shows.
TEST(Parameters, ThatAreIgnoredAreFound) {
  EXPECT_EQ(idleParameters("fake", fakeModes, {}, {Assignments{{"n", std::int64_t{4}}}}),
            (std::vector<std::string>{"delay", "shape", "setup_time"}));
}

std::vector<std::string> idleOnOneThread(const std::string& mode,
                                         const std::vector<std::string>& states) {
  std::vector<Assignments> all;
  for (const std::string& state : states) all.push_back(scenarioWith(mode, state).parameters);
  return idleParameters(mode, {}, kOneThread, all);
}

TEST(Parameters, OfEveryModeAct) {
  for (const std::string& mode : modeKeys()) {
    if (mode == "md" || mode == "gcmc" || mode == "gibbs") continue;  // below
    EXPECT_EQ(idleOnOneThread(mode, {"n=64"}), std::vector<std::string>()) << mode;
  }
}

// Those of the checkerboard, of replicas, of moves in order, of speculative ones and of potentials
// need a state that has them. Mapping, block size and moves per launch change work but no decision:
// GcmcMode.OptionsOfMethodsChangeTheWorkButNoDecision.
TEST(Parameters, OfGrandCanonicalChainsAct) {
  const std::string mixture = "length=6 tail=false cutoff=2 system=binary sigma_b=0.9 ";
  EXPECT_EQ(
      idleOnOneThread(
          "gcmc",
          {"length=6 moves_per_step=200", "length=12 method=checkerboard moves_per_step=1",
           "length=6 replicas=3 moves_per_step=40",
           "length=6 replicas=3 replicas_differ_by=window replica_most=100 moves_per_step=40",
           "length=6 replicas=3 replicas_differ_by=temperature moves_per_step=40",
           "length=8 method=in_order moves_per_step=40",
           "length=6 method=speculative moves_per_step=200",
           "length=6 tail=false potential=scaled_attraction moves_per_step=200",
           "length=6 tail=false potential=mie moves_per_step=200", mixture + "moves_per_step=200",
           mixture + "moves_per_step=200 mixing=given sigma_ab=0.95 epsilon_ab=0.8"}),
      (std::vector<std::string>{"mapping", "block_size", "moves_per_launch"}));
}

// Those of potentials and of many pairs need a state that has them.
TEST(Parameters, OfTheGibbsEnsembleAct) {
  const std::string one = "n=108 moves_per_step=200";
  EXPECT_EQ(idleOnOneThread("gibbs",
                            {one, one + " tail=false potential=scaled_attraction",
                             one + " tail=false potential=mie", one + " pairs=2 temperatures=2"}),
            std::vector<std::string>());
}

// Each with one of these: those of B, and those of a ramp, need two others; a box of 10.78: three
// cells of 2.7 along a side, and four of a little less; parameters that a potential has; what is
// published of lists; a fault of one particle.
TEST(Parameters, OfMolecularDynamicsAct) {
  const std::string some = "n=108 density=0.6 system=binary fraction_b=0.4 cutoff_b=2.6 method=";
  const std::string cells = some + "cells ";
  EXPECT_EQ(idleOnOneThread(
                "md", {"n=108", cells, "n=108 thermostat=bussi ramp_steps=200 end_temperature=5",
                       "n=256 density=0.2044 method=placeholder_cells",
                       cells + "potential=scaled_attraction", cells + "potential=mie",
                       cells + "mixing=given sigma_ab=1.1 epsilon_ab=0.8 cutoff_ab=2.4",
                       some + "tree", some + "stencils search=paper cutoff=1.2 buffer=0.1",
                       "n=108 thermostat=langevin barostat=cell_rescaling barostat_interval=2",
                       cells + "list_fault=drop_pair"}),
            std::vector<std::string>());
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

double packingOf(Session& session) {
  return std::get<double>(session.mode().parameters().at("packing").get());
}

Session smallHexatic() {
  Scenario s = findScenario("hexatic", CELLSCOPE_SOURCE_DIR "/assets/scenarios");
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
