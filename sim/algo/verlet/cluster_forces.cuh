// Pair forces over lists of clusters (sim/algo/clusters) with several threads (lanes) per cluster.
//
// The lanes of a cluster share its particles, whose positions and sums each has in registers, and
// take its partners lane by lane. A partner that is read serves all of the cluster; it is read
// while the one before is added, and its slot one turn earlier. Written as a loop with what it
// carries: loads that stand beside each other the compiler puts where they are used, and waits.
// Differences are those to the nearest image of the partner to the first of the cluster, which no
// pair needs to look for, and where no image is within the cutoff nothing needs to be looked for.
#pragma once
#include "sim/algo/clusters/search.h"
#include "sim/algo/verlet/sample_sums.cuh"
#include "sim/algo/verlet/whole_steps.cuh"

namespace cellscope {

// Particles of a thread block: lanes are no fewer than particles of a cluster.
inline constexpr unsigned kMostOfBlock = kPassThreads;

struct ClusterInLanes {
  ParticleRecord p[kClusterSize];
  ClusterImages images;
};

// Longest cutoff of the pairs of these types.
template <class Law>
__device__ __forceinline__ float longestCutoff(const Law& law, const ParticleRecord (&p)[4],
                                               std::int32_t types) {
  if constexpr (!Law::kByTypes) {
    return sqrtf(law.pair.cutoffSquared);
  } else {
    float most = 0;
    for (std::uint32_t k = 0; k < kClusterSize; ++k)
      for (std::int32_t t = 0; t < types; ++t)
        most = fmaxf(most, law.of(p[k].type, static_cast<std::uint32_t>(t)).cutoffSquared);
    return sqrtf(most);
  }
}

// Those of a row, which has one, in every lane; places after the last particle hold the first.
template <class Law>
__device__ __forceinline__ ClusterInLanes clusterAt(const Law& law, const RecordBox& box,
                                                    const auto& record, std::uint32_t row,
                                                    std::uint32_t n) {
  ClusterInLanes c;
  const std::uint32_t begin = row * kClusterSize;
#pragma unroll
  for (std::uint32_t k = 0; k < kClusterSize; ++k)
    c.p[k] = recordAt(record, begin + k < n ? begin + k : begin);
  const float cutoff = longestCutoff(law, c.p, kMostTypes) * 1.00001f;
  const ParticleRecord o = c.p[0];
  float wide[3] = {0, 0, 0}, low[3] = {o.x, o.y, o.z}, high[3] = {o.x, o.y, o.z};
#pragma unroll
  for (std::uint32_t k = 1; k < kClusterSize; ++k) {
    const float at[3] = {c.p[k].x, c.p[k].y, c.p[k].z};
    const float from[3] = {o.x, o.y, o.z};
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      low[a] = fminf(low[a], at[a]), high[a] = fmaxf(high[a], at[a]);
      wide[a] = fmaxf(wide[a], fabsf(nearest(at[a] - from[a], box.length[a], box.inverse[a])));
    }
  }
  bool inside = true, close = true;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    if (box.inverse[a] == 0) continue;
    inside = inside && low[a] > cutoff && high[a] < box.length[a] - cutoff;
    close = close && wide[a] + cutoff < 0.499f * box.length[a];
  }
  // Clusters of a warp go alike: what needs no images must be right with shifts as well.
  c.images = !close ? ClusterImages::each : (inside ? ClusterImages::none : ClusterImages::shifted);
  return c;
}

// q as the image nearest to o: not rounded where that is q itself.
__device__ __forceinline__ float imageNear(float q, float o, float length, float inverse) {
  constexpr float kToInteger = 12582912.0f;  // as in nearest()
  const float images = __fadd_rn(__fmaf_rn(q - o, inverse, kToInteger), -kToInteger);
  return __fmaf_rn(-length, images, q);
}
__device__ __forceinline__ void shift(ParticleRecord& q, const ParticleRecord& o,
                                      const RecordBox& box) {
  q.x = imageNear(q.x, o.x, box.length[0], box.inverse[0]);
  q.y = imageNear(q.y, o.y, box.length[1], box.inverse[1]);
  q.z = imageNear(q.z, o.z, box.length[2], box.inverse[2]);
}

