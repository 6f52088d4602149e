// Sessions: the same trajectory however it is cut, replayed, or resumed.
#include <filesystem>
#include <regex>

#include "sim/run/csv_log.h"
#include "tests/support/message_of.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

std::unique_ptr<Session> fakeSession() {
  return std::make_unique<Session>(fakeScenario(), ExecConfig{}, fakeModes);
}
ObservableSeries seriesIn(const Session& s, std::size_t k = 0) { return s.history().series()[k]; }

TEST(Session, SamplesAtMultiplesHoweverItIsCut) {
  auto whole = fakeSession(), pieces = fakeSession(), phases = fakeSession();
  std::vector<std::uint64_t> seen;
  pieces->onSample([&](std::uint64_t step, const std::vector<double>&) { seen.push_back(step); });
  whole->advance(60);
  for (int n : {1, 2, 3, 7, 11, 13, 23}) pieces->advance(static_cast<std::uint64_t>(n));
  for (int i = 0; i < 120; ++i) phases->advancePhase();
  EXPECT_EQ(hashOf(*whole), hashOf(*pieces));
  EXPECT_EQ(hashOf(*whole), hashOf(*phases));
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60}));
  const ObservableSeries a = seriesIn(*whole), b = seriesIn(*pieces);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.value, seriesIn(*phases).value);
  EXPECT_EQ(a.currentMean, b.currentMean);
}

class SessionOfFake : public testing::Test {
 protected:
  std::unique_ptr<Session> s = fakeSession();
};

TEST_F(SessionOfFake, UndefinedValuesStayOutOfTheAverage) {
  s->advance(100);
  EXPECT_EQ(seriesIn(*s).samples, 20u);
  EXPECT_EQ(seriesIn(*s, 2).samples, 10u);
  EXPECT_EQ(seriesIn(*s, 2).currentMean, 1.0);
  EXPECT_EQ(seriesIn(*s, 2).currentError, 0.0);
}

// The mean of few walkers that start anywhere: its error is not known after a few samples, and a
// mean of values that never change has none.
TEST_F(SessionOfFake, AveragesSayWhetherTheirErrorIsKnown) {
  s->advance(100);
  const std::string note = "; too few to know the error, which may be larger)";
  std::vector<std::string> lines = averageLines(*s);
  expectWords(lines.at(0), {"(20 samples since step 0" + note});
  expectWords(lines.at(2), {"(10 samples since step 0)"});
  // Two digits of the error, and the mean to the same place.
  EXPECT_TRUE(std::regex_search(lines[0], std::regex(R"( = 0\.(\d+) \+- 0\.0*[1-9]\d )")))
      << lines[0];
  s->advance(400000);
  s->resetAverages();
  s->advance(400000);
  EXPECT_TRUE(seriesIn(*s).errorKnown);
  lines = averageLines(*s);
  expectWords(lines.at(0), {"(79968 samples from step 400265 on)"});
}

TEST_F(SessionOfFake, AChangeFinishesTheStepAndIsLogged) {
  s->advance(4);
  s->advancePhase();
  s->set("size", 0.2);
  EXPECT_EQ(s->step(), 5u);
  ASSERT_EQ(s->log().edits.size(), 1u);
  EXPECT_EQ(s->log().edits[0], (Edit{5, 0, "size", ParameterValue(0.2)}));
  s->set("size", 0.2);  // no change, no edit
  EXPECT_EQ(s->log().edits.size(), 1u);
}

TEST(Session, SeedScenarioAndEditsReplayTheRun) {
  Session s(fakeScenario({{"seed", std::int64_t{77}}, {"n", std::int64_t{30}}}), {}, fakeModes);
  s.advance(17);
  s.set("size", 0.37);
  s.advance(3);
  s.set("prepare", true);  // eight units of preparation follow
  s.advance(5);
  EXPECT_EQ(s.step(), 20u);
  s.set("size", 0.05);
  s.advance(40);
  s.set("shape", std::string("square"));
  s.advance(8);
  EXPECT_EQ(s.step(), 65u);
  ASSERT_EQ(s.log().edits.size(), 4u);
  EXPECT_EQ(s.log().edits[2], (Edit{20, 5, "size", ParameterValue(0.05)}));
  const auto again = replay(s.log(), s.step(), {}, fakeModes);
  EXPECT_EQ(hashOf(s), hashOf(*again));
  EXPECT_EQ(again->log().edits, s.log().edits);
  EXPECT_EQ(editsFromText(editsText(s.log().edits), "test"), s.log().edits);
  // The edits matter: without one of them the run is another.
  RunLog shorter = s.log();
  shorter.edits.erase(shorter.edits.begin());
  EXPECT_NE(hashOf(*replay(shorter, 65, {}, fakeModes)), hashOf(s));
}

