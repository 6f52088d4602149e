// The engine, written once over exec. Tuned is the hand-tuned pair pass of the backend:
//   template <class Exec> void run(Exec&, const Vec3d* position, const ParticleRecord* kind,
//                                  PairSums*, std::size_t n, const Box&, const PairSettings&,
//                                  const PairProgress&);
//   template <class Exec> bool walk(Exec&, std::size_t n, const Box&, const PairSettings&,
//                                   bool records, std::uint32_t* unread);
//   std::size_t bytes() const;
// run() knows the nearest images only: where the cutoff reaches others the tiles of S2 are used.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/algo/all_pairs/arrays.h"
#include "sim/algo/all_pairs/engine.h"
#include "sim/algo/all_pairs/law.h"
#include "sim/algo/all_pairs/tile_forces.h"
#include "sim/core/potentials.h"
#include "sim/exec/device_value.h"
#include "sim/exec/memory.h"
#include "sim/exec/status.h"
#include "sim/exec/team.h"

namespace cellscope {

template <class Exec, class Tuned>
class AllPairs final : public AllPairsEngine {
 public:
  explicit AllPairs(exec::Shared shared)
      : shared_(std::move(shared)), exec_(exec::as<Exec>(shared_)) {}

  void upload(const MdState& state) override {
    const std::size_t n = state.position.size();
    CELLSCOPE_ASSERT(state.velocity.size() == n);
    exec_.synchronize();
    if (n != n_) allocate(n);
    box_ = state.box;
    now_.position.set(state.position);
    now_.velocity.set(state.velocity);
    now_.sums.zero();
    setTypes(state);
    status_.clear(exec_);
    if (state.followed.origin.size() == n)
      displacements_.set(Exec::backend, state.followed);
    else
      resetDisplacements();
  }

  MdState download() const override {
    wait();
    MdState s;
    s.box = box_;
    s.position = now_.position.get(), s.velocity = now_.velocity.get();
    for (const ParticleRecord& k : kind_.get()) s.type.push_back(static_cast<std::uint8_t>(k.type));
    s.followed = displacements_.get();
    return s;
  }
  std::vector<PairSums> pairSums() const override {
    wait();
    return now_.sums.get();
  }
  void setPair(const PairSettings& settings) override { pair_ = settings; }
  void setBath(const BathSettings& bath) override { bath_ = bath; }

  void halfKickDrift(double dt, std::uint64_t step) override {
    exec_.forEach(
        "half kick and drift", n_,
        HalfKickDrift{now_.position.data(), now_.velocity.data(), now_.sums.data(), status_.data(),
                      dt, box_, step, Bath::of(bath_, dt, step), masses()});
  }
  void halfKick(double dt) override {
    exec_.forEach("half kick", n_, HalfKick{now_.velocity.data(), now_.sums.data(), dt, masses()});
  }
  using AllPairsEngine::forces;
  void forces(const PairProgress& progress) override {
    const PairImages images = PairImages::within(longestCutoff(pair_), box_);
    if (pair_.kernel == PairKernel::teamsDouble)
      teamForces<double>(images, progress);
    else if (pair_.kernel == PairKernel::teams || images.several())
      teamForces<float>(images, progress);
    else
      tunedForces(progress);
  }

  void run(double dt, std::uint64_t first, std::uint64_t count,
           const PairProgress& progress) override {
    for (std::uint64_t s = first; s < first + count; ++s) {
      halfKickDrift(dt, s);
      forces(progress);
      halfKick(dt);
      if (!samples_.due(s)) continue;
      orderSample(samples_.next(), dt);
      samples_.took(1);
    }
  }
  void sampleEvery(std::uint64_t every) override { samples_.every(every); }
  std::vector<RunSample> takeSamples() override { return samples_.take(exec_); }
  RunSample sampleNow(double dt) override {
    orderSample(samples_.one().data(), dt);
    return exec_.read(samples_.one());
  }
  MdTotals totals() override {
    exec_.reduce("totals", n_, MdTotals{}, TotalsOf{kineticOf(), now_.sums.data()}, AddTotals{},
                 totals_);
    return exec_.read(totals_);
  }
  CurveCounts curveCounts(const CurveRequest& request) override {
    return curves_.count(exec_, request, box_, n_, now_.position.data(), now_.velocity.data(),
                         nullptr, kind_.data(), InverseMasses(pair_.species));
  }
  KineticTotals kinetic() override {
    exec_.reduce("kinetic energy", n_, KineticTotals{}, kineticOf(), AddKinetic{}, kinetic_);
    return exec_.read(kinetic_);
  }
  void rescale(const Rescaling& by) override {
    rescaler_.order(exec_, n_, kineticOf(), now_.velocity.data(), by, samples_);
  }
  double heat() override { return rescaler_.readHeat(exec_); }
  void setHeat(double heat) override { rescaler_.setHeat(exec_, heat); }
  void scaleVelocities(double factor, Vec3d mean) override {
    exec_.forEach("scale velocities", n_, ScaleVelocities{now_.velocity.data(), factor, mean});
  }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t) override {
    const double factor = box.length[0] / box_.length[0];
    exec_.forEach("scale the box", n_,
                  ScaleParticles{now_.position.data(), now_.velocity.data(), factor, mean, box});
    displacements_.scale(exec_, factor);
    box_ = box;
    forces({});
  }
  double meanSquareDisplacement() override {
    return displacements_.meanSquare(exec_, box_, n_, now_.position.data(), nullptr);
  }
  void followDisplacements() override {
    displacements_.follow(exec_, box_, n_, now_.position.data(), nullptr);
  }
  void resetDisplacements() override {
    displacements_.begin(exec_, n_, now_.position.data(), nullptr);
  }
  std::optional<exec::StatusReport> failure() const override { return status_.read(exec_); }
  void keep() override {
    exec_.forEach("keep the state", n_, CopyState{now_.pointers(), kept_.pointers()});
    keptBox_ = box_;
  }
  void restore() override {
    exec_.forEach("restore the state", n_, CopyState{kept_.pointers(), now_.pointers()});
    displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
    box_ = keptBox_;
    exec_.synchronize();
    status_.clear(exec_);
  }

