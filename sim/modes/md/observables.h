// The observables of molecular dynamics, each with its words and how it follows from a sample. A
// new one is a line in the list; what it measures that is not among the sums over particles
// (sim/algo/md/samples.h) is added to those. And the heating curve of a ramp.
#pragma once
#include "sim/algo/md/engine.h"
#include "sim/algo/md/samples.h"
#include "sim/api/mode.h"
#include "sim/base/curve_series.h"

namespace cellscope::md {

// Of a ramp, temperature against energy, or enthalpy where the pressure is held: means over equal
// numbers of samples that follow each other; when there are kMost, neighbours are joined, so that
// the curve keeps its resolution however long the ramp is.
class HeatingCurve {
 public:
  struct Point {
    double temperature = 0, heat = 0;  // energy or, at the pressure that is held, enthalpy
    double density = 0, pressure = 0;  // measured
  };
  static constexpr std::size_t kMost = 256;

  void add(const Point& sample);
  const std::vector<Point>& points() const { return points_; }

  // As numbers, none before the first sample; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers);

 private:
  std::uint64_t each_ = 8, summed_ = 0;  // samples of a point, and in the one to come
  Point sum_;
  std::vector<Point> points_;
};

// Liquid and vapour that coexist, per particle, kinetic energy included.
struct Boiling {
  double temperature, pressure, liquidEnthalpy, vapourEnthalpy, liquidDensity, vapourDensity;
  std::string source;
  double heat() const { return vapourEnthalpy - liquidEnthalpy; }
};
// The published state of the truncated potential in space whose pressure is this one.
std::optional<Boiling> publishedBoiling(double pressure, double cutoff, bool tail);

// Enthalpies of both branches of a heating curve at the published temperature of boiling. A small
// liquid boils later, and its vapour is not seen there. The liquid: by a straight line through its
// points within 0.15 of that temperature. The vapour: by h = (d + 2) T / 2 + c P / T^2, as a virial
// series begins, with c from its points and the pressure that was measured, as its volume follows
// slowly. error: one standard error of the difference, by the scatter of the points. None: a branch
// has fewer than four points.
struct HeatOfEvaporation {
  double liquid, vapour, error;
};
std::optional<HeatOfEvaporation> heatOfEvaporation(const std::vector<HeatingCurve::Point>& points,
                                                   const Boiling& known);

// rampStart: temperature of the bath there; points before the first that comes near it are the
// approach. heldPressure: none at constant volume, where heat is the energy.
Curve heatingChart(const HeatingCurve& curve, double rampStart, std::optional<double> heldPressure,
                   const std::optional<Boiling>& known);

// Sums over a configuration, in Lennard-Jones units.
struct MdSample {
  MdSums totals;
  // Mean square displacement; NaN: not measured.
  double msd = std::numeric_limits<double>::quiet_NaN();
  double particles = 0, volume = 0, mass = 0;
  int dimension = 3;
  double tailEnergy = 0, tailPressure = 0;  // per particle; 0 without the correction
  // Conserved energy per particle at the start, or when the pair law was changed last; NaN: none.
  double startEnergy = 0;
  double sinceStart = 0;  // tau
  double heat = 0;        // taken from the bath since then
  double work = 0;        // done on the fluid since then by its volume and by a hand
  // Of neighbour lists; NaN where there are none.
  double neighbours = std::numeric_limits<double>::quiet_NaN();  // listed per particle
  double builds = std::numeric_limits<double>::quiet_NaN();      // per step, since the start
  double dangerous = std::numeric_limits<double>::quiet_NaN();   // in all
  double listFill = std::numeric_limits<double>::quiet_NaN();    // computed pairs within the cutoff
  // Of the trees of the last build; NaN where there are none.
  double treeDepth = std::numeric_limits<double>::quiet_NaN();
  double treeOverlap = std::numeric_limits<double>::quiet_NaN();
  double treeCost = std::numeric_limits<double>::quiet_NaN();

  // K' = K - |p|^2 / (2 M), p = sum_i m_i v_i, M = sum_i m_i: without the drift of the centre of
  // mass.
  double thermalKinetic() const { return totals.kinetic - driftEnergy(); }
  // |p|^2 / (2 M): kinetic energy of the drift.
  double driftEnergy() const {
    const MdSums& t = totals;
    return (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * mass);
  }
  // T = 2 K' / (d (N - 1)): d degrees of freedom belong to the centre of mass.
  double temperature() const { return 2.0 * thermalKinetic() / (dimension * (particles - 1.0)); }
  double energy() const { return (totals.kinetic + totals.potential) / particles + tailEnergy; }
  double conserved() const { return energy() - (heat + work) / particles; }
  double pressure() const {
    return (2.0 * thermalKinetic() + totals.virial) / (dimension * volume) + tailPressure;
  }
  double density() const { return particles / volume; }
};

struct MdObservable {
  ObservableInfo info;
  double (*value)(const MdSample&);
};

// All there are, in the order of their columns.
const std::vector<MdObservable>& mdObservables();

// Types of particles by number; empty: all of the one species.
struct MdTypes {
  std::vector<std::uint8_t> of;
  std::vector<std::string> names = {"X"};
  std::array<std::uint64_t, kMostTypes> count{};
  std::size_t types() const { return names.size(); }
};

// Curves accumulated over samples: pair correlations and speeds; the heating curve.
class MdSampler {
 public:
  static constexpr double kBin = 0.025;  // of g(r), in sigma
  // Bins of rare pairs are joined, up to kMostJoined of them, until they count so many on average.
  static constexpr double kLeastCounts = 50;
  static constexpr std::size_t kMostJoined = 16;
  static constexpr double kSpeedBin = 0.1;  // of sqrt(m) v, in sqrt(epsilon)
  static constexpr std::size_t kSpeedBins = 120;
  static constexpr std::size_t kPairsPerSample = 5000000;
  // Particles whose pairs with all n are counted in a measurement.
  static std::size_t sourcesOf(std::size_t n) {
    return std::clamp<std::size_t>(kPairsPerSample / n, 1, n);
  }
  // Steps of about this many particles pass from one measurement of the curves to the next, and at
  // most kMostSteps: they must not cost more than the steps.
  static constexpr std::uint64_t kStepsOfParticles = 40'000'000, kMostSteps = 400;