TEST_F(SessionOfFake, EquilibrationEndsAtItsStepWhereverTheRunIsCut) {
  const std::string path = testing::TempDir() + "equilibration.checkpoint";
  s->advance(3);
  s->discard(8);
  std::vector<std::unique_ptr<Session>> resumed;
  for (const std::uint64_t cut : {5u, 10u, 11u, 14u}) {
    s->advanceTo(cut);
    s->save(path);
    resumed.push_back(Session::resume(path, {}, fakeModes));
    EXPECT_EQ(s->discarding(), cut < 11);
    EXPECT_EQ(resumed.back()->discarding(), cut < 11);
  }
  s->advanceTo(35);
  EXPECT_EQ(seriesIn(*s).epochStart, 11u);
  EXPECT_EQ(seriesIn(*s).samples, 5u);  // 15, 20, ... 35
  for (const auto& each : resumed) {
    each->advanceTo(35);
    EXPECT_EQ(seriesIn(*each).epochStart, 11u);
    EXPECT_EQ(averageLines(*each), averageLines(*s));
    EXPECT_EQ(averageStartLine(*each), averageStartLine(*s));
    EXPECT_TRUE(each->averagesStartChosen());
  }
  s->discard(50);
  s->reset();
  EXPECT_FALSE(s->discarding());
}

// How far a preparation is belongs to every edit made meanwhile: without it no run can be repeated.
TEST_F(SessionOfFake, UnitsOfPreparationOutliveCheckpointAndUndo) {
  const std::string path = testing::TempDir() + "preparation.checkpoint";
  s->set("prepare", true);
  s->advance(5);
  s->save(path);
  auto resumed = Session::resume(path, {}, fakeModes);
  s->reset();
  s->undo();
  for (Session* each : {s.get(), resumed.get()}) {
    each->set("size", 0.2);
    EXPECT_EQ(each->log().edits.back(), (Edit{0, 5, "size", ParameterValue(0.2)}));
  }
}

// As a tuner does.
TEST_F(SessionOfFake, WhatTheModeChangesByItselfRestartsTheAveragesAndIsLogged) {
  const std::string path = testing::TempDir() + "changes.csv";
  CsvLog log(path, *s, "test", {});
  s->advance(20);
  s->mode().parameters().at("size").set(0.3);
  s->advance(7);
  EXPECT_EQ(seriesIn(*s).samples, 1u);
  s->mode().parameters().at("diameter").set(0.25);  // after the last row
  log.finish();
  const std::string text = io::readFile(path);
  expectWords(text, {"# changed before step 27: size = 0.3\n",
                     "# changed before step 27: diameter = 0.25\n"});
}

// The mode gathers too (the third observable is undefined at its odd samples).
TEST_F(SessionOfFake, AveragesOfTheModeStartOverWithTheOthers) {
  s->advance(5);
  s->resetAverages();
  s->advance(5);
  EXPECT_EQ(seriesIn(*s).samples, 1u);
  EXPECT_EQ(seriesIn(*s, 2).samples, 0u);
}

TEST_F(SessionOfFake, ARestartMakesANewStartingPoint) {
  s->advance(9);
  s->set("size", 0.3);
  s->set("seed", std::int64_t{5});
  EXPECT_EQ(s->step(), 0u);
  EXPECT_TRUE(s->log().edits.empty());
  EXPECT_TRUE(s->canUndo());
  s->advance(12);
  expectReplayed(*s);
  const std::uint64_t hash = hashOf(*s);
  const std::vector<double> values = seriesIn(*s).value;
  s->reset();
  EXPECT_NE(hashOf(*s), hash);
  EXPECT_EQ(seriesIn(*s).samples, 0u);
  s->undo();
  EXPECT_EQ(hashOf(*s), hash);
  EXPECT_EQ(s->step(), 12u);
  EXPECT_EQ(seriesIn(*s).samples, 2u);
  EXPECT_EQ(seriesIn(*s).value, values);
}

// A second click on Reset, or one more restart, is not in the way of what came before.
TEST_F(SessionOfFake, ResetsAndRestartsInARowCanAllBeUndone) {
  s->advance(9);
  const std::uint64_t first = hashOf(*s);
  s->reset();
  s->reset();
  s->reset();
  s->advance(5);
  const std::uint64_t second = hashOf(*s);
  s->set("seed", std::int64_t{5});
  s->set("n", std::int64_t{50});
  s->undo();
  s->undo();
  EXPECT_EQ(hashOf(*s), second);
  EXPECT_EQ(s->step(), 5u);
  s->undo();
  EXPECT_EQ(hashOf(*s), first);
  EXPECT_EQ(s->step(), 9u);
  EXPECT_FALSE(s->canUndo());
}

