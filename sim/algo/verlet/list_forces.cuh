// Pair forces over a neighbour list with several threads (lanes) per particle.
//
// Forces: lane l takes the partners 4 l .. 4 l + 3, then those 4 lanes further on, so that it reads
// four indices at once and has four records on their way. The sums meet by shuffles, in an order
// that depends on the number of lanes alone. Energies for pictures: lane l takes the partners l,
// l + lanes, ... A step that is sampled takes energies and virials with its forces, which are the
// same bits as without them.
#pragma once
#include "sim/algo/neighbours/lane_search.cuh"
#include "sim/algo/verlet/list_forces.h"

namespace cellscope {

inline constexpr unsigned kPassThreads = 256;  // at most

struct ForceSum {
  float x = 0, y = 0, z = 0;
};
// Each pair whole.
struct ForceAndTerms : ForceSum {
  float energy = 0, virial = 0;
};

// d to the nearest image; odd in d.
__device__ __forceinline__ float nearest(float d, float length, float inverse) {
  constexpr float kToInteger = 12582912.0f;  // 1.5 * 2^23: adding it rounds to whole numbers
  const float images = __fadd_rn(__fmaf_rn(d, inverse, kToInteger), -kToInteger);
  return __fmaf_rn(-length, images, d);
}

// Of a pair of types at this difference: r2, and the force over r.
template <class Law>
__device__ __forceinline__ float2 addForceAt(const Law& law, std::uint32_t type,
                                             std::uint32_t other, float dx, float dy, float dz,
                                             ForceSum& s) {
  const float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, dz * dz));
  const auto& pair = law.of(type, other);
  float f = 0;
  if (r2 < pair.cutoffSquared) {
    const float held = fmaxf(r2, static_cast<float>(kCoreSquared));
    f = pair.terms(held, rsqrtf(held)).forceOverR;
  }
  s.x = __fmaf_rn(f, dx, s.x), s.y = __fmaf_rn(f, dy, s.y), s.z = __fmaf_rn(f, dz, s.z);
  return {r2, f};
}

// Energy and virial of a pair whose force has been added, where they are asked for. apart: not the
// particle itself.
__device__ __forceinline__ void addTerms(const auto&, float2, bool, ForceSum&) {}
__device__ __forceinline__ void addTerms(const auto& pair, float2 found, bool apart,
                                         ForceAndTerms& s) {
  const float r2 = opaque(found.x);
  if (!apart || r2 >= pair.cutoffSquared) return;
  const float held = fmaxf(r2, static_cast<float>(kCoreSquared));
  s.energy += pair.terms(held, rsqrtf(held)).energy;
  s.virial = __fmaf_rn(found.y, r2, s.virial);
}
template <class Law, class Sum>
__device__ __forceinline__ void addPair(const Law& law, const RecordBox& box,
                                        const ParticleRecord& p, const ParticleRecord& q,
                                        bool apart, Sum& s) {
  const float2 found =
      addForceAt(law, p.type, q.type, nearest(p.x - q.x, box.length[0], box.inverse[0]),
                 nearest(p.y - q.y, box.length[1], box.inverse[1]),
                 nearest(p.z - q.z, box.length[2], box.inverse[2]), s);
  addTerms(law.of(p.type, q.type), found, apart, s);
}

// f(number of s, the same of t) for all that such sums have.
template <class Sum>
__device__ __forceinline__ void forNumbers(Sum& s, const Sum& t, const auto& f) {
  f(s.x, t.x), f(s.y, t.y), f(s.z, t.z);
  if constexpr (std::is_same_v<Sum, ForceAndTerms>) f(s.energy, t.energy), f(s.virial, t.virial);
}
__device__ __forceinline__ void addOverLanes(auto& s, std::uint32_t d) {
  forNumbers(s, s, [d](float& x, float) { x += __shfl_xor_sync(0xffffffffu, x, d); });
}

// Four indices of a list, which is read once a step: it need not stay in the L1 cache.
__device__ __forceinline__ uint4 indicesAt(const std::uint32_t* items) {
  uint4 q;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(q.x), "=r"(q.y), "=r"(q.z), "=r"(q.w)
               : "l"(items));
  return q;
}
// A row of a list that so many lanes share, to the L2 cache before it is read: a line each at a
// time. It pays where all lists together do not stay there.
__device__ __forceinline__ void fetchRow(const ListReader& list, std::uint32_t row,
                                         std::uint32_t lane, std::uint32_t lanes) {
  constexpr std::uint32_t kLine = 32;  // entries
  const std::uint32_t* const items = list.items + list.head[row];
  const std::uint32_t count = list.count[row];
  for (std::uint32_t k = kLine * lane; k < count; k += kLine * lanes)
    asm volatile("prefetch.global.L2 [%0];" ::"l"(items + k));
}

