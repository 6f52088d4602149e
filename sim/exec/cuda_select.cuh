// Selection in one pass over the items (decoupled look-back: Merrill and Garland, NVIDIA technical
// report NVR-2016-002). A tile of items is a block's; it publishes how many it keeps, and adds up
// what the tiles before it published. One tile needs one launch, more need another that clears what
// was published. Blocks start in order of their number, as in CUB: a tile waits for earlier ones
// only. What counts is that many tiles are under way: few registers (items are read again, from the
// L1 cache, when they are written), and waits that do not disturb the reads of others.
#pragma once
#include <cstddef>
#include <cstdint>

namespace cellscope::exec {

inline constexpr int kSelectThreads = 512, kSelectEach = 16;  // items of a thread
inline constexpr std::size_t kSelectTile = kSelectThreads * kSelectEach;
// Nanoseconds before the first look at other tiles, and between two looks.
inline constexpr unsigned kFirstWait = 800, kNextWait = 100;

// What a tile published: nothing yet (0); how many it keeps itself; how many it and all before
// keep. The number stands in the lower half.
using TileState = unsigned long long;
inline constexpr TileState kTileOnly = TileState{1} << 32, kTileAndBefore = TileState{2} << 32;

constexpr std::size_t selectTiles(std::size_t n) { return (n + kSelectTile - 1) / kSelectTile; }

// How many items the tiles before `tile` keep. By a whole warp, 32 tiles at a time.
__device__ inline std::uint32_t keptBefore(const volatile TileState* states, std::int64_t tile,
                                           int lane) {
  constexpr unsigned kAll = 0xffffffffu;
  std::uint32_t sum = 0;
  unsigned wait = kFirstWait;
  for (std::int64_t last = tile - 1;; last -= 32) {
    const std::int64_t at = last - lane;
    TileState state;
    unsigned complete, needed;  // lanes; needed: up to the first complete one
    do {
      if (wait > 0) __nanosleep(wait);
      wait = kNextWait;
      state = at < 0 ? kTileAndBefore : states[at];
      complete = __ballot_sync(kAll, state >= kTileAndBefore);
      needed = complete ? complete ^ (complete - 1) : kAll;
    } while (__ballot_sync(kAll, state < kTileOnly) & needed);
    wait = 0;
    std::uint32_t count = needed >> lane & 1 ? static_cast<std::uint32_t>(state) : 0;
    for (int d = 16; d > 0; d /= 2) count += __shfl_xor_sync(kAll, count, d);
    sum += count;
    if (complete) return sum;
  }
}

// Sum of v over the lanes up to this one.
__device__ inline std::uint32_t sumUpToLane(std::uint32_t v, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    const std::uint32_t other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += other;
  }
  return v;
}

// Places of a tile's items: by its first warp. ofWarp: how many each warp keeps, then how many are
// kept before its first item. Returns how many are kept up to the end of the tile.
__device__ inline std::uint32_t placeTile(std::uint32_t* ofWarp, volatile TileState* states,
                                          std::size_t tile, int lane) {
  constexpr int kWarps = kSelectThreads / 32;
  const std::uint32_t own = lane < kWarps ? ofWarp[lane] : 0, upTo = sumUpToLane(own, lane);
  const std::uint32_t total = __shfl_sync(0xffffffffu, upTo, 31);
  std::uint32_t before = 0;
  if (states) {
    if (lane == 0) states[tile] = (tile == 0 ? kTileAndBefore : kTileOnly) | total;
    if (tile > 0) {
      before = keptBefore(states, static_cast<std::int64_t>(tile), lane);
      if (lane == 0) states[tile] = kTileAndBefore | (before + total);
    }
  }
  if (lane < kWarps) ofWarp[lane] = before + upTo - own;
  return before + total;
}

// A block for each tile. states: zero, one for each tile; null where there is one tile only.
// item(i) is read for those kept only.
template <class Item, class Keep, class T>
__global__ void __launch_bounds__(kSelectThreads)
    selectKernel(std::size_t n, Item item, Keep keep, T* out, std::uint32_t* count,
                 volatile TileState* states) {
  constexpr unsigned kAll = 0xffffffffu;
  __shared__ std::uint32_t ofWarp[kSelectThreads / 32];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const std::size_t tile = blockIdx.x;
  const std::size_t first = tile * kSelectTile + warp * (32 * kSelectEach) + lane;
  std::uint32_t mine = 0;  // bit k: whether item first + 32 k is kept
#pragma unroll
  for (int k = 0; k < kSelectEach; ++k) {
    const std::size_t i = first + 32 * k;
    const bool kept = keep(i < n ? i : n - 1) && i < n;  // no branch: all reads are under way
    mine |= static_cast<std::uint32_t>(kept) << k;
  }
  std::uint32_t ofThisWarp = 0;
#pragma unroll
  for (int k = 0; k < kSelectEach; ++k) ofThisWarp += __popc(__ballot_sync(kAll, mine >> k & 1));
  if (lane == 0) ofWarp[warp] = ofThisWarp;
  __syncthreads();
  if (warp == 0) {
    const std::uint32_t upTo = placeTile(ofWarp, states, tile, lane);
    if (lane == 0 && (tile + 1) * kSelectTile >= n) *count = upTo;
  }
  __syncthreads();
  std::uint32_t at = ofWarp[warp];
#pragma unroll
  for (int k = 0; k < kSelectEach; ++k) {
    const unsigned kept = __ballot_sync(kAll, mine >> k & 1);
    if (mine >> k & 1) out[at + __popc(kept & ((1u << lane) - 1))] = item(first + 32 * k);
    at += __popc(kept);
  }
}

}  // namespace cellscope::exec
