// Steps and lists of the engine with Verlet lists. Included by engine_impl.h.
#pragma once
#include "sim/algo/verlet/engine_impl.h"

namespace cellscope {

// Steps ordered before the host looks: about as many as the last list lasted. The trajectory does
// not depend on it.
template <class Exec, class Pass>
std::uint64_t VerletEngine<Exec, Pass>::stepsAtATime(std::uint64_t step) const {
  if (Exec::backend == Backend::cpu || !(pair_.buffer > 0)) return 1;
  const std::uint64_t age = step - history_.lastStep;
  return age < interval_ ? std::min<std::uint64_t>(interval_ - age, 64) : 4;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::run(double dt, std::uint64_t first, std::uint64_t count,
                                   const PairProgress&) {
  if (!whole_) forces({});  // memory was out when the list was to grow
  for (; samples_.on() && count > SampleRing::kRoom;
       first += SampleRing::kRoom, count -= SampleRing::kRoom)
    run(dt, first, SampleRing::kRoom, {});
  if (!(pair_.buffer > 0) && pair_.uncheckedSteps == 0) return runWithNewLists(dt, first, count);
  if constexpr (Pass::kWholeSteps) {
    if (domains_ && stepsAreWhole()) return runTogether(dt, first, count);
    if (goesByItself()) return runByItself(dt, first, count);
  }
  stepsInBox_ += count;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now =
        std::min({count - done, stepsAtATime(first + done), samples_.stepsTo(first + done)});
    for (std::uint64_t s = first + done; s < first + done + now; ++s) {
      halfKickDrift(dt, s);
      orderForces(stop_, s, samples_.due(s));
      orderKick(dt, stop_, s);
    }
    const std::uint64_t step = exec_.read(stop_).step;
    if (step == kNoStop) {
      done += now;
    } else {
      interval_ = std::max<std::uint64_t>(step - history_.lastStep, 1);
      rebuild(step);
      orderForces(never_, 0, samples_.due(step));
      orderKick(dt, never_, 0);
      done = step - first + 1;
    }
    if (samples_.due(first + done - 1)) takeSample(dt);
  }
}

// A new list in every step: nothing has to be known before it is ordered, but whether there was
// room for the lists. Where there was not, all that is ordered after it leaves the positions as
// they are, until the host sees it.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::runWithNewLists(double dt, std::uint64_t first,
                                               std::uint64_t count) {
  constexpr float kAnywhere = 1e30f;
  exec_.fill("list is valid", stop_.data(), 1, Stopping{kNoStop});
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t begin = first + done, builds = history_.builds;
    const std::uint64_t now =
        std::min({count - done, kBuildsPerSort - builds % kBuildsPerSort, samples_.stepsTo(begin)});
    for (std::uint64_t s = begin; s < begin + now; ++s) {
      orderDrift(dt, s, kAnywhere);
      orderForList();
      builder_->build(input(store_.built.data()), list_.begin(exec_, input(store_.built.data())));
      spoilList(input(store_.built.data()));
      exec_.forEach("list has room", 1, StopWithoutRoom{list_.overflow().data(), stop_.data(), s});
      orderForces(stop_, s, samples_.due(s));
      orderKick(dt, stop_, s);
      ++history_.builds;
      history_.lastStep = s;
    }
    const std::uint64_t step = exec_.read(stop_).step;
    done += now;
    whole_ = step == kNoStop;
    if (whole_) {
      if (samples_.due(first + done - 1)) takeSample(dt);
      continue;
    }
    list_.grow(exec_.read(list_.overflow()));
    wholeSteps_.forget();
    history_.builds = builds + (step - begin);
    now_ = step;
    makeList(step);
    orderForces(never_, 0, samples_.due(step));
    orderKick(dt, never_, 0);
    done = step - first + 1;
    if (samples_.due(step)) takeSample(dt);
  }
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::makeList(std::uint64_t step) {
  orderForList(true);
  buildList(false);
  ++history_.builds;
  history_.lastStep = step;
}

