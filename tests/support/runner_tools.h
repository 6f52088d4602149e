// Waiting for what a Runner publishes, and places for its files.
#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "sim/run/runner.h"
#include "tests/support/patience.h"

namespace cellscope::test {

using PublicationPtr = std::shared_ptr<const Publication>;

// The first publication with a frame that satisfies `wanted`, or null where the Runner had time for
// one.
inline PublicationPtr await(const Runner& runner,
                            const std::function<bool(const Publication&)>& wanted,
                            std::chrono::microseconds pause = std::chrono::milliseconds(1)) {
  PublicationPtr p;
  const auto holds = [&] { return (p = runner.latest()) && p->frame && wanted(*p); };
  return until(holds, 10, pause) ? p : nullptr;
}

// A file of this name that is not there yet.
inline std::string fileFor(const std::string& name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "cellscope-runner";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / name).string();
  std::filesystem::remove(path);
  return path;
}

}  // namespace cellscope::test
