// The search for the neighbours of one particle by n threads (S1, section 3.1): each thread takes
// every nth particle that Algorithm 1 reads, and what a team has found in one round is written to
// the list without gaps. Lists come out in the order in which one thread alone writes them.
//
// Around is what is searched around a particle:
//   struct Run { std::uint32_t begin, end; ... };   sorted particles of one or several cells
//   std::uint32_t runs() const;  Run run(std::uint32_t number) const;
//   SeenCandidate look(const Run&, std::uint32_t m) const;   at sorted particle m of a run
//   void read(const Run&, std::uint32_t m, ReadOnly&) const;  the same without distances
//   std::uint32_t slot() const;  std::uint32_t type() const;  of the particle
#pragma once
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/race/race.h"

namespace cellscope {

struct SeenCandidate {
  bool near = false, checked = false;  // checked: by a distance
  std::uint32_t slot = 0;
};

// Where a thread is in the row of all runs.
template <class Around>
struct RunCursor {
  typename Around::Run run{};
  std::uint32_t ahead;     // of the first particle of the run
  std::uint32_t next = 0;  // run to come
  bool over = false;       // after the last run

  HOST_DEVICE void settle(const Around& around) {
    while (!over && ahead >= run.end - run.begin) {
      ahead -= run.end - run.begin;
      over = next == around.runs();
      run = over ? typename Around::Run{} : around.run(next++);
    }
  }
  HOST_DEVICE std::uint32_t at() const { return run.begin + ahead; }
};

template <class Around>
struct SearchThread {
  RunCursor<Around> cursor;
  SeenCandidate seen{};

