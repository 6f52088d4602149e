// All-pairs molecular dynamics (S2, section 2), written once over exec: every particle interacts
// with every other one, in a periodic box, of whose shortest side the cutoff may be 1.5 times as
// long (images.h); of one species or of several. Tuned is the hand-tuned pair pass of the backend:
//   void run(Exec&, const Vec3d* position, const ParticleRecord* kind, PairSums*, std::size_t n,
//            const Box&, const PairSettings&, const PairProgress&);
//   bool walk(Exec&, std::size_t n, const Box&, const PairSettings&, bool records);
//   std::size_t bytes() const;
// run() knows the nearest images only: where the cutoff reaches others the tiles of S2 are used.
#pragma once
#include "sim/algo/all_pairs/arrays.h"
#include "sim/algo/all_pairs/tile_forces.h"

namespace cellscope {

template <class Exec, class Tuned>
class AllPairs final : public MdSystemOn<Exec, WholeSums> {
 public:
  using System = MdSystemOn<Exec, WholeSums>;
  using System::forces;
  explicit AllPairs(exec::Shared shared) : System(std::move(shared)) {}

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
    System::begin(state.followed);
  }
  MdState download() const override {
    exec_.synchronize();
    MdState s;
    s.box = box_;
    s.position = now_.position.get(), s.velocity = now_.velocity.get();
    for (const ParticleRecord& k : kind_.get()) s.type.push_back(static_cast<std::uint8_t>(k.type));
    s.followed = displacements_.get();
    return s;
  }
  void keep() override {
    exec_.forEach("keep the state", n_, now_.to(kept_));
    keptBox_ = box_;
  }
  void restore() override {
    exec_.forEach("restore the state", n_, kept_.to(now_));
    displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
    box_ = keptBox_;
    exec_.synchronize();
    status_.clear(exec_);
  }
  void setPair(const PairSettings& settings) override { pair_ = settings; }

  void halfKickDrift(double dt, std::uint64_t step) override {
    exec_.forEach("half kick and drift", n_,
                  HalfKickDrift{System::drift(dt, step), sums(), System::masses(), step});
  }
  void halfKick(double dt) override { exec_.forEach("half kick", n_, System::kick(dt)); }
  void forces(const PairProgress& progress) override {
    const PairImages images = PairImages::within(longestCutoff(pair_), box_);
    if (pair_.kernel == PairKernel::teamsDouble)
      teamForces<double>(images, progress);
    else if (pair_.kernel == PairKernel::teams || images.several())
      teamForces<float>(images, progress);
    else
      tuned_.run(exec_, now_.position.data(), kind_.data(), now_.sums.data(), n_, box_, pair_,
                 progress);
  }
  void run(double dt, std::uint64_t first, std::uint64_t count,
           const PairProgress& progress) override {
    for (std::uint64_t s = first; s < first + count; ++s) {
      halfKickDrift(dt, s);
      forces(progress);
      halfKick(dt);
      if (samples_.due(s)) System::takeSample(dt);
    }
  }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t) override {
    System::scaleTo(box, mean);
    box_ = box;
    forces({});
  }

  // On a CPU there are no tiles to be loaded.
  bool orderPart(TimedPart part) override {
    if (part == TimedPart::forces) {
      forces({});
      return true;
    }
    const bool records = part == TimedPart::records;
    if (!records && part != TimedPart::partners) return false;
    return tuned_.walk(exec_, n_, box_, pair_, records);
  }

  ParticlesLent lendParticles(bool) override {
    ParticlesLent lent = System::lentParticles();
    lent.sums = now_.sums.data();
    return lent;
  }

  std::size_t bytes() const override {
    const exec::Layout<MdArrays> layout = MdArrays::layout(n_);
    return layout.held(now_) + layout.held(kept_) + tuned_.bytes() + displacements_.bytes() +
           kind_.bytes();
  }

 private:
  using System::box_, System::displacements_, System::exec_, System::keptBox_, System::n_,
      System::pair_, System::samples_, System::status_;

  ParticlePlaces places() const override {
    return {now_.position.data(), now_.velocity.data(), nullptr, kind_.data()};
  }
  WholeSums sums() const override { return {now_.sums.data()}; }
  void orderSample(RunSample* to, double dt) override {
    System::orderSums(to, dt, {}, KnownBuilds{0, 0});
  }
  void allocate(std::size_t n) {
    const exec::Layout<MdArrays> layout = MdArrays::layout(n);
    MdArrays now = layout.make(Exec::backend), before = layout.make(Exec::backend);
    now_ = std::move(now), kept_ = std::move(before);
    n_ = n;
  }
  // Of one species nobody reads them.
  void setTypes(const MdState& state) {
    kind_ = {};
    if (pair_.species.types == 1) return;
    std::vector<ParticleRecord> kinds(state.position.size(), ParticleRecord{0, 0, 0, 0});
    for (std::size_t i = 0; i < state.type.size(); ++i) kinds[i].type = state.type[i];
    kind_ = exec::Array<ParticleRecord>(Exec::backend, kinds);
  }
  template <class Real>
  void teamForces(const PairImages& images, const PairProgress& progress) {
    const int n = static_cast<int>(n_), tile = pair_.tile, teams = (n + tile - 1) / tile;
    constexpr bool kTells = Exec::backend == Backend::cpu;  // a GPU gets all at once
    const std::int64_t pairs = static_cast<std::int64_t>(n_) * tile;
    const int part = kTells && progress ? System::partsPerReport(pairs, teams) : teams;
    TileForces<Real, NoLaw> tiles{now_.position.data(),
                                  kind_.data(),
                                  now_.sums.data(),
                                  n,
                                  tile,
                                  TileBox<Real>(box_),
                                  {},
                                  images};
    withAllPairsLaw<Real>(pair_, [&](const AnyLaw& law) {
      for (int& from = tiles.firstTeam; from < teams; from += part) {
        const exec::TeamShape shape{std::min(part, teams - from), tile};
        runWithLaw(
            TeamsWithLaw<typename Exec::Launcher, TileForces<Real, NoLaw>, Real>{
                exec_, "all-pairs forces (teams)", shape, tiles},
            law);
        if (kTells && progress) progress(static_cast<double>(from + shape.teams) / teams);
      }
    });
  }
  Tuned tuned_;
  MdArrays now_, kept_;
  exec::Array<ParticleRecord> kind_;  // types of the particles, where there are several
};

}  // namespace cellscope
