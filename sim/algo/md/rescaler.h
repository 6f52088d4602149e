// Stochastic velocity rescaling where the particles are (Bussi, Donadio and Parrinello, J. Chem.
// Phys. 126, 014101, 2007): kinetic energy, factor and velocities follow each other there, and the
// host waits for none of them.
#pragma once
#include <numbers>

#include "sim/algo/md/samples.h"
#include "sim/core/rng.h"

namespace cellscope {

// Normal and gamma deviates of one moment of a run.
class BathDraws {
 public:
  HOST_DEVICE BathDraws(std::uint64_t seed, std::uint64_t step)
      : key_(hashSeed(seed)), step_(step) {}

  HOST_DEVICE double uniform() {
    if (left_ == 0)
      words_ = draw(key_, RngPurpose::langevinNoise, step_, kNoParticle, block_++), left_ = 2;
    --left_;
    return uniformOpen(words_.w[2 * left_], words_.w[2 * left_ + 1]);
  }
  HOST_DEVICE double normal() {
    const double r = std::sqrt(-2.0 * std::log(uniform()));
    return r * std::cos(2.0 * std::numbers::pi * uniform());
  }
  // Of shape a >= 1/2, by Marsaglia and Tsang, ACM Trans. Math. Softw. 26, 363 (2000).
  HOST_DEVICE double gamma(double a) {
    if (a < 1.0) {
      const double u = uniform();
      return gamma(a + 1.0) * std::pow(u, 1.0 / a);
    }
    const double d = a - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = normal(), root = 1.0 + c * x, v = root * root * root;
      if (v > 0 && std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
    }
  }
  // Sum of the squares of n normal deviates.
  HOST_DEVICE double chiSquare(double n) { return n > 0 ? 2.0 * gamma(0.5 * n) : 0.0; }

 private:
  static constexpr std::uint32_t kNoParticle = 0xffffffffu;  // no particle has this number
  RngKey key_;
  std::uint64_t step_;
  Random4 words_{};
  std::uint32_t block_ = 0;
  int left_ = 0;
};

// The factor of all velocities: the kinetic energy, of `freedoms` degrees of freedom, relaxes to
// that of the temperature within `relaxed` coupling times (eq. A7). Its sign follows eq. (A8).
HOST_DEVICE double rescalingFactor(double kinetic, double freedoms, double temperature,
                                   double relaxed, BathDraws& draws) {
  const double c = std::exp(-relaxed);
  const double unit = (1.0 - c) * temperature / (2.0 * kinetic);
  const double r = draws.normal(), s = draws.chiSquare(freedoms - 1.0);
  const double square = c + unit * (r * r + s) + 2.0 * r * std::sqrt(c * unit);
  const double factor = std::sqrt(square > 0 ? square : 0.0);
  return r + std::sqrt(c / unit) >= 0 ? factor : -factor;
}

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
  double readHeat(auto& exec) { return exec.read(done_).heat; }
  void setHeat(auto& exec, double heat) {
    exec.fill("heat", done_.data(), 1, Rescaled{1, {0, 0, 0}, heat});
  }

 private:
  exec::DeviceValue<KineticTotals> kinetic_;
  exec::DeviceValue<Rescaled> done_;
};

}  // namespace cellscope
