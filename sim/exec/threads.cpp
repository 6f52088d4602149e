#include "sim/exec/threads.h"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "sim/exec/control_group.h"

namespace cellscope::exec {
namespace {

int allowedProcessors() {
  for (int room = 1024; room <= 1 << 20; room *= 2) {  // larger machines need larger sets
    cpu_set_t* set = CPU_ALLOC(room);
    const std::size_t bytes = CPU_ALLOC_SIZE(room);
    const int count = ::sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int availableThreads() {
  const int allowed = allowedProcessors(), quota = processorQuota(controlGroups());
  return std::max(1, quota > 0 ? std::min(allowed, quota) : allowed);
}

int threadsFor(int asked) { return asked > 0 ? asked : availableThreads(); }

}  // namespace cellscope::exec
