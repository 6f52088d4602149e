// Lessons over a network: lecturer and followers compute the same states in every mode; what goes
// over it, what is refused there, and the program that follows.
#include "app/lesson/client.h"
#include "app/lesson/server.h"
#include "tests/support/modes.h"
#include "tests/support/program.h"
#include "tests/support/runner_tools.h"

namespace cellscope::lesson {
namespace {

using test::expectRefusal, test::expectWords;

// A lecturer and followers in one process, over the loopback interface.
const ExecConfig kRoomExec{Backend::cpu, 1};

// A second passes between two marks of a lesson.
bool untilHeard(const std::function<bool()>& holds) { return test::until(holds, 60); }

// By another sum than that of the lesson.
std::uint64_t endOf(Runner& runner) {
  std::uint64_t hash = 0;
  runner.finish([&](Session& s) { hash = test::hashOf(s.mode().configuration()) + s.step(); });
  return hash;
}

struct Lecturer {
  explicit Lecturer(const Scenario& scenario)
      : runner(kRoomExec, scenario), server("127.0.0.1", 0) {
    runner.keepMoments(std::size_t{1} << 26);
    server.begin(runner);
  }
  ~Lecturer() { server.end(); }
  std::string address() const { return fmt::format("127.0.0.1:{}", server.port()); }
  Runner runner;
  lesson::Server server;
};

struct Follower {
  explicit Follower(const std::string& address)
      : client(address), runner(kRoomExec, client.lecturer()) {
    client.begin(runner);
  }
  ~Follower() { client.end(); }
  lesson::Listener::Status status() const { return client.lecturer()->status(); }
  // With a state that was compared after `before` others.
  bool isInStep(std::uint64_t before = 0) const {
    const lesson::Listener::Status s = status();
    return s.standing == lesson::Listener::Standing::inStep && s.compared > before;
  }
  lesson::Client client;
  Runner runner;
};

Scenario smallScenario() { return test::shipped("four_disks"); }

// Commands that change the run are the lecturer's; after leaving they are one's own.
TEST(LessonNetwork, AFollowerChangesNothing) {
  Lecturer lecturer(smallScenario());
  Follower f(lecturer.address());
  ASSERT_TRUE(untilHeard([&] { return f.isInStep(); }));
  f.runner.step();
  f.runner.set("seed", std::int64_t{5});
  f.runner.stepBack();
  f.runner.open(smallScenario(), true);
  ASSERT_TRUE(test::await(f.runner, [](const Publication& p) {
    return !p.messages.empty() &&
           p.messages.back().text.find("The lecturer leads") != std::string::npos;
  }));
  const std::uint64_t compared = f.status().compared;
  lecturer.runner.step();
  EXPECT_TRUE(untilHeard([&] { return f.isInStep(compared) && f.status().step == 1; }));
  f.client.follow(false);
  f.runner.step();
  EXPECT_TRUE(test::await(f.runner, [](const Publication& p) { return p.step == 2; }));
}

TEST(LessonNetwork, AnotherScenarioIsFollowedToo) {
  Lecturer lecturer(smallScenario());
  Follower f(lecturer.address());
  ASSERT_TRUE(untilHeard([&] { return f.isInStep(); }));
  Scenario next = test::shipped("gcmc_dilute");
  next.speedLimit = 50;
  lecturer.runner.open(next, true);
  ASSERT_TRUE(test::await(f.runner, [](const Publication& p) { return p.mode->key == "gcmc"; }));
  const std::uint64_t compared = f.status().compared;
  EXPECT_TRUE(untilHeard([&] { return f.isInStep(compared + 1); }));
  // Within a step the followers stay at the one before it.
  lecturer.runner.play(false);
  lecturer.runner.stepPhase();
  ASSERT_TRUE(test::await(lecturer.runner, [](const Publication& p) { return p.nextPhase != 0; }));
  const std::uint64_t step = lecturer.runner.latest()->step;
  Follower late(lecturer.address());
  EXPECT_TRUE(untilHeard([&] { return late.isInStep(); }));
  EXPECT_LE(late.status().step, step);
  lecturer.runner.step();
  EXPECT_TRUE(untilHeard([&] {
    return f.isInStep() && f.status().step == step + 1 && late.status().step == step + 1;
  }));
}

TEST(LessonNetwork, TheStateStaysWhenTheLecturerLeaves) {
  std::optional<Lecturer> lecturer(smallScenario());
  const int port = lecturer->server.port();
  Follower f(lecturer->address());
  lecturer->runner.step();
  ASSERT_TRUE(untilHeard([&] { return f.isInStep() && f.status().step == 1; }));
  lecturer.reset();
  ASSERT_TRUE(untilHeard([&] { return !f.client.isConnected(); }));
  expectWords(f.client.words().text, {"no lecturer at"});
  EXPECT_TRUE(test::await(f.runner, [](const Publication& p) { return p.step == 1; }));
  // At the same address another one comes, and is followed.
  Runner next(kRoomExec, smallScenario());
  Server server("127.0.0.1", port);
  server.begin(next);
  EXPECT_TRUE(untilHeard([&] { return f.client.isConnected() && f.isInStep(); }));
  EXPECT_EQ(f.status().step, 0u);
  server.end();
}

TEST(LessonNetwork, ErrorsAreClear) {
  for (const char* wrong : {"", ":1", "host:0", "host:65536", "host:x", "[::1]:"}) {
    SCOPED_TRACE(wrong);
    expectRefusal([&] { Client client(wrong); }, {"HOST:PORT"});
  }
  std::optional<Server> server(std::in_place, "127.0.0.1", 0);
  const int port = server->port();
  const std::string at = fmt::format("127.0.0.1:{}", port);
  expectRefusal([&] { Server again("127.0.0.1", port); }, {"--port"});
  server.reset();
  expectRefusal([&] { Client client(at); }, {"no lesson at " + at + ": Connection refused"});
  expectRefusal([&] { Server other("203.0.113.1", 0); }, {"--address"});
}

TEST(LessonNetwork, FollowersSeeThePointerAndWhereTheLessonIs) {
  Lecturer lecturer(smallScenario());
  Follower early(lecturer.address());
  lecturer.server.show({true, {1.25, -3, 1e-7}, "2 of 5 – Order\nand more"});
  Follower late(lecturer.address());
  for (Follower* f : {&early, &late}) {
    ASSERT_TRUE(untilHeard([&] { return f->client.shown().pointer; }));
    const lesson::Shown shown = f->client.shown();
    EXPECT_EQ(shown.at[0], 1.25);
    EXPECT_EQ(shown.at[2], 1e-7);
    EXPECT_EQ(shown.caption.substr(0, 6), "2 of 5");
    EXPECT_EQ(shown.caption.find('\n'), std::string::npos);
  }
  lecturer.server.show({});
  EXPECT_TRUE(untilHeard([&] { return !early.client.shown().pointer; }));
}

// What the server sends until it closes the connection; of one that goes on, the beginning.
std::string answerTo(int port, const std::string& bytes) {
  const lesson::Descriptor socket = lesson::connectTo({"127.0.0.1", fmt::format("{}", port)}, 5000);
  lesson::sendSome(socket, bytes);
  std::string all;
  pollfd wanted{socket.fd(), POLLIN, 0};
  while (all.size() < 2000 && ::poll(&wanted, 1, 30000) > 0 && lesson::receiveSome(socket, all)) {
  }
  return all;
}

TEST(LessonNetwork, TheLecturerTakesAGreetingAndSingleBytesAlone) {
  Lecturer lecturer(smallScenario());
  const int port = lecturer.server.port();
  EXPECT_EQ(answerTo(port, std::string(lesson::kGreetingBytes, 'x')), "");
  EXPECT_EQ(answerTo(port, lesson::greeting() + "=and more"), "");
  std::string other = std::string(lesson::kGreetingMark) + "0.0.1";
  other.resize(lesson::kGreetingBytes, '\0');
  lesson::RecordReader reader;
  reader.add(answerTo(port, other));
  const auto refusal = reader.next();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind, lesson::RecordKind::refusal);
  expectWords(refusal->body, {"this is cellscope 0.0.1; both must be the same"});
  // In a lesson: another byte ends it.
  const lesson::Descriptor socket = lesson::connectTo({"127.0.0.1", fmt::format("{}", port)}, 5000);
  lesson::sendSome(socket, lesson::greeting());
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == 1; }));
  lesson::sendSome(socket, "x");
  EXPECT_TRUE(untilHeard([&] { return lecturer.server.followers() == 0; }));
}

