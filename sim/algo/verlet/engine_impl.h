// Molecular dynamics with Verlet lists, written once over exec: every particle interacts with the
// neighbours in its list, which is rebuilt when some particle has moved further than half the
// buffer. Pass is the pair pass of the backend:
//   template <class Exec, PassKind kind>
//   void run(Exec&, const char* name, const ListPass<NoLaw, kind>&, std::size_t n,
//            const PairSettings&)
//   template <class Exec, bool records>
//   void walk(Exec&, const char* name, const ListWalk<records>&, std::size_t n,
//             const PairSettings&)
//   static constexpr bool kOwnOrder    // whether it sorts slots by cells itself, sortByCells():
//   then
//                                      // the state is sorted before some lists only
//   static constexpr bool kSumsItself  // whether it takes samples in a pass of its own: sum(),
//                                      // where sumsItself() is true
//   static constexpr bool kWholeSteps  // whether it has whole steps (engine_whole.h)
//   struct WholeSteps                  // what it records of them; forget() drops it
//   struct Step                        // one of them
//   struct Signal                      // orders the work of domains: record(exec), makeWait(exec)
//   static void copy(Exec&, const char* name, void* to, const void* from, std::size_t bytes)
//   std::size_t slotsOfBlock(n, const PairSettings&) const    // a sample's sums are rounded by
//   blocks
// One of several domains (engine_domains.h) does the same for its range of slots.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>