// As addForceAt(), without a branch where the law is cheap. r2 is a float not below the smallest
// normal one.
template <class Law>
__device__ __forceinline__ float2 addClusterForce(const Law& law, std::uint32_t type,
                                                  std::uint32_t other, float dx, float dy, float dz,
                                                  ForceSum& s) {
  if constexpr (Law::kByTypes) {
    return addForceAt(law, type, other, dx, dy, dz, s);
  } else {
    const float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, dz * dz));
    const float held = fmaxf(r2, static_cast<float>(kCoreSquared));
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(held));
    const float any = law.pair.terms(held, root).forceOverR;
    const float f = r2 < law.pair.cutoffSquared ? any : 0.0f;
    s.x = __fmaf_rn(f, dx, s.x), s.y = __fmaf_rn(f, dy, s.y), s.z = __fmaf_rn(f, dz, s.z);
    return {r2, f};
  }
}

// Partner q in slot j.
template <ClusterImages images, class Sum, class Law>
__device__ __forceinline__ void addPartner(const Law& law, const RecordBox& box,
                                           const ParticleRecord (&p)[4], std::uint32_t begin,
                                           ParticleRecord q, std::uint32_t j, Sum (&s)[4]) {
  if constexpr (images == ClusterImages::shifted) shift(q, p[0], box);
#pragma unroll
  for (std::uint32_t k = 0; k < kClusterSize; ++k) {
    float dx = p[k].x - q.x, dy = p[k].y - q.y, dz = p[k].z - q.z;
    if constexpr (images == ClusterImages::each) {
      dx = nearest(dx, box.length[0], box.inverse[0]);
      dy = nearest(dy, box.length[1], box.inverse[1]);
      dz = nearest(dz, box.length[2], box.inverse[2]);
    }
    const float2 found = addClusterForce(law, p[k].type, q.type, dx, dy, dz, s[k]);
    addTerms(law.of(p[k].type, q.type), found, j != begin + k, s[k]);
  }
}

template <ClusterImages images, class Sum, class Law, PassKind kind>
__device__ __forceinline__ void addPartners(const ListPass<Law, kind>& pass, const auto& record,
                                            std::uint32_t row, std::uint32_t count,
                                            const auto& items, const ParticleRecord (&p)[4],
                                            std::uint32_t lane, std::uint32_t lanes, Sum (&s)[4]) {
  const std::uint32_t begin = row * kClusterSize;
  const auto slotAt = [&](std::uint32_t m) { return m < count ? items[m] : begin; };
  std::uint32_t j = slotAt(lane), next = slotAt(lane + lanes);
  ParticleRecord q = recordAt(record, j);
#pragma unroll 1
  for (std::uint32_t m = lane; m < count; m += lanes) {
    const std::uint32_t slot = j;
    const ParticleRecord partner = q;
    j = next, q = recordAt(record, j), next = slotAt(m + 2 * lanes);
    addPartner<images>(pass.law, pass.box, p, begin, partner, slot, s);
  }
}

// One of two sums that a pair of lanes has, over both: `a` in the lower lane, `b` in the upper one.
template <class Sum>
__device__ __forceinline__ Sum sharedSum(Sum a, const Sum& b, bool upper, std::uint32_t d) {
  forNumbers(a, b, [&](float& x, float y) {
    const float kept = upper ? y : x, given = upper ? x : y;
    x = kept + __shfl_xor_sync(0xffffffffu, given, d);
  });
  return a;
}

// Of the cluster that these lanes share, which has the partners items[0] to items[count - 1]: of
// particle lane % 4 in each lane.
template <class Sum, class Law, PassKind kind>
__device__ __forceinline__ Sum sumCluster(const ListPass<Law, kind>& pass, const auto& record,
                                          std::uint32_t row, std::uint32_t n, std::uint32_t count,
                                          const auto& items, std::uint32_t lane,
                                          std::uint32_t lanes) {
  Sum s[kClusterSize];
  ClusterInLanes c = clusterAt(pass.law, pass.box, record, row, n);
  // All clusters of a warp alike, so that its lanes stay together.
  if (__all_sync(0xffffffffu, c.images == ClusterImages::none)) {
    addPartners<ClusterImages::none>(pass, record, row, count, items, c.p, lane, lanes, s);
  } else if (__all_sync(0xffffffffu, c.images != ClusterImages::each)) {
#pragma unroll
    for (std::uint32_t k = 1; k < kClusterSize; ++k) shift(c.p[k], c.p[0], pass.box);
    addPartners<ClusterImages::shifted>(pass, record, row, count, items, c.p, lane, lanes, s);
  } else {
    addPartners<ClusterImages::each>(pass, record, row, count, items, c.p, lane, lanes, s);
  }
  static_assert(kClusterSize == 4);
  const bool odd = (lane & 1) != 0, upper = (lane & 2) != 0;
  const Sum even = sharedSum(s[0], s[1], odd, 1), rest = sharedSum(s[2], s[3], odd, 1);
  Sum own = sharedSum(even, rest, upper, 2);
  for (std::uint32_t d = 4; d < lanes; d *= 2) addOverLanes(own, d);
  return own;
}

