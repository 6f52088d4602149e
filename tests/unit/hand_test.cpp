// A hand in a run: springs, particles added, deleted and heated, and heat for those that are
// selected; logged, repeated, undone.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "tests/support/modes.h"
#include "tests/support/nist.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace hands {  // tests are compiled in groups
namespace {

using testing::HasSubstr;

Scenario liquid(const std::string& method, int dimension = 3) {
  return scenarioWith(
      "md", fmt::format("n=300 density={} dimension={} temperature=1.2 dt=0.002 cutoff=1.5 "
                        "potential=force_shifted method={}",
                        dimension == 3 ? 0.5 : 0.6, dimension, method));
}

Scenario disks(const std::string& packing = "0.5") {
  return scenarioWith("hard_disks", "n=200 packing=" + packing);
}

Scenario chain() { return scenarioWith("gcmc", "length=8 density=0.2 temperature=1.5"); }

std::unique_ptr<Session> sessionOf(const Scenario& s) {
  return std::make_unique<Session>(s, kOneThread);
}

std::optional<Grip> gripOf(Session& s) { return dynamic_cast<TakesHands&>(s.mode()).grip(); }

// Energy of a configuration by definition: Lennard-Jones, force shifted at 1.5.
double energyOf(const Configuration& c) {
  const double end = 1.5, shift = ljEnergy(end), slope = -ljForce(end);
  double sum = 0;
  for (const double v : c.velocities) sum += v * v / 2;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double r = distanceBetween(c, i, j); r < end)
        sum += ljEnergy(r) - shift - slope * (r - end);
  return sum;
}

double nearestPair(const Configuration& c) {
  double least = 1e9;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, distanceBetween(c, i, j));
  return least;
}

class HandOn : public testing::TestWithParam<const char*> {};

TEST_P(HandOn, TheWorkOfTheSpringIsTheChangeOfEnergy) {
  const auto s = sessionOf(liquid(GetParam()));
  s->advance(20);
  const double before = energyOf(s->mode().configuration());
  s->hand("grab 3 3 3 1.2 40");
  s->hand("pull 6 3.5 3 1 1");
  s->advance(700);
  const std::optional<Grip> grip = gripOf(*s);
  ASSERT_TRUE(grip);
  const double after = energyOf(s->mode().configuration());
  // Velocity Verlet keeps the energy to order dt^2: (dt omega)^2 / 24 of what is exchanged, omega =
  // 50 in a hard collision: 4e-4 of the kinetic energy 540 and of the work.
  const double tolerance = 4e-4 * (540 + std::abs(grip->work));
  EXPECT_GT(std::abs(grip->work), 20 * tolerance);
  EXPECT_NEAR(after - before, grip->work, tolerance);
  EXPECT_THAT(s->hand("release 0 0 0 1 1"), HasSubstr("epsilon"));
  expectHealthy(s->mode());
}

TEST_P(HandOn, IsRepeatedByWhoFollowsTheRunAndByPhases) {
  const auto s = sessionOf(liquid(GetParam()));
  // A patch is grabbed, pulled away through the liquid and let go.
  s->advance(20);
  s->hand("grab 3 3 3 1.2 40");
  s->advance(50);
  s->hand("pull 5 4 3 1 1");
  s->advance(333);
  s->hand("pull 6.5 3 2 1 1");
  s->advance(400);
  s->hand("release 0 0 0 1 1");
  s->hand("delete 2 2 2 1.2 1");
  s->heat("2 x > 3 && speed > 1");
  s->advance(30);
  s->hand("add 2 2 2 1.5 1");
  s->hand("heat 4 4 4 2 1.5");
  s->advance(50);
  const std::uint64_t steps = s->step();
  const std::vector<Edit> edits = editsFromText(editsText(s->log().edits), "edits");
  ASSERT_EQ(edits.size(), 8u);
  const auto other = sessionOf(liquid(GetParam()));
  other->follow({edits, {}}, steps);
  EXPECT_EQ(hashOf(*other), hashOf(*s));
  EXPECT_EQ(other->log().edits, edits);
  const auto again = sessionOf(liquid(GetParam()));
  for (const Edit& e : edits) {
    while (again->step() < e.step) again->advancePhase();
    again->set(e.key, e.value);
  }
  again->advanceTo(steps);
  EXPECT_EQ(hashOf(*again), hashOf(*s));
  const auto untouched = sessionOf(liquid(GetParam()));
  untouched->advance(steps);
  EXPECT_NE(hashOf(*untouched), hashOf(*s));
}

