// What Linux allows the control group of this process (version 2): a container, or a job of a batch
// system. The limits of all groups above apply as well.
#pragma once
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace cellscope::exec {

// How much host memory is still available.

// Bytes: what the system has free, less where a container, a batch system or `ulimit -v` allows
// less. A very large number where nothing is known.
std::size_t hostMemory();

// Files in which Linux describes itself: pairs of words and numbers, limits and what is used.

// Number after a word that begins a line; 0 where there is none.
inline std::size_t numberBehind(const std::string& file, const std::string& wanted) {
  std::ifstream in(file);
  std::string rest;
  for (std::string word; in >> word; std::getline(in, rest))
    if (std::size_t number = 0; word == wanted && in >> number) return number;
  return 0;
}

// What is left of a limit.
inline std::size_t difference(std::size_t limit, std::size_t used) {
  return limit > used ? limit - used : 0;
}

// Folders of the group of this process and of all above it, the nearest first. The arguments are
// for tests.
std::vector<std::string> controlGroups(const std::string& membership = "/proc/self/cgroup",
                                       const std::string& root = "/sys/fs/cgroup");

// Bytes that the groups still allow; a very large number where there is no limit.
std::size_t memoryLeft(const std::vector<std::string>& groups);

// Processor time that the groups allow, in processors, rounded up; 0 where there is no limit.
int processorQuota(const std::vector<std::string>& groups);

}  // namespace cellscope::exec
