// Teams of a search (team_search.h) as threads of a warp that follow each other.
#pragma once
#include "sim/algo/neighbours/team_search.h"

namespace cellscope {

template <class Around>
struct TeamOfWarp {
  std::uint32_t threads;
  SearchThread<Around> thread;

  __device__ std::uint32_t number() const { return threadIdx.x & (threads - 1); }
  template <class F>
  __device__ bool any(const F& f) {
    return __any_sync(0xffffffffu, f(thread)) != 0;
  }
  template <class F>
  __device__ std::uint32_t vote(const F& f) {
    const std::uint32_t first = threadIdx.x % 32 & ~(threads - 1);
    return __ballot_sync(0xffffffffu, f(thread)) >> first & ((1u << threads) - 1);
  }
  template <class F>
  __device__ void each(const F& f) {
    f(thread, number());
  }
};

inline constexpr unsigned kTeamBlock = 128;

template <class Search>
__global__ void __launch_bounds__(kTeamBlock)
    searchByTeams(__grid_constant__ const Search search, std::uint32_t n, std::uint32_t threads) {
  const std::uint32_t k = blockIdx.x * (kTeamBlock / threads) + threadIdx.x / threads;
  TeamOfWarp<typename Search::Around> team{threads, {}};
  searchByTeam(search.around(min(k, n - 1)), k < n, team, search.out, search.checks);
}

template <class Exec, class Search>
void orderTeams(Exec& exec, const char* name, const Search& search, std::size_t n,
                int threads) requires(Exec::backend == Backend::cuda) {
  const auto team = static_cast<std::uint32_t>(threads), perBlock = kTeamBlock / team;
  const auto blocks = static_cast<unsigned>((n + perBlock - 1) / perBlock);
  exec.launch(name, [&] {
    searchByTeams<Search>
        <<<blocks, kTeamBlock, 0, exec.stream()>>>(search, static_cast<std::uint32_t>(n), team);
  });
}

}  // namespace cellscope
