// The system on one exec: bath, samples, curves, displacements, kick and drift, whatever computes
// the forces. Sums: how these are stored (sim/algo/md/forces.h).
#pragma once
#include "sim/algo/md/engine.h"

namespace cellscope {

// Arrays of the particles by their places in memory.
struct ParticlePlaces {
  Vec3d *position, *velocity;
  const std::uint32_t* tag;    // number of the particle in each place; null: that of the place
  const ParticleRecord* kind;  // types; null: all of type 0
};

// Items of arrays to others of the same kinds.
struct CopyNothing {
  HOST_DEVICE void operator()(std::size_t) const {}
};
template <class T, class More>
struct CopyItems {
  const T* from;
  T* to;
  More more;
  HOST_DEVICE void operator()(std::size_t i) const {
    to[i] = from[i];
    more(i);
  }
};
inline CopyNothing copyItems() { return {}; }
template <class T, class... More>
auto copyItems(const T* from, T* to, const More&... more) {
  auto rest = copyItems(more...);
  return CopyItems<T, decltype(rest)>{from, to, rest};
}
template <class T, class... More>
auto copyItems(const exec::Array<T>& from, const exec::Array<T>& to, const More&... more) {
  auto rest = copyItems(more...);
  return CopyItems<T, decltype(rest)>{from.data(), to.data(), rest};
}

template <class Exec, class Sums>
class MdSystemOn : public MdEngine {
 public:
  using MdEngine::forces;

  void setBath(const BathSettings& bath) override { bath_ = bath; }
  void sampleEvery(std::uint64_t every) final { samples_.every(every); }
  std::vector<RunSample> takeSamples() final { return samples_.take(exec_); }
  RunSample sampleNow(double dt) final {
    orderSample(samples_.one().data(), dt);
    return exec_.read(samples_.one());
  }
  MdTotals totals() final {
    takeTerms();
    exec_.reduce("totals", n_, MdTotals{}, TotalsOf<Sums>{kineticOf(), sums()},
                 std::plus<MdTotals>{}, totals_);
    return exec_.read(totals_);
  }
  KineticTotals kinetic() final {
    exec_.reduce("kinetic energy", n_, KineticTotals{}, kineticOf(), AddKinetic{}, kinetic_);
    return exec_.read(kinetic_);
  }
  std::vector<PairSums> pairSums() final {
    takeTerms();
    exec_.synchronize();
    const auto onHost = [&](const auto* array) { return exec::onHost(Exec::backend, array, n_); };
    if constexpr (std::is_same_v<Sums, WholeSums>) {
      return onHost(sums().sums);
    } else {
      const std::vector<Vec4> force = onHost(sums().at);
      const std::vector<Vec2> terms = onHost(sums().terms);
      const std::vector<std::uint32_t> tag = onHost(places().tag);
      const SplitSums here{force.data(), terms.data()};
      std::vector<PairSums> all(n_);
      for (std::size_t k = 0; k < n_; ++k) all[tag.empty() ? k : tag[k]] = here(k);
      return all;
    }
  }
  void rescale(const Rescaling& by) final {
    rescaler_.order(exec_, n_, kineticOf(), places().velocity, by, samples_);
  }
  double heat() final { return rescaler_.readHeat(exec_); }
  void setHeat(double heat) final { rescaler_.setHeat(exec_, heat); }
  void scaleVelocities(double factor, Vec3d mean) final {
    const OwnSlots own = ownPlaces();
    exec_.forEach("scale velocities", own.of(n_),
                  FromSlot<ScaleVelocities>{{places().velocity, factor, mean}, own.begin});
  }
  void hold(const std::vector<HeldParticle>& held) final {
    exec_.synchronize();
    held_ = exec::Array<HeldParticle>(Exec::backend, held);
  }
  void pullHeld(const Spring& spring, double dt) final {
    const ParticlePlaces p = places();
    exec_.forEach("spring", n_,
                  PullHeld{p.position, p.velocity, p.tag, masses(), held_.data(),
                           static_cast<std::uint32_t>(held_.size()), box_, spring, dt});
  }
  std::vector<HeldParticle> held() final {
    exec_.synchronize();
    return held_.get();
  }
  void followDisplacements() override {
    displacements_.follow(exec_, box_, n_, places().position, places().tag);
  }
  void resetDisplacements() override {
    displacements_.begin(exec_, n_, places().position, places().tag);
  }
  CurveCounts curveCounts(const CurveRequest& request) final {
    const ParticlePlaces p = places();
    return curves_.count(exec_, request, box_, n_, p.position, p.velocity, p.tag, p.kind,
                         inverseMasses());
  }
  std::optional<exec::StatusReport> failure() const final { return status_.read(exec_); }