TEST_P(HandOn, GoesOnFromACheckpointWhileItHolds) {
  const auto s = sessionOf(liquid(GetParam()));
  s->advance(20);
  s->hand("grab 3 3 3 1.2 40");
  s->hand("pull 5 4 3 1 1");
  s->advance(77);
  const auto resumed = Session::resumeFrom(s->checkpoint(), "bytes", kOneThread);
  for (Session* each : {s.get(), resumed.get()}) each->advance(100);
  EXPECT_EQ(hashOf(*resumed), hashOf(*s));
  EXPECT_EQ(gripOf(*resumed)->work, gripOf(*s)->work);
  EXPECT_EQ(resumed->touchedAt(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Methods, HandOn,
                         testing::Values("all_pairs", "placeholder_cells", "cells", "stencils",
                                         "tree", "clusters"));

// Nobody else near: x'' = k (D - x), of which velocity Verlet makes x_{n+1} = 2 x_n - x_{n-1} +
// dt^2 k (D - x_n) exactly. The end of the spring is there after the first step.
TEST(Hand, AFreeParticleSwingsAboutTheEndOfItsSpring) {
  const double dt = 0.01, k = 30, way = 0.04;
  const auto mode = makeMode("md", kOneThread);
  mode->parameters().at("dt").set(dt);
  mode->parameters().at("method").set(std::string("all_pairs"));
  Configuration c{.box = cubicBox(12), .positions = {2, 2, 2, 8, 8, 8}};
  c.velocities.assign(6, 0.0);
  c.ids = {4, 9};
  mode->adopt(c);
  auto& hand = dynamic_cast<TakesHands&>(*mode);
  EXPECT_THAT(hand.hand({HandAct::grab, {2, 2, 2}, 0.5, k}), HasSubstr("1 particle,"));
  hand.hand({HandAct::pull, {2 + way, 2, 2}});
  double before = 0, now = 0;
  for (int step = 1; step <= 200; ++step) {
    mode->advance(1);
    ASSERT_NEAR(mode->configuration().positions[0] - 2, now, 1e-11) << step;
    const double next = 2 * now - before + dt * dt * k * (way - now);
    before = now, now = next;
  }
  const double speed = mode->configuration().velocities[0];
  EXPECT_GT(hand.grip()->work, 1e-3);
  EXPECT_NEAR(hand.grip()->work, speed * speed / 2, 1e-12);
  EXPECT_NEAR(hand.grip()->end.x - 2, way, 1e-12);
  EXPECT_EQ(hand.grip()->particles, 1u);
}

TEST(Hand, UndoGoesBackToBeforeAStroke) {
  for (const Scenario& scenario : {liquid("cells", 2), disks(), chain()}) {
    const auto s = sessionOf(scenario), untouched = sessionOf(scenario);
    for (const auto& each : {s.get(), untouched.get()}) each->advance(30);
    if (scenario.mode == "md") {
      s->heat("0.5 id >= 0");
      s->advance(10);
      ASSERT_TRUE(s->canUndo());
      s->undo();
      EXPECT_EQ(s->step(), 30u);
      EXPECT_EQ(hashOf(*s), hashOf(*untouched));
    }
    ASSERT_NE(s->hand("delete 4 4 0 1.5 1"), "");
    ASSERT_NE(s->hand("delete 2 2 0 1.5 1 +"), "");
    s->advance(5);
    s->hand("add 4 4 0 1.5 1");
    ASSERT_EQ(s->log().edits.size(), 3u);
    s->undo();
    EXPECT_EQ(s->log().edits.size(), 2u);
    s->undo();
    EXPECT_EQ(s->step(), 30u);
    EXPECT_TRUE(s->log().edits.empty());
    EXPECT_FALSE(s->touchedAt());
    for (const auto& each : {s.get(), untouched.get()}) each->advance(30);
    EXPECT_EQ(hashOf(*s), hashOf(*untouched)) << scenario.mode;
  }
}

TEST(Hand, AddsWhereThereIsRoomWithIdsThatWereNeverUsed) {
  for (const Scenario& scenario : {liquid("clusters"), liquid("tree", 2), disks(), chain()}) {
    const auto s = sessionOf(scenario);
    s->advance(20);
    std::set<ParticleId> seen;
    const auto look = [&](bool addedAll) {
      const Configuration c = s->mode().configuration();
      EXPECT_EQ(std::set<ParticleId>(c.ids.begin(), c.ids.end()).size(), c.size());
      std::size_t fresh = 0;
      for (const ParticleId id : c.ids) fresh += seen.insert(id).second;
      if (addedAll) {
        EXPECT_EQ(fresh, 0u) << "ids of the deleted came back";
      }
      return c;
    };
    std::size_t n = look(false).size();
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE(scenario.mode + " " + std::to_string(round));
      ASSERT_THAT(s->hand("delete 3 3 3 2 1"), HasSubstr("deleted"));
      const std::size_t left = look(true).size();
      EXPECT_LT(left, n);
      ASSERT_THAT(s->hand("add 3 3 3 2 1"), HasSubstr("added"));
      const std::size_t before = seen.size();
      const Configuration c = look(false);
      n = c.size();
      EXPECT_EQ(seen.size() - before, n - left) << "every one has a new id";
      EXPECT_EQ(s->mode().particleCount(), n);
      EXPECT_GE(nearestPair(c), scenario.mode == "hard_disks" ? 1.0 : 0.8);
      expectHealthy(s->mode());
      s->advance(scenario.mode == "gcmc" ? 1 : 20);
      for (const ParticleId id : s->mode().configuration().ids) seen.insert(id);
      n = s->mode().particleCount();
    }
    EXPECT_EQ(hashOf(*replay(s->log(), s->step(), kOneThread)), hashOf(*s));
    EXPECT_EQ(s->touchedAt(), 20u);
  }
}

TEST(Hand, SaysThatThereIsNoRoomToAdd) {
  Runner runner(kOneThread, disks("0.7"));
  const HandMove add{HandAct::add, {3, 3, 0}, 0.5};
  for (int k = 0; k < 2; ++k) runner.hand(add, {}, false);  // the second at the latest
  const PublicationPtr p = await(runner, speaks);
  EXPECT_THAT(p->messages.back().text, HasSubstr("no room within the brush"));
}

TEST(Hand, NewMoleculesHaveTheTemperature) {
  Scenario gas = liquid("cells", 2);
  setParameter(gas, "density", 0.05);
  setParameter(gas, "n", std::int64_t{200});
  const auto s = sessionOf(gas);
  const std::size_t before = s->mode().particleCount();
  s->hand("add 20 20 0 18 1");
  const Configuration c = s->mode().configuration();
  double square = 0;
  std::size_t added = 0;
  for (std::size_t i = 0; i < c.size(); ++i)
    if (c.ids[i] >= static_cast<ParticleId>(before))
      ++added, square += std::pow(c.velocities[3 * i], 2) + std::pow(c.velocities[3 * i + 1], 2);
  ASSERT_GT(added, 200u);
  // Mean of 2 n squares of deviates of variance 1.2: 5 standard errors, one false alarm in 10^6.
  const auto n = static_cast<double>(2 * added);
  EXPECT_NEAR(square / n, 1.2, 5 * 1.2 * std::sqrt(2 / n));
}

TEST(Heat, MultipliesTheVelocitiesOfThoseSelectedAlone) {
  const auto session = sessionOf(liquid("cells"));
  session->advance(20);
  const Configuration before = session->mode().configuration();
  EXPECT_EQ(session->heat("1.5 id < 50"), 50u);
  const Configuration after = session->mode().configuration();
  EXPECT_EQ(after.positions, before.positions);
  for (std::size_t i = 0; i < after.size(); ++i)
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k)
      ASSERT_EQ(after.velocities[k], (after.ids[i] < 50 ? 1.5 : 1) * before.velocities[k]);
  EXPECT_EQ(session->touchedAt(), 20u);
  session->advance(200);  // what is conserved counts from there
  expectHealthy(session->mode());
}