// Which cluster a thread works for, and which particle it has afterwards: the first threads of a
// block take those of the block, one each.
struct ClusterThread {
  std::uint32_t lane, row, ofBlock, particle;
  bool active, own;

  // block: number of the thread block among those that have clusters.
  __device__ ClusterThread(std::uint32_t n, std::uint32_t lanes, std::uint32_t block) {
    const std::uint32_t shift = __ffs(lanes) - 1, rows = (n + kClusterSize - 1) / kClusterSize;
    const std::uint32_t first = block * (blockDim.x >> shift);
    lane = threadIdx.x & (lanes - 1);
    row = first + (threadIdx.x >> shift);
    active = row < rows;
    row = min(row, rows - 1);
    ofBlock = (blockDim.x >> shift) * kClusterSize;
    particle = first * kClusterSize + threadIdx.x;
    own = threadIdx.x < ofBlock && particle < n;
    particle = min(particle, n - 1);
  }
};

// Sums of the block's particles, each to the thread that has it. all: in shared memory, one of each
// particle. All threads must come.
template <class Sum, class Law, PassKind kind>
__device__ __forceinline__ Sum sumOfOwn(const ListPass<Law, kind>& pass, const auto& record,
                                        std::uint32_t n, const ClusterThread& t,
                                        std::uint32_t lanes, std::uint32_t count, const auto& items,
                                        Sum* all) {
  const Sum s = sumCluster<Sum>(pass, record, t.row, n, count, items, t.lane, lanes);
  const std::uint32_t shift = __ffs(lanes) - 1;
  if (t.lane < kClusterSize) all[(threadIdx.x >> shift) * kClusterSize + t.lane] = s;
  __syncthreads();
  return all[t.own ? threadIdx.x : 0];
}
// The same with the list in global memory.
struct ListedRow {
  const std::uint32_t* items;
  __device__ std::uint32_t operator[](std::uint32_t k) const { return __ldg(items + k); }
};
template <class Sum, class Law, PassKind kind>
__device__ __forceinline__ Sum sumOfOwn(const ListPass<Law, kind>& pass,
                                        const ParticleRecord* record, std::uint32_t n,
                                        const ClusterThread& t, std::uint32_t lanes) {
  static_assert(sizeof(Sum) % sizeof(float) == 0);
  __shared__ float memory[kMostOfBlock * sizeof(Sum) / sizeof(float)];
  return sumOfOwn(pass, record, n, t, lanes, t.active ? pass.list.count[t.row] : 0,
                  ListedRow{pass.list.items + pass.list.head[t.row]},
                  reinterpret_cast<Sum*>(memory));
}

// lanes: 4, 8, 16 or 32.
template <class Law, PassKind kind>
__global__ void __launch_bounds__(kPassThreads, 4)
    clusterPassKernel(__grid_constant__ const ListPass<Law, kind> pass, std::uint32_t n,
                      std::uint32_t lanes) {
  if (pass.stopped()) return;
  const ClusterThread t(n, lanes, blockIdx.x);
  if constexpr (kind == PassKind::forces) {
    const ForceSum f = sumOfOwn<ForceSum>(pass, pass.record, n, t, lanes);
    if (t.own) pass.force[t.particle] = {f.x, f.y, f.z, 0};
  } else {
    const auto f = sumOfOwn<ForceAndTerms>(pass, pass.record, n, t, lanes);
    if (!t.own) return;
    if constexpr (kind == PassKind::both) pass.force[t.particle] = {f.x, f.y, f.z, 0};
    pass.terms[t.particle] = {0.5f * f.energy, 0.5f * f.virial};
  }
}

