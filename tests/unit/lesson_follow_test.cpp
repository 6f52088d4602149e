// The records of a lesson, what a follower takes from the network and all that it refuses; and who
// follows a run by its marks: states to begin from, changes, and hashes that differ.
#include "sim/run/csv_log.h"
#include "sim/run/lesson.h"
#include "tests/support/modes.h"
#include "tests/support/runner_tools.h"

namespace cellscope::lesson {
namespace {

using test::expectWords, test::messageOf;

// Pieces of `size` bytes, as a network may cut them.
std::vector<Record> readInPieces(const std::string& bytes, std::size_t size) {
  RecordReader reader;
  std::vector<Record> all;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    reader.add(std::string_view(bytes).substr(at, size));
    while (auto record = reader.next()) all.push_back(*record);
  }
  return all;
}

std::string refusalOf(const std::string& bytes) {
  return messageOf<InputError>([&] { readInPieces(bytes, bytes.size()); });
}

std::string headerOf(char kind, std::uint32_t stored, std::uint32_t size) {
  std::string out(1, kind);
  for (const std::uint32_t n : {stored, size})
    for (int k = 0; k < 4; ++k) out += static_cast<char>(n >> (8 * k) & 0xff);
  return out;
}

TEST(LessonRecords, ComeBackWhereverTheStreamIsCut) {
  const std::string longText(30000, 'x');
  const std::string bytes = lesson::packRecord(RecordKind::mark, "one") +
                            lesson::packRecord(RecordKind::state, longText) +
                            lesson::packRecord(RecordKind::welcome, "");
  EXPECT_LT(bytes.size(), 1000u);  // packed
  for (const std::size_t size : {1, 7, 1000}) {
    const std::vector<Record> all = readInPieces(bytes, size);
    ASSERT_EQ(all.size(), 3u) << size;
    EXPECT_EQ(all[0].body, "one");
    EXPECT_EQ(all[1].kind, RecordKind::state);
    EXPECT_EQ(all[1].body, longText);
    EXPECT_EQ(all[2].body, "");
  }
}

TEST(LessonRecords, TruncatedOnesAreWaitedFor) {
  const std::string bytes = lesson::packRecord(RecordKind::mark, "some text");
  EXPECT_TRUE(readInPieces(bytes.substr(0, bytes.size() - 1), 4).empty());
  EXPECT_TRUE(readInPieces(bytes.substr(0, lesson::kHeaderBytes - 1), 4).empty());
}

TEST(LessonRecords, GarbageAndUnknownKindsAreRefusedAtTheFirstByte) {
  expectWords(refusalOf("HTTP/1.1 200 OK"), {"no record of kind"});
  for (int kind = 0; kind < 256; ++kind) {
    const std::string bytes(1, static_cast<char>(kind));
    const bool isKnown = lesson::mostBytes(static_cast<RecordKind>(bytes[0])) > 0;
    EXPECT_EQ(refusalOf(bytes).empty(), isKnown) << kind;
    EXPECT_EQ(isKnown, std::string("WRSCMP").find(bytes) != std::string::npos) << kind;
  }
}

// By its header alone: nothing of it is waited for or kept.
TEST(LessonRecords, TooLargeOnesAreRefusedBeforeTheyCome) {
  for (const char kind : {'W', 'R', 'S', 'C', 'M', 'P'}) {
    const auto most = static_cast<std::uint32_t>(lesson::mostBytes(static_cast<RecordKind>(kind)));
    SCOPED_TRACE(kind);
    EXPECT_EQ(refusalOf(headerOf(kind, 1, most)), "");
    for (const auto& [stored, size] : {std::pair{1u, most + 1}, {2u, 1u}, {~0u, ~0u}})
      expectWords(refusalOf(headerOf(kind, stored, size)), {"at most"});
  }
  EXPECT_THROW(lesson::packRecord(RecordKind::mark, std::string((1 << 16) + 1, 'x')), InputError);
}

TEST(LessonRecords, DamagedOnesAreRefused) {
  const std::string good = lesson::packRecord(RecordKind::scenario, std::string(2000, 'x'));
  int refused = 0;
  for (std::size_t at = lesson::kHeaderBytes; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x55);
    refused += refusalOf(bad).empty() ? 0 : 1;
  }
  // zlib checks every byte of the body (Adler-32), but for unused bits of its last one.
  EXPECT_GE(refused, static_cast<int>(good.size() - lesson::kHeaderBytes) - 1);
  // A size that is not that of what was packed.
  std::string bomb = good;
  bomb[5] = 1, bomb[6] = 1;
  EXPECT_NE(refusalOf(bomb), "");
}

