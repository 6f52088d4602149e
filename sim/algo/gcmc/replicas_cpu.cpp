// Replicas on the CPU: the serial chain with cells, a chain per core.
#include <algorithm>
#include <utility>

#include "sim/algo/gcmc/chain_cells.h"
#include "sim/algo/gcmc/replicas.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {

namespace {

class ReplicasOnCpu final : public GcmcReplicas {
 public:
  ReplicasOnCpu(exec::Shared exec, const GcmcOptions& options)
      : exec_(std::move(exec)), options_(options) {}

  void upload(const std::vector<GcmcReplica>& replicas) override {
    chains_.resize(replicas.size());
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      if (!chains_[k]) chains_[k] = makeGcmcCellChain(exec_, options_);
      chains_[k]->upload(replicas[k].state, replicas[k].rules);
    }
  }
  void advance(std::uint64_t moves) override {
    exec::as<exec::CpuExec>(exec_).forRanges("moves (replicas)", chains_.size(), 1,
                                             [&](std::size_t first, std::size_t end) {
                                               for (std::size_t k = first; k < end; ++k)
                                                 chains_[k]->advance(moves);
                                             });
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
