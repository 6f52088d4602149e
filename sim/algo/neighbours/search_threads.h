// How many threads search for one particle (S1, section 3.1): as asked for, or what is fastest on a
// GPU for these particles and reaches, timed in interleaved rounds before their first list. On a
// CPU one: threads share particles there. The lists do not depend on it.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/team_search.h"
#include "sim/algo/race/race.h"
#include "sim/base/backend.h"

namespace cellscope {

class SearchThreads {
 public:
  explicit SearchThreads(int asked) : asked_(asked), now_(asked > 0 ? asked : 1) {}

  int now() const { return now_; }
  // order(threads): a whole search. Waits where something has to be timed.
  template <class Exec, class Order>
  void tune(Exec& exec, const ListInput& in, const Order& order) {
    if constexpr (Exec::backend == Backend::cuda) {
      if (asked_ > 0 || in.checks || exec.recording() || timedFor(in)) return;
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
  std::string words() const {
    return now_ == 1 ? "1 thread each" : std::to_string(now_) + " threads each";
  }

 private:
  bool timedFor(const ListInput& in) const {
    return n_ == in.n && table_.types == in.table.types &&
           std::equal(std::begin(table_.reachOf), std::end(table_.reachOf), in.table.reachOf);
  }

  int asked_, now_;
  std::size_t n_ = 0;
  PairTable table_;
};

// Of the names of as many threads, for profiles.
inline const char* nameFor(int threads, const char* const (&names)[5]) {
  std::size_t k = 0;
  while (k < 4 && (1 << k) < threads) ++k;
  return names[k];
}

// Orders a search by teams of several threads. That of a GPU: team_search.cuh.
template <class Exec, class Search>
void orderTeams(Exec& exec, const char* name, const Search& search, std::size_t n,
                int threads) requires(Exec::backend == Backend::cpu) {
  constexpr std::size_t kGrain = 128;  // searches are long
  exec.forEach(name, n, SearchInTurn<Search>{search, static_cast<std::uint32_t>(threads)}, kGrain);
}

}  // namespace cellscope
