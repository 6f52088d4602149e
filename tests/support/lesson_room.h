// A lecturer and followers in one process, over the loopback interface.
#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>

#include "app/lesson/client.h"
#include "app/lesson/server.h"
#include "sim/run/runner.h"
#include "tests/support/fake_mode.h"
#include "tests/support/patience.h"

namespace cellscope::test {

const ExecConfig kRoomExec{Backend::cpu, 1};

// A second passes between two marks of a lesson.
inline bool untilHeard(const std::function<bool()>& holds) { return until(holds, 60); }

// By another sum than that of the lesson.
inline std::uint64_t endOf(Runner& runner) {
  std::uint64_t hash = 0;
  runner.finish([&](Session& s) { hash = hashOf(s.mode().configuration()) + s.step(); });
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

}  // namespace cellscope::test
