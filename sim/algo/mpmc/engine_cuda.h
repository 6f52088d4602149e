// Launch choices of the CUDA engine, for benchmarks and tests. Results never depend on them.
#pragma once
#include <memory>

#include "sim/algo/mpmc/engine.h"

namespace cellscope {

struct CudaEngineTuning {
  int blockX = 32;              // columns of active cells per thread block
  double bandFill = 0;          // share of the L2 cache that a band of rows may take; 0 = no bands
  int bandRows = 0;             // rows per band; overrides bandFill
  bool overlapLaunches = true;  // programmatic dependent launch
};

std::unique_ptr<MpmcEngine> makeMpmcEngineCuda(int device, const CudaEngineTuning& tuning);

}  // namespace cellscope
