// What the sections of a checkpoint hold, checked: a file with a valid checksum may still be
// damaged, forged or of another program.
#pragma once
#include <fmt/format.h>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/io/container.h"
#include "sim/run/run_log.h"

namespace cellscope {

inline constexpr std::uint64_t kMostSteps = 1ull << 53;  // exact as a double

inline constexpr const char* kStartChosen = " chosen";  // after the steps of equilibration

struct CheckpointParts {
  Scenario start;
  std::vector<Edit> edits, parameters;
  std::uint64_t preparation = 0;                // units since the last complete step
  std::uint64_t toDiscard = 0, discardEnd = 0;  // equilibration
  bool startChosen = false;                     // it ended, and the averages began there
};

// Throw InputError for sections that are missing, unknown or there twice, and for whatever in them
// cannot have been written by a run.
Scenario scenarioIn(const io::Container& c, const std::string& file, const ModeFactory& modes);
CheckpointParts partsOf(const io::Container& c, const std::string& file, const ModeFactory& modes);
// Edits and parameters that this mode does not have, or out of range.
void requireParameters(Mode& mode, const CheckpointParts& parts);
// Steps later than that of the state.
void requireSteps(const CheckpointParts& parts, std::uint64_t step, std::uint64_t epochStart);

// read(), with the name of the file in every message.
template <class F>
auto namingFile(const std::string& file, F&& read) {
  const auto named = [&file](std::string what) {
    if (what.find(file) != std::string::npos) return what;
    if (const std::string prefix = "checkpoint: "; what.rfind(prefix, 0) == 0)
      what.erase(0, prefix.size());
    return fmt::format("'{}': {}", file, what);
  };
  try {
    return read();
  } catch (const InputError& e) {
    throw InputError(named(e.what()));
  } catch (const RunError& e) {
    throw RunError(named(e.what()));
  } catch (const std::bad_alloc&) {
    throw InputError(named("it is damaged, or needs more memory than there is"));
  } catch (const std::length_error&) {
    throw InputError(named("it is damaged: a length in it is impossible"));
  }
}

}  // namespace cellscope
