// The threads of one CPU exec, and its scratch memory: what the algorithms of the CPU run on.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

#include "sim/exec/fork_join.h"
#include "sim/exec/machine.h"
#include "sim/exec/workspace.h"

namespace cellscope::exec {

class CpuPool {
 public:
  static constexpr std::size_t kPartsPerThread = 4;

  explicit CpuPool(int threads) : threads_(reserveThreads(threads)), arena_(threads_) {}

  int threads() const { return threads_; }
  Workspace& workspace() { return workspace_; }

  // f(begin, end) over sub-ranges of [0, n), each of at least about `grain` indices.
  template <class F>
  void ranges(std::size_t n, std::size_t grain, const F& f) {
    if (n == 0) return;
    if (threads_ == 1 || n <= grain) return f(std::size_t{0}, n);
    ForkJoin order;
    order.fork();
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain), ForkJoinBody<F>{&order, &f});
    });
    order.join();
  }

  // f(part, begin, end) for [0, n) cut into parts of `size` indices, the last one shorter. A part
  // is never cut, so that results may depend on `size` but not on the number of threads.
  void parts(std::size_t n, std::size_t size, const auto& f) {
    ranges((n + size - 1) / size, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first; p < last; ++p) f(p, p * size, std::min(n, (p + 1) * size));
    });
  }

  // Parts to cut n indices into, of at least `grain` indices: a few per thread, so that others
  // can take over from one that is delayed.
  std::size_t partsOf(std::size_t n, std::size_t grain) const {
    return partsOf(n, grain, threads_);
  }
  static std::size_t partsOf(std::size_t n, std::size_t grain, int threads) {
    const std::size_t most = threads == 1 ? 1 : kPartsPerThread * static_cast<std::size_t>(threads);
    return std::clamp<std::size_t>(n / grain, 1, most);
  }

  // f() on all threads of the arena that take part; workers in [0, workers).
  template <class F>
  void crew(int workers, const F& join) {
    if (workers == 1) return join(std::size_t{0}, std::size_t{1});
    ForkJoin order;
    order.fork();
    const ForkJoinBody<F> body{&order, &join};
    arena_.execute([&] { tbb::parallel_for(0, workers, body, tbb::simple_partitioner()); });
    order.join();
  }

  // Of the calling thread, in [0, threads()): different for the threads of one parallel loop.
  std::size_t threadIndex() const {
    if (threads_ == 1) return 0;
    const int index = tbb::this_task_arena::current_thread_index();
    return index < 0 || index >= threads_ ? 0 : static_cast<std::size_t>(index);
  }

 private:
  int threads_;
  tbb::task_arena arena_;
  Workspace workspace_{Backend::cpu};
};

}  // namespace cellscope::exec
