// The verbs of parallel work on the CPU (oneTBB). Results do not depend on the number of threads:
// reductions combine fixed chunks in order.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/backend.h"
#include "sim/exec/fork_join.h"
#include "sim/exec/phases.h"
#include "sim/exec/profile.h"
#include "sim/exec/team.h"
#include "sim/exec/threads.h"

namespace cellscope::exec {

class CpuExec {
 public:
  static constexpr Backend backend = Backend::cpu;
  static constexpr std::size_t kChunk = 4096;  // of a reduction
  static constexpr std::size_t kPartsPerThread = 4;

  explicit CpuExec(int threads = 0) : threads_(reserveThreads(threads)), arena_(threads_) {}

  int threads() const { return threads_; }
  Profile& profile() { return profile_; }

  // f(i) for i in [0, n), in any order. grain: indices handed to a thread at a time.
  template <class F>
  void forEach(const char* name, std::size_t n, const F& f, std::size_t grain = 1024) {
    timed(name, [&] {
      ranges(n, grain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) f(i);
      });
    });
  }

  // f(begin, end) over sub-ranges of [0, n) of at least `grain` indices (the last may be shorter).
  template <class F>
  void forRanges(const char* name, std::size_t n, std::size_t grain, const F& f) {
    timed(name, [&] { ranges(n, grain, f); });
  }

  // Phases 0..count of a phased work (sim/exec/phases.h), each of `parts` parts, in one parallel
  // region. Throws what the work throws, once the phase that threw is done.
  template <class Work>
  void phases(std::size_t count, std::size_t parts, Work& work) {
    if (count == 0 || parts == 0) return;
    TimedWork<Work> timed{work, profile_, std::chrono::steady_clock::now()};
    const int workers = static_cast<int>(std::min(static_cast<std::size_t>(threads_), parts));
    PhaseCrew<TimedWork<Work>> crew(timed, count, parts, workers);
    const auto join = [&](std::size_t worker, std::size_t) { crew.join(worker); };
    if (workers == 1) {
      join(0, 1);
    } else {
      ForkJoin order;
      order.fork();
      const ForkJoinBody<decltype(join)> body{&order, &join};
      arena_.execute([&] { tbb::parallel_for(0, workers, body, tbb::simple_partitioner()); });
      order.join();
    }
    crew.rethrow();
  }
  // Parts to cut n indices into, of at least `grain` indices: a few per thread, so that one that is
  // held up can be helped.
  std::size_t partsOf(std::size_t n, std::size_t grain) const {
    const std::size_t most =
        threads_ == 1 ? 1 : kPartsPerThread * static_cast<std::size_t>(threads_);
    return std::clamp<std::size_t>(n / grain, 1, most);
  }

  template <class K>
  void teams(const char* name, TeamShape shape, const K& kernel) {
    timed(name, [&] {
      ranges(static_cast<std::size_t>(shape.teams), 1, [&](std::size_t b, std::size_t e) {
        std::vector<typename K::Private> mine(static_cast<std::size_t>(shape.threads));
        for (std::size_t team = b; team < e; ++team) runTeam(kernel, static_cast<int>(team), mine);
      });
    });
  }

  // op over init and f(i), i in [0, n). Associative op. Chunks are combined in order; their size is
  // part of the result's definition where op rounds: smaller ones for few indices with much work.
  template <class T, class F, class Op>
  T reduce(const char* name, std::size_t n, T init, const F& f, const Op& op,
           std::size_t chunk = kChunk) {
    const std::size_t chunks = (n + chunk - 1) / chunk;
    std::vector<T> partial(chunks, init);
    timed(name, [&] {
      ranges(chunks, 1, [&](std::size_t b, std::size_t e) {
        for (std::size_t c = b; c < e; ++c) {
          T sum = f(c * chunk);
          const std::size_t end = std::min(n, (c + 1) * chunk);
          for (std::size_t i = c * chunk + 1; i < end; ++i) sum = op(sum, f(i));
          partial[c] = sum;
        }
      });
    });
    T result = init;
    for (const T& p : partial) result = op(result, p);
    return result;
  }

  // out[i] = sum of in[0..i); returns the total. In place is allowed.
  template <class T>
  T exclusiveScan(const char* name, const T* in, T* out, std::size_t n) {
    T total{};
    timed(name, [&] {
      for (std::size_t i = 0; i < n; ++i) {
        const T value = in[i];
        out[i] = total;
        total += value;
      }
    });
    return total;
  }

  // Stable sort of (key, value) pairs by key.
  template <class Key, class Value>
  void sortByKey(const char* name, Key* keys, Value* values, std::size_t n) {
    timed(name, [&] {
      std::vector<std::size_t> order(n);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
      std::vector<Key> k(n);
      std::vector<Value> v(n);
      for (std::size_t i = 0; i < n; ++i) k[i] = keys[order[i]], v[i] = values[order[i]];
      std::copy(k.begin(), k.end(), keys);
      std::copy(v.begin(), v.end(), values);
    });
  }

  void synchronize() {}

 private:
  template <class Work>
  struct TimedWork {
    Work& work;
    Profile& profile;
    std::chrono::steady_clock::time_point begin;

    void part(std::size_t phase, std::size_t part) { work.part(phase, part); }
    bool finish(std::size_t phase) {
      const bool more = work.finish(phase);
      const auto end = std::chrono::steady_clock::now();
      const std::chrono::duration<double, std::milli> t = end - begin;
      profile.add(work.name(phase), t.count());
      begin = end;
      return more;
    }
  };

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

  template <class K>
  static void runTeam(const K& kernel, int team, std::vector<typename K::Private>& mine) {
    typename K::Shared shared{};
    std::fill(mine.begin(), mine.end(), typename K::Private{});
    const int phases = kernel.phases(team);
    for (int p = 0; p < phases; ++p)
      for (std::size_t t = 0; t < mine.size(); ++t)
        kernel.phase(p, team, static_cast<int>(t), shared, mine[t]);
  }

  template <class F>
  void timed(const char* name, const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::milli> t = std::chrono::steady_clock::now() - start;
    profile_.add(name, t.count());
  }

  int threads_;
  tbb::task_arena arena_;
  Profile profile_;
};

}  // namespace cellscope::exec
