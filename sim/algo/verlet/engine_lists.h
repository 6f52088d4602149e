// Lists of the engine with Verlet lists.
#pragma once
#include "sim/algo/verlet/engine_domains.h"

namespace cellscope {

template <class Exec, class Pass>
class VerletLists : public VerletExchange<Exec, Pass> {
 public:
  using Exchange = VerletExchange<Exec, Pass>;
  using System = typename Exchange::System;

  void setPair(const PairSettings& settings) override {
    const auto same = [&] {
      for (int a = 0; a < settings.species.types; ++a)
        for (int b = 0; b < settings.species.types; ++b)
          if (pairCutoff(settings.potential, settings.species, a, b) !=
              pairCutoff(pair_.potential, pair_.species, a, b))
            return false;
      return settings.species.types == pair_.species.types && settings.buffer == pair_.buffer &&
             settings.fault == pair_.fault && settings.faultParticle == pair_.faultParticle;
    };
    const bool otherBuilder =
        !builder_ || settings.method != pair_.method || settings.search != pair_.search;
    if (otherBuilder) {
      std::unique_ptr<ListBuilder> made =
          listMethods()[static_cast<std::size_t>(settings.method)].make(shared_, settings.search);
      builder_ = std::move(made);
    }
    unsorted_ = unsorted_ || otherBuilder;
    if (otherBuilder || !same()) stale_ = true;
    pair_ = settings;
    wholeSteps_.forget();
  }
  bool updateListPart(int part, std::uint64_t step) override {
    if (part == 0) {
      partsDone_ = -1;
      if (exec_.read(stop_).step == kNoStop && !due(step)) return false;
      if (pair_.buffer > 0 && step == history_.lastStep + 1) ++history_.dangerous;
      orderForList();
      ++history_.builds;
      history_.lastStep = step;
      partsDone_ = 0;
      return false;
    }
    if (partsDone_ < 0) return false;
    const ListInput in = input(store_.built.data());
    if (part < builder_->parts()) {
      builder_->buildPart(part - 1, in, list_.view());
      partsDone_ = part;
      return builder_->partGoesOn();
    }
    builder_->buildPart(part - 1, in, list_.begin(exec_, in));
    const ListOverflow seen = exec_.read(list_.overflow());
    if (seen.any != 0) {
      list_.grow(seen);
      wholeSteps_.forget();
      buildList(false);
    } else {
      spoilList(in);
      listIsBuilt();
    }
    partsDone_ = -1;  // last: where memory is out this part is still to come
    return false;
  }
  // Parts of list builds and force passes by themselves.
  bool orderPart(TimedPart part) override {
    const bool ofList = part == TimedPart::partners || part == TimedPart::records;
    if (ofList && (stale_ || !whole_)) makeList(now_);
    switch (part) {
      case TimedPart::sorted:
        return orderWithout(LeftOut::search);
      case TimedPart::walked:
        return orderWithout(LeftOut::distances);
      case TimedPart::built:
        makeList(now_);
        return true;
      case TimedPart::partners:
        orderWalk<false>("list read");
        return true;
      case TimedPart::records:
        orderWalk<true>("list and records read");
        return true;
      case TimedPart::forces:
        this->forces({});
        return true;
    }
    return false;
  }
  // The list of all particles, for its readers; the next build makes that of the domain again.
  void listAll() {
    if (listed_.of(n_) == n_ || !whole_) return;
    const bool terms = termsValid_, forces = forcesValid_;
    listInOrder(true);
    termsValid_ = terms, forcesValid_ = forces;
  }

 protected:
  using Exchange::box_, Exchange::builder_, Exchange::builtOfSome_, Exchange::cellsInOrder,
      Exchange::clusters, Exchange::countsCells, Exchange::domains_, Exchange::driftFrom,
      Exchange::due, Exchange::exec_, Exchange::findNeeded, Exchange::forOwn,
      Exchange::forcesValid_, Exchange::gatherTo, Exchange::history_, Exchange::hostRecords,
      Exchange::input, Exchange::kBuildsPerSort, Exchange::list_, Exchange::listedOf_,
      Exchange::listed_, Exchange::listsOfSome, Exchange::meetDomains, Exchange::misplaced_,
      Exchange::n_, Exchange::now_, Exchange::own, Exchange::ownOrder, Exchange::pair_,
      Exchange::partsDone_, Exchange::pass_, Exchange::positions, Exchange::shared_,
      Exchange::sortByCells, Exchange::stale_, Exchange::stop_, Exchange::store_,
      Exchange::takeNear, Exchange::termsValid_, Exchange::unsorted_, Exchange::velocities,
      Exchange::wholeSteps_, Exchange::whole_;
  using Exchange::Exchange;

