// Whole sweeps of one grid by the resident kernel: its tiles, their flags, and its launches.
#pragma once
#include <algorithm>
#include <cstdint>

#include "sim/algo/mpmc/tile_sweep.cuh"
#include "sim/exec/cuda_exec.cuh"
#include "sim/exec/layout.h"

namespace cellscope::mpmc {

class ResidentSweeps {
 public:
  static constexpr std::uint64_t kMost = 1024;  // sweeps in one launch

  struct Flags {
    exec::Array<std::uint32_t> done;
    static exec::Layout<Flags> layout(const TileCount& tiles) {
      return {{"flags of tiles", &Flags::done,
               kFlagStride * std::max<std::size_t>(1, blocksOf(tiles))}};
    }
  };
  // For a grid on this device; not possible when it is too large.
  static TileCount tilesFor(const GridInfo& grid, int device) {
    return chooseTiles(grid.m, grid.allRows(), residentBlocks<false>(device));
  }
  static unsigned blocksOf(const TileCount& t) { return static_cast<unsigned>(t.x * t.y); }

  void prepare(const GridInfo& grid, int device) {
    tiles_ = tilesFor(grid, device);
    recorded_ = residentBlocks<true>(device) >= tiles_.x * tiles_.y;
    flags_ = Flags::layout(tiles_).make(Backend::cuda);
    flags_.done.zero();
    doneBefore_ = 0;
  }
  const TileCount& tiles() const { return tiles_; }
  std::size_t bytes() const { return Flags::layout(tiles_).held(flags_); }
  bool possible() const { return tiles_.possible(); }
  bool canRecord() const { return recorded_; }  // the recording instance fits with the same tiles

  // Start a.sweeps sweeps, at most kMost; fills in the flags of `a`.
  void start(exec::CudaExec& exec, TileSweepArgs a, const MpmcTrace& trace) {
    a.done = flags_.done.data();
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
  Flags flags_;
  std::uint32_t doneBefore_ = 0;
};

}  // namespace cellscope::mpmc