// As listSampleKernel().
template <bool ends, class Law>
__global__ void __launch_bounds__(kPassThreads)
    clusterSampleKernel(__grid_constant__ const ListPass<Law, PassKind::both> pass,
                        __grid_constant__ const VerletKick kick,
                        __grid_constant__ const SampleSums s, std::uint32_t n,
                        std::uint32_t lanes) {
  if (pass.stopped()) return;
  const ClusterThread t(n, lanes, blockIdx.x);
  const auto f = sumOfOwn<ForceAndTerms>(pass, pass.record, n, t, lanes);
  MdSums mine;
  if (t.own)
    mine = sumsOf(s, f, t.particle, pass.record[t.particle].type,
                  velocityOfSample<ends>(s, kick, pass.force, f, t.particle),
                  pass.list.count[t.particle / kClusterSize]);
  addUp(mine, 1, s, blockIdx.x, gridDim.x, s.to);
}

// Whole steps of molecular dynamics with lists of clusters in one kernel each. Those that are
// sampled have one of their own, with the registers that their sums need.

// The last half kick of a step, the first of the next one and the drift, of the thread's particle.
// v: after the first kick.
template <class Law>
__device__ __forceinline__ void endStep(const WholeStep<Law>& w, std::uint64_t step,
                                        const ClusterThread& t, Vec3d v, const ForceSum& f) {
  if (!t.own) return;
  const std::uint32_t from = w.control->buffer(step), i = t.particle;
  const ParticleRecord p = recordAt(w.buffer[from], i);
  const double perMass = w.perMass(p);
  w.drift.move(i, p, w.drift.kicked(v, f, perMass), perMass, step + 1, w.buffer[from ^ 1]);
}

// As wholeStepKernel(), for a step before the next sample. A sample ends its chain, so that only
// the first step of a chain may find sums to add up.
template <class Law>
__global__ void __launch_bounds__(kPassThreads, 4)
    clusterStepKernel(__grid_constant__ const WholeStep<Law> w, std::uint32_t n,
                      std::uint32_t lanes, std::uint32_t ahead) {
  const StepControl& control = *w.control;
  const std::uint64_t step = control.base + ahead;
  if (blockIdx.x == 0) {
    if (ahead == 0) addUpBefore(w.sample, control, step, gridDim.x - 1, blockDim.x);
    return;
  }
  if (step >= control.endOfPlain() || w.pass.stop->step <= step) return;
  const ClusterThread t(n, lanes, blockIdx.x - 1);
  if (n >= kListsBeyondCache) fetchRow(w.pass.list, t.row, t.lane, lanes);
  const std::uint32_t i = t.particle;
  const ParticleRecord* const record = w.buffer[control.buffer(step)];
  const ForceSum f = sumOfOwn<ForceSum>(w.pass, record, n, t, lanes);
  Vec3d v;
  if (t.own) v = w.drift.kicked(w.drift.drift.velocity[i], f, w.perMass(recordAt(record, i)));
  endStep(w, step, t, v, f);
}

// The next sampled step, if it is one of the `chain` steps from base on and the list is valid
// there. Launched with few thread blocks, since most of the time there is nothing to do; each does
// the work of some of `blocks`.
template <class Law>
__global__ void __launch_bounds__(kPassThreads, 2)
    sampledStepKernel(__grid_constant__ const WholeStep<Law> w, std::uint32_t n,
                      std::uint32_t lanes, std::uint32_t blocks, std::uint32_t chain) {
  const StepControl& control = *w.control;
  const std::uint64_t step = control.endOfPlain();
  if (step >= control.last || step >= control.base + chain || w.pass.stop->step <= step) return;
  const ParticleRecord* const record = w.buffer[control.buffer(step)];
  RunSample* const to = sampleBehind(w.sample, control, step);
  if (control.addsLater(step) && blockIdx.x == 0 && threadIdx.x == 0) noteSample(w.sample, to);
  for (std::uint32_t block = blockIdx.x; block < blocks; block += gridDim.x) {
    const ClusterThread t(n, lanes, block);
    const std::uint32_t i = t.particle;
    const auto f = sumOfOwn<ForceAndTerms>(w.pass, record, n, t, lanes);
    MdSums mine;
    Vec3d v;
    if (t.own) {
      const ParticleRecord p = recordAt(record, i);
      const Vec3d before = w.drift.drift.velocity[i];
      v = w.drift.kicked(before, f, w.perMass(p));
      mine = sumsOf(w.sample, f, i, p.type, w.drift.drift.bath.on ? before : v,
                    w.pass.list.count[i / kClusterSize]);
    }
    endStep(w, step, t, v, f);
    if (control.addsLater(step))
      leaveSums(mine, 1, w.sample, block, 1);
    else
      addUp(mine, 1, w.sample, block, blocks, to);
    __syncthreads();
  }
}

}  // namespace cellscope