TEST(LessonMarks, ComeBackWithEveryNumberExact) {
  const Mark m{
      3,
      1234567890123,
      17,
      0xfedcba9876543210,
      true,
      2,
      {{5, 0, "packing", 0.1 + 0.2}, {5, 3, "n", std::int64_t{7}, true}, {9, 0, "d", true}}};
  const Mark back = lesson::markFromText(lesson::markText(m));
  const auto all = [](const Mark& x) {
    return std::tie(x.course, x.step, x.preparing, x.hash, x.playing, x.first, x.edits);
  };
  EXPECT_TRUE(all(back) == all(m)) << lesson::markText(back);
}

TEST(LessonMarks, WrongOnesAreRefused) {
  for (const char* text : {"", "\n", "1 2 3 4 1\n", "1 2 3 4 1 5 6\n", "1 2 3 xyz 1 5\n",
                           "-1 2 3 4 1 5\n", "1 99999999999999999999999 3 4 1 5\n",
                           "1 2 3 4 1 5\nnot an edit\n", "1 2 3 4 1 5\n1\t0\td\tq\t1\n",
                           "1 2 3 4 1 5\n3\t0\td\td\t0.1\n",                    // after the mark
                           "1 2 3 4 1 5\n2\t0\td\td\t0.1\n1\t0\td\td\t0.1\n"})  // back in time
    EXPECT_THROW(lesson::markFromText(text), InputError) << text;
  EXPECT_THROW(lesson::markFromText(std::string(300, '1')), InputError);
}

Record recordIn(const std::string& bytes) {
  lesson::RecordReader reader;
  reader.add(bytes);
  return reader.next().value();
}

Record stateOf(RecordKind kind, const std::string& body) {
  return {kind, lesson::stateText({1, 0}, body)};
}

std::string refusedState(const Record& record) {
  Listener listener;
  listener.take(record);
  return messageOf<InputError>([&] { listener.begin({}, test::fakeModes, {}); });
}

TEST(LessonStates, ThatNameFilesAreNotOpened) {
  Scenario s = test::fakeScenario();
  EXPECT_EQ(refusedState(stateOf(RecordKind::scenario, "fake\n" + scenarioText(s))), "");
  s.configuration = "/etc/passwd";
  expectWords(refusedState(stateOf(RecordKind::scenario, "fake\n" + scenarioText(s))),
              {"names a file, which is not opened"});
  const std::string elsewhere = "../../x\n" + scenarioText(test::fakeScenario());
  expectWords(refusedState(stateOf(RecordKind::scenario, elsewhere)), {"not the name of a file"});
  Session session(test::fakeScenario(), {}, test::fakeModes);
  EXPECT_EQ(refusedState(stateOf(RecordKind::state, session.checkpoint(false))), "");
  io::Container forged = io::unpack(session.checkpoint(false), "a");
  for (auto& [name, content] : forged.sections)
    if (name == "configuration") content = "/etc/passwd";
  expectWords(refusedState(stateOf(RecordKind::state, io::pack(forged))),
              {"names a file, which is not opened"});
}

