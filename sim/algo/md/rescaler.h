// Stochastic velocity rescaling where the particles are: kinetic energy, factor and velocities
// follow each other there, and the host waits for none of them.
#pragma once
#include <cstdint>

#include "sim/algo/md/rescaling.h"
#include "sim/algo/md/samples.h"
#include "sim/algo/md/velocities.h"
#include "sim/exec/device_value.h"

namespace cellscope {

// One rescaling, after this number of complete steps.
struct Rescaling {
  double temperature = 1, relaxed = 1;  // rescalingFactor()
  double freedoms = 3, mass = 1;        // of all particles
  std::uint64_t seed = 0, steps = 0;
};

struct Rescaled {
  double factor = 1;  // the last one
  Vec3d mean{0, 0, 0};
  double heat = 0;  // taken from the bath, of all
};

// Of the kinetic energy relative to the centre of mass, so that momentum stays. sample: taken
// before, becomes one of the new velocities; null: none.
struct FindFactor {
  const KineticTotals* now;
  Rescaling by;
  Rescaled* to;
  RunSample* sample;

  HOST_DEVICE void operator()(std::size_t) const {
    const KineticTotals t = *now;
    const double kinetic = t.kinetic - (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * by.mass);
    Rescaled r{1, {t.px / by.mass, t.py / by.mass, t.pz / by.mass}, to->heat};
    if (kinetic > 0) {
      BathDraws draws(by.seed, by.steps);
      r.factor = rescalingFactor(kinetic, by.freedoms, by.temperature, by.relaxed, draws);
    }
    const double taken = (r.factor * r.factor - 1.0) * kinetic;
    r.heat += taken;
    *to = r;
    if (!sample) return;
    sample->sums.kinetic += taken;
    sample->heat = r.heat;
  }
};

struct ScaleByFactor {
  Vec3d* velocity;
  const Rescaled* by;
  HOST_DEVICE void operator()(std::size_t i) const {
    ScaleVelocities{velocity, by->factor, by->mean}(i);
  }
};

class Rescaler {
 public:
  explicit Rescaler(Backend where) : kinetic_(where), done_(where) {}

  // After the work ordered so far; does not wait. The last of the samples is taken along where one
  // belongs after the same step.
  template <class Exec>
  void order(Exec& exec, std::size_t n, const KineticOf& of, Vec3d* velocity, const Rescaling& by,
             SampleRing& samples) {
    const bool sampled = samples.filled() > 0 && samples.due(by.steps - 1);
    exec.reduce("kinetic energy", n, KineticTotals{}, of, AddKinetic{}, kinetic_);
    exec.forEach(
        "rescaling: factor", 1,
        FindFactor{kinetic_.data(), by, done_.data(), sampled ? samples.next() - 1 : nullptr});
    exec.forEach("rescaling: velocities", n, ScaleByFactor{velocity, done_.data()});
    if (sampled) samples.changed(exec);
  }
  const double* heat() const { return &done_.data()->heat; }  // where it is
  template <class Exec>
  double readHeat(Exec& exec) {
    return exec.read(done_).heat;
  }
  template <class Exec>
  void setHeat(Exec& exec, double heat) {
    exec.fill("heat", done_.data(), 1, Rescaled{1, {0, 0, 0}, heat});
  }

 private:
  exec::DeviceValue<KineticTotals> kinetic_;
  exec::DeviceValue<Rescaled> done_;
};

}  // namespace cellscope