  // Pairs within the cutoff are counted as often. That takes a CPU the time of up to three steps,
  // and a GPU, which has to stop for it, that of up to six. Runs of few particles are there to be
  // watched: many of their lists are built in a hundred steps.
  static constexpr std::uint64_t kFew = 500, kStepsBetweenFills = 100, kStepsBetweenFillsOfFew = 10;

  // particles: of the run.
  explicit MdSampler(std::uint64_t particles = 1) : particles_(particles) {}
  void reset() {
    const BuildCount counted = counted_;
    *this = MdSampler(particles_);
    counted_ = counted;
  }
  // Begins curves and means again, with the last sample and those to come; the heating curve stays.
  void forgetCurves();
  void setSettled(bool settled) { settled_ = settled; }  // whether the curves are a result
  void add(double temperature, double density) {
    temperatureSum_ += last_[0] = temperature;
    densitySum_ += last_[1] = density;
    samples_ += 1;
  }
  // Whether a sample taken after this number of steps is to measure the curves as well, or,
  // with lists, how many of their pairs are within the cutoff; and steps from there to the next one
  // that is to measure one of them, which is a multiple of `every`.
  bool due(std::uint64_t step) const { return step >= due_; }
  bool fillDue(std::uint64_t step) const { return step >= fillDue_; }
  void fillMeasured(std::uint64_t step) {
    fillDue_ = step + (particles_ <= kFew ? kStepsBetweenFillsOfFew : kStepsBetweenFills);
  }
  std::uint64_t stepsToDue(std::uint64_t step, std::uint64_t every, bool lists) const {
    const std::uint64_t from = std::max(step + 1, lists ? std::min(due_, fillDue_) : due_);
    return (from + every - 1) / every * every - step;
  }
  // g(r) about the next few particles in turn, with all others as partners, and speeds relative to
  // `mean`. farthest: of the pairs that are counted.
  void addCurves(std::uint64_t step, MdEngine& engine, const Box& box, Vec3d mean,
                 const MdTypes& types, double farthest);
  std::vector<Curve> curves(const MdTypes& types) const {
    return {pairCorrelation(types), speedDistribution()};
  }
  // Mean temperature of the samples; none: there are none.
  std::optional<double> temperature() const { return meanOf(temperatureSum_); }
  std::optional<double> density() const { return meanOf(densitySum_); }

  HeatingCurve heating;

  // List builds per step between the last sample and one after this number of steps, or from
  // `first` on, where lists begin; that of the last sample for one at the same step. countBuilds()
  // takes the sample as the last one.
  double buildsPerStep(std::uint64_t builds, std::uint64_t step, std::uint64_t first) const;
  void countBuilds(std::uint64_t builds, std::uint64_t step, std::uint64_t first) {
    counted_ = {builds, step, buildsPerStep(builds, step, first)};
  }

  // Everything accumulated, as numbers; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers, std::size_t types);

 private:
  std::optional<double> meanOf(double sum) const {
    if (samples_ == 0) return {};
    return sum / static_cast<double>(samples_);
  }
  std::size_t takeBins(std::size_t bins, std::size_t types);
  Curve pairCorrelation(const MdTypes& types) const;
  Curve speedDistribution() const;

  struct BuildCount {
    std::uint64_t builds = 0, step = 0;
    double rate = -1;  // negative: there was no sample
  };

  std::uint64_t particles_ = 1;
  BuildCount counted_;
  std::uint64_t samples_ = 0, speeds_ = 0, next_ = 0;
  // Steps from which on curves, and pairs within the cutoff, are to be measured again.
  std::uint64_t due_ = 0, fillDue_ = 0;
  int dimension_ = 3;
  double temperatureSum_ = 0, densitySum_ = 0;
  std::array<double, 2> last_{};
  bool settled_ = false;
  std::vector<double> sources_;  // by type, each over the volume that it was measured in
  std::vector<double> pairs_;    // ordered pairs by types and bin
  std::vector<double> speedCounts_;
};

}  // namespace cellscope::md
