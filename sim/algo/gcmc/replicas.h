// Many independent chains at once, a block of warps each: every one has its own reservoir,
// temperature, seed and state, and makes the moves that it would make alone.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/base/backend.h"
#include "sim/exec/memory.h"

namespace cellscope {

struct GcmcReplica {
  GcmcState state;
  GcmcRules rules;
};

// What every chain knows without being asked for more: N, and the energy of its pairs.
struct GcmcReplicaNow {
  std::uint32_t n = 0;
  double energy = 0;
};

// Row n of all tables, in their order.
struct SumOfTables {
  const GcmcTransition* table;
  std::size_t rows, tables;
  GcmcTransition* sum;
  HOST_DEVICE void operator()(std::size_t n) const {
    GcmcTransition all{0, 0, 0, 0};
    for (std::size_t k = 0; k < tables; ++k) gcmcAdd(all, table[k * rows + n]);
    sum[n] = all;
  }
};

class GcmcReplicas {
 public:
  virtual ~GcmcReplicas() = default;
  virtual void upload(const std::vector<GcmcReplica>& replicas,
                      const GcmcProgress& progress = {}) = 0;
  // `moves` moves of each chain; done on return. Once it was given up the states are undefined
  // until the next upload().
  virtual void advance(std::uint64_t moves, const GcmcProgress& progress = {}) = 0;
  virtual std::size_t size() const = 0;
  // Of all chains, in one transfer.
  virtual std::vector<GcmcReplicaNow> now() const = 0;
  virtual GcmcEngine& chain(std::size_t number) = 0;
  // Row sums over tables of this number of rows, one table after the other.
  virtual std::vector<GcmcTransition> sumsOf(const exec::Array<GcmcTransition>& tables,
                                             std::uint32_t rows) = 0;
  std::size_t bytes() {
    std::size_t all = 0;
    for (std::size_t k = 0; k < size(); ++k) all += chain(k).bytes();
    return all;
  }
};

// GcmcEngine::bytes() of a chain of n particles evenly in a box, before there is one.
std::size_t gcmcReplicaBytes(Backend where, std::size_t n, const Box& box, const GcmcPair& pair);

std::unique_ptr<GcmcReplicas> makeGcmcReplicasCpu(const exec::Shared& exec,
                                                  const GcmcOptions& options);
std::unique_ptr<GcmcReplicas> makeGcmcReplicas(const exec::Shared& exec,
                                               const GcmcOptions& options);

}  // namespace cellscope
