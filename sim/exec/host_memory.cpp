#include "sim/exec/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "sim/exec/control_group.h"

namespace cellscope::exec {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

// Linux: free memory and caches that would be given up.
std::size_t leftInSystem() {
  const std::size_t kibibytes = numberBehind("/proc/meminfo", "MemAvailable:");
  return kibibytes ? kibibytes * 1024 : kUnknown;
}

std::size_t leftToProcess() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return difference(limit.rlim_cur, pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

std::size_t hostMemory() {
  return std::min({leftInSystem(), memoryLeft(controlGroups()), leftToProcess()});
}

}  // namespace cellscope::exec
