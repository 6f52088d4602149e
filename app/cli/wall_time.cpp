#include "app/cli/wall_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "sim/base/error.h"
#include "sim/base/number_text.h"

namespace cellscope::cli {
namespace {

std::optional<double> numberOf(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return {};
  const auto value = realFrom(text);
  if (!value || !(*value >= 0 && *value < 1e12))
    throw InputError(fmt::format(
        "environment variable {}: '{}' is no number from 0 to 1e12; unset it", variable, text));
  return *value;
}

double now() {
  const std::chrono::duration<double> t = std::chrono::system_clock::now().time_since_epoch();
  return t.count();
}

}  // namespace

std::chrono::steady_clock::time_point deadlineOf(double seconds) {
  using Clock = std::chrono::steady_clock;
  std::optional<double> left;
  if (seconds > 0)
    left = seconds;
  else if (const auto end = numberOf("SLURM_JOB_END_TIME"))
    left = *end - now();
  else if (const auto minutes = numberOf("ACTION_WALLTIME_IN_MINUTES"))
    left = *minutes * 60;
  if (!left) return Clock::time_point::max();
  const double work = std::clamp(*left - std::min(30.0, *left / 10), 0.0, 1e9);
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(work));
}

}  // namespace cellscope::cli
