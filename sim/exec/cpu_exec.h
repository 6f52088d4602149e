// The verbs of parallel work on the CPU (oneTBB). Results do not depend on the number of threads.
// They are those of CudaExec (sim/exec/cuda_exec.cuh), which has the same verbs; counts, orders and
// sums of integers are equal on both.
#pragma once
#include "sim/exec/context.h"
#include "sim/exec/cpu_verbs.h"
#include "sim/exec/phases.h"
#include "sim/exec/team.h"

namespace cellscope::exec {

class CpuExec final : public Context {
 public:
  using Launcher = CpuExec;
  static constexpr Backend backend = Backend::cpu;
  static constexpr std::size_t kChunk = 4096;  // of a reduction

  explicit CpuExec(int threads = 0) : CpuExec(ExecConfig{Backend::cpu, threads}) {}
  explicit CpuExec(const ExecConfig& config) : Context(config), pool_(config.threads) {}

  int threads() const { return pool_.threads(); }
  Workspace& workspace() { return pool_.workspace(); }
  void synchronize() override {}

  // f(i) for i in [0, n), in any order. grain: indices handed to a thread at a time.
  template <class F>
  void forEach(const char* name, std::size_t n, const F& f, std::size_t grain = 1024) {
    timed(name, [&] {
      pool_.ranges(n, grain, [&](std::size_t b, std::size_t e) {
        const F own = f;  // not changed by what f writes: loads of its members leave the loop
        for (std::size_t i = b; i < e; ++i) own(i);
      });
    });
  }

  // f(begin, end) over sub-ranges of [0, n) of at least `grain` indices (the last may be shorter).
  void forRanges(const char* name, std::size_t n, std::size_t grain, const auto& f) {
    timed(name, [&] { pool_.ranges(n, grain, f); });
  }

  template <class T>
  void fill(const char* name, T* out, std::size_t n, const T& value) {
    timed(name, [&] {
      pool_.ranges(n, 1 << 14,
                   [&](std::size_t b, std::size_t e) { std::fill(out + b, out + e, value); });
    });
  }

  // Phases 0..count of a phased work (sim/exec/phases.h), each of `parts` parts, in one parallel
  // region. Throws what the work throws, once the phase that threw is done.
  template <class Work>
  void phases(std::size_t count, std::size_t parts, Work& work) {
    if (count == 0 || parts == 0) return;
    TimedWork<Work> timed{work, profile(), std::chrono::steady_clock::now()};
    const int workers = static_cast<int>(std::min(static_cast<std::size_t>(threads()), parts));
    PhaseCrew<TimedWork<Work>> crew(timed, count, parts, workers);
    pool_.crew(workers, [&](std::size_t worker, std::size_t) { crew.join(worker); });
    crew.rethrow();
  }
  std::size_t partsOf(std::size_t n, std::size_t grain) const { return pool_.partsOf(n, grain); }

  // A team kernel (sim/exec/team.h).
  template <class K>
  void teams(const char* name, TeamShape shape, const K& kernel) {
    if (shape.teams == 0) return;
    timed(name, [&] {
      const TeamMemory<K> memory(pool_, name, shape);
      pool_.ranges(static_cast<std::size_t>(shape.teams), 1, [&](std::size_t b, std::size_t e) {
        for (int team = static_cast<int>(b); team < static_cast<int>(e); ++team)
          runTeam(kernel.phases(team), shape, memory,
                  [&](int p, int t, auto&... of) { runPhase(kernel, p, team, t, of...); });
      });
      if constexpr (kHasFinish<K>)
        runTeam(kernel.finishPhases(), shape, memory,
                [&](int p, int t, auto&... of) { runFinish(kernel, p, t, of...); });
    });
  }

  // op over init and f(i), i in [0, n), to `out`. Associative op. Chunks are combined in order;
  // their size is part of the result's definition where op rounds: smaller ones for few indices
  // with much work.
  template <class T, class F, class Op>
  void reduce(const char* name, std::size_t n, const T& init, const F& f, const Op& op,
              DeviceValue<T>& out, std::size_t chunk = kChunk) {
    timed(name, [&] { *out.data() = reduceOnCpu(pool_, name, n, init, f, op, chunk); });
  }

  // out[i] = sum of counts[0..i), i in [0, n]: where each of n lists begins and ends. In place is
  // allowed in an array of n + 1.
  template <class T>
  void offsets(const char* name, const T* counts, T* out, std::size_t n) {
    timed(name, [&] { out[n] = scanOnCpu(pool_, name, counts, out, n); });
  }

  // Stable sort of the first n (key, value) pairs by a range of bits of the unsigned key. The
  // buffers are swapped, once for every pass or not: both halves of each are overwritten.
  template <class Key, class Value>
  void sortByKey(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,
                 std::size_t n, BitRange bits = kAllBits<Key>) {
    static_assert(std::is_unsigned_v<Key>);
    timed(name, [&] { sortOnCpu(pool_, name, keys, values, n, bits); });
  }

  // item(i) of all i in [0, n) with keep(i), in order of i, to `out`; how many, to `count`.
  template <class Item, class Keep, class T>
  void select(const char* name, std::size_t n, const Item& item, const Keep& keep, T* out,
              DeviceValue<std::uint32_t>& count) {
    timed(name, [&] {
      *count.data() = static_cast<std::uint32_t>(selectOnCpu(pool_, name, n, item, keep, out));
    });
  }

  template <class T>
  void fetch(const DeviceValue<T>& value) {
    *value.staging() = *value.data();
  }
  template <class T>
  T read(const DeviceValue<T>& value) {
    return *value.data();
  }

 private:
  // Private memory of a team's threads and `dynamic`, for each thread of the pool.
  template <class K>
  class TeamMemory {
    static_assert(std::is_trivially_destructible_v<typename K::Private>);

   public:
    TeamMemory(CpuPool& pool, const char* name, TeamShape shape)
        : pool_(pool),
          privates_(Carver::room<typename K::Private>(static_cast<std::size_t>(shape.threads))),
          stride_(privates_ + Carver::room<std::byte>(shape.sharedBytes)),
          block_(pool.workspace().get(name, stride_ * static_cast<std::size_t>(pool.threads()))) {}
    std::byte* own() const { return block_ + pool_.threadIndex() * stride_; }
    std::byte* dynamicOf(std::byte* own) const { return own + privates_; }

   private:
    const CpuPool& pool_;
    std::size_t privates_, stride_;
    std::byte* block_;
  };

  // phase(p, thread, Shared, Private, dynamic) of all phases of one team and all of its threads.
  template <class K>
  static void runTeam(int phases, TeamShape shape, const TeamMemory<K>& memory, const auto& phase) {
    std::byte *const own = memory.own(), *const dynamic = memory.dynamicOf(own);
    auto* const mine = reinterpret_cast<typename K::Private*>(own);
    std::uninitialized_value_construct_n(mine, shape.threads);
    typename K::Shared shared{};
    for (int p = 0; p < phases; ++p)
      for (int t = 0; t < shape.threads; ++t) phase(p, t, shared, mine[t], dynamic);
  }

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

  void timed(const char* name, const auto& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::milli> t = std::chrono::steady_clock::now() - start;
    profile().add(name, t.count());
  }

  CpuPool pool_;
};

}  // namespace cellscope::exec
