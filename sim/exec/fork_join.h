// Tells the thread sanitizer what a parallel loop orders: oneTBB is not annotated for it, so that
// it does not see that all bodies begin after the caller's writes and end before it continues.
// Bodies stay unordered among themselves: a race between them is still found.
#pragma once
#include <cstddef>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define FORK_JOIN_BODY __attribute__((noinline))  // separate from oneTBB's code in reports
#else
#define FORK_JOIN_BODY
#endif

namespace cellscope::exec {

class ForkJoin {
 public:
#ifdef __SANITIZE_THREAD__
  void fork() { __tsan_release(&fork_); }
  void beginBody() { __tsan_acquire(&fork_); }
  void endBody() { __tsan_release(&join_); }
  void join() { __tsan_acquire(&join_); }

 private:
  char fork_ = 0, join_ = 0;
#else
  void fork() {}
  void beginBody() {}
  void endBody() {}
  void join() {}
#endif
};

// f(begin, end) in a function of its own, which reports name.
template <class F>
FORK_JOIN_BODY void runInOrder(ForkJoin* order, const F* f, std::size_t begin, std::size_t end) {
  order->beginBody();
  (*f)(begin, end);
  order->endBody();
}

// Body of a oneTBB loop over a range or over single indices.
template <class F>
struct ForkJoinBody {
  ForkJoin* order;
  const F* f;
  template <class Range>
  void operator()(const Range& r) const {
    runInOrder(order, f, r.begin(), r.end());
  }
  void operator()(int k) const {
    runInOrder(order, f, static_cast<std::size_t>(k), static_cast<std::size_t>(k) + 1);
  }
};

}  // namespace cellscope::exec
