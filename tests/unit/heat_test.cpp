// A hand that heats some particles: a change of the run like others, replayed and undone.
#include <gmock/gmock.h>

#include "sim/run/session.h"
#include "tests/support/fake_mode.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"
#include "tests/support/replay.h"

namespace cellscope {
namespace {

using test::hashOf;
using test::messageOf;
using testing::HasSubstr;

Scenario liquid() {
  return test::scenarioWith(
      "md", "n=300 density=0.5 temperature=1.2 cutoff=1.5 potential=force_shifted method=cells");
}

std::unique_ptr<Session> sessionOf(const Scenario& s) {
  return std::make_unique<Session>(s, ExecConfig{Backend::cpu, 1, 0});
}

TEST(Heat, MultipliesTheVelocitiesOfThoseSelectedAlone) {
  const auto session = sessionOf(liquid());
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
  test::expectHealthy(session->mode());
}

TEST(Heat, IsRepeatedByWhoFollowsTheRun) {
  const auto session = sessionOf(liquid());
  session->advance(30);
  session->heat("2 x > 3 && speed > 1");
  session->advance(30);
  const std::vector<Edit> edits = editsFromText(editsText(session->log().edits), "edits");
  EXPECT_EQ(edits, session->log().edits);
  const auto other = sessionOf(liquid());
  other->follow({edits, {}}, 60);
  EXPECT_EQ(hashOf(*other), hashOf(*session));
  EXPECT_EQ(other->log().edits, edits);
  const auto untouched = sessionOf(liquid());
  untouched->advance(60);
  EXPECT_NE(hashOf(*untouched), hashOf(*session));
}

TEST(Heat, IsTakenBackByUndo) {
  const auto session = sessionOf(liquid()), untouched = sessionOf(liquid());
  for (const auto& s : {session.get(), untouched.get()}) s->advance(30);
  session->heat("0.5 id >= 0");
  session->advance(10);
  ASSERT_TRUE(session->canUndo());
  session->undo();
  EXPECT_EQ(session->step(), 30u);
  EXPECT_TRUE(session->log().edits.empty());
  for (const auto& s : {session.get(), untouched.get()}) s->advance(30);
  EXPECT_EQ(hashOf(*session), hashOf(*untouched));
}

TEST(Heat, RefusesWhatCannotBeDoneAndKeepsTheState) {
  const auto session = sessionOf(liquid());
  const std::uint64_t before = hashOf(*session);
  const auto why = [&](const char* what) { return messageOf([&] { session->heat(what); }); };
  for (const char* factor : {"0", "-1", "11", "nan", "hot", ""})
    EXPECT_THAT(why((std::string(factor) + " id < 5").c_str()), HasSubstr("from 0.01 to 10"));
  EXPECT_THAT(why("1.1 id > 1000"), HasSubstr("no particle is selected by 'id > 1000'"));
  EXPECT_THAT(why("1.1 colour == 3"), HasSubstr("colour"));
  EXPECT_EQ(hashOf(*session), before);
  EXPECT_TRUE(session->log().edits.empty());
  const auto disks = sessionOf(test::scenarioWith("hard_disks", "n=64"));
  EXPECT_THAT(messageOf([&] { disks->heat("1.1 id < 5"); }),
              HasSubstr("'hard_disks' have no velocities"));
}

}  // namespace
}  // namespace cellscope
