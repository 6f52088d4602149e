// A batch run is interrupted within a step that takes long.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/cli/batch_run.h"
#include "tests/support/fake_mode.h"

namespace cellscope {
namespace {

using namespace std::chrono_literals;

TEST(BatchLongStep, IsGivenUpByAnInterrupt) {
  const auto folder = std::filesystem::path(testing::TempDir()) /
                      ("cellscope-batch-long-step-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "a.checkpoint").string();
  Session before(test::fakeScenario(), {}, test::fakeModes);
  before.advance(7);
  before.set("delay", 60000.0);
  before.save(path);
  cli::RunOptions o;
  o.resume = o.checkpoint = path;
  o.steps = 5;
  o.hardware.backend = "cpu";
  o.quiet = true;
  const common::InterruptGuard interrupt;
  cli::BatchRun run(o, interrupt, test::fakeModes);
  std::thread wish([] {
    std::this_thread::sleep_for(300ms);
    ::kill(::getpid(), SIGINT);
  });
  EXPECT_EQ(run.run(), 85);
  wish.join();
  const auto after = Session::resume(path, {}, test::fakeModes);
  EXPECT_EQ(after->step(), 7u) << "a minute later it would be 8";
  EXPECT_EQ(test::hashOf(after->mode().configuration()),
            test::hashOf(before.mode().configuration()));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cellscope
