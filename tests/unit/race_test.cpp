// Races with fake candidates and a clock that only they move.
#include <gtest/gtest.h>

#include "sim/modes/md/races.h"
#include "tests/support/chart_check.h"

namespace cellscope::test {
namespace {

struct Track {
  double now = 0;
  std::string order;     // names of the candidates run
  std::string prepared;  // and of those prepared
  std::vector<std::uint64_t> units;

  // Takes `seconds(k)` per unit of work in its k-th batch.
  template <class F>
  RaceCandidate candidate(const std::string& name, F seconds) {
    return {name, [this, name] { prepared += name; },
            [this, name, seconds, k = 0](std::uint64_t batch) mutable {
              now += seconds(k++) * static_cast<double>(batch);
              order += name;
              units.push_back(batch);
            }};
  }
  RaceClock clock() {
    return [this] { return now; };
  }
};

double always1(int) { return 1; }
double always2(int) { return 2; }
double always3(int) { return 3; }

TEST(Race, OneAloneIsTimedWhereThatIsAskedFor) {
  for (const bool alone : {false, true}) {
    SCOPED_TRACE(alone);
    Track track;
    Race race({.batch = 2, .rounds = 3, .warmUps = 1, .alone = alone}, track.clock());
    EXPECT_FALSE(race.running());
    race.begin({});
    EXPECT_FALSE(race.running());
    race.begin({track.candidate("a", always2)});
    EXPECT_EQ(race.running(), alone);
    race.finish();
    EXPECT_EQ(track.units.size(), alone ? 4u : 0u);
    EXPECT_EQ(race.standings().size(), alone ? 1u : 0u);
    EXPECT_EQ(race.winner(), 0u);
    if (alone) {
      EXPECT_DOUBLE_EQ(race.standings()[0].result.median, 2);
    } else {
      EXPECT_EQ(track.prepared, "a");
      EXPECT_TRUE(race.results().empty());
    }
  }
}

TEST(Race, TheFastestWinsWhereverItStands) {
  for (const std::string names : {"abc", "acb", "bac", "bca", "cab", "cba"}) {
    Track track;
    Race race({}, track.clock());
    std::vector<RaceCandidate> all;
    for (const char c : names)
      all.push_back(track.candidate(std::string(1, c), c == 'a'   ? always1
                                                       : c == 'b' ? always2
                                                                  : always3));
    race.begin(all);
    race.finish();
    ASSERT_EQ(race.results().size(), 3u);
    EXPECT_EQ(race.results()[race.winner()].name, "a");
    EXPECT_EQ(track.prepared.back(), 'a') << "the winner stays in use";
    for (const RaceResult& r : race.results()) {
      EXPECT_DOUBLE_EQ(r.median, 1 + (r.name[0] - 'a'));
      EXPECT_DOUBLE_EQ(r.spread, 0);
    }
  }
}

class RaceOnTrack : public testing::Test {
 protected:
  Track track;
};

TEST_F(RaceOnTrack, RoundsAreInterleavedAndEachBatchIsPrepared) {
  Race race({.batch = 4, .rounds = 2, .warmUps = 1}, track.clock());
  race.begin({track.candidate("x", always2), track.candidate("y", always1)});
  EXPECT_TRUE(race.running());
  EXPECT_TRUE(race.results().empty());
  race.finish();
  EXPECT_EQ(track.order, "xyxyxy");
  EXPECT_EQ(track.prepared, "xyxyxyy");
  EXPECT_EQ(track.units, std::vector<std::uint64_t>(6, 4));
}

struct Outcome {
  std::size_t winner;
  RaceResult a, b;
};
// Of two that take these seconds in their batches, one after the other.
Outcome raced(std::size_t warmUps, const std::vector<double>& a, const std::vector<double>& b) {
  Track track;
  Race race({.batch = 1, .rounds = a.size() - warmUps, .warmUps = warmUps}, track.clock());
  const auto times = [](const std::vector<double>& took) {
    return [&took](int k) { return took.at(static_cast<std::size_t>(k)); };
  };
  race.begin({track.candidate("a", times(a)), track.candidate("b", times(b))});
  race.finish();
  return {race.winner(), race.results().at(0), race.results().at(1)};
}

TEST(Race, WarmingUpDoesNotCount) {
  const Outcome r = raced(2, {100, 100, 1, 1, 1}, {0.1, 0.1, 2, 2, 2});
  EXPECT_EQ(r.winner, 0u);
  EXPECT_DOUBLE_EQ(r.a.median, 1);
  EXPECT_DOUBLE_EQ(r.b.median, 2);
}

TEST(Race, OneOutlierOfEachDecidesNothing) {
  // The sums, and the fastest batches, would name the other one.
  const Outcome r = raced(0, {1, 1, 1, 50, 1}, {1.25, 1.25, 0.0625, 1.25, 1.25});
  EXPECT_EQ(r.winner, 0u);
  EXPECT_DOUBLE_EQ(r.a.median, 1);
  EXPECT_DOUBLE_EQ(r.a.spread, 0);
}

TEST(Race, SpreadIsTheMedianDeviation) {
  const Outcome r = raced(0, {4, 1, 3, 10, 2}, {2, 2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(r.a.median, 3);
  EXPECT_DOUBLE_EQ(r.a.spread, 1);  // of 1, 2, 0, 7, 1
  EXPECT_EQ(r.winner, 1u);
}

// Steps that are wanted anyway come in any number, as between two samples of a run: a batch that is
// cut again and again ends all the same.
TEST_F(RaceOnTrack, PartsOfABatchCountTogether) {
  Race race({.batch = 16, .rounds = 2, .warmUps = 0}, track.clock());
  race.begin({track.candidate("a", always1), track.candidate("b", always2)});
  EXPECT_EQ(race.advance(5), 5u);
  EXPECT_EQ(race.standings()[0].rounds, 0u);
  EXPECT_EQ(race.advance(100), 11u);
  EXPECT_EQ(race.standings()[0].rounds, 1u);
  EXPECT_EQ(race.advance(15), 15u);
  EXPECT_EQ(track.order, "aab");
  race.finish();
  EXPECT_EQ(track.order, "aabbab");
  EXPECT_DOUBLE_EQ(race.results()[0].median, 1);
  EXPECT_DOUBLE_EQ(race.results()[1].median, 2);
}

// What is given up counts for nothing: the candidate is prepared and timed again.
TEST_F(RaceOnTrack, ABatchThatThrowsIsDoneAgain) {
  Race race({.batch = 4, .rounds = 1, .warmUps = 0}, track.clock());
  bool gives = true;
  RaceCandidate first = track.candidate("a", always1);
  first.run = [&, run = first.run](std::uint64_t batch) {
    track.now += 100;
    if (std::exchange(gives, false)) throw std::runtime_error("given up");
    track.now -= 100;
    run(batch);
  };
  race.begin({first, track.candidate("b", always2)});
  EXPECT_THROW(race.advance(4), std::runtime_error);
  EXPECT_EQ(race.standings()[0].rounds, 0u);
  EXPECT_TRUE(race.standings()[0].next);
  race.finish();
  EXPECT_EQ(track.prepared, "aaba");
  EXPECT_EQ(track.order, "ab");
  EXPECT_DOUBLE_EQ(race.results()[0].median, 1);
}

// Of a candidate that cannot make exactly a batch, what it has made counts.
TEST_F(RaceOnTrack, TimesArePerUnitThatWasMade) {
  Race race({.batch = 4, .rounds = 1, .warmUps = 0}, track.clock());
  RaceCandidate twice = track.candidate("a", always1);
  twice.done = [] { return 8.0; };
  race.begin({twice, track.candidate("b", always1)});
  race.finish();
  EXPECT_DOUBLE_EQ(race.results()[0].median, 0.5);
  EXPECT_DOUBLE_EQ(race.results()[1].median, 1);
}

TEST_F(RaceOnTrack, BeginsAgainFromNothing) {
  Race race({}, track.clock());
  race.begin({track.candidate("a", always2), track.candidate("b", always1)});
  race.finish();
  EXPECT_EQ(race.winner(), 1u);
  race.begin({track.candidate("a", always1), track.candidate("b", always2)});
  EXPECT_TRUE(race.running());
  EXPECT_TRUE(race.results().empty());
  race.finish();
  EXPECT_EQ(race.winner(), 0u);
}

TEST_F(RaceOnTrack, TheChartShowsRatesAndTheWinner) {
  Race race({.batch = 1, .rounds = 5, .warmUps = 0}, track.clock());
  race.begin({track.candidate("slow", always2), track.candidate("fast", [](int k) {
                return k % 2 ? 0.4 : 0.5;  // median 0.5, deviations 0, 0.1, 0, 0.1, 0
              })});
  race.finish();
  const Curve c = raceCurve(race, {"race", "Race", "candidate", "moves / s", "median"}, 100);
  EXPECT_EQ(faultOf(c), "");
  EXPECT_EQ(c.x.names, (std::vector<std::string>{"slow", "fast"}));
  ASSERT_EQ(c.series.size(), 1u);
  EXPECT_EQ(c.series[0].kind, SeriesKind::bars);
  EXPECT_DOUBLE_EQ(c.series[0].y[0], 50);
  EXPECT_DOUBLE_EQ(c.series[0].y[1], 200);
  EXPECT_DOUBLE_EQ(c.series[0].error[0], 0);
  EXPECT_EQ(c.series[0].label, "measured") << "times that hardly vary";
  race.begin({track.candidate("slow", always2), track.candidate("shaken", [](int k) {
                return 0.4 * (k % 3 + 1);  // median 0.8, deviations 0.4, 0, 0.4, 0.4, 0
              })});
  race.finish();
  EXPECT_EQ(
      raceCurve(race, {"race", "Race", "candidate", "moves / s", "median"}, 1).series[0].label,
      "measured, up to 2 x: busy");
  EXPECT_EQ(c.series[0].highlight, 1u);
}

// Rows do not move while bars come in, and nobody has won before the end.
TEST_F(RaceOnTrack, TheChartNamesThoseThatHaveNoBarYet) {
  Race race({.batch = 1, .rounds = 2, .warmUps = 1}, track.clock());
  race.begin({track.candidate("a", always1), track.candidate("b", [](int k) { return k + 1.0; }),
              track.candidate("c", always3)});
  const auto chart = [&] {
    Curve c = raceCurve(race, {"race", "Race", "candidate", "moves / s", "median"}, 6);
    EXPECT_EQ(faultOf(c), "");
    EXPECT_EQ(c.series.at(0).highlight.has_value(), !race.running());
    return c;
  };
  using Names = std::vector<std::string>;
  using Values = std::vector<double>;
  EXPECT_EQ(chart().x.names, (Names{"a (timing)", "b (waiting)", "c (waiting)"}));
  EXPECT_TRUE(chart().series[0].y.empty());
  for (int k = 0; k < 5; ++k) race.advance(1);
  EXPECT_EQ(chart().x.names, (Names{"a (1 of 2)", "b (1 of 2)", "c (timing)"}));
  EXPECT_EQ(chart().series[0].x, (Values{0, 1}));
  EXPECT_EQ(chart().series[0].y, (Values{6, 3}));
  for (int k = 0; k < 3; ++k) race.advance(1);
  EXPECT_EQ(chart().x.names, (Names{"a", "b", "c (timing)"}));
  EXPECT_EQ(chart().series[0].y, (Values{6, 2.4, 2})) << "medians over the rounds so far";
  race.finish();
  EXPECT_EQ(chart().x.names, (Names{"a", "b", "c"}));
  EXPECT_EQ(chart().series[0].highlight, 0u);
}

TEST(Race, AWinnerLeadsByMoreThanTimesVary) {
  EXPECT_EQ(clearWinner({}, {}), std::nullopt);
  EXPECT_EQ(clearWinner({2}, {1}), 0u);
  EXPECT_EQ(clearWinner({2, 1, 3}, {0.25, 0.5, 9}), std::nullopt) << "the last one varies by 9";
  EXPECT_EQ(clearWinner({2, 1, 3}, {0.25, 0.5, 1}), 1u) << "1 > 0.25 + 0.5, 2 > 1 + 0.5";
  EXPECT_EQ(clearWinner({2, 1, 3}, {0.5, 0.5, 1}), std::nullopt) << "no more than they vary";
  EXPECT_EQ(clearWinner({2, 1, 3}, {7, 0.5, 9}, true), 1u) << "never shorter than 2 and 3";
  EXPECT_EQ(clearWinner({2, 1, 3}, {0, 1, 0}, true), std::nullopt) << "1 is mostly 2";
}

TEST_F(RaceOnTrack, ShortWorkIsMadeAgainAndItsShortestTimeCounts) {
  Race race({.batch = 1, .rounds = 1, .warmUps = 0, .alone = true, .again = 10}, track.clock());
  race.begin({track.candidate("a", [](int k) { return k == 2 ? 1.0 : 4.0; })});
  race.finish();
  EXPECT_EQ(track.order, "aaaa") << "4 + 4 + 1 is less than 10";
  EXPECT_DOUBLE_EQ(race.results()[0].median, 1);
}

TEST(Race, MedianOfAnEvenNumberIsTheMeanOfTheMiddle) {
  EXPECT_DOUBLE_EQ(medianOf({7}), 7);
  EXPECT_DOUBLE_EQ(medianOf({9, 1, 2, 4}), 3);
}

// A time that other programs made longer is mended by a later race, and forgotten in the end.
TEST(MethodRace, TheShortestTimesOfSeveralRacesCount) {
  const auto race = [](double build, double forces) {
    md::MethodTime t{"cells", "lists from cells"};
    t.lists = true;
    t.build = build, t.buildSpread = 1, t.forces = forces, t.forcesSpread = 0.5;
    return std::vector<md::MethodTime>{t};
  };
  const md::MethodTime best = md::shortestOf({race(4, 9), race(3, 12), race(5, 10)}).front();
  EXPECT_DOUBLE_EQ(best.build, 3);
  EXPECT_DOUBLE_EQ(best.buildSpread, 3);  // to 6, the middle one of the newest
  EXPECT_DOUBLE_EQ(best.forces, 9);
  EXPECT_DOUBLE_EQ(best.forcesSpread, 1.5);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  EXPECT_DOUBLE_EQ(md::shortestOf({race(unknown, 1), race(2, 1)}).front().build, 2);
}

}  // namespace
}  // namespace cellscope::test