TEST(LessonNetwork, AFullLessonTakesNoMore) {
  Lecturer lecturer(smallScenario());
  const lesson::Address at{"127.0.0.1", fmt::format("{}", lecturer.server.port())};
  std::list<lesson::Descriptor> all;
  for (int k = 0; k < Server::kMostFollowers; ++k) {
    all.push_back(lesson::connectTo(at, 5000));
    lesson::sendSome(all.back(), lesson::greeting());
  }
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == Server::kMostFollowers; }));
  expectRefusal([&] { Client client(at.text()); }, {"full: 64"});
  all.pop_back();
  ASSERT_TRUE(
      untilHeard([&] { return lecturer.server.followers() == Server::kMostFollowers - 1; }));
  EXPECT_NO_THROW(Client(at.text()));
}

class LessonProgram : public test::Program {};

TEST_F(LessonProgram, FollowsWithoutAWindowAndWritesNoFile) {
  Lecturer lecturer(smallScenario());
  lecturer.runner.setSpeedLimit(100);
  lecturer.runner.play(true);
  const test::Result r =
      test::shell("cd " + file("") + " && " CELLSCOPE_PROGRAM " follow " + lecturer.address() +
                  " --headless --backend cpu --threads 1 --states 4");
  EXPECT_TRUE(test::ended(r, 0, {" in step, ", " bytes received and "}));
  EXPECT_FALSE(has(r, "out of step")) << r.output;
  EXPECT_TRUE(std::filesystem::is_empty(file("")));
}

