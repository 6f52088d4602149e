#include "sim/exec/threads.h"

#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>

#include "sim/exec/control_group.h"

namespace cellscope::exec {
namespace {

// A tenth of the time of a thread of the usual priority where both want the same processor.
constexpr int kNicer = 10, kNicest = 19;

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

int reserveThreads(int asked) {
  using tbb::global_control;
  static std::mutex mutex;
  static std::unique_ptr<global_control> reserved;
  const int threads = threadsFor(asked);
  const auto wanted = static_cast<std::size_t>(threads);
  const std::lock_guard lock(mutex);
  if (wanted > global_control::active_value(global_control::max_allowed_parallelism))
    // The smallest control holds: the earlier one goes after the new one is there.
    reserved = std::make_unique<global_control>(global_control::max_allowed_parallelism, wanted);
  return threads;
}

// On Linux a niceness belongs to a thread, and new threads begin with that of the one that makes
// them.
void lowerThreadPriority() {
  const int now = ::getpriority(PRIO_PROCESS, 0);
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, std::min(now + kNicer, kNicest)));
}

}  // namespace cellscope::exec
