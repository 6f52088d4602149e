// Whole steps of molecular dynamics with lists of clusters in one kernel each.
#pragma once
#include "sim/algo/verlet/cluster_forces.cuh"
#include "sim/algo/verlet/whole_steps.cuh"

namespace cellscope {

// As wholeStepKernel(); see there.
template <class Law>
__global__ void __launch_bounds__(kPassThreads, 4)
    clusterStepKernel(__grid_constant__ const WholeStep<Law> w, std::uint32_t n,
                      std::uint32_t lanes, std::uint32_t ahead) {
  const StepControl& control = *w.control;
  const std::uint64_t step = control.base + ahead;
  if (blockIdx.x == 0) {
    if (w.pass.stop->step >= step) addUpBefore(w.sample, control, step, gridDim.x - 1, blockDim.x);
    return;
  }
  if (step >= control.last || w.pass.stop->step <= step) return;
  const std::uint32_t from = control.buffer(step);
  const ClusterThread t(n, lanes, blockIdx.x - 1);
  const ParticleRecord* const record = w.buffer[from];
  const std::uint32_t i = t.particle;
  const ParticleRecord p = recordAt(record, i);
  ForceSum f;
  Vec3d v;
  if (control.samples(step)) [[unlikely]] {
    const auto all = sumOfOwn<ForceAndTerms>(w.pass, record, n, t, lanes);
    MdSums mine;
    if (t.own) {
      const Vec3d before = w.drift.drift.velocity[i];
      v = w.kicked(before, all, w.perMass(p));
      mine = sumsOf(w.sample, all, i, p.type, w.drift.drift.bath.on ? before : v,
                    w.pass.list.count[i / kClusterSize]);
    }
    RunSample* const to = sampleBehind(w.sample, control, step);
    if (control.addsLater(step)) {
      leaveSums(mine, 1, w.sample, blockIdx.x - 1, 1);
      if (blockIdx.x == 1 && threadIdx.x == 0) noteSample(w.sample, to);
    } else {
      addUp(mine, 1, w.sample, blockIdx.x - 1, gridDim.x - 1, to);
    }
    f = all;
  } else {
    f = sumOfOwn<ForceSum>(w.pass, record, n, t, lanes);
    if (t.own) v = w.kicked(w.drift.drift.velocity[i], f, w.perMass(p));
  }
  if (!t.own) return;
  const double perMass = w.perMass(p);
  w.drift.move(i, p, w.kicked(v, f, perMass), perMass, step + 1, w.buffer[from ^ 1]);
}

// As sampledEndKernel().
template <class Law>
__global__ void __launch_bounds__(kPassThreads)
    clusterEndKernel(__grid_constant__ const ListPass<Law, PassKind::both> pass,
                     __grid_constant__ const VerletKick kick, __grid_constant__ const SampleSums s,
                     std::uint32_t n, std::uint32_t lanes) {
  if (pass.stopped()) return;
  const ClusterThread t(n, lanes, blockIdx.x);
  const auto f = sumOfOwn<ForceAndTerms>(pass, pass.record, n, t, lanes);
  MdSums mine;
  if (t.own) {
    const std::uint32_t i = t.particle;
    pass.force[i] = {f.x, f.y, f.z, 0};
    const Vec3d before = s.kinetic.velocity[i];
    kick(i);
    mine = sumsOf(s, f, i, pass.record[i].type,
                  s.kinetic.halfStep > 0 ? before : s.kinetic.velocity[i],
                  pass.list.count[i / kClusterSize]);
  }
  addUp(mine, 1, s, blockIdx.x, gridDim.x, s.to);
}

}  // namespace cellscope
