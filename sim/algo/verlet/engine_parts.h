// Arrays and settings of the engine with Verlet lists, and what its layers compute from them:
// exchange with other domains, lists, runs, and the engine itself are each a class over the one
// before (engine_domains.h, engine_lists.h, engine_whole.h, engine_impl.h).
#pragma once
#include "sim/algo/md/system.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/verlet/domain_parts.h"
#include "sim/algo/verlet/list_forces.h"
#include "sim/algo/verlet/store.h"
#include "sim/exec/peers.h"
#include "sim/exec/ranks.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletParts : public MdSystemOn<Exec, SplitSums> {
 public:
  using System = MdSystemOn<Exec, SplitSums>;

  // Those of this process, each on its thread of the crew; `first` is the number of the first of
  // them among all.
  struct Domains {
    std::vector<VerletParts*> all;
    int first = 0, count = 1, processes = 1;
    exec::Crew* crew = nullptr;
    std::vector<NeededSlots> needed;  // by each of all
    // Through host memory: twice, in turn, the steps where lists end, of all domains, and records;
    // or items of an array.
    bool throughHost = false;
    std::shared_ptr<void> host;
    VerletParts& at(int q) const { return *all[static_cast<std::size_t>(q - first)]; }
  };
  enum Whole : unsigned {
    kPositions = 1,
    kVelocities = 2,
    kForces = 4,
    kTerms = 8,
    kCounts = 16,
    kRecords = 32,
    kBuilt = 64
  };
  void join(Domains* domains, int number) {
    domains_ = domains;
    domain_ = number;
  }
  // Before domains do something together; some may have failed in the middle of the last time.
  void beginTogether() { meetings_ = 0; }

 protected:
  template <class, class>
  friend class VerletExchange;  // looks at those of other domains
  explicit VerletParts(exec::Shared shared) : System(std::move(shared)) {}

  using System::bath_, System::box_, System::exec_, System::inverseMasses, System::kineticOf,
      System::n_, System::pair_, System::rescaler_, System::ways;

  static constexpr std::uint64_t kBuildsPerSort = 32;  // with buffer 0
  // Whole steps are recorded for one box: not where it has changed within that number of steps.
  static constexpr std::uint64_t kStepsWorthRecording = 256;

  PairImages images() const {
    return PairImages::within(longestReach(pair_.potential, pair_.species), box_);
  }
  // By slot; of own slots, or of all (holdAll()).
  Vec3d* positions() const { return store_.position.data() - from_[0]; }
  Vec3d* velocities() const { return store_.velocity.data() - from_[1]; }
  Vec3d* keptAt(const exec::Array<Vec3d>& kept) const { return kept.data() - own().begin; }
  ParticlePlaces places() const override {
    return {positions(), velocities(), store_.tag.data(), store_.record.data()};
  }
  OwnSlots ownPlaces() const override { return own(); }
  SplitSums sums() const override { return {store_.force(), store_.terms.data()}; }
  // Whether a list is due that is not built because it must be.
  bool due(std::uint64_t step) const {
    return pair_.uncheckedSteps > 0 && step >= history_.lastStep + pair_.uncheckedSteps;
  }
  float mostMovedSquared(std::uint64_t step) const {
    if (pair_.uncheckedSteps > 0) return due(step) ? -1.0f : 1e30f;
    return mostMovedSquared();
  }
  float mostMovedSquared() const {
    // Positions are rounded twice: by at most 2^-24 of the box each, and so is their difference.
    const double longest = std::max({box_.length[0], box_.length[1], box_.length[2]});
    const double most = 0.5 * pair_.buffer - 4e-7 * longest;
    return most > 0 ? static_cast<float>(most * most) : -1.0f;
  }
  ListInput input(const ParticleRecord* particles) const {
    ListInput in;
    in.particles = particles;
    in.n = n_;
    in.box = box_;
    in.table = pairTable(pair_.potential, pair_.species, pair_.buffer);
    in.countOfType = countOfType_;
    in.cluster = builder_ ? builder_->cluster() : 1;
    in.ordered = pair_.buffer > 0 || in.cluster > 1;
    in.own = listed_;
    if (ownOrder())
      in.slotOf = store_.slot.data();
    else if (cellsInOrder() && !countsCells())
      in.cellOf = store_.key.data();
    return in;
  }
  // Whether the builder relies on slots in the order of its cells.
  bool cellsInOrder() const {
    return builder_ && ((pair_.buffer > 0 && builder_->order()) || builder_->columns());
  }
  bool clusters() const { return builder_ && builder_->cluster() > 1; }
  // Whether slots are sorted by counting. That also finds where the builder's cells begin.
  bool countsCells() const { return ownOrder() || (Pass::kOwnOrder && clusters()); }
  // Whether lists have an order of their own, in which slots are read.
  bool ownOrder() const {
    return Pass::kOwnOrder && pair_.buffer > 0 && builder_ && builder_->order();
  }
  CurrentRecords hostRecords() const {
    return {{store_.record.data(), store_.record.spare()}, nullptr};
  }
  // Over the list.
  template <PassKind kind>
  ListPass<NoLaw, kind> passOf(Vec2* terms, const Stopping* stop, std::uint64_t step) {
    return {{},
            list_.reader(),
            store_.record.data(),
            RecordBox(box_),
            store_.force(),
            terms,
            stop,
            step,
            images(),
            static_cast<std::uint32_t>(own().begin),
            pair_.kernel == PairKernel::exact};
  }
  template <PassKind kind>
  void orderPass(const char* name, const Stopping* stop, std::uint64_t step) {
    pass_.run(exec_, name, passOf<kind>(store_.terms.data(), stop, step), n_, own(), pair_);
  }
  template <class F>
  void forOwn(const char* name, const F& f) {
    exec_.forEach(name, own().of(n_), FromSlot<F>{f, own().begin});
  }
  VerletDrift driftFrom(double dt, std::uint64_t step, float mostMoved2) {
    return {System::drift(dt, step), store_.record.data(), store_.built.data(),
            store_.force(),          stop_.data(),         RecordBox(box_),
            inverseMasses(),         mostMoved2,           step};
  }
  // control: has the number of lists; null: the host knows it.
  SampleSums sampleSums(RunSample* to, const StepControl* control, double dt) const {
    return {ways(),
            kineticOf(bath_.sampledBack(dt)),
            store_.sums(),
            arrived_.data(),
            to,
            control,
            history_.builds,
            history_.dangerous,
            rescaler_.heat(),
            domains_ != nullptr};
  }
  std::uint32_t currentBuffer() const { return store_.record.data() == home_[0] ? 0 : 1; }
  void takeRecords(std::uint32_t buffer) {
    if (currentBuffer() != buffer) store_.record.swap();
  }
  // Whole thread blocks of the passes, whatever share of their threads a particle has.
  DomainBorders borders() const {
    constexpr std::size_t block = kLeastOfDomain;
    DomainBorders b;
    b.domains = domains_->count;
    const std::size_t blocks = (n_ + block - 1) / block;
    for (int q = 0; q <= b.domains; ++q)
      b.at[q] =
          static_cast<std::uint32_t>(std::min(n_, block * (blocks * static_cast<std::size_t>(q) /
                                                           static_cast<std::size_t>(b.domains))));
    return b;
  }
  OwnSlots own() const { return domains_ ? borders().own(domain_) : OwnSlots{}; }
  std::size_t stagedBytes() const {
    return kMostDomains * sizeof(Stopping) + n_ * sizeof(ParticleRecord);
  }
  // Marks of domain p, after those of the domain's own cells.
  std::uint32_t* nearOf(int p, std::size_t cells) const {
    return marked_.data() + static_cast<std::size_t>(1 + p) * cells;
  }
  ListReader lengths() const {  // of all lists, after collect()
    ListReader r = list_.reader();
    if (domains_) r.count = counts_.data();
    return r;
  }

  Domains* domains_ = nullptr;
  int domain_ = 0;       // of all
  OwnSlots listed_;      // that have lists
  SlotRanges listedOf_;  // those and what they may need of others, where not all are known
  exec::DeviceValue<NeededSlots> found_{Exec::backend, NeededSlots{DomainBorders{}}};
  exec::Array<std::uint32_t> counts_, marked_;
  bool builtOfSome_ = false;  // `built` lacks slots of others
  typename Pass::Signal signal_[2];
  int meetings_ = 0;

  Pass pass_;
  std::uint64_t stepsInBox_ = kStepsWorthRecording;
  VerletStore store_;
  std::size_t from_[2] = {};  // slot of the first position and velocity in the store
  // The buffers as they were first, for launches that are recorded and for other domains.
  ParticleRecord* home_[2] = {};
  typename Pass::WholeSteps wholeSteps_;
  exec::DeviceValue<StepControl> control_{Exec::backend};
  std::array<std::size_t, kMostTypes> countOfType_{};
  NeighbourList list_{Exec::backend};
  std::unique_ptr<ListBuilder> builder_;
  bool unsorted_ = true;  // the state lies in no order that the builder knows
  bool stale_ = true;     // the list is not that of the settings
  bool whole_ = false;    // it is complete: its memory has not been used for something else since
  int partsDone_ = -1;    // of a build in parts; -1: none is under way
  bool termsValid_ = false, forcesValid_ = false;
  ListHistory history_, keptHistory_;
  std::uint64_t now_ = 0, interval_ = 8;  // the current step; steps that the last list lasted
  exec::DeviceValue<Stopping> stop_{Exec::backend, Stopping{kNoStop}};
  exec::DeviceValue<Stopping> never_{Exec::backend, Stopping{kNoStop}};
  std::function<void()> whileRunning_;
  exec::DeviceValue<std::uint32_t> arrived_{Exec::backend};  // thread blocks, in a sample
  exec::DeviceValue<std::uint64_t> misplaced_{Exec::backend};
  exec::DeviceValue<ListedPairs> fill_{Exec::backend};
};

}  // namespace cellscope
