#include "sim/exec/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace cellscope::exec {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

// Linux: free memory and what caches would give back.
std::size_t ofTheSystem() {
  std::ifstream in("/proc/meminfo");
  for (std::string key, unit; in >> key;) {
    std::size_t kibibytes = 0;
    if (key == "MemAvailable:") return in >> kibibytes ? kibibytes * 1024 : kUnknown;
    std::getline(in, unit);
  }
  return kUnknown;
}

// Control group, version 2; "max" where there is no limit.
std::size_t ofTheContainer() {
  std::size_t limit = 0, used = 0;
  const std::string folder = "/sys/fs/cgroup/memory.";
  const bool limited = static_cast<bool>(std::ifstream(folder + "max") >> limit) &&
                       static_cast<bool>(std::ifstream(folder + "current") >> used);
  return limited ? difference(limit, used) : kUnknown;
}

std::size_t ofTheProcess() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return difference(limit.rlim_cur, pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

std::size_t hostMemory() { return std::min({ofTheSystem(), ofTheContainer(), ofTheProcess()}); }

}  // namespace cellscope::exec
