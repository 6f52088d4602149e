// Walkers on one backend. Nothing in a step waits for the host: how many there are stays on the
// device, and the host knows a bound.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "sim/exec/context.h"
#include "tests/support/crowd/structures.h"

namespace cellscope::test {

enum class CrowdPhase { move, deaths, births, sort };

struct CrowdTotals {
  std::uint64_t n = 0, large = 0, ages = 0;  // ages: sum, in steps
};

// Arrays of an engine with room for so many walkers: what is allocated, and what is predicted.
struct CrowdLayout {
  std::size_t walkers = 0, cells = 0;

  std::size_t bytes() const {
    return walkers * 2 * (sizeof(Walker) + sizeof(std::uint32_t)) + kMostAttempts * sizeof(Walker) +
           (cells > 0 ? (cells + 1) * sizeof(std::uint32_t) : 0);
  }
};

class CrowdEngine {
 public:
  virtual ~CrowdEngine() = default;
  virtual void set(const std::vector<Walker>& all) = 0;
  virtual std::vector<Walker> get() = 0;  // by slot
  virtual std::size_t count() = 0;        // waits
  virtual CrowdTally tally() = 0;
  virtual void setTally(const CrowdTally& tally) = 0;

  // Room for what `steps` steps may add. Throws OutOfMemory and leaves all as it was. Between two
  // calls the bound grows by the births that were tried.
  virtual void reserveFor(std::uint64_t steps, std::uint32_t attempts) = 0;
  virtual void run(CrowdPhase phase, const CrowdRules& rules, ParticleId watched,
                   const RecordWriter& to) = 0;
  virtual void changeDimension(const CrowdRules& rules) = 0;

  virtual CrowdTotals totals(std::uint64_t step) = 0;
  // Walkers of each species and generation, generations first.
  virtual std::vector<std::uint32_t> generations(std::uint64_t step) = 0;
  // Prefix sums of walkers per cell of the grid, in the memory of the backend.
  virtual const std::uint32_t* firstOfCells(const layers::CellGridView& grid) = 0;
  virtual WalkersView view(std::uint64_t step) = 0;
  virtual layers::Packer& packer() = 0;
  virtual std::size_t bytes() const = 0;
};

std::unique_ptr<CrowdEngine> makeCrowdEngineCpu(const exec::Shared& exec);
std::unique_ptr<CrowdEngine> makeCrowdEngineCuda(const exec::Shared& exec);  // CUDA builds only
inline std::unique_ptr<CrowdEngine> makeCrowdEngine(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeCrowdEngineCuda(exec);
  return makeCrowdEngineCpu(exec);
}

}  // namespace cellscope::test
