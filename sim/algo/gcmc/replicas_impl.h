// Replicas, written once over exec: one launch of the microcell moves, with a team per chain.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/parallel_methods.h"
#include "sim/algo/gcmc/replicas.h"

namespace cellscope {

// GcmcMicrocellMoves of the chain that is the number of the team.
struct GcmcReplicaMoves {
  using Shared = GcmcMicrocellMoves::Shared;
  using Private = GcmcMicrocellMoves::Private;
  const GcmcArrays* chain;
  int moves, threads;
  bool skipBeyond;

  HOST_DEVICE int phases(int) const { return GcmcMicrocellMoves::kPhases * moves; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private& mine,
                         std::byte* dynamic) const {
    const GcmcMicrocellMoves one{chain[team], moves, threads, skipBeyond};
    one.phase(p, team, thread, s, mine, dynamic);
  }
};

template <class Exec>
class GcmcReplicasOn final : public GcmcReplicas {
 public:
  GcmcReplicasOn(exec::Shared shared, const GcmcOptions& options)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)), options_(options) {}

  void upload(const std::vector<GcmcReplica>& replicas) override {
    chains_.resize(replicas.size());
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      if (!chains_[k]) chains_[k] = std::make_unique<Chain>(shared_, Method(options_), options_);
      chains_[k]->upload(replicas[k].state, replicas[k].rules);
    }
  }
  std::size_t size() const override { return chains_.size(); }
  GcmcEngine& chain(std::size_t number) override { return *chains_[number]; }

  void advance(std::uint64_t moves) override {
    std::vector<std::uint64_t> at, end;
    for (const auto& c : chains_) {
      at.push_back(c->settled().move);
      end.push_back(at.back() + moves);
    }
    while (at != end) {
      std::uint64_t most = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const std::uint64_t now = std::min(batch(), end[k] - at[k]);
        chains_[k]->ask(at[k] + now);
        most = std::max(most, now);
      }
      order(static_cast<int>(most));
      for (std::size_t k = 0; k < at.size(); ++k) at[k] = chains_[k]->settled().move;
    }
  }

 private:
  using Method = GcmcMicrocellsMethod<Exec, true>;
  using Chain = GcmcParallel<Exec, Method>;

  std::uint64_t batch() const {
    return static_cast<std::uint64_t>(std::max(1, options_.movesPerLaunch));
  }
  void order(int moves) {
    std::vector<GcmcArrays> all;
    int threads = 1;
    for (const auto& c : chains_) {
      all.push_back(c->arrays());
      threads = std::max(threads, gcmcMicrocellThreads(all.back().grid.cube));
    }
    if (arrays_.size() != all.size()) arrays_ = exec::Array<GcmcArrays>(Exec::backend, all.size());
    arrays_.set(all);
    exec_.teams("moves (replicas)", gcmcShape(static_cast<int>(all.size()), threads),
                GcmcReplicaMoves{arrays_.data(), moves, threads, options_.skipBeyond});
  }

  exec::Shared shared_;
  Exec& exec_;
  GcmcOptions options_;
  std::vector<std::unique_ptr<Chain>> chains_;
  exec::Array<GcmcArrays> arrays_;
};

}  // namespace cellscope
