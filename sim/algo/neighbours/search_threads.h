// How many threads search for one particle (S1, section 3.1): as asked for, or what is fastest on a
// GPU for these particles and reaches, timed in interleaved rounds before their first list. On a
// CPU one: threads share particles there. The lists do not depend on it.
#pragma once
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/team_search.h"
#include "sim/algo/race/race.h"
#include "sim/base/backend.h"

namespace cellscope {

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