TEST(Hand, DisksAreMovedAsFarAsThereIsRoom) {
  const auto s = sessionOf(disks("0.7"));
  s->finishPreparation();
  s->advance(20);
  ASSERT_THAT(s->hand("grab 5 5 0 0.5 1"), HasSubstr("holds"));
  const Configuration before = s->mode().configuration();
  std::size_t moved = 0;
  for (int k = 1; k <= 30; ++k) {
    s->hand("pull " + std::to_string(5 + 0.2 * k) + " 5 0 1 1");
    const Configuration now = s->mode().configuration();
    ASSERT_GE(nearestPair(now), 1.0);
    ASSERT_EQ(now.ids, before.ids);
  }
  const Configuration now = s->mode().configuration();
  for (std::size_t i = 0; i < now.size(); ++i)
    moved += now.positions[3 * i] != before.positions[3 * i];
  EXPECT_EQ(moved, gripOf(*s)->particles) << "nothing but what is held";
  EXPECT_LT(gripOf(*s)->at.x, 6.5) << "at packing 0.7 a disk cannot leave its cage";
  s->advance(10);
  EXPECT_EQ(hashOf(*replay(s->log(), s->step(), kOneThread)), hashOf(*s));
  const auto resumed = Session::resumeFrom(s->checkpoint(), "bytes", kOneThread);
  for (Session* each : {s.get(), resumed.get()}) {
    each->hand("pull 4 5 0 1 1");
    each->advance(5);
    EXPECT_THAT(each->hand("release 0 0 0 1 1"), HasSubstr("let go"));
  }
  EXPECT_EQ(hashOf(*resumed), hashOf(*s));
  expectHealthy(s->mode());
}

