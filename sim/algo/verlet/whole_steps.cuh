// Whole steps of molecular dynamics with neighbour lists in one kernel each.
#pragma once
#include "sim/algo/verlet/domain_parts.h"
#include "sim/algo/verlet/sample_sums.cuh"

namespace cellscope {

// What a whole step reads and writes.
template <class Law>
struct WholeStep {
  ListPass<Law, PassKind::forces> pass;
  VerletDrift drift;
  SampleSums sample;
  const StepControl* control;
  ParticleRecord* buffer[2];
  OtherDomains others;

  template <class Known>
  WholeStep<Known> with(const Known& known) const {
    return {pass.with(known), drift, sample, control, {buffer[0], buffer[1]}, others};
  }
  __device__ __forceinline__ double perMass(const ParticleRecord& p) const {
    return drift.inverseMass.of[drift.inverseMass.types == 1 ? 0 : p.type];
  }
};

// Thread blocks that a multiprocessor has at once, at least: a step waits for gathers most of the
// time, and what a sampled step needs beside must not take registers from the others.
template <class Law>
inline constexpr unsigned kStepBlocks = 5;
template <>
inline constexpr unsigned kStepBlocks<LawByTypes<ColloidPair<float>>> = 4;

// Particles whose lists are larger than the L2 cache of any GPU: some 130 bytes each or more.
inline constexpr std::uint32_t kListsBeyondCache = 500000;

// The sample after `step`.
__device__ __forceinline__ RunSample* sampleBehind(const SampleSums& s, const StepControl& control,
                                                   std::uint64_t step) {
  return s.to + control.ringAt + __popcll(control.sampledBefore(step));
}
// Where the step before this one was sampled, what its thread blocks have left. One thread block.
__device__ __forceinline__ void addUpBefore(const SampleSums& s, const StepControl& control,
                                            std::uint64_t step, unsigned blocks, unsigned threads) {
  if (step > control.first && step <= control.last && control.addsLater(step - 1))
    addUpBlocks(s, blocks, threads, sampleBehind(s, control, step - 1));
}

// Forces at the positions of step base + ahead, the two half kicks around them, and the drift to
// the next positions, which go to the other buffer of records. Nothing where the list is not valid
// for these positions, or where the run ends with them. A sample between the kicks where one is
// due; thread block 0 is for that alone. parts: of sumByLanes().
template <unsigned parts, class Law>
__global__ void __launch_bounds__(kPassThreads / parts, parts == 1 ? kStepBlocks<Law> : 4 * parts)
    wholeStepKernel(__grid_constant__ const WholeStep<Law> w, std::uint32_t n, std::uint32_t lanes,
                    std::uint32_t ahead) {
  const StepControl& control = *w.control;
  const std::uint64_t step = control.base + ahead;
  if (blockIdx.x == 0) {
    if (w.pass.stop->step >= step)
      addUpBefore(w.sample, control, step, gridDim.x - 1, parts * blockDim.x);
    return;
  }
  if (step >= control.last || w.pass.stop->step <= step) return;
  const std::uint32_t from = control.buffer(step);
  const std::uint32_t shift = __ffs(lanes) - 1;
  const std::uint32_t thread = (blockIdx.x - 1) * blockDim.x + threadIdx.x;
  const std::uint32_t slot = w.pass.begin + (thread >> shift), lane = thread & (lanes - 1);
  const std::uint32_t i = min(slot, n - 1);
  const bool active = slot < n, own = active && lane == 0;
  const ParticleRecord* const record = w.buffer[from];
  const ParticleRecord p = recordAt(record, i);
  if (n >= kListsBeyondCache) fetchRow(w.pass.list, i, lane, lanes);
  ForceSum f;
  Vec3d v;
  if (control.samples(step)) [[unlikely]] {
    const auto all = sumByLanes<ForceAndTerms, parts>(w.pass, record, i, active, p, lane, lanes);
    MdSums mine;
    if (own) {
      const Vec3d before = w.drift.drift.velocity[i];
      v = w.drift.kicked(before, all, w.perMass(p));
      mine = sumsOf(w.sample, all, i, p.type, w.drift.drift.bath.on ? before : v,
                    w.pass.list.count[i]);
    }
    RunSample* const to = sampleBehind(w.sample, control, step);
    if (control.addsLater(step)) {
      leaveSums(mine, lanes, w.sample, blockIdx.x - 1, parts);
      if (thread == 0) noteSample(w.sample, to);
    } else {
      addUp(mine, lanes, w.sample, blockIdx.x - 1, gridDim.x - 1, to, parts);
    }
    f = all;
  } else {
    f = sumByLanes<ForceSum, parts>(w.pass, record, i, active, p, lane, lanes);
    if (own) v = w.drift.kicked(w.drift.drift.velocity[i], f, w.perMass(p));
  }
  if (!own) return;
  const double perMass = w.perMass(p);
  ParticleRecord* const to = w.buffer[from ^ 1];
  const bool ended = w.drift.move(i, p, w.drift.kicked(v, f, perMass), perMass, step + 1, to);
  w.others.give(i, to, from ^ 1, ended, step + 1);
}

// After whole steps: a sample of the last of them that is still to be added up.
template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(kPassThreads)
    addUpLast(__grid_constant__ const SampleSums s, unsigned blocks) {
  addUpBefore(s, *s.control, s.control->base, blocks, blockDim.x);
}

// What all thread blocks have left of a sample, those of other domains too.
template <int>
__global__ void __launch_bounds__(kPassThreads)
    addUpAll(__grid_constant__ const SampleSums s, unsigned blocks) {
  addUpBlocks(s, blocks, blockDim.x, s.to);
  if (threadIdx.x == 0) noteSample(s, s.to);
}

}  // namespace cellscope
