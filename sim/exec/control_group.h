// What Linux allows the control group of this process (version 2): a container, or a job of a batch
// system. The limits of all groups above apply as well.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace cellscope::exec {

// Folders of the group of this process and of all above it, the nearest first. The arguments are
// for tests.
std::vector<std::string> controlGroups(const std::string& membership = "/proc/self/cgroup",
                                       const std::string& root = "/sys/fs/cgroup");

// Bytes that the groups still allow; a very large number where there is no limit.
std::size_t memoryLeft(const std::vector<std::string>& groups);

// Processor time that the groups allow, in processors, rounded up; 0 where there is no limit.
int processorQuota(const std::vector<std::string>& groups);

}  // namespace cellscope::exec
