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

// Number behind a word in a file of such pairs; 0 where there is none.
std::size_t numberBehind(const std::string& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string rest;
  for (std::string word; in >> word; std::getline(in, rest))
    if (std::size_t number = 0; word == wanted && in >> number) return number;
  return 0;
}

// Linux: free memory and what caches would give back.
std::size_t ofTheSystem() {
  const std::size_t kibibytes = numberBehind("/proc/meminfo", "MemAvailable:");
  return kibibytes ? kibibytes * 1024 : kUnknown;
}

// Control group, version 2; "max" where there is no limit. Files that are only cached count as used
// there, and would be given back.
std::size_t ofTheContainer() {
  std::size_t limit = 0, used = 0;
  const std::string folder = "/sys/fs/cgroup/memory.";
  if (!(std::ifstream(folder + "max") >> limit) || !(std::ifstream(folder + "current") >> used))
    return kUnknown;
  const std::size_t cached =
      numberBehind(folder + "stat", "inactive_file") + numberBehind(folder + "stat", "active_file");
  return difference(limit, difference(used, cached));
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
