// The verbs of parallel work on CUDA, matching sim/exec/cpu_exec.h, which describes them. For .cu
// files only.
//
// All launches go to one stream; every launch is checked. Functors are named structs with a
// device operator(), trivially copyable, passed by value. No verb waits for the GPU, and none
// allocates once the workspace has grown to what it needs: all can be recorded and replayed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <string>
#include <type_traits>

#include "sim/base/error.h"
#include "sim/core/assert.h"
#include "sim/exec/cuda_check.h"
#include "sim/exec/cuda_launcher.cuh"
#include "sim/exec/device_value.h"
#include "sim/exec/double_buffer.h"
#include "sim/exec/memory.h"
#include "sim/exec/workspace.h"

namespace cellscope::exec {

// Selection in one pass over the items (decoupled look-back: Merrill and Garland, NVIDIA technical
// report NVR-2016-002). A tile of items is a block's; it publishes how many it keeps, and adds up
// what the tiles before it published. One tile needs one launch, more need another that clears what
// was published. Blocks start in order of their number, as in CUB: a tile waits for earlier ones
// only. What counts is that many tiles are under way: few registers (items are read again, from the
// L1 cache, when they are written), and waits that do not disturb the reads of others.

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

class CudaExec final : public CudaLauncher {
 public:
  explicit CudaExec(int device = 0) : CudaExec(ExecConfig{Backend::cuda, 0, device}) {}
  explicit CudaExec(const ExecConfig& config) : CudaLauncher(config) {}

  Workspace& workspace() { return workspace_; }
  bool recording() const { return recording_ != nullptr; }  // launches, to be replayed
  // Whether launches of this name are to be timed before the next synchronize(): then they must be
  // made one by one, not in a graph.
  bool timesSoon(const char* name) { return timer_.due(name); }

  void synchronize() override {
    timer_.beforeWait();
    checkCuda(cudaStreamSynchronize(stream_), "waiting for the GPU");
    timer_.afterWait();
  }

  template <class T, class F, class Op>
  void reduce(const char* name, std::size_t n, const T& init, const F& f, const Op& op,
              DeviceValue<T>& out) {
    if (n == 0) return fill(name, out.data(), 1, init);
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceReduce::Reduce(s, b, valuesOf<T>(f), out.data(), cubCount(name, n), op,
                                       init, stream_);
    });
  }

  template <class T>
  void offsets(const char* name, const T* counts, T* out, std::size_t n) {
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceScan::ExclusiveSum(s, b, valuesOf<T>(ThenZero<T>{counts, n}), out,
                                           cubCount(name, n + 1), stream_);
    });
  }

  // Recorded: a replay reads the buffers that were current when it was recorded, and leaves its
  // result in those that were current after the recording.
  template <class Key, class Value>
  void sortByKey(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,
                 std::size_t n, BitRange bits = kAllBits<Key>) {
    static_assert(std::is_unsigned_v<Key>);
    if (n < 2 || bits.end <= bits.begin) return;
    cub::DoubleBuffer<Key> k(keys.data(), keys.spare());
    cub::DoubleBuffer<Value> v(values.data(), values.spare());
    withScratch(name, [&](void* s, std::size_t& b) {
      return cub::DeviceRadixSort::SortPairs(s, b, k, v, cubCount(name, n), bits.begin, bits.end,
                                             stream_);
    });
    if (k.Current() != keys.data()) keys.swap();
    if (v.Current() != values.data()) values.swap();
  }

  template <class Item, class Keep, class T>
  void select(const char* name, std::size_t n, const Item& item, const Keep& keep, T* out,
              DeviceValue<std::uint32_t>& count) {
    if (n == 0) return fill(name, count.data(), 1, 0u);
    requireCount(name, n, std::numeric_limits<std::uint32_t>::max());
    const std::size_t tiles = selectTiles(n), bytes = tiles * sizeof(TileState);
    TileState* states = nullptr;
    if (tiles > 1) states = reinterpret_cast<TileState*>(workspace_.get(name, bytes));
    launch(name, [&] {
      if (states) checkCuda(cudaMemsetAsync(states, 0, bytes, stream_), name);
      selectKernel<<<static_cast<unsigned>(tiles), kSelectThreads, 0, stream_>>>(
          n, item, keep, out, count.data(), states);
    });
  }

  template <class T>
  void fetch(DeviceValue<T>& value) {
    checkCuda(
        cudaMemcpyAsync(value.staging(), value.data(), sizeof(T), cudaMemcpyDeviceToHost, stream_),
        "fetching a result");
  }
  // Waits.
  template <class T>
  T read(const DeviceValue<T>& value) {
    checkCuda(
        cudaMemcpyAsync(value.staging(), value.data(), sizeof(T), cudaMemcpyDeviceToHost, stream_),
        "reading a result");
    synchronize();
    return value.seen();
  }

  // The launches that `makeThem` would make. Waits for those before. The same work must have run
  // once, so that the workspace need not grow.
  template <class F>
  LaunchGraph record(const F& makeThem) {
    synchronize();
    LaunchCapture capture(stream_);
    const Recording recording(*this, capture.launches());
    makeThem();
    return capture.end();
  }
  void replay(const char* name, const LaunchGraph& graph) {
    nvtxRangePushA(name);
    timer_.beforeMany();
    graph.launch(stream_);
    timer_.afterMany(graph.launches());
    nvtxRangePop();
  }

 private:
  struct Recording {
    Recording(CudaExec& e, LaunchCounts& launches) : exec(e) {
      exec.recording_ = &launches;
      exec.workspace_.beginRecording();
    }
    ~Recording() {
      exec.recording_ = nullptr;
      exec.workspace_.endRecording();
    }
    CudaExec& exec;
  };

  // CUB takes counts of 64 bits in all of its algorithms from version 3 (CUDA 13) on; some before
  // it would cut them to an int. The modes stay far below (at most 2^26 particles, kLargestN).
  static std::int64_t cubCount(const char* name, std::size_t n) {
    constexpr std::size_t kMost = CUB_VERSION >= 300000 ? std::numeric_limits<std::int64_t>::max()
                                                        : std::numeric_limits<int>::max();
    requireCount(name, n, kMost);
    return static_cast<std::int64_t>(n);
  }
  static void requireCount(const char* name, std::size_t n, std::size_t most) {
    if (n > most)
      throw RunError(std::string(name) + ": " + std::to_string(n) + " items are more than the " +
                     std::to_string(most) +
                     " that this takes on a GPU; CUDA 13 or later may take more, as does "
                     "--backend cpu");
  }

  // CUB's two-call protocol: ask for the scratch size, then run.
  template <class F>
  void withScratch(const char* name, const F& call) {
    std::size_t bytes = 0;
    checkCuda(call(nullptr, bytes), name);
    std::byte* const scratch = workspace_.get(name, bytes);
    launch(name, [&] { checkCuda(call(scratch, bytes), name); });
  }

  Workspace workspace_{Backend::cuda};
};

}  // namespace cellscope::exec