TEST(Hand, RefusesWhatCannotBeDoneAndKeepsTheState) {
  const auto why = [](Session& s, const std::string& what) {
    return messageOf<InputError>([&] { s.hand(what); });
  };
  const auto md = sessionOf(liquid("cells"));
  const std::uint64_t before = hashOf(*md);
  for (const char* text : {"", "grab", "poke 1 1 1 1 1", "grab 1 1 x 1 1", "grab 1 1 nan 1 1",
                           "grab 1 1 1 1 1 1", "grab 1 1 1 0 1", "heat 1 1 1 1 11"})
    EXPECT_THAT(why(*md, text), HasSubstr("hand = '")) << text;
  EXPECT_THAT(why(*md, "delete 4 4 4 900 1"), HasSubstr("a run needs particles"));
  const auto whyHeat = [](Session& s, const std::string& what) {
    return messageOf([&] { s.heat(what); });
  };
  for (const std::string factor : {"0", "-1", "11", "nan", "hot", ""})
    EXPECT_THAT(whyHeat(*md, factor + " id < 5"), HasSubstr("from 0.01 to 10"));
  EXPECT_THAT(whyHeat(*md, "1.1 id > 1000"), HasSubstr("no particle is selected by 'id > 1000'"));
  EXPECT_THAT(whyHeat(*md, "1.1 colour == 3"), HasSubstr("colour"));
  EXPECT_EQ(md->hand("pull 1 1 1 1 1"), "") << "nothing is held";
  EXPECT_EQ(hashOf(*md), before);
  EXPECT_TRUE(md->log().edits.empty());
  const auto plane = sessionOf(disks());
  EXPECT_THAT(why(*plane, "heat 1 1 0 1 2"), HasSubstr("no velocities"));
  EXPECT_THAT(whyHeat(*plane, "1.1 id < 5"), HasSubstr("'hard_disks' have no velocities"));
  EXPECT_THAT(why(*plane, "delete 4 4 0 900 1"), HasSubstr("would be left"));
  EXPECT_THAT(why(*sessionOf(chain()), "grab 1 1 1 1 9"), HasSubstr("add and delete"));
}

TEST(Hand, ItsMovesAreTextWithoutLoss) {
  const HandMove move{HandAct::remove, {1.0 / 3, -2e-7, 12}, 0.1, 40, true};
  const HandMove same = handMoveOf(handText(move));
  EXPECT_EQ(handText(same), handText(move));
  EXPECT_EQ(same.at.x, 1.0 / 3);
  EXPECT_TRUE(same.goesOn && same.act == HandAct::remove);
}

}  // namespace
}  // namespace hands
}  // namespace cellscope::test
