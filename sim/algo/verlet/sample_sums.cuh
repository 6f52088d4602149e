// Samples of a state with neighbour lists: one pass sums up energy, virial, kinetic energy,
// momentum, displacements and neighbours of all particles. Each thread block leaves its sums. Then
// one adds them up, always in the same order, so that the result does not depend on timing: the
// last one to be done, or in whole steps one of the next step, which has nothing else to do.
#pragma once
#include "sim/algo/verlet/list_forces.cuh"

namespace cellscope {

inline constexpr unsigned kSums = sizeof(MdSums) / sizeof(double);
inline constexpr unsigned kPassWarps = kPassThreads / 32;

// Over the lanes with numbers 0, stride, 2 stride, ... of each `width` of a warp: in the first.
__device__ __forceinline__ void sumOverWarp(double (&x)[kSums], unsigned stride,
                                            unsigned width = 32) {
  for (unsigned d = width / 2; d >= stride; d /= 2)
#pragma unroll
    for (unsigned k = 0; k < kSums; ++k) x[k] += __shfl_xor_sync(0xffffffffu, x[k], d);
}

// Of all `warps` of the block: sum k to out[k]. All threads must come.
__device__ __forceinline__ void sumOverBlock(const double (&ofWarps)[kPassWarps][kSums],
                                             unsigned warps, double* out) {
  __syncthreads();
  if (threadIdx.x >= kSums) return;
  double sum = 0;
  for (unsigned w = 0; w < warps; ++w) sum += ofWarps[w][threadIdx.x];
  out[threadIdx.x] = sum;
  __threadfence();
}

// mine: of the particle that `lanes` threads share, in the first of them; those of the whole thread
// block go to place `block`. All threads must come. parts: of sumByLanes(); a warp then adds up
// what as many warps would have.
__device__ __forceinline__ void leaveSums(const MdSums& mine, std::uint32_t lanes,
                                          const SampleSums& s, unsigned block, unsigned parts) {
  __shared__ double ofWarps[kPassWarps][kSums];
  double x[kSums] = {mine.kinetic, mine.potential, mine.virial,        mine.px,
                     mine.py,      mine.pz,        mine.displacement2, mine.listed};
  const unsigned width = 32 / parts;
  sumOverWarp(x, lanes, width);
  if (threadIdx.x % width == 0)
#pragma unroll
    for (unsigned k = 0; k < kSums; ++k) ofWarps[threadIdx.x / width][k] = x[k];
  double* const ofBlocks = reinterpret_cast<double*>(s.ofBlocks);
  sumOverBlock(ofWarps, blockDim.x / width, ofBlocks + kSums * static_cast<std::size_t>(block));
}
// What is known of a sample beside its sums; one thread.
__device__ __forceinline__ void noteSample(const SampleSums& s, RunSample* to) {
  to->builds = s.control ? s.control->builds : s.builds;
  to->dangerous = s.control ? s.control->dangerous : s.dangerous;
  to->heat = *s.heat;
}
// Results of all thread blocks, in the order of a block of `threads`. All threads of one block.
__device__ __forceinline__ void addUpBlocks(const SampleSums& s, unsigned blocks, unsigned threads,
                                            RunSample* to) {
  __shared__ double ofWarps[kPassWarps][kSums];
  const double* const ofBlocks = reinterpret_cast<const double*>(s.ofBlocks);
  for (unsigned thread = threadIdx.x; thread < threads; thread += blockDim.x) {
    double x[kSums] = {};
    for (unsigned b = thread; b < blocks; b += threads)
#pragma unroll
      for (unsigned k = 0; k < kSums; ++k)
        x[k] += __ldcg(ofBlocks + kSums * static_cast<std::size_t>(b) + k);
    sumOverWarp(x, 1);
    if (thread % 32 == 0)
#pragma unroll
      for (unsigned k = 0; k < kSums; ++k) ofWarps[thread / 32][k] = x[k];
  }
  sumOverBlock(ofWarps, threads / 32, reinterpret_cast<double*>(&to->sums));
}

// leaveSums() of `blocks` thread blocks, of which this is number `block`; the last one of them to
// be done adds up.
__device__ __forceinline__ void addUp(const MdSums& mine, std::uint32_t lanes, const SampleSums& s,
                                      unsigned block, unsigned blocks, RunSample* to,
                                      unsigned parts = 1) {
  __shared__ bool last;
  leaveSums(mine, lanes, s, block, parts);
  if (s.left) return;
  __syncthreads();
  if (threadIdx.x == 0) last = exec::arriveGlobal(s.arrived) + 1 == blocks;
  __syncthreads();
  if (!last) return;
  addUpBlocks(s, blocks, parts * blockDim.x, to);
  if (threadIdx.x != 0) return;
  noteSample(s, to);
  *s.arrived = 0;
}

// The velocity of particle i that a sample of the state as it is has; force: that of its last kick.
__device__ __forceinline__ Vec3d velocityNow(const SampleSums& s, const Vec4* force,
                                             std::uint32_t i) {
  if (s.kinetic.halfStep == 0) return s.kinetic.velocity[i];
  const Vec4 f = force[i];
  return s.kinetic.sampledVelocity(i, f.x, f.y, f.z);
}

// Of particle i of this type with velocity v at the positions of the step.
__device__ __forceinline__ MdSums sumsOf(const SampleSums& s, const ForceAndTerms& f,
                                         std::uint32_t i, std::uint32_t type, Vec3d v,
                                         std::uint32_t listed) {
  const KineticTotals k = s.kinetic.of(v, type);
  // Half of each pair, rounded as those of a pass of its own are.
  return {{k.kinetic, 0.5f * f.energy, 0.5f * f.virial, k.px, k.py, k.pz},
          s.ways.squared(i),
          static_cast<double>(listed)};
}

// The velocity of particle i for a sample. ends: of a run, whose forces are kept for the next one
// after its last half kick; otherwise the state stays as it is, its velocities included.
template <bool ends>
__device__ __forceinline__ Vec3d velocityOfSample(const SampleSums& s, const VerletKick& kick,
                                                  Vec4* force, const ForceSum& f, std::uint32_t i) {
  if constexpr (!ends) return velocityNow(s, force, i);
  force[i] = {f.x, f.y, f.z, 0};
  const Vec3d before = s.kinetic.velocity[i];
  kick(i);
  return s.kinetic.halfStep > 0 ? before : s.kinetic.velocity[i];
}

// A sample from the forces of all pairs. pass.force: by slot.
template <bool ends, class Law>
__global__ void __launch_bounds__(kPassThreads)
    listSampleKernel(__grid_constant__ const ListPass<Law, PassKind::both> pass,
                     __grid_constant__ const VerletKick kick, __grid_constant__ const SampleSums s,
                     std::uint32_t n, std::uint32_t lanes) {
  if (pass.stopped()) return;
  const std::uint32_t shift = __ffs(lanes) - 1;
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t slot = pass.begin + (thread >> shift), lane = thread & (lanes - 1);
  const std::uint32_t i = min(slot, n - 1);
  const bool active = slot < n;
  const ParticleRecord p = recordAt(pass.record, i);
  const auto f = sumByLanes<ForceAndTerms>(pass, pass.record, i, active, p, lane, lanes);
  MdSums mine;
  if (active && lane == 0)
    mine = sumsOf(s, f, i, p.type, velocityOfSample<ends>(s, kick, pass.force, f, i),
                  pass.list.count[i]);
  addUp(mine, lanes, s, blockIdx.x + pass.begin / (blockDim.x >> shift), gridDim.x, s.to);
}

}  // namespace cellscope
