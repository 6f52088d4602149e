// The threads of one CPU exec, and its scratch memory: what the algorithms of the CPU run on.
#pragma once
#include <algorithm>

#include "sim/exec/memory.h"

namespace cellscope::exec {

class CpuPool {
 public:
  static constexpr std::size_t kPartsPerThread = 4;

  explicit CpuPool(int threads);
  ~CpuPool();

  int threads() const { return threads_; }
  Workspace& workspace() { return workspace_; }

  // f(begin, end) over sub-ranges of [0, n), each of at least about `grain` indices.
  template <class F>
  void ranges(std::size_t n, std::size_t grain, const F& f) {
    if (n > 0) run(n, grain, call<F>, &f);
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

  // f(worker, worker + 1) on all threads of the arena that take part; workers in [0, workers).
  template <class F>
  void crew(int workers, const F& f) {
    run(static_cast<std::size_t>(workers), 1, call<F>, &f, /*singly=*/true);
  }

  // Of the calling thread, in [0, threads()): different for the threads of one parallel loop.
  std::size_t threadIndex() const;

 private:
  // oneTBB's loop is large. It does not know the type of f, so that it is compiled once.
  using Call = void(const void* f, std::size_t begin, std::size_t end);
  template <class F>
  static void call(const void* f, std::size_t begin, std::size_t end) {
    (*static_cast<const F*>(f))(begin, end);
  }
  void run(std::size_t n, std::size_t grain, Call* part, const void* f, bool singly = false);

  int threads_;
  struct Arena;
  std::unique_ptr<Arena> arena_;
  Workspace workspace_{Backend::cpu};
};

}  // namespace cellscope::exec