// Of the partners of one lane of particle i.
template <class Sum, class Law, PassKind kind>
__device__ __forceinline__ Sum sumOfLane(const ListPass<Law, kind>& pass,
                                         const ParticleRecord* record, std::uint32_t i,
                                         std::uint32_t count, const std::uint32_t* items,
                                         const ParticleRecord& p, std::uint32_t lane,
                                         std::uint32_t lanes) {
  Sum s;
  uint4 next{};  // read one turn before the records
  if (4 * lane < count) next = indicesAt(items + 4 * lane);
#pragma unroll 1
  for (std::uint32_t k = 4 * lane; k < count; k += 4 * lanes) {
    const uint4 q = next;
    if (k + 4 * lanes < count) next = indicesAt(items + k + 4 * lanes);
    const ParticleRecord a = recordAt(record, q.x);
    const ParticleRecord b = recordAt(record, k + 1 < count ? q.y : i);
    const ParticleRecord c = recordAt(record, k + 2 < count ? q.z : i);
    const ParticleRecord d = recordAt(record, k + 3 < count ? q.w : i);
    addPair(pass.law, pass.box, p, a, true, s);
    addPair(pass.law, pass.box, p, b, k + 1 < count, s);
    addPair(pass.law, pass.box, p, c, k + 2 < count, s);
    addPair(pass.law, pass.box, p, d, k + 3 < count, s);
  }
  return s;
}

// Of the particle that these lanes share (i < n), in every lane. Rows of lists begin at multiples
// of eight entries and end there. After the last neighbour stands the particle itself, which
// exerts no force on itself. parts: 1, or 4 lanes that each thread stands for; it adds up what
// they would have by shuffles, in their order.
template <class Sum, unsigned parts = 1, class Law, PassKind kind>
__device__ __forceinline__ Sum sumByLanes(const ListPass<Law, kind>& pass,
                                          const ParticleRecord* record, std::uint32_t i,
                                          bool active, const ParticleRecord& p, std::uint32_t lane,
                                          std::uint32_t lanes) {
  const std::uint32_t count = active ? pass.list.count[i] : 0;
  const std::uint32_t* const items = pass.list.items + pass.list.head[i];
  const auto sumOf = [&](std::uint32_t part) {
    return sumOfLane<Sum>(pass, record, i, count, items, p, lane + part * lanes, parts * lanes);
  };
  Sum s;
  if constexpr (parts == 1) {
    s = sumOf(0);
  } else {
    static_assert(parts == 4);
#pragma unroll 1
    for (std::uint32_t part = 0; part < 2; ++part) {
      const auto add = [](float& x, float y) { x += y; };
      Sum two = sumOf(part);
      forNumbers(two, sumOf(part + 2), add);
      forNumbers(s, two, add);
    }
  }
  for (std::uint32_t d = lanes / 2; d > 0; d /= 2) addOverLanes(s, d);
  return s;
}

// Slots [pass.begin, n). lanes: 1, 2, 4 ... 32.
template <class Law, PassKind kind>
__global__ void __launch_bounds__(kPassThreads)
    listPassKernel(__grid_constant__ const ListPass<Law, kind> pass, std::uint32_t n,
                   std::uint32_t lanes) {
  if (pass.stopped()) return;
  const std::uint32_t shift = __ffs(lanes) - 1;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t slot = pass.begin + (thread >> shift), lane = thread & (lanes - 1);
  const std::uint32_t i = min(slot, n - 1);
  const bool active = slot < n;
  if constexpr (kind == PassKind::forces) {
    const ForceSum f =
        sumByLanes<ForceSum>(pass, pass.record, i, active, recordAt(pass.record, i), lane, lanes);
    if (active && lane == 0) pass.force[i] = {f.x, f.y, f.z, 0};
  } else {
    RunningSums<float> s;
    if (active) s = pass.sumsOf(i, lane, lanes);
    for (std::uint32_t d = lanes / 2; d > 0; d /= 2) {
      s.energy += __shfl_down_sync(0xffffffffu, s.energy, d, lanes);
      s.virial += __shfl_down_sync(0xffffffffu, s.virial, d, lanes);
    }
    if (active && lane == 0) pass.store(i, s);
  }
}

// ListWalk with the lanes and loads of this file: what sumByLanes() does without its arithmetic.
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
  read.end();
}

}  // namespace cellscope
