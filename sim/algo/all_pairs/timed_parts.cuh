// The pass in tiles with a part left out, to be timed: nothing comes of it.
#pragma once
#include "sim/algo/all_pairs/tiles.cuh"
#include "sim/algo/neighbours/read_only.h"

namespace cellscope {

struct TileWalk {
  TilePass pass;
  bool records;  // partners are read from the tiles; otherwise tiles are loaded only
  std::uint32_t* unread;
};

template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(kLargestTile) tileWalkKernel(__grid_constant__ const TileWalk w) {
  __shared__ Partners<kLargestTile> partners;
  const int tile = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
  const int begin = static_cast<int>(blockIdx.y) * w.pass.tilesPerChunk;
  ReadOnly read;
  for (int t = begin; t < begin + w.pass.tilesPerChunk && t * tile < w.pass.n; ++t) {
    partners.load(w.pass, t * tile + thread, thread);
    if (!w.records) read.take(partners.at[thread].x, 0, 0);
#pragma unroll 4
    for (int k = 0; w.records && k < tile; ++k) {
      const float4 q = partners.at[k];
      read.take(q.x, q.y, q.z);
    }
  }
  read.end(w.unread);
}

}  // namespace cellscope