 protected:
  explicit MdSystemOn(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  // --- What a way to compute forces brings beside those ---
  virtual ParticlePlaces places() const = 0;
  virtual OwnSlots ownPlaces() const { return {}; }  // those that it moves
  virtual Sums sums() const = 0;
  virtual void takeTerms() {}  // energies and virials of the positions as they are, where apart
  virtual void orderSample(RunSample* to, double dt) = 0;

  // --- What it is given ---
  InverseMasses inverseMasses() const { return InverseMasses(pair_.species); }
  ParticleMasses masses() const { return {places().kind, inverseMasses()}; }
  KineticOf kineticOf(double halfStep = 0) const {
    return {places().velocity, places().kind, inverseMasses(), halfStep};
  }
  Ways ways() const { return displacements_.ways(box_, places().position, places().tag); }
  Drift drift(double dt, std::uint64_t step) {
    const ParticlePlaces p = places();
    return {p.position, p.velocity, p.tag, status_.data(), box_, Bath::of(bath_, dt, step), dt};
  }
  template <class When = Always>
  HalfKick<Sums, When> kick(double dt, When when = {}) const {
    return {places().velocity, sums(), masses(), dt, when};
  }
  // listed: lists whose lengths are summed up. builds: of lists, where they are known.
  void orderSums(RunSample* to, double dt, const ListReader& listed, const auto& builds) {
    takeTerms();
    samples_.order(
        exec_, n_,
        SumsOf<TotalsOf<Sums>>{{kineticOf(bath_.sampledBack(dt)), sums()}, ways(), listed}, to,
        builds, rescaler_.heat());
  }
  void takeSample(double dt) {
    orderSample(samples_.next(), dt);
    samples_.took(1);
  }
  // Behind the upload of a state.
  void begin(const Followed& followed) {
    status_.clear(exec_);
    if (followed.origin.size() == n_)
      displacements_.set(Exec::backend, followed);
    else
      resetDisplacements();
  }
  // Particles and their ways in a box of this length.
  void scaleTo(const Box& box, Vec3d mean) {
    const double factor = box.length[0] / box_.length[0];
    const OwnSlots own = ownPlaces();
    exec_.forEach("scale the box", own.of(n_),
                  FromSlot<ScaleParticles>{
                      {places().position, places().velocity, factor, mean, box}, own.begin});
    displacements_.scale(exec_, factor);
  }
  // How many of `all` parts, of so many pairs each, are computed between two reports: at least one
  // for every thread of a CPU.
  int partsPerReport(std::int64_t pairs, int all) const {
    constexpr std::int64_t kPairs = 10'000'000;  // of each thread
    std::int64_t crew = 1;
    if constexpr (Exec::backend == Backend::cpu) crew = exec_.threads();
    return static_cast<int>(std::min<std::int64_t>(std::max(crew, kPairs * crew / pairs), all));
  }
  ParticlesLent lentParticles() const {
    ParticlesLent lent;
    lent.n = n_;
    lent.position = places().position, lent.velocity = places().velocity;
    lent.record = places().kind;
    lent.block = pair_.tile;
    for (int t = 0; t < kMostTypes; ++t)
      lent.diameter[t] = static_cast<float>(pair_.species.diameter(t));
    return lent;
  }

  exec::Shared shared_;
  Exec& exec_;
  PairSettings pair_;
  BathSettings bath_;
  std::size_t n_ = 0;
  Box box_ = cubicBox(1), keptBox_ = cubicBox(1);
  exec::Status status_{Exec::backend};
  SampleRing samples_{Exec::backend};
  Rescaler rescaler_{Exec::backend};
  Displacements displacements_;

 private:
  CurveCounter curves_;
  exec::Array<HeldParticle> held_;
  exec::DeviceValue<KineticTotals> kinetic_{Exec::backend};
  exec::DeviceValue<MdTotals> totals_{Exec::backend};
};

}  // namespace cellscope