TEST_F(SessionOfFake, APreparationCanBeTakenBack) {
  s->advance(9);
  const std::uint64_t hash = hashOf(*s);
  s->set("prepare", true);
  ASSERT_TRUE(s->canCancelPreparation());
  s->advance(3);
  s->set("diameter", 0.6);  // while it prepares: goes back with it
  s->advance(2);
  EXPECT_NE(hashOf(*s), hash);
  s->undo();
  EXPECT_EQ(hashOf(*s), hash);
  EXPECT_FALSE(s->mode().preparation());
  EXPECT_FALSE(s->canCancelPreparation());
  EXPECT_EQ(s->mode().parameters().at("prepare").get(), ParameterValue(false));
  EXPECT_TRUE(s->log().edits.empty());
  s->set("prepare", true);
  s->finishPreparation();
  EXPECT_FALSE(s->canCancelPreparation());
  EXPECT_TRUE(s->canUndo());
  s->set("diameter", 0.4);  // nothing to prepare for: the state to go back to stays
  s->undo();
  EXPECT_EQ(hashOf(*s), hash);
}

TEST_F(SessionOfFake, PreparationTakesNoSamples) {
  s->set("prepare", true);
  s->advance(8);
  EXPECT_EQ(s->step(), 0u);
  s->advance(10);
  EXPECT_EQ(s->step(), 10u);
  EXPECT_EQ(seriesIn(*s).samples, 2u);
}

TEST_F(SessionOfFake, AResumedRunGoesOnIdentically) {
  const std::string path = testing::TempDir() + "session.checkpoint";
  s->advance(33);
  s->set("size", 0.21);
  s->advance(14);
  s->save(path);
  auto resumed = Session::resume(path, {}, fakeModes);
  EXPECT_EQ(resumed->step(), 47u);
  for (Session* each : {s.get(), resumed.get()}) {
    each->advance(100);
    each->set("diameter", 0.6);
    each->advance(5);
  }
  EXPECT_EQ(hashOf(*s), hashOf(*resumed));
  EXPECT_EQ(s->log().edits, resumed->log().edits);
  const auto a = s->history().series(), b = resumed->history().series();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].samples, b[i].samples);
    if (a[i].samples > 0) {
      EXPECT_EQ(a[i].currentMean, b[i].currentMean);
    }
  }
  expectReplayed(*resumed);
}

TEST(Session, EveryFlippedByteAndEveryTruncationIsFound) {
  const std::string path = testing::TempDir() + "small.checkpoint",
                    bad = testing::TempDir() + "bad.checkpoint";
  const Scenario scenario = fakeScenario({{"n", std::int64_t{2}}});
  Session s(scenario, {}, fakeModes);
  s.advance(5);
  s.save(path);
  const std::string good = io::readFile(path);
  ASSERT_LT(good.size(), 4000u);
  ASSERT_NO_THROW(io::unpack(good, path));
  // The file, the cause, and what to do now.
  const std::regex wanted(
      "'" + path +
      "' (is damaged: .+|is not a checkpoint.+|has checkpoint format version .+)"
      "; (use an older checkpoint, or run its scenario again|resume with the "
      "program that wrote it)");
  const auto refused = [&](const std::string& bytes) {
    return std::regex_match(messageOf<InputError>([&] { io::unpack(bytes, path); }), wanted);
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int bits : {0x01, 0x80, 0xff}) {
      std::string flipped = good;
      flipped[i] = static_cast<char>(flipped[i] ^ bits);
      EXPECT_TRUE(refused(flipped)) << "byte " << i;
    }
    EXPECT_TRUE(refused(good.substr(0, i))) << "length " << i;
  }
  EXPECT_TRUE(refused(good + "x"));
  std::string other = good;
  other[8] = 9;
  expectWords(messageOf([&] { io::unpack(other, path); }), {"version 9", "reads version 1"});
  io::replaceFile(bad, good.substr(0, good.size() / 2));
  EXPECT_NE(messageOf([&] { Session::resume(bad, {}, fakeModes); }).find("damaged"),
            std::string::npos);
}

TEST_F(SessionOfFake, FullDiskAndMissingFolderKeepTheOldCheckpoint) {
  const std::string path = testing::TempDir() + "kept.checkpoint";
  s->advance(3);
  s->save(path);
  const std::string before = io::readFile(path);
  std::filesystem::create_directory(path + ".tmp");  // stands in the way of the temporary file
  EXPECT_THROW(s->save(path), RunError);
  std::filesystem::remove(path + ".tmp");
  EXPECT_EQ(io::readFile(path), before);
  EXPECT_NE(messageOf([&] { s->save("/dev/full"); }).find("No space left"), std::string::npos);
  EXPECT_THROW(s->save("/no/such/folder/x"), RunError);
  s->advance(1);  // and the run goes on
  EXPECT_EQ(s->step(), 4u);
}

}  // namespace
}  // namespace cellscope::test