  // mostMoved2: beyond which the list is no longer valid.
  void orderDrift(double dt, std::uint64_t step, float mostMoved2) {
    termsValid_ = false;
    now_ = step;
    meetDomains();  // others have taken the records that change now
    forOwn("half kick and drift", driftFrom(dt, step, mostMoved2));
  }
  // stop: never_ where the list is known to be valid. withTerms: a sample will need the energies; a
  // CPU takes them in the same pass.
  void orderForces(const exec::DeviceValue<Stopping>& stop, std::uint64_t step,
                   bool withTerms = false) {
    forcesValid_ = true;
    termsValid_ = withTerms && Exec::backend == Backend::cpu;
    if constexpr (Exec::backend == Backend::cpu)
      if (withTerms)
        return this->template orderPass<PassKind::both>("forces and energies from the list",
                                                        stop.data(), step);
    this->template orderPass<PassKind::forces>("forces from the list", stop.data(), step);
  }
  void orderKick(double dt, const exec::DeviceValue<Stopping>& stop, std::uint64_t step) {
    forOwn("half kick", System::kick(dt, BeforeStop{stop.data(), step}));
  }
  void rebuild(std::uint64_t step) {
    if (pair_.buffer > 0 && step == history_.lastStep + 1) ++history_.dangerous;
    makeList(step);
  }
  void makeList(std::uint64_t step) {
    orderForList(true);
    buildList(false);
    ++history_.builds;
    history_.lastStep = step;
  }
  // whole: not in parts. keep: the records are copied, and stay as they are while particles move.
  // Returns the records for the list.
  const ParticleRecord* orderForList(bool whole = false, bool keep = true) {
    prepareList(own());
    whole_ = false;
    listedOf_ = {};
    const bool sorted = pair_.buffer > 0 || clusters() || history_.builds % kBuildsPerSort == 0;
    const bool moved = !ownOrder() || unsorted_ || SortDue{nullptr, history_.builds}();
    if (whole && !moved && listsOfSome()) {
      takeNear();
      return store_.built.data();
    }
    builtOfSome_ = false;
    this->collect(Exchange::kRecords, true);
    if (sorted)
      sortSlots(hostRecords());
    else if (keep)
      exec_.forEach("keep the records", n_, copyItems(store_.record.array(), store_.built));
    else
      return store_.record.data();
    return store_.built.data();
  }
  // From the records in `built`, whose slots have been sorted already, but perhaps otherwise: then
  // a list of clusters is rebuilt.
  void listInOrder(bool ofAll = false) {
    listedOf_ = {};
    prepareList(ofAll ? OwnSlots{} : own());
    const CurrentRecords built{{store_.built.data(), nullptr}, nullptr};
    if (countsCells())
      sortByCells(built);
    else if (cellsInOrder())
      sortKeys(built);
    if (!clusters()) return buildList(true);
    exec_.reduce("slots in order", n_, std::uint64_t{0}, NotInPlace{store_.slot.data()},
                 std::plus<std::uint64_t>{}, misplaced_);
    if (exec_.read(misplaced_) == 0)
      buildList(false);
    else
      makeList(history_.lastStep);
  }
  void prepareList(OwnSlots rows) {
    if (!stale_ && rows.begin == listed_.begin && rows.count == listed_.count) return;
    listed_ = rows;
    const ListInput in = input(store_.built.data());
    list_.prepare(in, SortedParticles::bytes(n_, own()));
    builder_->prepare(in);
    wholeSteps_.forget();
    stale_ = false;
  }
  // Keys and slots in the order that the builder wants, or along the curve. In the memory of the
  // list as well, which is lost.
  void sortKeys(const CurrentRecords& records) {
    VerletStore& s = store_;
    whole_ = false;
    exec::BitRange bits{0, kMortonBits};
    const auto orderKeys = [&]<class Grid>(const char* name, const Grid& grid) {
      exec_.forEach(name, n_, GridKey<Grid>{records, grid, s.key.data(), s.slot.data()});
    };
    if (const ColumnGrid* columns = builder_->columns()) {
      bits = {0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(columns->count())))};
      orderKeys("order: columns", *columns);
    } else if (const CellGrid* grid = builder_->order()) {
      bits = cellBits(*grid);
      orderKeys("order: cells", *grid);
    } else {
      orderKeys("order: curve", CurveGrid{RecordBox(box_)});
    }
    SortBuffers<std::uint32_t> keys(s.key, list_.itemMemory()), slots(s.slot, list_.countMemory());
    exec_.sortByKey("order: sort", keys.both, slots.both, n_, bits);
    if (keys.both.away())
      exec_.forEach("order: keys back", n_, copyItems(keys.both.data(), keys.both.spare()));
    if (slots.both.away())
      exec_.forEach("order: slots back", n_, copyItems(slots.both.data(), slots.both.spare()));
  }
  // The order of the list, and the records that it is built from. The state is brought into that
  // order, before every eighth list only where that has an order of its own: particles do not get
  // far meanwhile.
  void sortSlots(const CurrentRecords& records) {
    VerletStore& s = store_;
    const bool ownOrdered = ownOrder();
    const SortDue sortDue =
        ownOrdered ? SortDue{records.control, unsorted_ ? 0 : history_.builds} : SortDue{};
    if (countsCells())
      sortByCells(records), unsorted_ = false;
    else
      sortKeys(records);
    termsValid_ = forcesValid_ = false;
    list_.slotsMoved();
    const SortedParticles sorted(list_.itemMemory().data(), n_, own());
    if (domains_ && sortDue()) gatherTo(sorted);
    exec_.forEach("order: take", n_,
                  TakeInOrder{sortDue, s.slot.data(), domains_ ? sorted.allPositions : positions(),
                              domains_ ? sorted.allVelocities : velocities(), records, s.tag.data(),
                              sorted.position, sorted.velocity, s.built.data(), sorted.tag, own()});
    // Recorded steps may go on from either buffer of records.
    ParticleRecord* const other = records.control ? s.record.spare() : nullptr;
    exec_.forEach("order: put back", n_,
                  PutBack{sortDue,
                          sorted.position,
                          sorted.velocity,
                          s.built.data(),
                          sorted.tag,
                          positions(),
                          velocities(),
                          {s.record.data(), other},
                          s.tag.data(),
                          ownOrdered ? s.slot.data() : nullptr,
                          own()});
  }
  // From the records in `built`. searched: keys and slots give the order, not the slots themselves.
  void buildList(bool searched) {
    ListInput in = input(store_.built.data());
    if (searched) in.slotOf = store_.slot.data();
    for (;;) {
      builder_->build(in, list_.begin(exec_, in));
      const ListOverflow seen = exec_.read(list_.overflow());
      if (seen.any == 0) break;
      whole_ = false;
      list_.grow(seen);
      wholeSteps_.forget();
    }
    spoilList(in);
    listIsBuilt();
  }
  // Wrong on purpose.
  void spoilList(const ListInput& in) {
    if (pair_.fault == ListFault::none) return;
    exec_.forEach("list: a fault", n_,
                  SpoilList{list_.view(), in.particles, store_.tag.data(), cellListGrid(in),
                            RecordBox(box_), pair_.fault, pair_.faultParticle});
  }
  void listIsBuilt() {
    exec_.fill("list is valid", stop_.data(), 1, Stopping{kNoStop});
    whole_ = true;
    if (listedOf_.ranges > 0)
      meetDomains();  // each has what it takes of others
    else if (listed_.of(n_) < n_)
      findNeeded();
  }
  bool orderWithout(LeftOut part) {
    orderForList();
    const ListInput in = input(store_.built.data());
    return builder_->buildWithout(part, in, list_.view());
  }
  template <bool records>
  void orderWalk(const char* name) {
    pass_.walk(exec_, name, ListWalk<records>{list_.reader(), store_.record.data()},
               list_.reader().rows(n_), pair_);
  }
};

}  // namespace cellscope
