// Pairs of boxes of the Gibbs ensemble (sim/core/gibbs_rules.h), many at once: each has its own
// temperature, random numbers, move sizes and state.
#pragma once
#include <memory>

#include "sim/algo/gcmc/chain_simd.h"
#include "sim/base/backend.h"
#include "sim/core/gibbs_rules.h"
#include "sim/exec/context.h"

namespace cellscope {

// A pair of boxes on the host, by slot.
struct GibbsState {
  GibbsHead head{};
  std::vector<GcmcPoint> point;
  std::vector<std::uint32_t> id;
};

// Slots that the positions of n particles take: room for whole vectors behind them.
inline std::uint32_t gibbsStride(std::uint32_t n) { return (n + 31) / 16 * 16; }

// All pairs on the host: what an upload takes and a checkpoint holds.
struct GibbsStates {
  std::vector<GibbsHead> head;
  std::vector<std::uint32_t> word, id;  // as in GibbsArrays (moves.h)
};

class GibbsPairs {
 public:
  virtual ~GibbsPairs() = default;
  // All have as many particles. Energies are found anew.
  virtual void upload(const GibbsStates& states, const std::vector<GibbsRules>& rules) = 0;
  virtual void setRules(const std::vector<GibbsRules>& rules) = 0;  // energies, too
  // `moves` moves of each pair; done on return.
  virtual void advance(std::uint64_t moves) = 0;
  // Counters begin at 0.
  virtual void clearCounters() = 0;
  virtual void useThreads(int) {}  // of a team on a GPU
  virtual const std::vector<GibbsRules>& rules() const = 0;
  virtual std::vector<GibbsHead> heads() const = 0;
  virtual GibbsState state(std::size_t pair) const = 0;
  virtual GibbsStates states() const = 0;
  // Of box 1 and box 2 of each pair, from the positions.
  virtual std::vector<GcmcEnergyVirial> sums() = 0;
  std::size_t size() const { return rules().size(); }
};

// Bytes of its arrays.
std::size_t gibbsBytes(std::size_t pairs, std::uint32_t n);

// threads: of a team, whole warps; on a CPU 0: one, with vectorised sums.
std::unique_ptr<GibbsPairs> makeGibbsPairsCpu(const exec::Shared& exec, int threads = 0);
std::unique_ptr<GibbsPairs> makeGibbsPairsCuda(const exec::Shared& exec,
                                               int threads);  // builds with CUDA only
std::uint32_t mostGibbsParticlesCuda(const exec::Shared& exec);
// Of a pair: as many as the shared memory of a team holds.
inline std::uint32_t mostGibbsParticles(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return mostGibbsParticlesCuda(exec);
  return ~0u;
}
inline std::unique_ptr<GibbsPairs> makeGibbsPairs(const exec::Shared& exec, int gpuThreads) {
  const bool gpu = exec->where() == Backend::cuda;
  return exec::makeOn<makeGibbsPairsCpu, makeGibbsPairsCuda>(exec, gpu ? gpuThreads : 0);
}

// Slots of a new pair: the first n1 particles on a lattice in box 1, the others in box 2.
GibbsStates gibbsLattices(const std::vector<GibbsRules>& rules, std::uint32_t n1,
                          std::uint32_t share);

}  // namespace cellscope
