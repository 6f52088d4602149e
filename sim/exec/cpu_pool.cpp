#include "sim/exec/cpu_pool.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

#include "sim/exec/cpu_exec.h"
#include "sim/exec/machine.h"

namespace cellscope::exec {

// Tell the thread sanitizer what a parallel loop orders: oneTBB is not annotated for it, so that
// it does not see that all bodies begin after the caller's writes and end before it continues.
// Bodies stay unordered among themselves: a race between them is still found.
static void before([[maybe_unused]] char& event) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(&event);
#endif
}
static void after([[maybe_unused]] char& event) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(&event);
#endif
}

struct CpuPool::Arena : tbb::task_arena {
  using task_arena::task_arena;
};

CpuPool::CpuPool(int threads)
    : threads_(reserveThreads(threads)), arena_(std::make_unique<Arena>(threads_)) {}
CpuPool::~CpuPool() = default;

void CpuPool::run(std::size_t n, std::size_t grain, Call* part, const void* f, bool singly) {
  if (threads_ == 1 || n <= grain) return part(f, 0, n);
  using Range = tbb::blocked_range<std::size_t>;
  char fork = 0, join = 0;
  const auto body = [&](const Range& r) {
    after(fork);
    part(f, r.begin(), r.end());
    before(join);
  };
  before(fork);
  arena_->execute([&] {
    const Range all(0, n, grain);
    singly ? tbb::parallel_for(all, body, tbb::simple_partitioner()) : tbb::parallel_for(all, body);
  });
  after(join);
}

std::size_t CpuPool::threadIndex() const {
  if (threads_ == 1) return 0;
  const int index = tbb::this_task_arena::current_thread_index();
  return index < 0 || index >= threads_ ? 0 : static_cast<std::size_t>(index);
}

std::size_t scanScratch(std::size_t n, const ExecConfig& config) {
  if constexpr (kCudaBuilt)
    if (config.backend == Backend::cuda)
      return Workspace::roomFor(scanScratchCuda(n, config.device));
  const std::size_t parts = scanParts(n, threadsFor(config.threads));
  return Workspace::roomFor(Carver::room<std::uint32_t>(parts));
}

Shared makeExec(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    requireCuda();
    if constexpr (kCudaBuilt) return makeCudaExec(config);
  }
  return std::make_shared<CpuExec>(config);
}

}  // namespace cellscope::exec
