// Replicas on the CPU: the serial chain with cells, a chain per core.
#include <algorithm>
#include <utility>

#include "sim/algo/gcmc/makers.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

namespace {

class ReplicasOnCpu final : public GcmcReplicas {
 public:
  ReplicasOnCpu(exec::Shared exec, const GcmcOptions& options)
      : exec_(std::move(exec)), options_(options) {}

  void upload(const std::vector<GcmcReplica>& replicas, const GcmcProgress& progress) override {
    chains_.resize(replicas.size());
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      if (progress) progress(static_cast<double>(k) / static_cast<double>(replicas.size()));
      if (!chains_[k]) chains_[k] = makeGcmcCellChain(exec_, options_);
      chains_[k]->upload(replicas[k].state, replicas[k].rules);
    }
  }
  // In parts of some tens of milliseconds where somebody watches.
  void advance(std::uint64_t moves, const GcmcProgress& progress) override {
    const std::uint64_t part = progress ? std::max<std::uint64_t>(16, kMoves / size()) : moves;
    for (std::uint64_t done = 0; done < moves; done += part) {
      if (progress) progress(static_cast<double>(done) / static_cast<double>(moves));
      makeMoves(std::min(part, moves - done));
    }
  }
  std::size_t size() const override { return chains_.size(); }
  std::vector<GcmcReplicaNow> now() const override {
    std::vector<GcmcReplicaNow> all;
    for (const auto& chain : chains_) all.push_back({chain->count(), chain->energy()});
    return all;
  }
  GcmcEngine& chain(std::size_t number) override { return *chains_[number]; }
  std::vector<GcmcTransition> sumsOf(const exec::Array<GcmcTransition>& tables,
                                     std::uint32_t rows) override {
    std::vector<GcmcTransition> sum(rows);
    const SumOfTables add{tables.data(), rows, tables.size() / rows, sum.data()};
    for (std::size_t n = 0; n < rows; ++n) add(n);
    return sum;
  }

 private:
  static constexpr std::uint64_t kMoves = 65536;  // of all chains, between two reports

  void makeMoves(std::uint64_t moves) {
    exec::as<exec::CpuExec>(exec_).forRanges("moves (replicas)", chains_.size(), 1,
                                             [&](std::size_t first, std::size_t end) {
                                               for (std::size_t k = first; k < end; ++k)
                                                 chains_[k]->advance(moves);
                                             });
  }

  exec::Shared exec_;
  GcmcOptions options_;
  std::vector<std::unique_ptr<GcmcEngine>> chains_;
};

}  // namespace

std::unique_ptr<GcmcReplicas> makeGcmcReplicasCpu(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<ReplicasOnCpu>(exec, options);
}

}  // namespace cellscope
