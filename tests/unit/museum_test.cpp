// The museum of bugs: with the mistake of an exhibit the truth finds the wrong pairs that its
// scenario speaks of, and no others; with the mend none.
#include "sim/modes/museum/mode.h"
#include "sim/run/session.h"
#include "tests/support/md_modes.h"

namespace cellscope::museum {

void PrintTo(const Exhibit& e, std::ostream* out) { *out << e.key; }

}  // namespace cellscope::museum
namespace cellscope::test {
namespace {

using museum::Bug, museum::Exhibit;

class Museum : public ::testing::TestWithParam<Exhibit> {
 protected:
  Scenario scenario() const { return shipped(std::string("museum_") + GetParam().key); }
};

TEST_P(Museum, HasAScenarioThatNamesTheThreadTheLineAndTheMend) {
  const Scenario s = scenario();
  EXPECT_EQ(s.topic, "museum of bugs");
  std::string text = s.text;  // may be broken into lines anywhere
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string mistake = GetParam().mistake, mend = GetParam().mend;
  const bool isSetting = mend.find('=') != mend.npos;
  expectWords(text, {"`" + mistake + "`", isSetting ? "`" + mend + "`" : mend,
                     "https://github.com/", "How to find it: "});
}

// At the first moment and in any step that has some; the picked pair is one of them at first.
TEST_P(Museum, ShowsTheWrongPairsThatItSpeaksOfAndNoOthers) {
  Session session(scenario(), kOneThread);
  const auto n = static_cast<ParticleId>(session.mode().particleCount());
  const ParticleId picked = scenario().picked - n;
  std::size_t wrong = 0;
  bool isWrong = false;
  for (int step = 0; step < 30; ++step, session.advance(1)) {
    const auto f = session.mode().findings();
    wrong += f->pairs.size();
    for (const PairFinding& p : f->pairs) {
      EXPECT_EQ(p.kind, static_cast<std::size_t>(GetParam().kind)) << f->verdict;
      isWrong |= step == 0 && std::minmax(p.i, p.j) == std::minmax(picked / n, picked % n);
    }
    const SelfCheck lamp = checkOf(session.mode(), "neighbour list");
    EXPECT_EQ(lamp.ok, f->right);
    EXPECT_EQ(lamp.onPurpose, !f->right);
  }
  EXPECT_GT(wrong, 0u);
  EXPECT_TRUE(isWrong) << "picked: " << picked / n << " " << picked % n;
  // What stands in the structures themselves is found there, too.
  const Bug b = GetParam().bug;
  const auto f = session.mode().findings();
  const bool told = std::any_of(f->words.begin(), f->words.end(), [](const std::string& w) {
    return w.find(" cell_") != w.npos || w.find("rope") != w.npos || w.find("leaf_of") != w.npos;
  });
  EXPECT_EQ(told, b == Bug::mortonTie || b == Bug::rope || b == Bug::floatBox);
}

TEST_P(Museum, IsRightAtOnceWhenMendedAndStaysSo) {
  Session session(scenario(), kOneThread);
  session.set("mistake", false);
  for (int step = 0; step < 60; ++step, session.advance(1))
    EXPECT_TRUE(session.mode().findings()->right)
        << step << ": " << session.mode().findings()->verdict;
  expectHealthy(session.mode());
}

// Other states than that of the scenario: the mend is right, and the mistake makes no other kind.
TEST_P(Museum, IsTheSameForOtherSeeds) {
  for (const std::int64_t seed : {11, 12, 13, 14}) {
    Scenario s = scenario();
    setParameter(s, "seed", seed);
    const auto m = startScenario(s, kOneThread);
    m->advance(20);
    for (const PairFinding& p : m->findings()->pairs)
      EXPECT_EQ(p.kind, static_cast<std::size_t>(GetParam().kind)) << seed;
    change(*m, "mistake=false");
    EXPECT_TRUE(m->findings()->right) << seed << ": " << m->findings()->verdict;
  }
}

TEST_P(Museum, TellsOfThePickedPairAndShowsWhatWasLookedThrough) {
  const Scenario s = scenario();
  const auto m = startScenario(s, kOneThread);
  const ViewRequest view = wholeView(*m, s.picked);
  const auto rows = [&] {
    std::string all;
    const auto shown = m->frame(view);
    for (const auto& [label, value] : shown->picked.rows) all += label + ": " + value + "\n";
    return all;
  };
  const std::string kind = layers::WrongPairsLayer::labelOf(GetParam().kind);
  expectWords(rows(),
              {": " + kind + ": ", std::string("the mistake, in use: ") + GetParam().mistake});
  change(*m, "mistake=false");
  expectWords(rows(), {": Right: ", std::string("the mend, in use: ") + GetParam().mend});
  EXPECT_GT(layerNamed(*m->frame(view), layers::kSearched).count, 0u);
}

TEST_P(Museum, ResumesWithTheSameList) {
  const auto m = startScenario(scenario(), kOneThread);
  m->advance(17);
  const auto resumed = makeMode("museum", kOneThread);
  load(*resumed, saved(*m));
  for (int k = 0; k < 20; ++k) {
    EXPECT_EQ(m->sample(), resumed->sample()) << k;
    m->advance(1), resumed->advance(1);
  }
}

INSTANTIATE_TEST_SUITE_P(Exhibits, Museum, ::testing::ValuesIn(museum::exhibits()),
                         [](const auto& i) { return std::string(i.param.key); });

// As `cellscope run --stop-when "missing > 60"` does, and the card of neighbours.
TEST(MuseumMode, AnswersWhatBreakpointsAndCardsAsk) {
  const Scenario s = shipped("museum_rope");
  const auto m = startScenario(s, kOneThread);
  auto& asked = dynamic_cast<Inspectable&>(*m);
  EXPECT_EQ(asked.valueNow(1), m->sample()[1]);
  EXPECT_GT(asked.valueNow(1), 0);
  const auto n = static_cast<ParticleId>(m->particleCount()), pair = s.picked - n;
  const std::vector<Neighbour> near = asked.neighboursOf(pair / n);
  const auto other = std::find_if(near.begin(), near.end(),
                                  [&](const Neighbour& one) { return one.id == pair % n; });
  ASSERT_NE(other, near.end());
  EXPECT_TRUE(other->within);
  EXPECT_EQ(other->listed, false);
  EXPECT_FALSE(asked.placesOf({n})[0]);
  EXPECT_TRUE(asked.placesOf({0})[0]);
}

// What the list is wrong by stands in the picture: in words, and in the legend.
TEST(MuseumMode, ShowsWhatIsWrongWithCellsAndTrees) {
  const auto shown = [](const std::string& exhibit, bool mended) {
    const Scenario s = shipped("museum_" + exhibit);
    const auto m = startScenario(s, kOneThread);
    if (mended) change(*m, "mistake=false");
    std::string all;
    const auto frame = m->frame(wholeView(*m, s.picked));
    for (const auto& name : layerNamed(*frame, layers::kSearched).scale.categories)
      all += name + "\n";
    if (const LayerData* labels = layerIn(*frame, layers::kSearchedLabels))
      for (const LabelInstance& label : drawnItems<LabelInstance>(*labels))
        all += std::string(label.text) + "\n";
    return all;
  };
  const std::pair<const char*, std::vector<std::string>> exhibits[] = {
      {"thin_last_cell", {"thin cells", "last column: 0.1 sigma wide"}},
      {"cell_zero", {"skipped", "cell 0: skipped", "looked through: images"}},
      {"overfull_cell", {"no more room", "6 of 5"}},
      {"tilt", {"distance of walls", "2.0 sigma, cutoff 2.5", "2.1 sigma, cutoff 2.5"}},
      {"image_flag", {"43 crossed the top face"}},
      {"morton_tie", {"cell of the curve, shared", "82: in no leaf"}},
      {"rope",
       {"leaf never reached", "rope, one node too far", "wrong target of the rope",
        "right target of the rope", "64: skipped"}},
      {"float_box", {"box of the leaf", "particle 83"}}};
  for (const auto& [exhibit, words] : exhibits) {
    SCOPED_TRACE(exhibit);
    expectWords(shown(exhibit, false), words);
    const std::string mended = shown(exhibit, true);
    for (const std::string& w : words)
      if (w.find("images") == w.npos) {
        EXPECT_EQ(mended.find(w), std::string::npos) << w;
      }
  }
}

TEST(MuseumMode, RefusesMoreParticlesThanTheBoxHasRoomFor) {
  const auto m = makeMode("museum", kOneThread);
  assign(*m, "n=400");
  expectWords(messageOf([&] { m->restart(); }), {"'n' = 400", "allowed: 2 to 181"});
}

}  // namespace
}  // namespace cellscope::test
