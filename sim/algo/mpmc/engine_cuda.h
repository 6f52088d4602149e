// Launch choices of the CUDA engine, for benchmarks and tests. Results never depend on them.
#pragma once
#include <memory>

#include "sim/algo/mpmc/engine.h"

namespace cellscope {

struct CudaEngineTuning {
  int blockX = 32;              // columns of active cells per thread block
  bool residentTiles = true;    // small systems: one resident kernel for many sweeps
  bool overlapLaunches = true;  // programmatic dependent launch
};

std::unique_ptr<MpmcEngine> makeMpmcEngineCuda(int device, const CudaEngineTuning& tuning);

}  // namespace cellscope
