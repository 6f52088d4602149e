// Whole steps with lists of clusters by resident thread blocks, one on each multiprocessor, from
// one list to the next. Positions, velocities and lists stay in shared memory, or where that is too
// small in global memory. Between two steps the blocks wait for each other. That takes less time
// than a launch, and no step is ordered after the end of the list.
#pragma once
#include "sim/algo/verlet/cluster_forces.cuh"

namespace cellscope {

inline constexpr unsigned kResidentThreads = 1024;  // at most

struct ResidentBlocks {
  std::uint32_t n, lanes;
  unsigned threads = 0, blocks = 0;
  std::uint32_t room = 0;  // words of a row in shared memory
  std::size_t bytes = 0;   // of a block in shared memory; 0: there is not enough of it
  // Of the blocks that take samples (sampledStepKernel()).
  unsigned sampleThreads = 0, sampleBlocks = 0;
};

// Particles of a thread block, in shared memory.
struct ResidentParticles {
  static constexpr std::size_t kBytes =
      2 * sizeof(Vec3d) + sizeof(ParticleRecord) + sizeof(ForceSum);
  ParticleRecord* built;
  Vec3d *position, *velocity;
  ForceSum* force;
  std::uint32_t* rows;

  // n: particles.
  __device__ ResidentParticles(void* memory, std::uint32_t n)
      : built(static_cast<ParticleRecord*>(memory)),
        position(reinterpret_cast<Vec3d*>(built + n)),
        velocity(position + n),
        force(reinterpret_cast<ForceSum*>(velocity + n)),
        rows(reinterpret_cast<std::uint32_t*>(force + n)) {}
  static std::size_t bytes(std::size_t clusters, std::uint32_t room) {
    return clusters * (kClusterSize * kBytes + room * sizeof(std::uint32_t));
  }
};

// Records that other blocks write meanwhile.
struct ChangingRecords {
  const ParticleRecord* record;
};
__device__ __forceinline__ ParticleRecord recordAt(const ChangingRecords& all, std::uint32_t i) {
  const float4 r = reinterpret_cast<const float4*>(all.record)[i];
  return {r.x, r.y, r.z, __float_as_uint(r.w)};
}

// Barrier of all blocks but block 0. Two counters take turns, so that no block adds to a counter
// while another one waits for it. Lower half: blocks that have arrived; upper half: how many of
// them have found that the list ends.
struct StepBarrier {
  unsigned long long* arrived;  // 2
  std::uint32_t blocks, target = 0, turn = 0;

  // Whether `mine` is true of any thread. All that was written before is seen afterwards.
  __device__ bool any(bool mine) {
    __shared__ bool found;
    const int ofBlock = __syncthreads_or(mine);
    if (turn == 0) target += blocks;
    if (threadIdx.x == 0) {
      const unsigned long long one = ofBlock ? (1ull << 32) + 1 : 1ull;
      asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(arrived + turn), "l"(one)
                   : "memory");
      unsigned long long seen;
      do {
        asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                     : "=l"(seen)
                     : "l"(arrived + turn)
                     : "memory");
      } while (static_cast<std::uint32_t>(seen) < target);
      found = seen >> 32 != 0;
    }
    turn ^= 1;
    __syncthreads();
    return found;
  }
};

// Steps from the control's base on, until the list ends, the run ends or a sample is due.
// sampledStepKernel() takes the sample; block 0 of the next run adds up its sums. step(number)
// makes one step and returns whether the list ends with it.
template <class Law>
class ResidentRun {
 public:
  __device__ ResidentRun(const WholeStep<Law>& w, StepControl* control)
      : w_(w), control_(control), c_(*control), last_(c_.endOfPlain()) {}
  // Of block 0: nothing else.
  __device__ void addUp(const ResidentBlocks& b) const {
    addUpBefore(w_.sample, c_, c_.base, b.sampleBlocks, b.sampleThreads);
  }
  __device__ bool goesOn() const { return w_.pass.stop->step > c_.base && c_.base < last_; }
  __device__ void operator()(const auto& step) const {
    StepBarrier barrier{control_->arrived, gridDim.x - 1};
    std::uint64_t at = c_.base;
    for (bool ended = false; !ended && at < last_; ++at) ended = barrier.any(step(at));
    if (blockIdx.x == 1 && threadIdx.x == 0) control_->base = at;
  }
  __device__ std::uint32_t buffer(std::uint64_t step) const { return c_.buffer(step); }

