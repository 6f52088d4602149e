// Molecular dynamics with Verlet lists, written once over exec: every particle interacts with the
// neighbours in its list, which is rebuilt when some particle has moved further than half the
// buffer. Pass is the pair pass of the backend:
//   template <PassKind kind>
//   void run(Exec&, const char* name, const ListPass<NoLaw, kind>&, std::size_t n,
//            const PairSettings&)
//   template <bool records>
//   void walk(Exec&, const char* name, const ListWalk<records>&, std::size_t n,
//             const PairSettings&)
//   static constexpr bool kOwnOrder    // whether it sorts slots by cells itself, sortByCells():
//                                      // the state is sorted before some lists only then
//   static constexpr bool kWholeSteps  // whether it has whole steps (engine_whole.h), and takes
//                                      // samples by itself: sum(), where sumsItself() is true
//   struct WholeSteps                  // orders or records them; forget() drops what is recorded
//   struct Step                        // one of them
//   struct Signal                      // orders the work of domains: record(exec), makeWait(exec)
//   static void copy(Exec&, const char* name, void* to, const void* from, std::size_t bytes)
//   std::size_t slotsOfBlock(n, const PairSettings&) const  // a sample's sums round by blocks
// One of several domains (engine_domains.h) does the same for its range of slots.
#pragma once
#include <numeric>

