// Waiting for what a Runner publishes, and places for its files.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <source_location>

#include "sim/run/runner.h"
#include "tests/support/fake_mode.h"
#include "tests/support/patience.h"

namespace cellscope::test {

using PublicationPtr = std::shared_ptr<const Publication>;

// The first publication with a frame that satisfies `wanted`. Where the Runner had time for one and
// made none, the test has failed, at the caller's line, and ends.
inline PublicationPtr await(const Runner& runner,
                            const std::function<bool(const Publication&)>& wanted,
                            std::chrono::microseconds pause = std::chrono::milliseconds(1),
                            std::source_location where = std::source_location::current()) {
  PublicationPtr p;
  const auto holds = [&] { return (p = runner.latest()) && p->frame && wanted(*p); };
  if (until(holds, 10, pause)) return p;
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << "was never published";
  throw std::runtime_error("a publication was waited for");
}

// Of a publication of the state after that step, with nothing in hand.
inline auto atStep(std::uint64_t step) {
  return [step](const Publication& p) { return p.step == step && !p.setup; };
}

inline bool speaks(const Publication& p) { return !p.messages.empty(); }

inline void stepsByHand(Runner& runner, int count) {
  for (int i = 0; i < count; ++i) runner.step();
}

// A Runner of the fake mode.
class FakeRunner : public testing::Test {
 protected:
  Runner runner{{}, fakeScenario(), fakeModes};
};

// A file of this name that is not there yet.
inline std::string fileFor(const std::string& name) {
  const std::string path = testing::TempDir() + name;
  std::filesystem::remove(path);
  return path;
}

}  // namespace cellscope::test