// The lecturer's computer reads the file; what travels holds the state and not the name.
TEST(LessonStates, OfARunFromAFileDoNotNameIt) {
  const ExecConfig oneThread{Backend::cpu, 1};
  Scenario s = test::shipped("four_disks");
  const std::string file = test::fileFor("lesson-start.xyz");
  Session first(s, oneThread);
  const auto trajectory = openTrajectory(file, io::OpenAs::replace);
  appendFrame(*trajectory, first);
  trajectory->close();
  s.parameters.clear();
  s.configuration = file;
  Session lecturer(s, oneThread);
  lesson::Lecture lecture;
  lecture.look(lecturer, false);
  lesson::Place place;
  const Record state = recordIn(*lecture.state(place));
  EXPECT_EQ(state.kind, RecordKind::state);
  EXPECT_NE(lecturer.checkpoint().find("lesson-start"), std::string::npos);
  EXPECT_EQ(state.body.find("lesson-start"), std::string::npos);
  Listener listener;
  listener.take(state);
  const auto follower = listener.begin(oneThread, {}, {});
  EXPECT_EQ(lesson::stateHash(follower->mode()), lesson::stateHash(lecturer.mode()));
  EXPECT_TRUE(follower->log().start.configuration.empty());
}

// Not only what is in the picture.
TEST(LessonStates, AreThoseOfAllReplicasToo) {
  const auto with = [](double hottest) {
    auto session =
        std::make_unique<Session>(test::shipped("gcmc_temperatures"), ExecConfig{Backend::cpu, 1});
    session->mode().parameters().at("replica_hottest").set(hottest);
    session->mode().restart();
    session->mode().advance(2);
    return session;
  };
  const auto one = with(6.0), same = with(6.0), other = with(5.0);
  EXPECT_EQ(one->mode().configuration().positions, other->mode().configuration().positions);
  EXPECT_EQ(lesson::stateHash(one->mode()), lesson::stateHash(same->mode()));
  EXPECT_NE(lesson::stateHash(one->mode()), lesson::stateHash(other->mode()));
}

TEST(LessonStates, ThatAreDamagedAreRefused) {
  Session session(test::fakeScenario(), {}, test::fakeModes);
  const std::string good = session.checkpoint(false);
  EXPECT_NE(refusedState(stateOf(RecordKind::state, good.substr(0, good.size() / 2))), "");
  EXPECT_NE(refusedState(stateOf(RecordKind::state, "nothing")), "");
  EXPECT_NE(refusedState(stateOf(RecordKind::scenario, "fake\nmode = \"no such mode\"\n")), "");
  EXPECT_NE(refusedState(stateOf(RecordKind::scenario, "no second line")), "");
  Listener listener;
  EXPECT_THROW(listener.take({RecordKind::state, "no head"}), InputError);
  EXPECT_THROW(listener.take({RecordKind::welcome, "1\n2\n3"}), InputError);
}

// A lecturer and what is heard of it.
class LessonFollowers : public testing::Test {
 protected:
  // Who begins with the lecturer's state.
  std::unique_ptr<Session> followed() {
    lecture.want();
    lecture.look(lecturer, true);
    listener.take(recordIn(*lecture.state(place)));
    return listener.begin({}, test::fakeModes, {});
  }
  void hearMark() {
    lecture.look(lecturer, true);
    const auto bytes = lecture.mark(place);
    ASSERT_TRUE(bytes);
    listener.take(recordIn(*bytes));
  }
  Session lecturer{test::fakeScenario(), {}, test::fakeModes};
  lesson::Lecture lecture;
  lesson::Place place;
  Listener listener;
};

