// Whole sweeps of one grid by the resident kernel: its tiles, their flags, and its launches.
#pragma once
#include <algorithm>
#include <cstdint>

#include "sim/algo/mpmc/tile_sweep.cuh"
#include "sim/exec/cuda_exec.cuh"
#include "sim/exec/memory.h"

namespace cellscope::mpmc {

class ResidentSweeps {
 public:
  static constexpr std::uint64_t kMost = 1024;  // sweeps in one launch

  // For a grid of m x m cells on this device; none are possible when it is too large.
  void prepare(int m, int device) {
    tiles_ = chooseTiles(m, residentBlocks<false>(device));
    recorded_ = residentBlocks<true>(device) >= tiles_.x * tiles_.y;
    done_ = exec::Array<std::uint32_t>(Backend::cuda, kFlagStride * std::max(1u, blocks()));
    done_.zero();
    doneBefore_ = 0;
  }
  bool possible() const { return tiles_.possible(); }
  bool canRecord() const { return recorded_; }  // the recording instance fits with the same tiles
  unsigned blocks() const { return static_cast<unsigned>(tiles_.x * tiles_.y); }

  // Start a.sweeps sweeps, at most kMost; fills in the flags of `a`.
  void start(exec::CudaExec& exec, TileSweepArgs a, const MpmcTrace& trace) {
    a.done = done_.data();
    a.doneBefore = doneBefore_;
    if (trace.on())
      launch(exec, tileSweepsKernel<true>, RecordedTileSweepArgs{a, trace});
    else
      launch(exec, tileSweepsKernel<false>, a);
    doneBefore_ += static_cast<std::uint32_t>(a.sweeps);
  }

 private:
  // All blocks must be resident: they wait for each other.
  template <class Args>
  void launch(exec::CudaExec& exec, void (*kernel)(Args), const Args& args) const {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(tiles_.x, tiles_.y);
    config.blockDim = dim3(kTileThreads);
    config.dynamicSmemBytes = sizeof(TileShared);
    config.stream = exec.stream();
    config.attrs = &attribute;
    config.numAttrs = 1;
    const auto call = [&] { exec::checkCuda(cudaLaunchKernelEx(&config, kernel, args), "sweeps"); };
    exec.launch("resident sweeps", call, static_cast<std::uint64_t>(args.sweeps));
  }

  TileCount tiles_;
  bool recorded_ = false;
  exec::Array<std::uint32_t> done_;
  std::uint32_t doneBefore_ = 0;
};

}  // namespace cellscope::mpmc