#include "sim/algo/verlet/engine_whole.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletEngine final : public VerletRuns<Exec, Pass> {
 public:
  using Runs = VerletRuns<Exec, Pass>;
  using System = typename Runs::System;
  explicit VerletEngine(exec::Shared shared) : Runs(std::move(shared)) {}

  void upload(const MdState& state) override {
    const std::size_t n = state.position.size();
    CELLSCOPE_ASSERT(state.velocity.size() == n && builder_);
    exec_.synchronize();
    if (domains_) domains_->crew->meetOrLeave();  // nobody reads the old state any more
    if (n != n_) {
      store_ = {};
      counts_ = {};
      n_ = n;  // own() is of so many
      try {
        store_ = VerletStore::layout(n, own().of(n)).make(Exec::backend);
        from_[0] = from_[1] = own().begin;
        if (domains_ && domains_->throughHost && domain_ == domains_->first)
          domains_->host = exec::exchangeMemory(Exec::backend, 2 * stagedBytes(), true);
      } catch (...) {
        n_ = 0;  // the next upload makes the arrays again
        store_ = {};
        throw;
      }
      home_[0] = store_.record.data(), home_[1] = store_.record.spare();
    }
    wholeSteps_.forget();
    box_ = state.box;
    const RecordBox rounded(box_);
    std::vector<std::uint32_t> order = state.order;
    if (order.empty()) order.resize(n), std::iota(order.begin(), order.end(), 0u);
    std::vector<ParticleRecord> record(n);
    countOfType_ = {};
    for (std::size_t k = 0; k < n; ++k) {
      record[k] = state.record(rounded, order[k]);
      ++countOfType_[record[k].type];
    }
    const auto set = [&](exec::Array<Vec3d>& to, std::size_t from, const auto& all) {
      std::vector<Vec3d> some(to.size());
      for (std::size_t k = 0; k < some.size(); ++k) some[k] = all[order[from + k]];
      to.set(some);
    };
    set(store_.position, from_[0], state.position);
    set(store_.velocity, from_[1], state.velocity);
    store_.tag.set(order);
    store_.record.array().set(record);
    exec::zeroBytes(Exec::backend, store_.force(), n * sizeof(Vec4));
    System::begin(state.followed);
    history_ = state.history;
    now_ = history_.lastStep;
    stale_ = true, whole_ = termsValid_ = forcesValid_ = builtOfSome_ = false;
    unsorted_ = state.built.size() != n;
    partsDone_ = -1;
    if (state.built.size() != n) return;  // the list is made with the first forces
    store_.built.set(state.built);
    listInOrder();
  }
  MdState download() const override {
    exec_.synchronize();
    MdState s;
    s.box = box_;
    s.order = store_.tag.get();
    s.built = store_.built.get();
    s.history = history_;
    s.followed = displacements_.get();
    const std::vector<Vec3d> position = store_.position.get();
    const std::vector<Vec3d> velocity = store_.velocity.get();
    s.position.resize(n_), s.velocity.resize(n_), s.type.resize(n_);
    for (std::size_t k = 0; k < n_; ++k) {
      const std::size_t i = s.order[k];
      s.position[i] = position[k], s.velocity[i] = velocity[k];
      s.type[i] = static_cast<std::uint8_t>(s.built[k].type);
    }
    return s;
  }
  void setBath(const BathSettings& bath) override {
    bath_ = bath;
    wholeSteps_.forget();
  }

  void keep() override {
    VerletStore& s = store_;
    this->collect(Runs::kBuilt, true);
    forOwn("keep the state",
           copyItems(positions(), keptAt(s.keptPosition), velocities(), keptAt(s.keptVelocity)));
    exec_.forEach("keep the state", n_, copyItems(s.built, s.keptBuilt, s.tag, s.keptTag));
    keptHistory_ = history_;
    keptBox_ = box_;
  }
  void restore() override {
    partsDone_ = -1;
    displacements_.scale(exec_, keptBox_.length[0] / box_.length[0]);
    takeBox(keptBox_);
    VerletStore& s = store_;
    forOwn("restore the state",
           copyItems(keptAt(s.keptPosition), positions(), keptAt(s.keptVelocity), velocities()));
    exec_.forEach("restore the state", n_, copyItems(s.keptBuilt, s.built, s.keptTag, s.tag));
    list_.slotsMoved();
    roundPositions(s.built);
    builtOfSome_ = false;
    this->collect(Runs::kRecords, true);
    exec_.synchronize();
    status_.clear(exec_);
    history_ = keptHistory_;
    listInOrder();
    orderForces(never_, 0);
  }
  void changeBox(const Box& box, Vec3d mean, std::uint64_t step) override {
    System::scaleTo(box, mean);
    takeBox(box);
    roundPositions(store_.record.array());
    makeList(step);
    orderForces(never_, 0, true);
  }
  // Whether the list is valid at the positions as they are.
  void recheck() override {
    if (pair_.uncheckedSteps > 0) return;
    exec_.forEach("check the displacements", n_,
                  CheckMoved{store_.record.data(), store_.built.data(), stop_.data(),
                             RecordBox(box_), mostMovedSquared()});
  }
  ParticlesLent lendParticles(bool energies) override {
    if (energies) takeTerms();
    ParticlesLent lent = System::lentParticles();
    lent.terms = store_.terms.data();
    lent.built = store_.built.data();
    if (!clusters()) lent.listed = lengths().count;
    lent.box = RecordBox(box_);
    if (!domains_) return lent;
    const DomainBorders b = lent.domains = borders();
    lent.copied = NeededSlots(b);
    for (int p = 0; p < b.domains; ++p)
      for (int q = 0; q < b.domains; ++q)
        if (p != q) lent.copied.add(domains_->needed[static_cast<std::size_t>(p)], q);
    return lent;
  }
  ListHistory history() const override { return history_; }
  std::uint64_t listGrowths() const override { return list_.growths(); }

  std::optional<ListedPairs> listFill() override {
    if (!whole_) return std::nullopt;
    const ListInput in = input(store_.built.data());
    const ListFillOfSome some(
        {list_.reader(), store_.record.data(), RecordBox(box_),
         pairTable(pair_.potential, pair_.species, 0), static_cast<std::uint32_t>(n_), in.cluster},
        in.rows());
    exec_.reduce("pairs within the cutoff", some.parts(in.rows()), ListedPairs{}, some,
                 std::plus<ListedPairs>{}, fill_);
    return exec_.read(fill_);
  }
  void lend(Lent& to, bool energies) override {
    if (!builder_ || stale_ || (!whole_ && partsDone_ < 0)) return;
    if (energies) takeTerms();
    to.lend(ListsLent{builder_.get(), input(store_.built.data()), list_.reader(), positions(),
                      velocities(), store_.record.data(), forcesValid_ ? store_.force() : nullptr,
                      store_.terms.data(), store_.tag.data(), partsDone_,
                      pairTable(pair_.potential, pair_.species, 0)});
  }
  std::size_t bytes() const override {
    return VerletStore::layout(0, 0).held(store_) + list_.bytes() + displacements_.bytes() +
           counts_.bytes() + marked_.bytes() + (builder_ ? builder_->bytes() : 0);
  }

 private:
  using Runs::bath_, Runs::borders, Runs::box_, Runs::builder_, Runs::builtOfSome_, Runs::clusters,
      Runs::countOfType_, Runs::counts_, Runs::displacements_, Runs::domain_, Runs::domains_,
      Runs::exec_, Runs::fill_, Runs::forOwn, Runs::forcesValid_, Runs::from_, Runs::history_,
      Runs::home_, Runs::input, Runs::keptAt, Runs::keptBox_, Runs::keptHistory_, Runs::lengths,
      Runs::listInOrder, Runs::list_, Runs::makeList, Runs::marked_, Runs::mostMovedSquared,
      Runs::n_, Runs::never_, Runs::now_, Runs::orderForces, Runs::own, Runs::pair_,
      Runs::partsDone_, Runs::positions, Runs::stagedBytes, Runs::stale_, Runs::status_,
      Runs::stepsInBox_, Runs::stop_, Runs::store_, Runs::takeTerms, Runs::termsValid_,
      Runs::unsorted_, Runs::velocities, Runs::wholeSteps_, Runs::whole_;

  void roundPositions(const exec::Array<ParticleRecord>& kind) {
    forOwn("round the positions",
           RoundPositions{positions(), kind.data(), store_.record.data(), RecordBox(box_)});
  }
  // Rebuilds what was made for another box.
  void takeBox(const Box& box) {
    if (box == box_) return;
    box_ = box;
    stale_ = true, whole_ = termsValid_ = forcesValid_ = false;
    stepsInBox_ = 0;
    wholeSteps_.forget();
  }
};

}  // namespace cellscope
