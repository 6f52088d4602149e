// The walk of timed_parts.h with the lanes and the loads of list_forces.cuh: what forceByLanes()
// does without its arithmetic.
#pragma once
#include "sim/algo/verlet/list_forces.cuh"
#include "sim/algo/verlet/timed_parts.h"

namespace cellscope {

template <bool records>
__global__ void __launch_bounds__(kPassThreads)
    listWalkKernel(__grid_constant__ const ListWalk<records> w, std::uint32_t n,
                   std::uint32_t lanes) {
  const std::uint32_t shift = __ffs(lanes) - 1;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t i = min(thread >> shift, n - 1), lane = thread & (lanes - 1);
  const std::uint32_t count = thread >> shift < n ? w.list.count[i] : 0;
  const std::uint32_t* const items = w.list.items + w.list.head[i];
  ReadOnly read;
  for (std::uint32_t k = 4 * lane; k < count; k += 4 * lanes) {
    const uint4 q = indicesAt(items + k);
    if constexpr (records) {
      const ParticleRecord a = recordAt(w.record, q.x);
      const ParticleRecord b = recordAt(w.record, k + 1 < count ? q.y : i);
      const ParticleRecord c = recordAt(w.record, k + 2 < count ? q.z : i);
      const ParticleRecord d = recordAt(w.record, k + 3 < count ? q.w : i);
      read.take(a.x, a.y, a.z), read.take(b.x, b.y, b.z);
      read.take(c.x, c.y, c.z), read.take(d.x, d.y, d.z);
    } else {
      read.take(q.x & q.y & q.z & q.w);
    }
  }
  read.end(w.unread);
}

}  // namespace cellscope