template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::updateListPart(int part, std::uint64_t step) {
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

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::orderForList(bool whole) {
  prepareList(own());
  whole_ = false;
  listedOf_ = {};
  const bool sorted = pair_.buffer > 0 || clusters() || history_.builds % kBuildsPerSort == 0;
  const bool moved = !ownOrder() || unsorted_ || SortDue{nullptr, history_.builds}();
  if (whole && !moved && listsOfSome()) return takeNear();
  builtOfSome_ = false;
  collect(kRecords, true);
  if (sorted)
    sortSlots(hostRecords());
  else
    exec_.forEach("keep the records", n_, copyItems(store_.record.array(), store_.built));
}

// From the records in `built`, whose slots have been sorted already, but perhaps otherwise: then a
// list of clusters is rebuilt.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::listInOrder(bool ofAll) {
  listedOf_ = {};
  prepareList(ofAll ? OwnSlots{} : own());
  const CurrentRecords built{{store_.built.data(), nullptr}, nullptr};
  if (ownOrder())
    sortByCells(built);
  else if (cellsInOrder())
    sortKeys(built);
  if (!clusters()) return buildList(true);
  exec_.reduce("slots in order", n_, std::uint64_t{0}, NotInPlace{store_.slot.data()}, AddCounts{},
               misplaced_);
  if (exec_.read(misplaced_) == 0)
    buildList(false);
  else
    makeList(history_.lastStep);
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::prepareList(OwnSlots rows) {
  if (!stale_ && rows.begin == listed_.begin && rows.count == listed_.count) return;
  listed_ = rows;
  const ListInput in = input(store_.built.data());
  list_.prepare(in, SortedParticles::bytes(n_, own()));
  builder_->prepare(in);
  wholeSteps_.forget();
  stale_ = false;
}

// Keys and slots in the order that the builder wants, or along the curve. In the memory of the list
// as well, which is lost.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::sortKeys(const CurrentRecords& records) {
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

// First particles of the builder's cells, and slots in their order. In the memory of the list as
// well, which is lost.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::sortByCells(const CurrentRecords& records) {
  whole_ = false;
  if constexpr (Pass::kOwnOrder)
    pass_.sortByCells(
        exec_,
        CellOrder{records, *builder_->order(), builder_->firstOfCells(), store_.slot.data(),
                  store_.key.data(), reinterpret_cast<std::uint64_t*>(list_.itemMemory().data()),
                  listedOf_},
        n_);
}

// The order of the list, and the records that it is built from. The state is brought into that
// order, before every eighth list only where that has an order of its own: particles do not get far
// meanwhile.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::sortSlots(const CurrentRecords& records) {
  VerletStore& s = store_;
  const SortDue due{records.control, unsorted_ ? 0 : history_.builds};
  if (ownOrder())
    sortByCells(records), unsorted_ = false;
  else
    sortKeys(records);
  termsValid_ = forcesValid_ = false;
  const SortedParticles sorted(list_.itemMemory().data(), n_, own());
  if (domains_ && (!ownOrder() || due())) gatherTo(sorted);
  const TakeInOrder take{s.slot.data(),
                         domains_ ? sorted.allPositions : positions(),
                         domains_ ? sorted.allVelocities : velocities(),
                         records,
                         s.tag.data(),
                         sorted.position,
                         sorted.velocity,
                         s.built.data(),
                         sorted.tag,
                         own()};
  // Recorded steps may go on from either buffer of records.
  ParticleRecord* const other = records.control ? s.record.spare() : nullptr;
  const PutBack back{
      sorted.position, sorted.velocity,          s.built.data(), sorted.tag, positions(),
      velocities(),    {s.record.data(), other}, s.tag.data(),   own()};
  if (ownOrder()) {
    exec_.forEach("order: take", n_, TakeWhereDue{take, due});
    exec_.forEach("order: put back", n_, PutBackWhereDue{back, s.slot.data(), due});
  } else {
    exec_.forEach("order: take", n_, take);
    exec_.forEach("order: put back", n_, back);
  }
}

// From the records in `built`. searched: keys and slots give the order, not the slots themselves.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::buildList(bool searched) {
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
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::spoilList(const ListInput& in) {
  if (pair_.fault == ListFault::none) return;
  exec_.forEach("list: a fault", n_,
                SpoilList{list_.view(), in.particles, store_.tag.data(), cellListGrid(in),
                          RecordBox(box_), pair_.fault, pair_.faultParticle});
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::listIsBuilt() {
  exec_.fill("list is valid", stop_.data(), 1, Stopping{kNoStop});
  whole_ = true;
  if (listedOf_.ranges > 0)
    meetDomains();  // each has what it takes of others
  else if (listed_.of(n_) < n_)
    findNeeded();
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::setPair(const PairSettings& settings) {
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

// --- Parts of list builds and force passes by themselves ---

template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::orderPart(TimedPart part) {
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
      forces({});
      return true;
  }
  return false;
}

template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::orderWithout(LeftOut part) {
  orderForList();
  const ListInput in = input(store_.built.data());
  return builder_->buildWithout(part, in, list_.view());
}

}  // namespace cellscope