 private:
  const WholeStep<Law>& w_;
  StepControl* control_;
  const StepControl c_;
  const std::uint64_t last_;
};

// The state and the lists stay in shared memory.
template <class Law>
__global__ void __launch_bounds__(kResidentThreads, 1)
    residentStepsKernel(__grid_constant__ const WholeStep<Law> w,
                        __grid_constant__ const ResidentBlocks b, StepControl* control) {
  const ResidentRun<Law> run(w, control);
  if (blockIdx.x == 0) return run.addUp(b);
  if (!run.goesOn()) return;
  extern __shared__ __align__(16) std::byte dynamic[];
  const ClusterThread t(b.n, b.lanes, blockIdx.x - 1);
  const ResidentParticles here(dynamic, t.ofBlock);
  const std::uint32_t i = t.particle, own = threadIdx.x;
  if (t.own) {
    here.built[own] = recordAt(w.drift.built, i);
    here.position[own] = w.drift.drift.position[i];
    here.velocity[own] = w.drift.drift.velocity[i];
  }
  const std::uint32_t count = t.active ? w.pass.list.count[t.row] : 0;
  std::uint32_t* const row = here.rows + threadIdx.x / b.lanes * b.room;
  const std::uint32_t* const listed = w.pass.list.items + w.pass.list.head[t.row];
  for (std::uint32_t k = t.lane; k < count; k += b.lanes) row[k] = __ldg(listed + k);
  __syncwarp();

  VerletDrift drift = w.drift;  // with the arrays of the block, by slot
  const std::uint32_t first = (blockIdx.x - 1) * t.ofBlock;
  drift.built = here.built - first;
  drift.drift.position = here.position - first, drift.drift.velocity = here.velocity - first;
  run([&](std::uint64_t step) {
    const std::uint32_t from = run.buffer(step);
    const ChangingRecords record{w.buffer[from]};
    const ForceSum f = sumOfOwn(w.pass, record, b.n, t, b.lanes, count, row, here.force);
    if (!t.own) return false;
    const ParticleRecord p = recordAt(record, i);
    const double perMass = w.perMass(p);
    const Vec3d v = drift.kicked(here.velocity[own], f, perMass);
    return drift.move(i, p, drift.kicked(v, f, perMass), perMass, step + 1, w.buffer[from ^ 1]);
  });
  if (!t.own) return;
  w.drift.drift.position[i] = here.position[own];
  w.drift.drift.velocity[i] = here.velocity[own];
}

// State and lists stay in global memory; each warp goes through clusters in rounds. A cluster has
// as many lanes as particles.
template <class Law>
__global__ void __launch_bounds__(kResidentThreads, 1)
    roundStepsKernel(__grid_constant__ const WholeStep<Law> w,
                     __grid_constant__ const ResidentBlocks b, StepControl* control) {
  const ResidentRun<Law> run(w, control);
  if (blockIdx.x == 0) return run.addUp(b);
  if (!run.goesOn()) return;
  // In each round all blocks together have particles that follow each other.
  const std::uint32_t first = (blockIdx.x - 1) * blockDim.x + threadIdx.x;
  const std::uint32_t ofRound = (gridDim.x - 1) * blockDim.x, lane = threadIdx.x % kClusterSize;
  run([&](std::uint64_t step) {
    const std::uint32_t from = run.buffer(step);
    const ChangingRecords record{w.buffer[from]};
    bool ended = false;
    for (std::uint32_t at = first; at - threadIdx.x % 32 < b.n; at += ofRound) {
      const std::uint32_t i = min(at, b.n - 1), row = i / kClusterSize;
      const bool own = at < b.n;
      const std::uint32_t count = own ? w.pass.list.count[row] : 0;
      const ListedRow items{w.pass.list.items + w.pass.list.head[row]};
      const ForceSum f =
          sumCluster<ForceSum>(w.pass, record, row, b.n, count, items, lane, kClusterSize);
      if (!own) continue;
      const ParticleRecord p = recordAt(record, i);
      const double perMass = w.perMass(p);
      const Vec3d v = w.drift.kicked(w.drift.drift.velocity[i], f, perMass);
      ended |=
          w.drift.move(i, p, w.drift.kicked(v, f, perMass), perMass, step + 1, w.buffer[from ^ 1]);
    }
    return ended;
  });
}

}  // namespace cellscope