// Other instructions sum forces in another order. The state that is taken over is the same, and
// what is computed from it is not.
TEST_F(LessonProgram, TakesTheStateAgainWhereItRoundsDifferently) {
  if (exec::instructionSet() == "sse2" || exec::instructionSet() == "scalar")
    GTEST_SKIP() << "this processor has no other instructions";
  Scenario s = test::shipped("argon");
  setParameter(s, "n", std::int64_t{500});
  s.speedLimit = 50;
  Lecturer lecturer(s);
  lecturer.runner.play(true);
  const std::string follow = CELLSCOPE_PROGRAM " follow " + lecturer.address() +
                             " --headless --backend cpu --threads 1 --states 7";
  expectWords(test::shell("CELLSCOPE_ISA=sse2 " + follow).output, {" out of step, ", " in step, "});
  // Of its own accord it computes as the lecturer does.
  const test::Result same = test::shell(follow);
  EXPECT_TRUE(has(same, " in step, ")) << same.output;
  EXPECT_FALSE(has(same, " out of step, ")) << same.output;
}

TEST_F(LessonProgram, NoLessonIsBadInput) {
  EXPECT_TRUE(test::refuses("follow 127.0.0.1:1 --headless",
                            {"no lesson at 127.0.0.1:1: Connection refused"}));
  EXPECT_TRUE(test::refuses("lesson hexatic --port 4000"));  // served on request alone
}

struct Course {
  const char* scenario;
  const char* live;  // a parameter and its other value
  double value;
};

class Lessons : public testing::TestWithParam<Course> {
 protected:
  static Scenario scenario() {
    Scenario s = test::shipped(GetParam().scenario);
    if (s.mode == "md") setParameter(s, "n", std::int64_t{500});
    if (s.mode == "hard_disks") setParameter(s, "n", std::int64_t{256});
    if (s.mode == "gcmc") setParameter(s, "moves_per_step", std::int64_t{100});
    s.speedLimit = 100;  // nobody is late on a busy machine
    return s;
  }
};

TEST_P(Lessons, EveryoneComputesTheSameStates) {
  Lecturer lecturer(scenario());
  std::list<Follower> all;
  const auto allInStep = [&](std::uint64_t step) {
    return untilHeard([&] {
      return std::ranges::all_of(
          all, [&](const Follower& f) { return f.isInStep() && f.status().step >= step; });
    });
  };
  const auto now = [&] { return lecturer.runner.latest()->step; };
  for (int k = 0; k < 2; ++k) all.emplace_back(lecturer.address());
  lecturer.runner.play(true);
  ASSERT_TRUE(allInStep(1));
  // A change while it runs.
  const auto [name, key, value] = GetParam();
  lecturer.runner.set(key, value);
  ASSERT_TRUE(test::await(lecturer.runner, [&](const Publication& p) {
    return std::ranges::any_of(p.parameters, [&](const ParameterState& s) {
      return s.info.key == key && s.value == ParameterValue(value);
    });
  }));
  ASSERT_TRUE(allInStep(now() + 1));
  // One comes late.
  all.emplace_back(lecturer.address());
  ASSERT_TRUE(allInStep(now() + 1));
  // One leaves, does something else, and comes back.
  Follower& leaver = all.front();
  leaver.client.follow(false);
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == 2; }));
  leaver.runner.step();
  leaver.runner.reset();
  leaver.client.follow(true);
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == 3; }));
  ASSERT_TRUE(allInStep(now() + 1));
  // A new start, and steps back.
  lecturer.runner.set("seed", std::int64_t{77});
  ASSERT_TRUE(test::await(lecturer.runner, [&](const Publication& p) { return p.step < 100; }));
  const std::uint64_t compared = all.back().status().compared;
  ASSERT_TRUE(untilHeard([&] { return all.back().isInStep(compared + 2); }));
  lecturer.runner.stepBack();
  lecturer.runner.stepBack();
  ASSERT_TRUE(test::await(lecturer.runner, [](const Publication& p) { return !p.playing; }));
  ASSERT_TRUE(untilHeard([&] {
    return std::ranges::all_of(
        all, [&](const Follower& f) { return f.isInStep() && f.status().step == now(); });
  })) << all.front().status().step
      << " of " << now() << ' ' << all.front().client.words().text;
  EXPECT_TRUE(untilHeard([&] { return lecturer.server.inStep() == 3; }));
  lecturer.server.end();
  const std::uint64_t hash = endOf(lecturer.runner);
  for (Follower& f : all) {
    f.client.end();
    EXPECT_EQ(endOf(f.runner), hash);
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, Lessons,
                         testing::Values(Course{"hexatic", "packing", 0.7},
                                         Course{"gcmc_liquid", "chemical_potential", -3.5},
                                         Course{"argon", "dt", 0.002}),
                         [](const auto& p) { return std::string(p.param.scenario); });

}  // namespace
}  // namespace cellscope::lesson