// Of another course, or with a gap before it: a state is asked for, and nothing is carried out.
TEST_F(LessonFollowers, AskForAStateWhereAMarkDoesNotFit) {
  listener.take(stateOf(RecordKind::state, lecturer.checkpoint(false)));
  const auto follower = listener.begin({}, test::fakeModes, {});
  EXPECT_FALSE(listener.takeWish());
  listener.take({RecordKind::mark, lesson::markText({2, 10, 0, 0, true, 0, {}})});
  EXPECT_TRUE(listener.takeWish());
  EXPECT_EQ(listener.ahead(*follower), 0u);
  listener.take({RecordKind::mark, lesson::markText({1, 10, 0, 0, true, 4, {}})});
  EXPECT_EQ(listener.ahead(*follower), 0u);
  listener.take({RecordKind::mark, lesson::markText({1, 10, 0, 0, true, 0, {}})});
  EXPECT_EQ(listener.ahead(*follower), 10u);
}

// The changes act at their steps, wherever the marks lie and however the steps are cut.
TEST_F(LessonFollowers, ComputeTheSameState) {
  const auto follower = followed();
  for (const double size : {0.2, 0.05, 0.3}) {
    lecturer.advance(7);
    lecturer.set("size", size);
    hearMark();
    lecturer.set("diagonal", size > 0.1);  // at the step of a mark, and after it
    lecturer.advance(5);
    hearMark();
    while (const std::uint64_t ahead = listener.ahead(*follower))
      listener.advance(*follower, std::min<std::uint64_t>(ahead, 3));
    EXPECT_EQ(follower->step(), lecturer.step());
    EXPECT_EQ(test::hashOf(follower->mode().configuration()),
              test::hashOf(lecturer.mode().configuration()));
    EXPECT_EQ(listener.status().standing, Listener::Standing::inStep);
  }
  EXPECT_EQ(listener.status().compared, 6u);
  EXPECT_FALSE(listener.takeWish());
}

// A young run is computed again from its scenario, unless that gave another state.
TEST_F(LessonFollowers, WhoComputesAnotherStateIsSentTheWholeOne) {
  for (const bool whole : {false, true}) {
    lecturer.advance(3);
    lecture.want(whole);
    lecture.look(lecturer, true);
    const auto bytes = lecture.state(place);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(recordIn(*bytes).kind, whole ? RecordKind::state : RecordKind::scenario);
  }
}

TEST_F(LessonFollowers, NoticeAnotherState) {
  const auto follower = followed();
  follower->set("size", 0.3);
  lecturer.advance(7);
  hearMark();
  listener.advance(*follower, listener.ahead(*follower));
  EXPECT_EQ(listener.status().standing, Listener::Standing::differs);
  EXPECT_TRUE(listener.takeWish());
  EXPECT_FALSE(listener.takeWish());
}

// A step back, an undo and a new start are no going on.
TEST_F(LessonFollowers, LecturersBeginAnotherCourseWhereTheRunDoesNotGoOn) {
  const auto fits = [&] {
    lecture.look(lecturer, true);
    if (lecture.mark(place)) return true;
    lecture.want();
    lecture.look(lecturer, true);
    EXPECT_TRUE(lecture.state(place));
    return false;
  };
  EXPECT_FALSE(fits());
  lecturer.advance(5);
  EXPECT_TRUE(fits());
  const auto moment = lecturer.moment();
  lecturer.advance(5);
  lecturer.set("size", 0.2);
  EXPECT_TRUE(fits());
  lecturer.goTo(*moment, *lecturer.course());
  EXPECT_FALSE(fits());
  lecturer.reset();
  EXPECT_FALSE(fits());
  lecturer.undo();
  EXPECT_FALSE(fits());
  EXPECT_TRUE(fits());
}

// Within a step there is no state to hand out but that before it.
TEST_F(LessonFollowers, LecturersHandOutTheStateBeforeAStepByPhases) {
  lecturer.advance(5);
  lecture.look(lecturer, false);  // paused: one is kept
  lecturer.advancePhase();
  lecture.want();
  lecture.look(lecturer, false);
  ASSERT_TRUE(lecture.state(place));
  ASSERT_TRUE(lecture.mark(place));
  EXPECT_NE(lecturer.mode().nextPhase(), 0);
}

}  // namespace
}  // namespace cellscope::lesson
