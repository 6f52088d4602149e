#include "sim/exec/control_group.h"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

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

namespace {

// "max" where there is no limit. The page cache counts as used there, but is given up when memory
// is needed.
std::size_t memoryLeftIn(const std::string& group) {
  std::size_t limit = 0, used = 0;
  const std::string memory = group + "/memory.";
  if (!(std::ifstream(memory + "max") >> limit) || !(std::ifstream(memory + "current") >> used))
    return std::numeric_limits<std::size_t>::max();
  const std::size_t cached =
      numberBehind(memory + "stat", "inactive_file") + numberBehind(memory + "stat", "active_file");
  return difference(limit, difference(used, cached));
}

}  // namespace

std::vector<std::string> controlGroups(const std::string& membership, const std::string& root) {
  std::vector<std::string> groups;
  std::ifstream in(membership);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("0::/", 0) != 0) continue;
    std::string path = line.substr(3);
    for (; path.size() > 1; path.resize(std::max<std::size_t>(1, path.rfind('/'))))
      groups.push_back(root + path);
  }
  groups.push_back(root);
  return groups;
}

std::size_t memoryLeft(const std::vector<std::string>& groups) {
  std::size_t left = std::numeric_limits<std::size_t>::max();
  for (const std::string& group : groups) left = std::min(left, memoryLeftIn(group));
  return left;
}

int processorQuota(const std::vector<std::string>& groups) {
  int quota = 0;
  for (const std::string& group : groups) {
    double time = 0, period = 0;  // "max 100000" where there is no limit
    std::ifstream in(group + "/cpu.max");
    if (!(in >> time >> period) || !(time > 0) || !(period > 0)) continue;
    const int here = static_cast<int>(std::min(std::ceil(time / period), 1e6));
    quota = quota == 0 ? here : std::min(quota, here);
  }
  return quota;
}

}  // namespace cellscope::exec