  // On a CPU there are no tiles to be loaded.
  bool orderPart(TimedPart part) override {
    if (part == TimedPart::forces) {
      forces({});
      return true;
    }
    const bool records = part == TimedPart::records;
    if (!records && part != TimedPart::partners) return false;
    return tuned_.walk(exec_, n_, box_, pair_, records, unread_.data());
  }

  ParticlesLent lendParticles(bool) override {
    ParticlesLent lent;
    lent.n = n_;
    lent.position = now_.position.data(), lent.velocity = now_.velocity.data();
    lent.sums = now_.sums.data();
    lent.record = kind_.data();
    lent.block = pair_.tile;
    lent.setDiameters(pair_.species);
    return lent;
  }

  std::size_t bytes() const override {
    const exec::Layout<MdArrays> layout = MdArrays::layout(n_);
    return layout.held(now_) + layout.held(kept_) + tuned_.bytes() + displacements_.bytes() +
           kind_.bytes();
  }

 private:
  void allocate(std::size_t n) {
    const exec::Layout<MdArrays> layout = MdArrays::layout(n);
    MdArrays now = layout.make(Exec::backend), before = layout.make(Exec::backend);
    now_ = std::move(now), kept_ = std::move(before);
    n_ = n;
  }
  void wait() const { exec_.synchronize(); }
  void orderSample(RunSample* to, double dt) {
    samples_.order(exec_, n_,
                   SumsOf<TotalsOf>{{kineticOf(bath_.sampledBack(dt)), now_.sums.data()},
                                    displacements_.ways(box_, now_.position.data(), nullptr),
                                    nullptr},
                   to, KnownBuilds{0, 0}, rescaler_.heat());
  }
  // Of one species nobody reads them.
  void setTypes(const MdState& state) {
    kind_ = {};
    if (pair_.species.types == 1) return;
    std::vector<ParticleRecord> kinds(state.position.size(), ParticleRecord{0, 0, 0, 0});
    for (std::size_t i = 0; i < state.type.size(); ++i) kinds[i].type = state.type[i];
    kind_ = exec::Array<ParticleRecord>(Exec::backend, kinds);
  }
  ParticleMasses masses() const { return {kind_.data(), InverseMasses(pair_.species)}; }
  KineticOf kineticOf(double halfStep = 0) const {
    return {now_.velocity.data(), kind_.data(), InverseMasses(pair_.species), halfStep};
  }

  template <class T = Tuned>
  void tunedForces(const PairProgress& progress) {
    T& tuned = tuned_;
    const Vec3d* const position = now_.position.data();
    const ParticleRecord* const kind = kind_.data();
    PairSums* const sums = now_.sums.data();
    tuned.run(exec_, position, kind, sums, n_, box_, pair_, progress);
  }
  template <class Real>
  void teamForces(const PairImages& images, const PairProgress& progress) {
    const int n = static_cast<int>(n_), tile = pair_.tile, teams = (n + tile - 1) / tile;
    constexpr bool kTells = Exec::backend == Backend::cpu;  // a GPU gets all at once
    const int part = kTells && progress ? teamsPerReport(teams) : teams;
    withAllPairsLaw<Real>(pair_, [&](const auto& law) {
      for (int from = 0; from < teams; from += part) {
        const exec::TeamShape shape{std::min(part, teams - from), tile};
        exec_.teams("all-pairs forces (teams)", shape,
                    TileForces<Real, std::decay_t<decltype(law)>>{
                        now_.position.data(), kind_.data(), now_.sums.data(), n, tile,
                        TileBox<Real>(box_), law, images, from});
        if (kTells && progress) progress(static_cast<double>(from + shape.teams) / teams);
      }
    });
  }
  // At least one for every thread of a CPU.
  int teamsPerReport(int teams) const {
    constexpr std::int64_t kPairs = 10'000'000;  // of each thread
    std::int64_t crew = 1;
    if constexpr (Exec::backend == Backend::cpu) crew = exec_.threads();
    const std::int64_t pairsOfTeam = static_cast<std::int64_t>(n_) * pair_.tile;
    const std::int64_t wanted = std::max(crew, kPairs * crew / pairsOfTeam);
    return static_cast<int>(std::min<std::int64_t>(wanted, teams));
  }

  exec::Shared shared_;
  Exec& exec_;
  Tuned tuned_;
  PairSettings pair_;
  BathSettings bath_;
  std::size_t n_ = 0;
  Box box_ = cubicBox(1), keptBox_ = cubicBox(1);
  MdArrays now_, kept_;
  exec::Array<ParticleRecord> kind_;  // types of the particles, where there are several
  exec::Status status_{Exec::backend};
  CurveCounter curves_;
  Displacements displacements_{Exec::backend};
  SampleRing samples_{Exec::backend};
  Rescaler rescaler_{Exec::backend};
  exec::DeviceValue<KineticTotals> kinetic_{Exec::backend};
  exec::DeviceValue<MdTotals> totals_{Exec::backend};
  exec::DeviceValue<std::uint32_t> unread_{Exec::backend};  // of walks, which must end somewhere
};

}  // namespace cellscope