#include "sim/algo/md/engine.h"
#include "sim/algo/md/system.h"
#include "sim/algo/neighbours/cells_impl.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/algo/verlet/domain_parts.h"
#include "sim/algo/verlet/list_fault.h"
#include "sim/algo/verlet/list_forces.h"
#include "sim/algo/verlet/lists_lent.h"
#include "sim/algo/verlet/store.h"
#include "sim/algo/verlet/timed_parts.h"
#include "sim/exec/peers.h"
#include "sim/exec/ranks.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletEngine final : public MdSystemOn<Exec, SplitSums> {
 public:
  using System = MdSystemOn<Exec, SplitSums>;
  using System::forces;
  explicit VerletEngine(exec::Shared shared) : System(std::move(shared)) {}

  void upload(const MdState& state) override;
  MdState download() const override;
  void setPair(const PairSettings& settings) override;
  void setBath(const BathSettings& bath) override {
    bath_ = bath;
    wholeSteps_.forget();
  }

  void halfKickDrift(double dt, std::uint64_t step) override {
    orderDrift(dt, step, mostMovedSquared(step));
    takeRecordsOfOthers(currentBuffer());
  }
  bool updateListPart(int part, std::uint64_t step) override;
  void forces(const PairProgress&) override {
    if (stale_ || !whole_) makeList(now_);
    orderForces(never_, 0);
  }
  void halfKick(double dt) override { orderKick(dt, never_, 0); }
  void run(double dt, std::uint64_t step, std::uint64_t count, const PairProgress&) override;

  bool whileRunning(const std::function<void()>& f) override {
    whileRunning_ = f;
    return Pass::kWholeSteps;
  }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override;
  void followDisplacements() override;
  void resetDisplacements() override;
  void keep() override;
  void restore() override;
  void recheck() override;

  ParticlesLent lendParticles(bool energies) override;
  ListHistory history() const override { return history_; }
  std::uint64_t listGrowths() const override { return list_.growths(); }

  std::optional<ListedPairs> listFill() override;
  void lend(Lent& to, bool energies) override {
    if (!builder_ || stale_ || (!whole_ && partsDone_ < 0)) return;
    if (energies) takeTerms();
    to.lend(ListsLent{builder_.get(), input(store_.built.data()), list_.reader(), positions(),
                      velocities(), store_.record.data(), forcesAreThose(), store_.terms.data(),
                      store_.tag.data(), partsDone_, pairTable(pair_.potential, pair_.species, 0)});
  }
  bool orderPart(TimedPart part) override;

  std::size_t bytes() const override {
    return VerletStore::layout(0, 0).held(store_) + list_.bytes() + displacements_.bytes() +
           counts_.bytes() + marked_.bytes() + (builder_ ? builder_->bytes() : 0);
  }

  // --- One of several domains ---
  // Those of this process, each on its thread of the crew; `first` is the number of the first of
  // them among all.
  struct Domains {
    std::vector<VerletEngine*> all;
    int first = 0, count = 1, processes = 1;
    exec::Crew* crew = nullptr;
    std::vector<NeededSlots> needed;  // by each of all
    // Through host memory: twice, in turn, the steps where lists end, of all domains, and records;
    // or items of an array.
    bool throughHost = false;
    std::shared_ptr<void> host;
    VerletEngine& at(int q) const { return *all[static_cast<std::size_t>(q - first)]; }
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
  // From all others, to the first domain or to every one. All call it at the same time.
  void collect(unsigned what, bool toAll = false);
  // The list of all particles, for its readers; the next build makes that of the domain again.
  void listAll();

 private:
  using System::bath_, System::box_, System::displacements_, System::exec_, System::keptBox_,
      System::n_, System::pair_, System::rescaler_, System::samples_, System::shared_,
      System::status_, System::unread_;
  using System::inverseMasses, System::kineticOf, System::takeSample, System::ways;

  static constexpr std::uint64_t kBuildsPerSort = 32;  // with buffer 0
  // Whole steps are recorded for one box: not where it has changed within that number of steps.
  static constexpr std::uint64_t kStepsWorthRecording = 256;

  // Forces by slot as the slots are now; null between a new list and the forces from it.
  const Vec4* forcesAreThose() const { return forcesValid_ ? store_.force() : nullptr; }
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
    else if (cellsInOrder())
      in.cellOf = store_.key.data();
    return in;
  }
  // Whether the builder relies on slots in the order of its cells.
  bool cellsInOrder() const {
    return builder_ && ((pair_.buffer > 0 && builder_->order()) || builder_->columns());
  }
  bool clusters() const { return builder_ && builder_->cluster() > 1; }
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
  // mostMoved2: beyond which the list is no longer valid.
  void orderDrift(double dt, std::uint64_t step, float mostMoved2) {
    termsValid_ = false;
    now_ = step;
    meetDomains();  // others have taken the records that change now
    forOwn("half kick and drift", driftFrom(dt, step, mostMoved2));
  }
  VerletDrift driftFrom(double dt, std::uint64_t step, float mostMoved2) {
    return {System::drift(dt, step), store_.record.data(), store_.built.data(),
            store_.force(),          stop_.data(),         RecordBox(box_),
            inverseMasses(),         mostMoved2,           step};
  }
  // stop: never_ where the list is known to be valid. withTerms: a sample will need the energies; a
  // CPU takes them in the same pass.
  void orderForces(const exec::DeviceValue<Stopping>& stop, std::uint64_t step,
                   bool withTerms = false) {
    forcesValid_ = true;
    termsValid_ = withTerms && Exec::backend == Backend::cpu;
    if constexpr (Exec::backend == Backend::cpu)
      if (withTerms)
        return orderPass<PassKind::both>("forces and energies from the list", stop.data(), step);
    orderPass<PassKind::forces>("forces from the list", stop.data(), step);
  }
  void orderKick(double dt, const exec::DeviceValue<Stopping>& stop, std::uint64_t step) {
    forOwn("half kick", System::kick(dt, BeforeStop{stop.data(), step}));
  }
  void takeTerms() override {
    if (!whole_) return;  // there is no list that could be read
    if (!termsValid_) orderPass<PassKind::terms>("energies from the list", never_.data(), 0);
    termsValid_ = true;
  }
  void orderSample(RunSample* to, double dt) override {
    if constexpr (Pass::kSumsItself)
      if (whole_ && pass_.sumsItself(pair_, images())) return orderSumsAtOnce(to, dt);
    collect(kPositions | kVelocities | kForces | kTerms | kCounts);
    if (domain_ > 0) return;
    System::orderSums(to, dt, whole_ ? lengths() : ListReader{},
                      KnownBuilds{history_.builds, history_.dangerous});
  }
  // In one pass of the backend's own.
  void orderSumsAtOnce(RunSample* to, double dt) {
    termsValid_ = false;  // the sums of thread blocks lie there
    const SampleSums sums = sampleSums(to, nullptr, dt);
    pass_.sum(exec_, passOf<PassKind::both>(nullptr, never_.data(), 0), sums, n_, own(), pair_);
    addUpOfAll(sums);
  }
  void addUpOfAll(const SampleSums& sums);
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
  void rebuild(std::uint64_t step) {
    if (pair_.buffer > 0 && step == history_.lastStep + 1) ++history_.dangerous;
    makeList(step);
  }
  void takeBox(const Box& box);
  void roundPositions(const exec::Array<ParticleRecord>& kind);
  bool orderWithout(LeftOut part);
  template <bool records>
  void orderWalk(const char* name) {
    pass_.walk(exec_, name, ListWalk<records>{list_.reader(), store_.record.data(), unread_.data()},
               list_.reader().rows(n_), pair_);
  }
  void makeList(std::uint64_t step);
  void orderForList(bool whole = false);  // whole: not in parts
  void prepareList(OwnSlots rows);
  void listInOrder(bool ofAll = false);
  void sortKeys(const CurrentRecords& records);
  void sortSlots(const CurrentRecords& records);
  void sortByCells(const CurrentRecords& records);
  void buildList(bool searched);
  void spoilList(const ListInput& in);
  void listIsBuilt();
  void runWithNewLists(double dt, std::uint64_t first, std::uint64_t count);
  // Whole steps that the backend orders by itself (engine_whole.h).
  bool goesByItself() const;
  void runByItself(double dt, std::uint64_t first, std::uint64_t count);
  void recordSteps(double dt);
  void orderEnd(double dt, const StepControl& begin);
  void orderSampledEnd(const exec::DeviceValue<Stopping>& stop, std::uint64_t step,
                       const SampleSums& sums, double dt);
  void continueAfterOverflow(double dt, const StepControl& seen);
  bool stepsAreWhole() const;
  void runTogether(double dt, std::uint64_t first, std::uint64_t count);
  typename Pass::Step wholeStep(double dt);
  std::uint32_t currentBuffer() const { return store_.record.data() == home_[0] ? 0 : 1; }
  void takeRecords(std::uint32_t buffer);
  std::uint64_t stepsAtATime(std::uint64_t step) const;
  // Of domains (engine_domains.h). Those that concern others do nothing without them.
  DomainBorders borders() const;
  OwnSlots own() const { return domains_ ? borders().own(domain_) : OwnSlots{}; }
  void meetDomains();
  void fromOthers(const auto& arrayOf, bool toAll, std::size_t slotsOfItem, const auto& f);
  void takeOfOthers(const auto& arrayOf, bool toAll, std::size_t slotsOfItem = 1);
  void holdAll(exec::Array<Vec3d>& array, std::size_t& from);
  void gatherTo(const SortedParticles& sorted);
  void withPositionsOfAll(const auto& f);
  void takeRecordsOfOthers(std::uint32_t buffer);
  void stageRecords(std::uint32_t buffer);
  void meetProcesses(const auto& exchange);
  void passRecords(std::uint32_t buffer) const;
  Stopping* staged(std::uint32_t buffer) const;
  std::size_t stagedBytes() const {
    return kMostDomains * sizeof(Stopping) + n_ * sizeof(ParticleRecord);
  }
  // Marks of domain p, after those of the domain's own cells.
  std::uint32_t* nearOf(int p, std::size_t cells) const {
    return marked_.data() + static_cast<std::size_t>(1 + p) * cells;
  }
  const std::uint32_t* markNear(const ParticleRecord* records, const CellGrid& grid);
  void findNeeded();
  bool listsOfSome() const;
  void takeNear();
  OtherDomains others() const;
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

#include "sim/algo/verlet/engine_domains.h"
#include "sim/algo/verlet/engine_lists.h"
#include "sim/algo/verlet/engine_state.h"
#include "sim/algo/verlet/engine_whole.h"