  HOST_DEVICE void look(const Around& around) {
    seen = cursor.over ? SeenCandidate{} : around.look(cursor.run, cursor.at());
  }
};

HOST_DEVICE std::uint32_t bitsSet(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

// Team: `threads` of them, and
//   bool any(f)              whether f(thread) is true for one, of whatever team
//   std::uint32_t vote(f)    bit t: f(thread) of thread number t of the team
//   void each(f)             f(thread, number)
// works: false for a team without a particle, which others must not wait for.
template <class Around, class Team>
HOST_DEVICE void searchByTeam(const Around& around, bool works, Team& team, const ListView& out,
                              std::uint32_t* checks) {
  using Thread = SearchThread<Around>;
  const std::uint32_t i = around.slot(), room = out.room(i);
  std::uint32_t* const items = out.items + out.head[i];
  std::uint32_t found = 0, checked = 0;
  team.each(
      [&](Thread& t, std::uint32_t number) { t.cursor.ahead = number, t.cursor.over = !works; });
  while (team.any([&](Thread& t) {
    t.cursor.settle(around);
    return !t.cursor.over;
  })) {
    const std::uint32_t hits = team.vote([&](Thread& t) {
      t.look(around);
      return t.seen.near;
    });
    if (checks) checked += bitsSet(team.vote([](const Thread& t) { return t.seen.checked; }));
    team.each([&](Thread& t, std::uint32_t number) {
      const std::uint32_t place = found + bitsSet(hits & ((1u << number) - 1));
      if (t.seen.near && place < room) items[place] = t.seen.slot;
      t.cursor.ahead += team.threads;
    });
    found += bitsSet(hits);
  }
  team.each([&](const Thread&, std::uint32_t number) {
    if (number != 0 || !works) return;
    out.finish(i, around.type(), found);
    if (checks) checks[i] = checked;
  });
}

// The same by one thread: Algorithm 1.
HOST_DEVICE void searchAlone(const auto& around, const ListView& out, std::uint32_t* checks) {
  const std::uint32_t i = around.slot(), room = out.room(i);
  std::uint32_t* const items = out.items + out.head[i];
  std::uint32_t found = 0, checked = 0;
  for (std::uint32_t k = 0; k < around.runs(); ++k) {
    const auto run = around.run(k);
    for (std::uint32_t m = run.begin; m < run.end; ++m) {
      const SeenCandidate seen = around.look(run, m);
      checked += seen.checked ? 1 : 0;
      if (!seen.near) continue;
      if (found < room) items[found] = seen.slot;
      ++found;
    }
  }
  out.finish(i, around.type(), found);
  if (checks) checks[i] = checked;
}

// A team whose threads go one after the other.
template <class Around>
struct TeamInTurn {
  std::uint32_t threads;
  SearchThread<Around> thread[kMostSearchThreads];

  HOST_DEVICE bool any(const auto& f) {
    bool one = false;
    for (std::uint32_t t = 0; t < threads; ++t) one = f(thread[t]) || one;
    return one;
  }
  HOST_DEVICE std::uint32_t vote(const auto& f) {
    std::uint32_t bits = 0;
    for (std::uint32_t t = 0; t < threads; ++t) bits |= (f(thread[t]) ? 1u : 0u) << t;
    return bits;
  }
  HOST_DEVICE void each(const auto& f) {
    for (std::uint32_t t = 0; t < threads; ++t) f(thread[t], t);
  }
};

// Search has a type Around, around(k) for particle number k of its order, `out` and `checks`.
template <class Search>
struct SearchInTurn {
  Search search;
  std::uint32_t threads;
  HOST_DEVICE void operator()(std::size_t k) const {
    TeamInTurn<typename Search::Around> team{threads, {}};
    searchByTeam(search.around(k), true, team, search.out, search.checks);
  }
};

// What the threads of all teams read, without distances. Index: thread.
template <class Search>
struct WalkByTeams {
  Search search;
  std::uint32_t threads;
  HOST_DEVICE void operator()(std::size_t i) const {
    const auto around = search.around(i / threads);
    RunCursor<typename Search::Around> cursor{{}, static_cast<std::uint32_t>(i % threads)};
    ReadOnly read;
    for (cursor.settle(around); !cursor.over; cursor.ahead += threads, cursor.settle(around))
      around.read(cursor.run, cursor.at(), read);
    read.end();
  }
};

// How many threads search for one particle (S1, section 3.1): as asked for, or what is fastest on a
// GPU for these particles and reaches, timed in interleaved rounds before their first list. On a
// CPU one: threads share particles there. The lists do not depend on it.

inline constexpr std::size_t kSearchGrain = 128;  // searches are long

// On a GPU, that share the particles of a cell when a list of one type is searched; 0: by the
// number of cells. The lists do not depend on it.
inline unsigned listWarpsPerCell = 0;

class SearchThreads {
 public:
  explicit SearchThreads(int asked) : asked_(asked), now_(asked > 0 ? asked : 1) {}

  // Names: for profiles, of searches by 1, 2, 4, 8 and 16 threads. Waits where something has to be
  // timed.
  template <class Exec, class Search>
  void search(Exec& exec, const ListInput& in, const Search& all, const char* const (&names)[5]) {
    const auto order = [&](int threads) {
      const char* const name = names[std::min(std::countr_zero(static_cast<unsigned>(threads)), 4)];
      if (threads == 1)
        exec.forEach(name, in.n, all, kSearchGrain);
      else
        orderTeams(exec, name, all, in.n, threads);
    };
    tune(exec, in, order);
    order(now_);
  }
  template <class Exec, class Search>
  void walk(Exec& exec, const char* name, std::size_t n, const Search& all) const {
    const auto threads = static_cast<std::uint32_t>(now_);
    exec.forEach(name, n * threads, WalkByTeams<Search>{all, threads}, kSearchGrain);
  }
  std::string words() const {
    return now_ == 1 ? "1 thread each" : std::to_string(now_) + " threads each";
  }

 private:
  // order(threads): a whole search.
  template <class Exec, class Order>
  void tune(Exec& exec, const ListInput& in, const Order& order) {
    if constexpr (Exec::backend == Backend::cuda) {
      const bool timed = n_ == in.n && table_.sameReaches(in.table);
      if (asked_ > 0 || in.checks || exec.recording() || timed) return;
      Race race{RaceRules{1, 3, 1}};
      std::vector<RaceCandidate> candidates;
      for (int n = 1; n <= kMostSearchThreads; n *= 2)
        candidates.push_back({std::to_string(n), [] {},
                              [&exec, &order, n](std::uint64_t times) {
                                for (std::uint64_t k = 0; k < times; ++k) order(n);
                                exec.synchronize();
                              }});
      exec.synchronize();
      race.begin(std::move(candidates));
      race.finish();
      now_ = 1 << race.winner();
      n_ = in.n, table_ = in.table;
    }
  }

  int asked_, now_;
  std::size_t n_ = 0;
  PairTable table_;
};

// Orders a search by teams of several threads. That of a GPU: team_search.cuh.
template <class Exec, class Search>
void orderTeams(Exec& exec, const char* name, const Search& search, std::size_t n,
                int threads) requires(Exec::backend == Backend::cpu) {
  exec.forEach(name, n, SearchInTurn<Search>{search, static_cast<std::uint32_t>(threads)},
               kSearchGrain);
}

}  // namespace cellscope
