// Values that molecular dynamics tunes at run time: they stand as if set by hand, and the run can
// be done again although the next search might find others.
#include "sim/base/error.h"
#include "tests/support/backend_test.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

class MdTuning : public BackendTest {
 protected:
  static Scenario liquid(const std::string& method, const std::string& tune) {
    return scenarioWith("md", "n=256 method=" + method + " tune=" + tune);
  }
};

ParameterValue valueOf(Session& s, const char* key) { return s.mode().parameters().at(key).get(); }

const Edit* editOf(const Session& s, const std::string& key, std::size_t from) {
  for (std::size_t k = from; k < s.log().edits.size(); ++k)
    if (s.log().edits[k].key == key) return &s.log().edits[k];
  return nullptr;
}

// Asked for by the scenario: before the first step.
TEST_P(MdTuning, FindsABufferThatTheRunKeeps) {
  Session s(liquid("cells", "lists"), config());
  ASSERT_TRUE(s.mode().preparation());
  s.advance(8);
  EXPECT_NE(s.mode().preparation()->label.find("buffer"), std::string::npos);
  s.finishPreparation();
  EXPECT_EQ(s.step(), 0u) << "the run is not touched";
  EXPECT_EQ(valueOf(s, "tune"), ParameterValue(std::string("off")));
  const double buffer = std::get<double>(valueOf(s, "buffer"));
  EXPECT_TRUE(buffer >= 0.08 && buffer <= 1.2) << buffer;
  const Edit* const off = editOf(s, "tune", 0);
  ASSERT_TRUE(off);
  EXPECT_EQ(off->step, 0u);
  EXPECT_EQ(off->preparing, 0u) << "who does the run again does not search";
  EXPECT_GT(curveOf(s.mode(), "tuning").series.at(0).x.size(), 5u);
  s.advance(60);
  const auto again = replay(s.log(), 60, config());
  EXPECT_EQ(hashOf(*again), hashOf(s));
  EXPECT_EQ(valueOf(*again, "buffer"), valueOf(s, "buffer"));
  EXPECT_EQ(valueOf(*again, "lanes"), valueOf(s, "lanes"));
}

// Asked for on the way, the method included.
TEST_P(MdTuning, FindsAMethodOnTheWay) {
  Session s(liquid("all_pairs", "off"), config());
  s.advance(20);
  const std::uint64_t before = hashOf(s);
  s.set("tune", std::string("all"));
  s.finishPreparation();
  EXPECT_EQ(s.step(), 20u);
  EXPECT_EQ(hashOf(s), before);
  const Edit* const off = editOf(s, "tune", 1);
  ASSERT_TRUE(off);
  EXPECT_EQ(off->step, 20u);
  EXPECT_NE(detailOf(s.mode(), "tuned").find("ms a step"), std::string::npos);
  s.advance(40);
  EXPECT_EQ(hashOf(*replay(s.log(), 60, config())), hashOf(s));
}

// Each of its reports may call the search off: the run is as it was, and the search goes on with
// the method that it had in hand when the run does.
TEST_P(MdTuning, IsCancelledWhileItTriesAMethod) {
  Session s(liquid("cells", "all"), config());
  const std::uint64_t before = hashOf(s);
  for (int k = 0; k < 12 && s.mode().preparation(); ++k) {
    s.mode().watchWork([](const Preparation& stage) {
      EXPECT_NE(stage.label.find("timing"), std::string::npos);
      throw Cancelled();
    });
    EXPECT_THROW(s.advance(1), Cancelled);
    ASSERT_TRUE(s.mode().preparation());
    EXPECT_EQ(hashOf(s), before);
    s.mode().watchWork({});
    s.advance(3);
  }
  s.finishPreparation();
  EXPECT_EQ(s.step(), 0u);
  EXPECT_EQ(valueOf(s, "tune"), ParameterValue(std::string("off")));
}

TEST_P(MdTuning, WithoutListsThereIsNothingToTune) {
  EXPECT_NE(messageOf<InputError>([&] {
              const Session s(liquid("all_pairs", "lists"), config());
            }).find("tune = all"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Each, MdTuning, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
